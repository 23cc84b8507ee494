"""Gather inner evidence: grow without a part of the rows, and see where that part lands."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext
from contextvars import copy_context
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

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
from probtrees.types import FloatArray, Progress, tell

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


DroppedInto = tuple[GrownMember, Mapping[int, EvidencePart]]
"""A member, and where held-out rows land in its trees, by the column that each counts."""


class InnerEvidence(NamedTuple):
    """What inner models, learnt without a part of the rows, say about that part.

    Attributes
    ----------
    by_member : for every member its evidence by the column that a tree counts, also for columns
        that only inner models have
    members : for every part the members that have not seen it, in the order of the model's
    seconds : how long it took to gather
    """

    by_member: tuple[Mapping[int, Evidence], ...]
    members: tuple[tuple[GrownMember, ...], ...]
    seconds: float = 0.0

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


def gather_trees(
    data: Dataset,
    grow: Callable[[Dataset], Iterable[CountTree]],
    n_trees: int = 1,
    seed: int = 0,
    progress: Progress | None = None,
) -> InnerEvidence:
    """Gather the evidence for decision trees, each a member of its own.

    Costs about as much as growing the trees four times.

    Parameters
    ----------
    data : the training rows
    grow : grows so many trees from rows
    seed, progress : as in :func:`gather_members`
    """

    def grow_and_drop(split: InnerSplit) -> list[DroppedInto]:
        held_out, trees = data.take(split.held_out), grow(data.take(split.trained))
        parts = (drop(tree, held_out, split.held_out) for tree in trees)
        return [
            (GrownMember((part.tree,)), {part.tree.target: replace(part, trained=split.trained)})
            for part in parts
        ]

    return gather_members(grow_and_drop, n_trees, data, seed, progress)


def gather_members(
    learn_and_drop: Callable[[InnerSplit], list[DroppedInto]],
    n_members: int,
    data: Dataset,
    seed: int,
    progress: Progress | None,
) -> InnerEvidence:
    """Gather the evidence for every tree of every member.

    Held-out rows are weighed so that they sum to the number of observations. Where losses are added
    up, twice as many rows are twice as sure. Copies are not: they are right and wrong together.

    Parameters
    ----------
    learn_and_drop : learns the members without a part of the rows, and drops it into their trees
    data : the training rows
    seed : decides which rows make a part, each with its share of every outcome
    progress : called after every part; may raise to cancel
    """
    parts = for_each_part(learn_and_drop, data, seed, progress)
    unit = 1.0 if data.weights is None else float(data.weights.mean())
    by_member: list[dict[int, Evidence]] = [{} for _ in range(n_members)]
    for part in parts:
        for known, (_, dropped) in zip(by_member, part, strict=True):
            for target, rows in dropped.items():
                before = known.get(target, Evidence(())).parts
                known[target] = Evidence((*before, replace(rows, weights=rows.weights / unit)))
    members = tuple(tuple(member for member, _ in part) for part in parts)
    return InnerEvidence(tuple(by_member), members)


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


def reporting(progress: Progress | None, share: float) -> AbstractContextManager[None]:
    """Report every checkpoint passed meanwhile as progress, if anybody wants to know."""
    return nullcontext() if progress is None else watched(partial(progress, share))


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
        tell(progress, share, words)
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
