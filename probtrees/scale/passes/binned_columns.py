"""Columns as small whole numbers without holding them: categories as they are, numbers in bins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.split import growth_records as records
from probtrees.grow.split.column_codes import ColumnCodes
from probtrees.grow.split.growth import column_facts
from probtrees.scale.passes.quantile_sketch import MOST_KEYS, QuantileSketch, bin_codes
from probtrees.table.dataset import Dataset, Schema

Rows = NDArray[np.unsignedinteger]
"""[n_rows, n_features + 1]: the codes of the features, those with few codes first; the class."""


@dataclass
class ColumnScan:
    """What one pass over the rows tells about the features: their numbers, what is missing.

    Attributes
    ----------
    schema : the columns
    sketches : one per feature; None where nominal
    has_missing : bool[n_features]
    class_counts : int64[n_classes], rows met
    """

    schema: Schema
    sketches: list[QuantileSketch | None]
    has_missing: NDArray[np.bool_]
    class_counts: NDArray[np.int64]

    @classmethod
    def of(cls, schema: Schema, most_keys: int = MOST_KEYS) -> ColumnScan:
        """Start a scan with sketches of a size."""
        features = schema.features
        return cls(
            schema,
            [None if column.is_nominal else QuantileSketch(most_keys) for column in features],
            np.zeros(len(features), dtype=np.bool_),
            np.zeros(len(schema.classes), dtype=np.int64),
        )

    def fresh(self) -> ColumnScan:
        """Begin again with no rows."""
        sketches = [None if s is None else QuantileSketch(s.most_keys) for s in self.sketches]
        return replace(ColumnScan.of(self.schema), sketches=sketches)

    def sealed(self) -> ColumnScan:
        """Return what travels between machines: all of it."""
        return self

    def update(self, chunk: Dataset) -> None:
        """Add some rows."""
        check_rows(chunk)
        self.class_counts += np.bincount(chunk.labels, minlength=self.class_counts.shape[0])
        for column, sketch in enumerate(self.sketches):
            values = np.ascontiguousarray(chunk.values[:, column])
            if sketch is None:
                # A category the schema does not know is as good as missing.
                self.has_missing[column] |= bool((~(values >= 0.0)).any())
            else:
                sketch.update(values)
                self.has_missing[column] = sketch.n_missing > 0

    def merge(self, other: ColumnScan) -> None:
        """Add the rows of another scan."""
        self.class_counts += other.class_counts
        self.has_missing |= other.has_missing
        for ours, theirs in zip(self.sketches, other.sketches, strict=True):
            if ours is not None and theirs is not None:
                ours.merge(theirs)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return what was found, to be kept in a file."""
        kept: dict[str, NDArray[Any]] = {
            "has_missing": self.has_missing,
            "class_counts": self.class_counts,
        }
        for column, sketch in enumerate(self.sketches):
            if sketch is not None:
                kept[f"sizes_{column}"] = np.array([sketch.shift, sketch.n_missing])
                for name in _SKETCH_ARRAYS:
                    kept[f"{name}_{column}"] = getattr(sketch, name)
        return kept

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        self.has_missing, self.class_counts = kept["has_missing"], kept["class_counts"]
        for column, sketch in enumerate(self.sketches):
            if sketch is not None:
                sketch.shift, sketch.n_missing = map(int, kept[f"sizes_{column}"])
                for name in _SKETCH_ARRAYS:
                    setattr(sketch, name, kept[f"{name}_{column}"])


