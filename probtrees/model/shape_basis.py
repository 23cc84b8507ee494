"""Features of a column that a smooth curve can be made of, measured on training rows."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.model.column_shape import (
    FARTHEST,
    ColumnShape,
    NominalShape,
    NumericShape,
    soft_features,
)
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray

QUANTILES = (0.2, 0.4, 0.6, 0.8)
"""Where the soft steps of a numeric column are."""

STEP_WIDTH = 0.25
"""The width of a soft step in standard deviations of its column."""

N_BINS = 20
"""Bars of the histogram that is drawn below a curve."""

_LARGEST = float(np.finfo(np.float64).max)
SMALLEST_SPREAD = 1e-6
"""A step that is flatter than this over the training rows is left out."""


class Places(NamedTuple):
    """Features that few rows have: row, feature and value of each."""

    rows: NDArray[np.intp]
    features: NDArray[np.int64]
    values: FloatArray


class Fitted(NamedTuple):
    """What was fitted to features: weights float64[n, n_outcomes], and means float64[n]."""

    weights: FloatArray
    means: FloatArray

    def part(self, inside: slice) -> Fitted:
        """Return the same of some features."""
        return Fitted(self.weights[inside], self.means[inside])


@dataclass(frozen=True)
class NumericBasis:
    """Features of a numeric column: its value and soft steps, and whether it is missing.

    Attributes
    ----------
    column : which column of the table
    fill : the median, which stands for a missing value
    missing : the value of the feature "is missing" where it is; None: training had no such row
    curve : the column's shape before it has weights
    """

    column: int
    fill: float
    missing: float | None
    curve: NumericShape

    @classmethod
    def measure(cls, column: int, x: FloatArray, weights: FloatArray) -> NumericBasis | None:
        """Measure a column; None if all its values are alike."""
        gone = np.isnan(x)
        finite = np.isfinite(x)
        values, mass = x[finite], weights[finite]
        if values.size == 0 or mass.sum() <= 0 or values.min() == values.max():
            return None
        order = np.argsort(values, kind="stable")
        values, mass = values[order], mass[order]
        fill, *cuts = _quantiles(values, mass, (0.5, *QUANTILES))
        filled = np.where(finite, x, fill)
        own = _moments(filled[None], weights)
        width = STEP_WIDTH * float(own[1, 0])
        n_distinct = 1 + int((values[1:] > values[:-1]).sum())
        knots = np.unique(cuts) if n_distinct > 2 else np.empty(0)
        with np.errstate(over="ignore"):  # a value far below a knot: the step is 0
            steps = 1.0 / (1.0 + np.exp((knots[:, None] - filled) / width))
        means, spreads = np.hstack([own, _moments(steps, weights)])
        kept = spreads > SMALLEST_SPREAD * np.concatenate([[0.0], np.ones(knots.size)])
        n_features = int(kept.sum()) + bool(gone.any())
        edges = even_steps(float(values[0]), float(values[-1]), N_BINS + 1)
        with np.errstate(over="ignore"):  # of the largest numbers there are
            scale = np.minimum(spreads[kept] * np.sqrt(n_features), _LARGEST)
        nothing = np.zeros(0)
        curve = NumericShape(
            column=column,
            knots=knots[kept[1:]],
            width=width,
            centre=means[kept],
            scale=scale,
            weights=nothing,
            offset=nothing,
            missing=nothing,
            edges=edges,
            counts=np.histogram(values, edges, weights=mass)[0].astype(np.float64),
            missing_count=float(weights[gone].sum()),
        )
        share = float(weights[gone].sum() / weights.sum())
        return cls(column, fill, _indicator(share, n_features) if gone.any() else None, curve)

    @property
    def n_dense(self) -> int:
        """Number of features that most rows have."""
        return int(self.curve.centre.shape[0])

    @property
    def n_sparse(self) -> int:
        """Number of features that few rows have."""
        return 0 if self.missing is None else 1

    def dense(self, x: FloatArray) -> FloatArray:
        """Return the features that most rows have."""
        filled = np.where(np.isnan(x), self.fill, x)
        curve = self.curve
        return soft_features(filled, curve.knots, curve.width, curve.centre, curve.scale)

    def sparse(self, x: FloatArray) -> Places:
        """Return which rows have the sparse feature, and its value."""
        rows = np.flatnonzero(np.isnan(x)) if self.missing is not None else np.empty(0, np.intp)
        return Places(rows, np.zeros(rows.size, np.int64), np.full(rows.size, self.missing or 0.0))

    def shape(self, dense: Fitted, sparse: Fitted) -> ColumnShape:
        """Make the curve of the weights that were fitted to the features."""
        offset = -(dense.means @ dense.weights) - sparse.means @ sparse.weights
        missing = np.zeros(dense.weights.shape[1])
        if self.missing is not None:
            at_fill = self.dense(np.array([self.fill]))[0]
            missing = at_fill @ dense.weights + self.missing * sparse.weights[0] + offset
        weights = np.ascontiguousarray(dense.weights)
        return replace(self.curve, weights=weights, offset=offset, missing=missing)


@dataclass(frozen=True)
class NominalBasis:
    """Features of a nominal column: one per category met, and whether it is missing.

    A missing value counts as the most frequent category, and has a feature of its own.

    Attributes
    ----------
    column : which column of the table
    fill : the most frequent code
    place : int64[n_values], the feature of every code; -1: training never met it
    values : float64[n_features], what a feature is where it is not 0; that of "is missing" is
        the last, if there is one
    has_missing : whether training rows had no value
    counts : float64[n_values + 1], the training rows by code, the missing last
    """

    column: int
    fill: int
    place: NDArray[np.int64]
    values: FloatArray
    has_missing: bool
    counts: FloatArray
    n_dense: ClassVar[int] = 0

    @classmethod
    def measure(
        cls, column: int, x: FloatArray, weights: FloatArray, n_values: int
    ) -> NominalBasis | None:
        """Measure a column; None if all its values are alike."""
        codes = np.where(np.isnan(x), n_values, x).astype(np.int64)
        inside = codes >= 0
        counts = np.bincount(codes[inside], weights[inside], n_values + 1).astype(np.float64)
        met = np.flatnonzero(counts[:n_values] > 0)
        has_missing = bool(counts[-1] > 0)
        if met.size == 0 or met.size + has_missing < 2:
            return None
        fill = int(met[np.argmax(counts[met])])
        filled = counts[:n_values].copy()
        filled[fill] += counts[-1]
        n_features = met.size + has_missing
        shares = filled[met] / counts.sum()
        values = [_indicator(float(share), n_features) for share in shares]
        if has_missing:
            values.append(_indicator(float(counts[-1] / counts.sum()), n_features))
        place = np.full(n_values, -1, dtype=np.int64)
        place[met] = np.arange(met.size)
        return cls(column, fill, place, np.array(values), has_missing, counts)

    @property
    def n_sparse(self) -> int:
        """Number of features that few rows have."""
        return int(self.values.shape[0])

    def sparse(self, x: FloatArray) -> Places:
        """Return which rows have which sparse features, and their values."""
        gone = np.isnan(x)
        codes = np.where(gone, self.fill, x).astype(np.int64)
        features = np.where((codes >= 0) & (codes < self.place.size), self.place[codes], -1)
        rows = np.flatnonzero(features >= 0)
        features = features[rows]
        if self.has_missing:
            rows = np.concatenate([rows, np.flatnonzero(gone)])
            features = np.concatenate([features, np.full(gone.sum(), self.n_sparse - 1)])
        return Places(rows, features, self.values[features])

    def shape(self, dense: Fitted, sparse: Fitted) -> ColumnShape:
        """Make the table of the weights that were fitted to the features."""
        del dense
        n_values = self.place.shape[0]
        table = np.zeros((n_values + 1, sparse.weights.shape[1]))
        offset = -(sparse.means @ sparse.weights)
        met = np.flatnonzero(self.place >= 0)
        says = self.values[:, None] * sparse.weights
        table[met] = says[self.place[met]] + offset
        if self.has_missing:
            table[-1] = says[self.place[self.fill]] + says[-1] + offset
        return NominalShape(self.column, table, self.counts)


ColumnBasis = NumericBasis | NominalBasis
Cells = Callable[[int], tuple[FloatArray, FloatArray]]


@dataclass(frozen=True)
class ShapeBasis:
    """The features of all columns.

    Attributes
    ----------
    columns : one entry per column that varies, by name: the order of a table's columns does not
        matter to any sum
    """

    columns: tuple[ColumnBasis, ...]

    @classmethod
    def measure(cls, data: Dataset, banned: Collection[int] = ()) -> ShapeBasis:
        """Measure the features of every column on training rows, except for the banned ones."""
        return cls.of_cells(data.schema, lambda n: (data.values[:, n], data.row_weights), banned)

    @classmethod
    def of_cells(cls, schema: Schema, cells: Cells, banned: Collection[int] = ()) -> ShapeBasis:
        """Measure the features on the values and weights that ``cells`` gives for a column."""
        found: list[ColumnBasis] = []
        names = [column.name for column in schema.features]
        for number in sorted({*range(len(names))} - {*banned}, key=names.__getitem__):
            column, (x, weights) = schema.features[number], cells(number)
            basis = (
                NominalBasis.measure(number, x, weights, column.n_values)
                if column.is_nominal
                else NumericBasis.measure(number, x, weights)
            )
            if basis is not None:
                found.append(basis)
        return cls(tuple(found))

    @property
    def n_sparse(self) -> int:
        """Number of features that few rows have, over all columns."""
        return sum(basis.n_sparse for basis in self.columns)

    def dense(self, data: Dataset) -> FloatArray:
        """Return the features that most rows have, column by column."""
        numeric = [basis for basis in self.columns if isinstance(basis, NumericBasis)]
        parts = [basis.dense(data.values[:, basis.column]) for basis in numeric]
        return np.hstack([np.empty((data.n_rows, 0)), *parts])

    def sparse(self, data: Dataset) -> Places:
        """Return the features that few rows have, numbered column by column."""
        found = [basis.sparse(data.values[:, basis.column]) for basis in self.columns]
        starts = np.cumsum([0, *(basis.n_sparse for basis in self.columns)])
        return Places(
            np.concatenate([np.empty(0, np.intp), *(places.rows for places in found)]),
            np.concatenate(
                [np.empty(0, np.int64), *map(np.add, (p.features for p in found), starts)]
            ),
            np.concatenate([np.empty(0), *(places.values for places in found)]),
        )

    def shapes(self, fitted: Fitted) -> tuple[ColumnShape, ...]:
        """Make every column's shape of what was fitted to all features, the sparse ones first.

        They come in the order of the table's columns.
        """
        found = []
        at_sparse, at_dense = 0, self.n_sparse
        for basis in self.columns:
            d = slice(at_dense, at_dense + basis.n_dense)
            s = slice(at_sparse, at_sparse + basis.n_sparse)
            found.append(basis.shape(fitted.part(d), fitted.part(s)))
            at_dense, at_sparse = d.stop, s.stop
        return tuple(sorted(found, key=lambda shape: shape.column))


def _moments(lines: FloatArray, weights: FloatArray) -> FloatArray:
    """Return means and standard deviations of lines by weight: float64[2, n_lines]."""
    largest = np.abs(lines).max(axis=1, initial=0.0)
    exponents = np.frexp(largest)[1]  # so that squares are neither 0 nor infinite
    x, total = np.ldexp(lines, -exponents[:, None]), weights.sum()
    means = (weights * x).sum(axis=1) / total
    spreads = np.sqrt((weights * (x - means[:, None]) ** 2).sum(axis=1) / total)
    return np.ldexp([means, spreads], exponents)


def even_steps(low: float, high: float, n_points: int) -> FloatArray:
    """Return points in even steps, none below the last; also between the largest numbers there are.

    >>> even_steps(-1.7e308, 1.7e308, 3).tolist()
    [-1.7e+308, 0.0, 1.7e+308]
    """
    scale = 1.0 if high / 2 - low / 2 < _LARGEST / 4 else 0.5  # too far apart to subtract
    points = np.linspace(low * scale, high * scale, n_points) / scale
    return np.asarray(np.maximum.accumulate(np.minimum(points, high)))


def _quantiles(x: FloatArray, weights: FloatArray, shares: tuple[float, ...]) -> list[float]:
    """Return the smallest of sorted values that leave at least these shares of the weight below."""
    below = np.cumsum(weights)
    places = np.searchsorted(below, np.array(shares) * below[-1] * (1 - 1e-12))
    return [float(x[min(place, x.size - 1)]) for place in places]


def _indicator(share: float, n_features: int) -> float:
    """Return how far the standardised 0/1 feature of a value rises where a row has it."""
    scale = np.sqrt(share * (1 - share) * n_features)
    if scale == 0:
        return 0.0
    return float(min((1 - share) / scale, FARTHEST) + min(share / scale, FARTHEST))
