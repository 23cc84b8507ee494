"""Leave every row out in turn without counting the others again.

Naive Bayes has no structure to learn, so that leaving a row out only lowers one count in every
table. The answer is the one a model of all other rows gives; where it would not be, because
the row is the last of its class or the only one with a value missing, that model is learned.
Trees and other networks choose their structure by all rows and cannot take one back.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.model_spec import ModelSpec
from probtrees.grow.count_tree import CountTree
from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.model.member import Member
from probtrees.model.predict import member_proba, predict_proba
from probtrees.score.metrics import base_rates
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.types import FloatArray, Progress


class LeftOut(NamedTuple):
    """What every row is answered by a model of all others.

    Attributes
    ----------
    proba : float64[n_rows, n_classes]
    seconds : time to grow, smooth and predict, in all
    """

    proba: FloatArray
    seconds: dict[str, float]


def leaves_one_out(cuts: Sequence[Folds], data: Dataset) -> bool:
    """Whether folds test every row once, alone, with all others to train on."""
    return len(cuts) == 1 and (
        cuts[0].groups is None
        and not cuts[0].ordered
        and np.array_equal(np.sort(cuts[0].test_fold), np.arange(data.n_rows))
    )


def can_take_rows_out(data: Dataset, spec: ModelSpec, smoother: Smoother) -> bool:
    """Whether leaving a row out only lowers counts: naive Bayes of nominal columns.

    Cuts of numbers depend on the rows, and so do settings chosen by held-out rows.
    """
    return (
        isinstance(spec.learner, NaiveBayes)
        and all(column.is_nominal for column in data.schema.features)
        and not smoother.needs_evidence
        and spec.calibrate == "none"
    )


def take_rows_out(
    data: Dataset, grown: GrownModel, smoother: Smoother, progress: Progress | None = None
) -> LeftOut:
    """Answer every row by a naive Bayes of all others.

    Parameters
    ----------
    grown : naive Bayes of all rows
    smoother : one that :func:`can_take_rows_out` allows
    progress : called now and then; may raise to cancel
    """
    start = time.perf_counter()
    tables = _LoweredTables(grown, smoother)
    proba = np.empty((data.n_rows, data.n_classes))
    must_learn = _must_learn_again(data)
    alike: dict[bytes, FloatArray] = {}
    for row in range(data.n_rows):
        if progress is not None and row % 100 == 0:
            progress(row / data.n_rows, f"row {row + 1} of {data.n_rows}")
        if must_learn[row]:
            others = data.take(np.delete(np.arange(data.n_rows), row))
            model = grow_model(others, grown.spec).smooth(("", smoother))
            proba[row] = predict_proba(model, data.take(np.array([row])))[0]
            continue
        key = tables.nominal.values[row].tobytes() + data.row_weights[row].tobytes()
        if key not in alike:
            alike[key] = tables.answer(row)
        proba[row] = alike[key]
    taken = time.perf_counter() - start
    return LeftOut(proba, {"grow": grown.seconds, "smooth": taken, "predict": 0.0})


def base_rates_without(data: Dataset) -> FloatArray:
    """For every row, the class frequencies of all others."""
    weights = data.row_weights
    totals: FloatArray = np.bincount(data.labels, weights, data.n_classes).astype(np.float64)
    rates = np.empty((data.n_rows, data.n_classes))
    for row, label in enumerate(data.labels.tolist()):
        others = totals.copy()
        others[label] = max(others[label] - weights[row], 0.0)
        rates[row] = base_rates(np.arange(data.n_classes), data.n_classes, others)
    return rates


def _must_learn_again(data: Dataset) -> NDArray[np.bool_]:
    """Find the rows without which the tables would have another shape."""
    of_class = np.bincount(data.labels, minlength=data.n_classes)
    missing = np.isnan(data.values[:, :-1])
    only_missing = missing & (missing.sum(axis=0) == 1)
    alone = (of_class[data.labels] == 1) | only_missing.any(axis=1)
    return np.asarray(alone | (data.row_weights <= 0))


@dataclass(frozen=True)
class _LoweredTables:
    """Tables of naive Bayes with one row taken out, smoothed; equal ones only once."""

    grown: GrownModel
    smoother: Smoother
    _smoothed: dict[tuple[int, int, int, float], SmoothedTree] = field(default_factory=dict)

    @cached_property
    def nominal(self) -> Dataset:
        """The rows as the tables count them."""
        cuts = self.grown.members[0].cuts
        return self.grown.data if cuts is None else cuts.apply(self.grown.data)

    def answer(self, row: int) -> FloatArray:
        """Give the probabilities of one row by the tables without it."""
        alone = self.nominal.take(np.array([row]))
        values = alone.values[0]
        label, weight = int(values[-1]), float(alone.row_weights[0])
        trees = tuple(
            self._lowered(number, int(values[tree.target]), label, weight)
            for number, tree in enumerate(self.grown.members[0].trees)
        )
        proba: FloatArray = member_proba(Member(trees), alone, self.grown.spec.curtail)[0]
        return proba

    def _lowered(self, number: int, value: int, label: int, weight: float) -> SmoothedTree:
        key = (number, value, label, weight)
        if key not in self._smoothed:
            tree = self.grown.members[0].trees[number]
            arrays = tree.arrays
            counts, weights = arrays.counts.copy(), arrays.weight.copy()
            for node in _path_of(tree, label):
                counts[node, value] -= weight
                weights[node] -= weight
            lowered = replace(tree, arrays=arrays._replace(counts=counts, weight=weights))
            self._smoothed[key] = self.smoother.smooth(lowered, None)
        return self._smoothed[key]


def _path_of(tree: CountTree, label: int) -> list[int]:
    """List the nodes that count a row: the root, and in an attribute's table its class."""
    return [0, *(node for node in tree.children(0) if tree.arrays.branch[node] == label)]
