"""SuperParent: arcs between attributes, each added because the classifier gets better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.aode import refuse_too_many
from probtrees.grow.count.leave_one_out import log_levels, log_prior
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.grow.dag import Dag, OneNetwork, Structure, StructureMember
from probtrees.options import option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

Criterion = Literal["accuracy", "auc", "cll"]

MAX_CELLS = 2**27
"""More attributes x rows x classes than this (1 GB) are refused."""


@dataclass(frozen=True)
class SuperParent(OneNetwork):
    """Start from naive Bayes and add one arc at a time, as long as answers improve.

    Every attribute is tried as a super-parent of all orphans (attributes without a parent
    beside the class); from the best one an arc is tried to each orphan alone; the best arc
    is kept if the criterion improves, else the search ends. Answers are judged on the
    training rows, each left out of the counts, with Laplace's estimate. Criteria: share of
    right answers (SP, Keogh & Pazzani 1999), area under the ROC curve (AUC-SP, Ling & Zhang
    2002), conditional log likelihood (CLL-SP, Qiu, Jiang & Li 2015, Algorithm 1). Of equals
    the attribute that comes first in the table is taken.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.SuperParent(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.74, 0.26]]
    """

    name: ClassVar[str] = "sp"

    criterion: Criterion = option(
        "accuracy",
        help="What an arc must improve on rows left out: right answers (accuracy), the "
        "ranking (auc), or the log likelihood of the true classes (cll).",
    )

    def learn(self, data: Dataset) -> Structure:
        """Find the arcs."""
        refuse_too_many(self.name, data)
        table = nominal_rows(data)
        information = measure_information(table, pairs=False)
        search = _Search(table, self.criterion)
        steps = search.run()
        order = information.order().tolist()
        dag = _in_order(search.parent, order)
        return Structure(
            (StructureMember(dag),),
            diagnostics={
                "order": list(dag.columns)[1:],
                "mutual_information": information.with_class,
                "criterion": self.criterion,
                "steps": steps,
            },
        )


class _Search:
    """The state of the hill climb.

    ``log_joint`` is what the present network says about each row left out;
    ``change[p]`` what would be added to it if p became the super-parent of all its orphans.
    """

    def __init__(self, table: NominalRows, criterion: Criterion) -> None:
        n_attributes = table.n_attributes
        n_cells = n_attributes * table.codes.shape[1] * int(table.n_values[-1])
        if n_cells > MAX_CELLS:
            raise DataError(
                f"attributes x rows x classes={n_cells} must be at most {MAX_CELLS} for a "
                "super-parent search. Choose 'tan' or 'skdb', or fewer rows."
            )
        self.table = table
        self.criterion = criterion
        self.parent: list[int | None] = [None] * n_attributes
        self.root = list(range(n_attributes))
        self.log_joint = log_prior(table)
        for child in range(n_attributes):
            self.log_joint += log_levels(table, child, ())[0]
        self.change = np.zeros((n_attributes, *self.log_joint.shape))
        for parent in range(n_attributes):
            for child in self._orphans(parent):
                self.change[parent] += self._gain_of(parent, child)

    def run(self) -> list[dict[str, Any]]:
        """Climb to the top; return the arcs in the order they were added."""
        score = self._score(self.log_joint)
        steps: list[dict[str, Any]] = [{"parent": None, "child": None, "score": score}]
        while True:
            candidates = [p for p in range(len(self.parent)) if self._orphans(p)]
            if not candidates:
                return steps
            scores = [self._score(self.log_joint + self.change[p]) for p in candidates]
            parent = candidates[_first_best(scores)]
            orphans = self._orphans(parent)
            gains = [self._gain_of(parent, child) for child in orphans]
            scores = [self._score(self.log_joint + gain) for gain in gains]
            best = _first_best(scores)
            if not scores[best] > score + 1e-12 * max(1.0, abs(score)):
                return steps
            score = scores[best]
            self.log_joint += gains[best]
            self._join(parent, orphans[best])
            steps.append({"parent": parent, "child": orphans[best], "score": score})

    def _orphans(self, parent: int) -> list[int]:
        """List the orphans that an arc from ``parent`` may reach without closing a circle."""
        return [
            child
            for child, its_parent in enumerate(self.parent)
            if its_parent is None and child != self.root[parent]
        ]

    def _gain_of(self, parent: int, child: int) -> FloatArray:
        """Return what an arc adds to every row's log joint probabilities."""
        without, with_parent = log_levels(self.table, child, (parent,))
        return np.asarray(with_parent - without)

    def _join(self, parent: int, child: int) -> None:
        """Hang the tree of ``child`` under ``parent``; every attribute loses one orphan.

        For attributes outside that tree the child was an orphan and is none any more; for
        those inside it the child was the root, and now the root of ``parent`` is.
        """
        top = self.root[parent]
        for attribute, root in enumerate(self.root):
            lost = top if root == child else child
            self.change[attribute] -= self._gain_of(attribute, lost)
        self.parent[child] = parent
        self.root = [top if root == child else root for root in self.root]

    def _score(self, log_joint: FloatArray) -> float:
        labels, weights = self.table.codes[-1], self.table.weights
        if self.criterion == "accuracy":
            return float(weights[log_joint.argmax(axis=1) == labels].sum() / weights.sum())
        shifted = log_joint - log_joint.max(axis=1, keepdims=True)
        proba = np.exp(shifted)
        totals = proba.sum(axis=1)
        if self.criterion == "cll":
            own = shifted[np.arange(labels.shape[0]), labels]
            return float((weights * (own - np.log(totals))).sum())
        return hand_till(proba / totals[:, None], labels, weights)


