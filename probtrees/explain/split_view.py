"""One split looked at: how its column is distributed, and which columns would tell as much.

A tree shows the column it chose. Whether another one was nearly as good decides how much the
choice means: of two columns with almost the same gain a few rows decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from probtrees.explain.rule import NOT_RECORDED_TEXT, cut_sides
from probtrees.table.dataset import Column, Dataset
from probtrees.table.number_text import number_text, short_text
from probtrees.types import FloatArray

_MOST_BINS = 16
_MOST_CATEGORIES = 24
_MOST_CUTS = 120


@dataclass(frozen=True)
class SplitBin:
    """Rows with similar values: what they have in common, and their outcomes."""

    label: str
    counts: FloatArray


@dataclass(frozen=True)
class ColumnGain:
    """How much a split on a column would tell about the class, among the rows of a node.

    Attributes
    ----------
    column, about : the column's number, and the column
    gain : in bits, H(class) - H(class | branch), with missing values as a branch of their own
    threshold : the best cut of a number; None where every value has a branch
    """

    column: int
    about: Column
    gain: float
    threshold: float | None

    @property
    def title(self) -> str:
        """The name that stands before its values."""
        name = self.about.name
        return name.removesuffix(" (days)") if self.about.unit == "date" else name

    def cut_text(self, cut: float | None) -> str:
        """Write a cut as the column is written; nothing where two codes leave none to tell."""
        if cut is None or np.isnan(cut) or self.about.two_values:
            return ""
        return number_text(cut, self.about.unit)


@dataclass(frozen=True)
class SplitView:
    """A split of the rows of a node.

    Attributes
    ----------
    chosen : the column, and what it tells at this cut
    entropy : what there is to tell, H(class) in bits
    bins : the column's values among the rows of the node, by outcome; missing ones last
    cut_after : the cut lies after so many bins; None where every value has a branch
    """

    chosen: ColumnGain
    entropy: float
    bins: tuple[SplitBin, ...]
    cut_after: int | None


def split_view(data: Dataset, column: int, threshold: float | None) -> SplitView:
    """Look at a split of some rows: on a number at a cut, or with a branch for every value."""
    bins, cut_after = _bins(data, column, threshold)
    # What the class tells about itself: all there is to tell.
    entropy = _gain(data, data.labels)
    return SplitView(_column_gain(data, column, threshold), entropy, bins, cut_after)


def cut_places(values: FloatArray, cut: float, unit: str) -> list[float]:
    """List where numbers can be cut: at short ones, both sides having some, and at a cut.

    >>> cut_places(np.array([0.0, 1.0, 3.0]), 1.0, "")
    [0.0, 1.0, 2.0]
    >>> cut_places(np.array([1.5, 9.0]), 2.5, "")[:3]
    [1.5, 1.6, 1.7]
    """
    low, high = float(values.min()), float(values.max())
    whole = unit == "date" or bool((values % 1 == 0).all())
    step = _step((high - low) / _MOST_CUTS, whole=whole)
    places = np.arange(np.ceil(low / step), np.ceil(high / step)) * step
    short = {float(f"{place:.12g}") for place in places}
    return sorted({cut, *(place for place in short if low <= place < high)})


def column_gain(data: Dataset, column: int, threshold: float | None = None) -> ColumnGain:
    """Find the gain of a column among some rows, a number at a cut, else at its best one."""
    own = data.schema.columns[column]
    if own.categories is not None or threshold is not None:
        return _column_gain(data, column, threshold)
    values = data.values[:, column]
    known = np.flatnonzero(~np.isnan(values))
    if len(np.unique(values[known])) < 2:
        return ColumnGain(column, own, 0.0, None)
    order = known[np.argsort(values[known], kind="stable")]
    happened = np.eye(data.n_classes)[data.labels] * data.row_weights[:, None]
    below = np.cumsum(happened[order], axis=0)
    ends = np.flatnonzero(values[order][1:] > values[order][:-1])
    left, total = below[ends], below[-1]
    # The branch of missing values is the same whatever the cut, so that the best cut is the one
    # that leaves least to tell on its two sides.
    rest = _entropies(left) + _entropies(total - left)
    best = int(rest.argmin())
    return _column_gain(data, column, float(values[order][ends[best]]))


def _column_gain(data: Dataset, column: int, threshold: float | None) -> ColumnGain:
    """Measure the gain of a column at a cut, or with a branch for every value."""
    gain = _gain(data, _branches(data, column, threshold))
    return ColumnGain(column, data.schema.columns[column], gain, threshold)


def _branches(data: Dataset, column: int, threshold: float | None) -> NDArray[np.int64]:
    """Give the number of the branch that every row takes; missing values take the last one."""
    values = data.values[:, column]
    missing = np.isnan(values)
    n_values = len(data.schema.columns[column].categories or ()) if threshold is None else 2
    side = values if threshold is None else values > threshold
    return np.where(missing, n_values, np.where(missing, 0, side)).astype(np.int64)


def _counts(data: Dataset, sides: NDArray[np.int64], n_sides: int) -> FloatArray:
    """Count the outcomes of every branch."""
    cell = sides * data.n_classes + data.labels
    counted = np.bincount(cell, data.row_weights, n_sides * data.n_classes)
    return counted.astype(np.float64).reshape(-1, data.n_classes)


def _gain(data: Dataset, sides: NDArray[np.int64]) -> float:
    """Return what the branches tell about the class, in bits for every row."""
    weight = max(float(data.row_weights.sum()), 1e-300)
    everything = _entropies(_counts(data, np.zeros_like(sides), 1))
    left_over = _entropies(_counts(data, sides, int(sides.max(initial=0)) + 1))
    return max(float(everything.sum() - left_over.sum()) / weight, 0.0)


def _entropies(counts: FloatArray) -> FloatArray:
    """Return the entropy in bits of every row of counts, times its weight."""
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    bits: FloatArray = -(counts * np.log2(share)).sum(axis=1)
    return bits


def _bins(
    data: Dataset, column: int, threshold: float | None
) -> tuple[tuple[SplitBin, ...], int | None]:
    """Sort the column's values into bins, none of which the cut goes through."""
    own, values = data.schema.columns[column], data.values[:, column]
    if own.categories is not None:
        listed = _filled(data, own.categories, _branches(data, column, None))
        kept = [part for part in listed[:-1] if part.counts.any()]
        kept.sort(key=lambda part: -part.counts.sum())
        lost = listed[-1:] if listed[-1].counts.any() else []
        return (*kept[:_MOST_CATEGORIES], *lost), None
    missing = np.isnan(values)
    edges, cut_after = _edges(values[~missing], threshold, own.unit)
    texts = [short_text(edge, own.unit) for edge in edges.tolist()]
    single = (np.diff(edges) == 1) & ~(values[~missing] % 1).any()
    labels = [
        f"≤ {texts[0]}" if texts else "all",
        *(b if one else f"{a} to {b}" for (a, b), one in zip(pairwise(texts), single, strict=True)),
        *([f"> {texts[-1]}"] if texts else []),
    ]
    if own.two_values and threshold is not None:
        edges, cut_after, labels = np.array([threshold]), 1, list(cut_sides(own, threshold))
    place = np.where(missing, len(labels), np.searchsorted(edges, values, side="left"))
    listed = _filled(data, labels, place)
    return tuple(listed if missing.any() else listed[:-1]), cut_after