def sketch_size(schema: Schema, bins: int) -> int:
    """Return how many keys a sketch may keep: many columns share the room, but bins must fit.

    Depends on nothing else, so that the same table is always cut into the same bins.
    """
    n_numeric = sum(not column.is_nominal for column in schema.features)
    return max(bins, min(MOST_KEYS, max(_FEWEST_KEYS, _ALL_KEYS // max(1, n_numeric))))


_ALL_KEYS = 1 << 22
"""Keys of all columns together: 128 MB."""

_FEWEST_KEYS = 1 << 12

_SKETCH_ARRAYS = ("keys", "counts", "lowest", "highest")


def check_rows(chunk: Dataset) -> None:
    """Refuse rows a tree cannot be grown from in chunks."""
    if chunk.weights is not None and not (chunk.weights == 1.0).all():
        raise DataError(
            "weights must all be 1 where a tree is grown in chunks. Leave the weights out, or grow "
            "the tree in memory."
        )
    labels = chunk.values[:, -1]
    known = (labels >= 0) & (labels < chunk.n_classes)
    if not known.all():
        row = int(chunk.row_numbers[np.argmin(known)]) + 1
        raise DataError(
            f"target={chunk.schema.target.name!r} must have a known class in every row; row {row} "
            "has none. Drop the rows without one."
        )


@dataclass(frozen=True)
class BinnedColumns:
    """How the features of a table are turned into codes.

    Attributes
    ----------
    schema : the columns
    tops : the largest number of each bin, ascending; empty where nominal
    is_exact : bool[n_features], whether every bin is one number
    has_missing : bool[n_features]
    n_rows : rows of the whole table
    """

    schema: Schema
    tops: tuple[NDArray[np.float64], ...]
    is_exact: NDArray[np.bool_]
    has_missing: NDArray[np.bool_]
    n_rows: int

    @classmethod
    def of_scan(cls, scan: ColumnScan, bins: int, n_rows: int) -> BinnedColumns:
        """Cut every numeric column into at most ``bins`` bins of like size."""
        sketches = scan.sketches
        return cls(
            scan.schema,
            tuple(np.empty(0) if s is None else s.bin_tops(bins) for s in sketches),
            np.array([s is None or (s.is_exact and s.keys.shape[0] <= bins) for s in sketches]),
            scan.has_missing,
            n_rows,
        )

    @cached_property
    def n_codes(self) -> NDArray[np.int64]:
        """Categories or bins per feature; the next code means missing."""
        return np.array(
            [
                column.n_values if column.is_nominal else tops.shape[0]
                for column, tops in zip(self.schema.features, self.tops, strict=True)
            ],
            dtype=np.int64,
        )

    @cached_property
    def by_size(self) -> NDArray[np.intp]:
        """The features, those with few codes first: the order the kernels want."""
        return np.argsort(self.n_codes, kind="stable")

    @cached_property
    def row_type(self) -> np.dtype[np.unsignedinteger]:
        """The smallest type that holds all codes and classes."""
        largest = max(int((self.n_codes + self.has_missing).max(initial=1)) - 1, 0)
        return np.min_scalar_type(max(largest, len(self.schema.classes) - 1))

    def encode(self, chunk: Dataset) -> Rows:
        """Turn rows into codes."""
        rows = np.empty((chunk.n_rows, len(self.tops) + 1), dtype=self.row_type)
        for place, column in enumerate(self.by_size):
            values = np.ascontiguousarray(chunk.values[:, column])
            if self.schema.columns[column].is_nominal:
                rows[:, place] = np.where(values >= 0.0, values, self.n_codes[column])
            else:
                exact = bool(self.is_exact[column])
                rows[:, place] = bin_codes(values, self.tops[column], is_exact=exact)
        rows[:, -1] = chunk.values[:, -1]
        return rows

    def decode(self, column: int, codes: NDArray[np.int32]) -> NDArray[np.float64]:
        """Turn the codes of a column back: categories as they were, numbers as their bins' tops."""
        is_nominal = self.schema.columns[column].is_nominal
        values = (
            np.arange(self.n_codes[column], dtype=np.float64) if is_nominal else self.tops[column]
        )
        return np.append(values, np.nan)[codes]

    def as_records(self, codes: NDArray[np.int32], *, missing_as_value: bool) -> records.Columns:
        """Describe coded rows to the kernels that grow a tree."""
        nominal = np.array([column.is_nominal for column in self.schema.features], dtype=np.bool_)
        described = ColumnCodes(codes, self.n_codes, self.tops, nominal, self.has_missing)
        facts = column_facts(described, self.n_rows, self.by_size, missing_as_value)
        values = [*(self.tops[column] for column in self.by_size), np.empty(0)]
        return records.Columns(codes, facts, np.argsort(self.by_size), np.concatenate(values))
