"""Gather inner evidence: grow without a part of the rows, and see where that part lands."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import numbered_by_appearance
from probtrees.grow.count_tree import CountTree
from probtrees.machine.checkpoint import watched
from probtrees.model.routing import add_up_the_tree, find_leaves
from probtrees.smooth.evidence import Evidence, EvidencePart
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds, grouped_folds, stratified_folds, time_folds
from probtrees.table.repeats import content_order
from probtrees.types import FloatArray, Progress

Found = TypeVar("Found")

SECONDS_BETWEEN_REPORTS = 1.0
"""Progress is reported this often while a part is worked on; only then can work be cancelled."""

N_PARTS = 5
"""The rows are cut into this many parts by default; 3 lose .0001 in RMSE."""


@dataclass(frozen=True)
class GrownMember:
    """The trees of one member, and the cuts applied before them."""

    trees: tuple[CountTree, ...]
    cuts: Cuts | None = None

    @property
    def targets(self) -> tuple[int, ...]:
        """The column that each tree counts: the class, or a column of a network."""
        return tuple(tree.target for tree in self.trees)


EvidenceByTarget = Mapping[int, Evidence]
"""The evidence for the trees of one member, by the column that a tree counts."""


class InnerEvidence(NamedTuple):
    """What inner models, learnt without a part of the rows, say about that part.

    Attributes
    ----------
    by_member : for every member its evidence, also for columns that only inner models have
    members : for every part the members that have not seen it, in the order of the model's
    seconds : how long it took to gather
    """

    by_member: tuple[EvidenceByTarget, ...]
    members: tuple[tuple[GrownMember, ...], ...]
    seconds: float = 0.0

    @classmethod
    def of_trees(cls, evidence: tuple[Evidence, ...]) -> InnerEvidence:
        """Take the evidence of decision trees, each a member of its own."""
        members = tuple(
            tuple(GrownMember((part.tree,)) for part in parts)
            for parts in zip(*(of_tree.parts for of_tree in evidence), strict=True)
        )
        by_member = tuple(
            {part.tree.target: of_tree for part in of_tree.parts[:1]} for of_tree in evidence
        )
        return cls(by_member, members)

    def of_tree(self, member: int, tree: CountTree) -> Evidence:
        """Return the evidence for a tree of a member; without parts if no inner model has it."""
        return self.by_member[member].get(tree.target, Evidence(()))

    def of_table(self, member: int, target: int) -> InnerEvidence:
        """Keep what is known of one table alone, which has no inner models to predict with."""
        known = self.by_member[member]
        return InnerEvidence(({target: known[target]} if target in known else {},), ())


class InnerSplit(NamedTuple):
    """One part of the rows that judges, and the rows that the judged model is learnt from.

    Attributes
    ----------
    trained : bool[n_rows]; with a time column only rows before the part, with groups none of
        a group that judges
    held_out : int64[n], the rows of the part
    """

    trained: NDArray[np.bool_]
    held_out: NDArray[np.int64]


def inner_splits(data: Dataset, n_parts: int = N_PARTS, seed: int = 0) -> list[InnerSplit]:
    """Cut the training rows as unseen rows will be met: by time, by group, or by chance.

    Parts that would leave no row to learn from are left out, so a single row, or a single
    moment, gives none.
    """
    if data.n_rows < 2:
        return []
    splits = []
    folds = _inner_folds(data, n_parts, seed)
    for part in range(folds.n_folds):
        trained, held_out = folds.split(part)
        if trained.any():
            splits.append(InnerSplit(trained, np.flatnonzero(held_out)))
    return splits


def _inner_folds(data: Dataset, n_parts: int, seed: int) -> Folds:
    """Cut by time where rows have one and it differs, otherwise as :func:`part_of_rows` does."""
    n_moments = 0 if data.times is None else len(np.unique(data.times))
    if data.times is None or n_moments < 2:
        return Folds(part_of_rows(data, n_parts, seed))
    try:
        blocks = time_folds(data.times, min(n_parts, n_moments - 1))
    except DataError:  # almost all rows share the last moment: they judge what came before
        blocks = np.where(data.times == data.times.max(), 0, NEVER_TESTED)
    return Folds(blocks.astype(np.int64), ordered=True, groups=data.groups)


def gather_members(
    data: Dataset, learner: Any, seed: int = 0, progress: Progress | None = None
) -> tuple[Evidence, ...]:
    """Gather the evidence for every tree of a learner that grows one tree or many.

    Costs about as much as growing the trees four times.

    Parameters
    ----------
    data : the training rows
    learner : grows a tree, or trees, from rows
    seed : decides which rows make a part, each with its share of every outcome; inner trees are
        grown without each
    progress : called after every inner tree; may raise to cancel
    """

    def grow(rows: Dataset) -> tuple[CountTree, ...]:
        grown = learner.grow(rows)
        return (grown,) if isinstance(grown, CountTree) else tuple(grown)

    def grow_and_drop(split: InnerSplit) -> list[EvidencePart]:
        held_out = data.take(split.held_out)
        trees = grow(data.take(split.trained))
        return [
            replace(drop(tree, held_out, split.held_out), trained=split.trained) for tree in trees
        ]

    parts = for_each_part(grow_and_drop, data, seed, progress)
    if not parts:  # a single row cannot be held out
        return (Evidence(()),) * len(grow(data))
    return tuple(Evidence(tuple(of_tree)) for of_tree in zip(*parts, strict=True))


def part_of_rows(data: Dataset, n_parts: int, seed: int) -> NDArray[np.int64]:
    """Deal the rows to parts, each with its share of every class; groups stay together.

    The order of rows, columns, classes and groups does not matter: rows are dealt in an order
    of their own, and classes and groups take turns as they appear in it.
    """
    random = np.random.default_rng([seed, 1])
    order = content_order(data)
    labels = numbered_by_appearance(data.labels[order])
    part_of = np.empty(data.n_rows, dtype=np.int64)
    if data.groups is not None:
        groups = numbered_by_appearance(data.groups[order])
        n_parts = min(n_parts, int(groups.max(initial=0)) + 1)
        part_of[order] = grouped_folds(labels, groups, n_parts, random)
    else:
        part_of[order] = stratified_folds(labels, min(n_parts, data.n_rows), random)
    return part_of


def for_each_part(
    work: Callable[[InnerSplit], list[Found]], data: Dataset, seed: int, progress: Progress | None
) -> list[list[Found]]:
    """Do the work for the rows of every part; parts run side by side.

    Kernels let other threads run, so two cores take about half the time of one. Progress is
    reported now and then and may raise: work that passes checkpoints ends at the next one.
    """
    splits = inner_splits(data, seed=seed)
    found: list[list[Found]] = []
    given_up = threading.Event()

    def end_if_given_up(_: str) -> None:
        if given_up.is_set():  # nobody waits for it any more
            raise CancelledError

    def work_until_given_up(split: InnerSplit) -> list[Found]:
        with watched(end_if_given_up):
            return work(split)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        # Whether kernels may be compiled holds for these threads too.
        waiting = [pool.submit(copy_context().run, work_until_given_up, part) for part in splits]
        try:
            for number, future in enumerate(waiting):
                words = f"inner evidence, part {number + 1} of {len(splits)}"
                found.append(_result(future, number / len(splits), words, progress))
        except BaseException:
            given_up.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def in_part(progress: Progress | None, number: int, n_parts: int) -> Progress | None:
    """Report the progress of one part of the work as a part of the whole."""
    if progress is None:
        return None
    return lambda share, words: progress(
        (number + share) / n_parts, f"{words}, way {number + 1} of {n_parts}"
    )


def _result(
    future: Future[list[Found]], share: float, words: str, progress: Progress | None
) -> list[Found]:
    """Wait for a result, reporting at first and every now and then."""
    while True:
        if progress is not None:
            progress(share, words)
        if wait([future], timeout=SECONDS_BETWEEN_REPORTS).done:
            return future.result()


def drop(tree: CountTree, rows: Dataset, numbers: NDArray[np.int64]) -> EvidencePart:
    """Drop held-out rows into a tree; rows without a value of its target are left out."""
    known = ~np.isnan(rows.values[:, tree.target])
    if not known.all():
        rows, numbers = rows.take(known), numbers[known]
    landing = find_leaves(tree, rows.values, rows.schema.n_values)
    return EvidencePart(
        tree=tree,
        rows=numbers,
        first=landing.first,
        nodes=landing.nodes,
        shares=landing.shares,
        outcomes=rows.values[:, tree.target].astype(np.int64),
        weights=rows.row_weights,
    )


def fill_cells(part: EvidencePart) -> tuple[FloatArray, FloatArray]:
    """Return, for every node and outcome of a tree, how many rows came there, and their weight."""
    tree, row_of = part.tree, np.repeat(np.arange(len(part.outcomes)), np.diff(part.first))
    cell = part.nodes.astype(np.int64) * tree.n_outcomes + part.outcomes[row_of]
    shape = tree.arrays.counts.shape
    n_rows, weight = (
        np.bincount(cell, shares, tree.arrays.counts.size).astype(np.float64).reshape(shape)
        for shares in (part.shares, part.shares * part.weights[row_of])
    )
    add_up_the_tree(tree, n_rows)
    add_up_the_tree(tree, weight)
    return n_rows, weight


def add_up(part: EvidencePart) -> EvidencePart:
    """Keep rows that land alike as one, so that many tables of many rows need little room."""
    n_outcomes = part.tree.n_outcomes
    cell = part.nodes.astype(np.int64) * n_outcomes + part.outcomes
    weights = np.bincount(cell, weights=part.weights, minlength=1).astype(np.float64)
    filled = np.flatnonzero(np.bincount(cell, minlength=1))
    row_in = np.zeros(weights.shape[0], dtype=np.int64)
    row_in[cell] = part.rows
    return EvidencePart(
        tree=part.tree,
        rows=row_in[filled],
        first=np.arange(filled.shape[0] + 1),
        nodes=(filled // n_outcomes).astype(np.int32),
        shares=np.ones(filled.shape[0]),
        outcomes=filled % n_outcomes,
        weights=weights[filled],
    )
