"""The shape of a column: what each of its values adds to the scores of the outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.model import _predict_kernels as kernels
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

FARTHEST = 4.0
"""Features end here, so that no single value runs away with an answer."""


def soft_features(
    x: FloatArray, knots: FloatArray, width: float, centre: FloatArray, scale: FloatArray
) -> FloatArray:
    """Return the value itself and a soft step at every knot, each brought to scale.

    Returns
    -------
    float64[n, 1 + len(knots)], within -4 and 4
    """
    raw = np.empty((x.shape[0], 1 + knots.shape[0]))
    raw[:, 0] = x
    with np.errstate(over="ignore"):  # exp(-x) of a value far below a knot: the step is 0
        for number, knot in enumerate(knots, start=1):
            raw[:, number] = 1.0 / (1.0 + np.exp((knot - x) / width))
        return np.clip((raw - centre) / scale, -FARTHEST, FARTHEST)


@dataclass(frozen=True)
class NumericShape:
    """What a number adds: a straight line and soft steps, added up.

    Attributes
    ----------
    column : which column of the table
    knots, width : where the steps are, and over which distance they rise
    centre, scale : float64[1 + n_knots], how the features are brought to scale
    weights : float64[1 + n_knots, n_outcomes]
    offset : float64[n_outcomes], so that the training rows' average is 0
    missing : float64[n_outcomes], what a missing value adds; zeros where training had none
    edges, counts : the training rows' histogram; ``missing_count`` of them had no value
    """

    column: int
    knots: FloatArray
    width: float
    centre: FloatArray
    scale: FloatArray
    weights: FloatArray
    offset: FloatArray
    missing: FloatArray
    edges: FloatArray
    counts: FloatArray
    missing_count: float

    def scores(self, x: FloatArray) -> FloatArray:
        """Return what every value adds to the score of every outcome."""
        x = np.ascontiguousarray(x, dtype=np.float64)
        scores = np.empty((x.shape[0], self.offset.shape[0]))
        features = self.knots, self.width, self.centre, self.scale
        kernels.numeric_scores(
            x, features, FARTHEST, self.weights, self.offset, self.missing, scores
        )
        return scores

    def to_dict(self) -> dict[str, Any]:
        """Return the shape as plain values, ready for JSON."""
        return {"kind": "numeric", **{key: encode(value) for key, value in vars(self).items()}}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_outcomes: int) -> NumericShape:
        """Read what :meth:`to_dict` wrote, and prove that it is a shape."""
        names = ("knots", "centre", "scale", "weights", "offset", "missing", "edges", "counts")
        given = {name: _numbers(record[name]) for name in names}
        width = float(record["width"])
        n_features = given["knots"].size + 1
        fits = (
            given["knots"].ndim == 1
            and given["centre"].shape == given["scale"].shape == (n_features,)
            and given["weights"].shape == (n_features, n_outcomes)
            and given["offset"].shape == given["missing"].shape == (n_outcomes,)
            and given["edges"].ndim == given["counts"].ndim == 1
            and given["edges"].size == given["counts"].size + 1
        )
        if not (fits and (given["scale"] > 0).all() and 0 < width < np.inf):
            raise DataError("shape must have one weight, centre and scale for every feature.")
        return cls(
            column=int(record["column"]),
            width=width,
            missing_count=_count(record["missing_count"]),
            **given,
        )


@dataclass(frozen=True)
class NominalShape:
    """What a category adds.

    Attributes
    ----------
    column : which column of the table
    table : float64[n_values + 1, n_outcomes], by code; the last is a missing value's. Zeros
        for what training never met.
    counts : float64[n_values + 1], the training rows by code, the missing last
    """

    column: int
    table: FloatArray
    counts: FloatArray

    def scores(self, x: FloatArray) -> FloatArray:
        """Return what every value adds to the score of every outcome; new values add nothing."""
        last = self.table.shape[0] - 1
        codes = np.where(np.isnan(x), last, x).astype(np.int64)
        found = self.table[np.clip(codes, 0, last)]
        return np.where(((codes >= 0) & (codes <= last))[:, None], found, 0.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the shape as plain values, ready for JSON."""
        return {"kind": "nominal", **{key: encode(value) for key, value in vars(self).items()}}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_values: int, n_outcomes: int) -> NominalShape:
        """Read what :meth:`to_dict` wrote, and prove that it is a shape."""
        table, counts = _numbers(record["table"]), _numbers(record["counts"])
        if table.shape != (n_values + 1, n_outcomes) or counts.shape != (n_values + 1,):
            raise DataError(f"shape must have {n_values + 1} entries, one for every value.")
        return cls(int(record["column"]), table, counts)


ColumnShape = NumericShape | NominalShape


def shape_from_dict(record: Mapping[str, Any], schema: Schema) -> ColumnShape:
    """Read the shape of a column of a schema."""
    column = int(record["column"])
    if not 0 <= column < schema.target_column:
        raise DataError(f"shape column={column} must be a column other than the target.")
    n_outcomes, n_values = len(schema.classes), int(schema.n_values[column])
    if (record["kind"] == "nominal") != schema.columns[column].is_nominal:
        raise DataError(f"shape kind={record['kind']!r} must be that of its column.")
    if record["kind"] == "nominal":
        return NominalShape.from_dict(record, n_values, n_outcomes)
    return NumericShape.from_dict(record, n_outcomes)


def _numbers(record: Any) -> FloatArray:
    numbers = np.asarray(decode(record), dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise DataError("shape must consist of finite numbers.")
    return numbers


def _count(value: Any) -> float:
    count = float(value)
    if not 0 <= count < np.inf:
        raise DataError(f"shape missing_count={value!r} must be a number of rows.")
    return count