def _filled(data: Dataset, labels: Sequence[str], place: NDArray[np.int64]) -> list[SplitBin]:
    """Fill bins with the rows whose place they are; behind them, those without a value."""
    counts = _counts(data, place, len(labels) + 1)
    return [SplitBin(*each) for each in zip((*labels, NOT_RECORDED_TEXT), counts, strict=True)]


def _edges(values: FloatArray, threshold: float | None, unit: str) -> tuple[FloatArray, int | None]:
    """Choose where bins meet: as far apart everywhere, one pair of them at the cut.

    Bins of other widths would show heaps and gaps that the rows do not have; whole numbers need
    whole steps, so that every bin holds as many of them.
    """
    if not len(values):
        return np.array([]), None
    low, high = np.quantile(values, [0.02, 0.98])
    start = float(low if threshold is None else threshold)
    step = _step((high - low) / (_MOST_BINS - 2), whole=unit == "date" or not (values % 1).any())
    first, last = np.floor((low - start) / step), np.ceil((high - start) / step)
    edges = start + step * np.arange(first, max(last, first + 1))
    edges = np.array(
        [float(f"{edge:.12g}") for edge in edges if values.min() <= edge < values.max()]
    )
    if threshold is None:
        return edges, None
    edges = np.union1d(edges, [threshold])
    return edges, int(np.searchsorted(edges, threshold)) + 1


def _step(least: float, *, whole: bool) -> float:
    """Return the shortest distance of one digit, 1, 2 or 5, that is no smaller; maybe whole.

    >>> _step(0.13, whole=False), _step(3.1, whole=True), _step(0.3, whole=True)
    (0.2, 5.0, 1.0)
    """
    power = 10.0 ** np.floor(np.log10(max(least, 1e-300)))
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= least * (1 - 1e-9))
    return float(max(step, 1.0) if whole else step)
