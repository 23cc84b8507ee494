"""Rows that count more than once are one observation: as one they judge, as one they leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.experiment.inner_evidence import drop, fill_cells
from probtrees.grow.count_tree import CountTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray


def usual_weight(data: Dataset) -> float:
    """Return what a row usually weighs, the median, if that is above 1.

    A table of which every row counts three times holds no more information than the table itself;
    a few copies among rows that count once change nothing.
    """
    if data.weights is None or not (data.weights > 0).any():
        return 1.0
    return float(max(1.0, np.median(data.weights[data.weights > 0])))


def mean_weight(data: Dataset) -> float:
    """Return what a row weighs on average, if that is above 1."""
    return 1.0 if data.weights is None else float(max(1.0, data.weights.mean()))


def lighter(data: Dataset, unit: float) -> Dataset:
    """Weigh rows in units, so that rules which count rows count observations."""
    if data.weights is None or unit == 1.0:
        return data
    return replace(data, weights=data.weights / unit)


def grow_by_observation(
    learner: Any, unit: float, data: Dataset, progress: Callable[[float], None] | None = None
) -> tuple[tuple[CountTree, ...], Any]:
    """Let a learner of trees see rows in units of their usual weight.

    The trees count rows as often as they weigh, but a leaf needs as many observations. Beside them
    stands the report of what was taken away from a single one, else None.
    """
    rows, removed = lighter(data, unit), None
    if hasattr(learner, "grow_with_report"):
        trees, removed = learner.grow_with_report(rows, progress)
    else:
        trees = learner.grow(rows, progress)
    trees = (trees,) if isinstance(trees, CountTree) else tuple(trees)
    return tuple(tree if unit == 1.0 else _heavier(tree, unit) for tree in trees), removed


def _heavier(tree: CountTree, unit: float) -> CountTree:
    """Count rows as often as they weigh."""
    weight, counts = tree.arrays.weight * unit, tree.arrays.counts * unit
    return replace(tree, arrays=tree.arrays._replace(weight=weight, counts=counts))


def with_mean_weights(
    trees: tuple[CountTree, ...], cuts: Cuts | None, data: Dataset
) -> tuple[CountTree, ...]:
    """Note in every cell of the trees how much one of its rows weighs, where rows have weights."""
    if data.weights is None:
        return trees
    rows = data if cuts is None else cuts.apply(data)
    return tuple(replace(tree, mean_weights=_mean_weights(tree, rows)) for tree in trees)


def _mean_weights(tree: CountTree, rows: Dataset) -> FloatArray:
    """Average the weights of the rows in each cell; an empty one has the mean of all."""
    counted = np.flatnonzero(rows.row_weights > 0)
    landed = drop(tree, rows if len(counted) == rows.n_rows else rows.take(counted), counted)
    n_rows, weight = fill_cells(landed)
    overall = landed.weights.mean() if len(landed.weights) else 1.0
    means = np.full(weight.shape, overall)
    np.divide(weight, n_rows, out=means, where=n_rows > 0)
    return means