def _first_best(scores: list[float]) -> int:
    """Find the highest score, the first of equals."""
    return int(np.argmax(np.round(np.array(scores), 12)))


def _in_order(parent: list[int | None], order: list[int]) -> Dag:
    """List parents before their children, otherwise in the given order."""
    target = len(parent)
    parents: dict[int, tuple[int, ...]] = {target: ()}
    while len(parents) <= target:
        waiting = (attribute for attribute in order if attribute not in parents)
        each = next(attribute for attribute in waiting if parent[attribute] in (None, *parents))
        above = parent[each]
        parents[each] = (target,) if above is None else (target, above)
    return Dag(parents)


def hand_till(proba: FloatArray, labels: NDArray[np.int32], weights: FloatArray) -> float:
    """Return Hand & Till's M: the mean AUC over all pairs of classes that occur.

    A(i | j) is the chance that a random row of class i gets a higher probability of i than
    a random row of class j, ties counted half; a pair's AUC is the mean of A(i | j) and
    A(j | i). With fewer than two classes there is nothing to rank: 1.

    >>> hand_till(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 1]), np.ones(2))
    1.0
    """
    n_classes = proba.shape[1]
    weight_of = np.bincount(labels, weights=weights, minlength=n_classes)
    present = np.flatnonzero(weight_of > 0)
    if present.shape[0] < 2:
        return 1.0
    total = 0.0
    for k in present:
        above = _weight_above(proba[:, k], labels == k, weights)
        pairs = np.bincount(labels, weights=weights * above, minlength=n_classes)[present]
        total += float((pairs / (weight_of[k] * weight_of[present]))[present != k].sum())
    return total / (present.shape[0] * (present.shape[0] - 1))


def _weight_above(scores: FloatArray, is_own: NDArray[np.bool_], weights: FloatArray) -> FloatArray:
    """Return, for every row, the weight of a class's rows that score higher, equals halved."""
    order = np.argsort(scores[is_own])
    ranked = scores[is_own][order]
    so_far = np.concatenate([[0.0], np.cumsum(weights[is_own][order])])
    up_to = (so_far[np.searchsorted(ranked, scores, side)] for side in ("left", "right"))
    return np.asarray(so_far[-1] - sum(up_to) / 2)
