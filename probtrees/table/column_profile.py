"""What the columns of a table held, in a few numbers that travel with a model.

A model is asked about other people than those it was learnt from. Whether they differ can only be
seen if something is known of the first ones: how often every category occurred, between which
values a number lay and how it was spread, and how often nothing was recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.json_file import decode_numbers, encode_numbers
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.types import FloatArray

N_BINS = 10
"""Bins of a number: about a tenth of the training rows each."""


@dataclass(frozen=True)
class ColumnProfile:
    """The values of one column, counted.

    Attributes
    ----------
    name : of the column
    counts : float64[n], rows by category, or by bin of a number
    edges : float64[n + 1], the ends of a number's bins, the lowest and the highest value among
        them; a bin holds its upper end. None for a nominal column
    missing : rows without a value
    unseen : rows with a category outside the schema
    outside : rows with a number below the lowest or above the highest edge
    """

    name: str
    counts: FloatArray
    edges: FloatArray | None
    missing: float
    unseen: float = 0.0
    outside: float = 0.0

    @property
    def rows(self) -> float:
        """All rows."""
        return float(self.counts.sum()) + self.missing + self.unseen

    def to_dict(self) -> dict[str, Any]:
        """Return the profile as plain values, ready for JSON."""
        counts = encode_numbers(self.counts)
        edges = None if self.edges is None else encode_numbers(self.edges)
        return {"name": self.name, "counts": counts, "edges": edges, "missing": self.missing}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], column: Column) -> ColumnProfile:
        """Read what :meth:`to_dict` wrote, and check that it is about the column."""
        counts = decode_numbers(record["counts"])
        edges = None if record["edges"] is None else decode_numbers(record["edges"])
        found = cls(record["name"], counts, edges, float(record["missing"]))
        n_counts = column.n_values if edges is None else len(edges) - 1
        fits = found.name == column.name and (edges is None) == column.is_nominal
        is_count = np.isfinite(found.rows) and min(found.missing, counts.min(initial=0.0)) >= 0
        ascends = edges is None or (np.isfinite(edges).all() and (np.diff(edges) >= 0).all())
        if not (fits and counts.shape == (n_counts,) and is_count and ascends):
            raise DataError(f"profile of column {column.name!r} must count its values.")
        return found


Profiles = tuple[ColumnProfile, ...]


def profile_table(data: Dataset, like: Sequence[ColumnProfile] | None = None) -> Profiles:
    """Count the values of every feature, into the bins of another profile where one is given.

    Weights are scaled such that they add up to the rows they are worth (Kish 1965).
    """
    weights, found = data.row_weights, []
    if squares := float(weights @ weights):
        weights = weights * (float(weights.sum()) / squares)
    for number, column in enumerate(data.schema.features):
        values = data.values[:, number]
        edges = _edges(values, column) if like is None else like[number].edges
        found.append(_count(column, values, weights, edges))
    return tuple(found)


def profiles_from_record(record: list[dict[str, Any]] | None, schema: Schema) -> Profiles | None:
    """Read the profiles of a model file; older files have none."""
    pairs = zip(record or (), schema.features, strict=record is not None)
    return None if record is None else tuple(ColumnProfile.from_dict(*pair) for pair in pairs)


def _edges(values: FloatArray, column: Column) -> FloatArray | None:
    """Choose the ends of a number's bins: its tenths, equal ones merged."""
    if column.is_nominal:
        return None
    known = values[np.isfinite(values)]
    if len(known) == 0:
        return np.zeros(1)
    edges = np.unique(np.quantile(known, np.linspace(0, 1, N_BINS + 1), method="lower"))
    return edges if len(edges) > 1 else np.repeat(edges, 2)


def _count(
    column: Column, values: FloatArray, weights: FloatArray, edges: FloatArray | None
) -> ColumnProfile:
    """Count the values of one column by category, or by bin; numbers outside fall into the ends."""
    is_known = ~np.isnan(values)
    known, w, missing = values[is_known], weights[is_known], float(weights[~is_known].sum())
    if edges is None:
        codes = known.astype(np.int64) + 1  # 0: unseen
        counts = np.bincount(codes, w, column.n_values + 1).astype(np.float64)
        return ColumnProfile(column.name, counts[1:], None, missing, float(counts[0]))
    n_bins = len(edges) - 1
    if n_bins == 0:  # nothing was recorded in training
        all_rows = float(w.sum())
        return ColumnProfile(column.name, np.zeros(0), edges, missing + all_rows, 0.0, all_rows)
    place = np.clip(np.searchsorted(edges, known, side="left") - 1, 0, n_bins - 1)
    counts = np.bincount(place, w, n_bins).astype(np.float64)
    is_outside = (known < edges[0]) | (known > edges[-1])
    return ColumnProfile(column.name, counts, edges, missing, 0.0, float(w[is_outside].sum()))
