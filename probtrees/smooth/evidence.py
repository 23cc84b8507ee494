"""Inner evidence: what trees grown without some rows would have said about those rows.

The rows that chose a tree's splits flatter its leaves, even when one of them is left out
of the counts. Evidence comes from rows the structure has never seen: the training rows are
cut into parts; for each part an inner tree is grown from the others, and every row of the
part is dropped into it. Smoothers choose their settings by what then happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.types import FloatArray, IntArray


class HeldOutCounts(NamedTuple):
    """Held-out rows added up: all that a sum of losses needs, and what kernels receive.

    Rows that land in one node are counted by node and outcome. Rows that are spread over
    several nodes are listed as in :class:`EvidencePart`.

    Attributes
    ----------
    nodes : int32[n_places], the nodes where rows landed whole
    counts : float64[n_places, n_outcomes], the weight of those rows by outcome
    first, spread_nodes, shares, outcomes, weights : the rows that are spread
    """

    nodes: NDArray[np.int32]
    counts: FloatArray
    first: IntArray
    spread_nodes: NDArray[np.int32]
    shares: FloatArray
    outcomes: IntArray
    weights: FloatArray


@dataclass(frozen=True)
class EvidencePart:
    """One inner tree and the rows held out of it.

    Row i of the part lands in ``nodes[first[i]:first[i + 1]]`` with the shares
    ``shares[first[i]:first[i + 1]]``, which sum to 1: one leaf as a rule, several when a
    missing value spreads the row over branches, an inner node when a table has never met
    the value that leads on.

    Attributes
    ----------
    tree : the inner tree, grown without the part
    rows : int64[n], the rows' numbers in the training set; where rows that land alike were
        added up, the number of one of them
    first : int64[n + 1], where each row's landing places start
    nodes : int32[first[n]], shares : float64[first[n]]
    outcomes : int64[n], what the tree's target really was
    weights : float64[n], the rows' weights
    trained : bool[n_rows], which training rows grew the tree: with a time column not all others
    """

    tree: CountTree
    rows: IntArray
    first: IntArray
    nodes: NDArray[np.int32]
    shares: FloatArray
    outcomes: IntArray
    weights: FloatArray
    trained: NDArray[np.bool_] = field(default_factory=lambda: np.empty(0, dtype=np.bool_))

    @cached_property
    def added_up(self) -> HeldOutCounts:
        """The rows by node and outcome; made once, shared by all who score settings."""
        n_outcomes = self.tree.n_outcomes
        size = np.diff(self.first)
        whole = size == 1
        cell = self.nodes[self.first[:-1][whole]].astype(np.int64) * n_outcomes
        cell += self.outcomes[whole]
        counts = np.bincount(cell, self.weights[whole], self.tree.n_nodes * n_outcomes)
        counts = counts.reshape(-1, n_outcomes)
        landed = np.flatnonzero(counts.any(axis=1))
        is_spread = np.repeat(~whole, size)
        return HeldOutCounts(
            nodes=landed.astype(np.int32),
            counts=counts[landed].astype(np.float64),
            first=np.concatenate([[0], np.cumsum(size[~whole])]).astype(np.int64),
            spread_nodes=self.nodes[is_spread],
            shares=self.shares[is_spread],
            outcomes=self.outcomes[~whole],
            weights=self.weights[~whole],
        )


@dataclass(frozen=True)
class Evidence:
    """All parts together: a training row is held out once, or never if it comes first in time."""

    parts: tuple[EvidencePart, ...]

    @property
    def n_rows(self) -> int:
        """Number of held-out rows over all parts."""
        return sum(part.rows.shape[0] for part in self.parts)


def require(evidence: Evidence | None, name: str) -> Evidence:
    """Return the evidence, or say how to get it."""
    if evidence is None:
        raise OptionError(
            f"smoother={name!r} must be given inner evidence to choose its settings by. "
            "Use probtrees.experiment.fit, which gathers it, or fix the settings."
        )
    return evidence


def held_out_probs(part: EvidencePart, probs: FloatArray) -> FloatArray:
    """Answer for every held-out row: its landing places averaged by their shares."""
    if part.nodes.shape[0] == part.rows.shape[0]:
        return np.asarray(probs[part.nodes])
    return np.add.reduceat(part.shares[:, None] * probs[part.nodes], part.first[:-1], axis=0)


def summed_brier(part: EvidencePart, probs: FloatArray) -> float:
    """Add up (1[outcome = k] - p_k)^2 over outcomes and held-out rows, by row weight.

    >>> from probtrees.smooth.example_trees import example_evidence, tree_of
    >>> part = example_evidence(tree_of([0], [[1, 1]]), n_rows=8).parts[0]
    >>> summed_brier(part, np.array([[0.5, 0.5]]))
    4.0
    """
    if part.rows.shape[0] == 0:
        return 0.0
    if part.nodes.shape[0] == part.rows.shape[0]:
        added = part.added_up  # rows that land alike fare alike
        answers = probs[added.nodes]
        squares = np.einsum("ij,ij->i", answers, answers)
        rows = added.counts.sum(axis=1)
        return float(rows @ (squares + 1) - 2 * np.einsum("ij,ij->", added.counts, answers))
    answers = held_out_probs(part, probs)
    true = answers[np.arange(answers.shape[0]), part.outcomes]
    losses = np.einsum("ij,ij->i", answers, answers) - 2 * true + 1
    return float(losses @ part.weights)


def losses_under_settings(
    evidence: Evidence, answers: Callable[[CountTree], Iterable[FloatArray]]
) -> Iterator[float]:
    """Add up the losses of all held-out rows under one setting after the other.

    ``answers`` gives the probabilities of an inner tree under each of the settings in turn, as
    long as they are asked for.
    """
    parts = evidence.parts
    for under_setting in zip(*(answers(part.tree) for part in parts), strict=True):
        pairs = zip(parts, under_setting, strict=True)
        yield sum(summed_brier(part, probs) for part, probs in pairs)


def least(losses: FloatArray) -> int:
    """Return the number of the least loss, the first of those that are equal to rounding.

    >>> least(np.array([0.5, 0.1 + 0.2, 0.3]))
    1
    """
    return int(np.argmin(evened_out(losses)))


def evened_out(losses: FloatArray) -> FloatArray:
    """Round losses at ten digits below the largest finite one.

    In another order of classes or rows a sum ends in other last digits. They must not decide
    between settings that are equally good.
    """
    largest = np.abs(losses, where=np.isfinite(losses), out=np.zeros_like(losses)).max(initial=0.0)
    if largest == 0.0:
        return losses
    step = 2.0 ** (np.floor(np.log2(largest)) - 33)
    return np.asarray(np.round(losses / step) * step)
