"""Inner evidence: what trees grown without some rows would have said about those rows.

The rows that chose a tree's splits flatter its leaves, even when one of them is left out
of the counts. Evidence comes from rows the structure has never seen: the training rows are
cut into parts; for each part an inner tree is grown from the others, and every row of the
part is dropped into it. Smoothers choose their settings by what then happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """

    tree: CountTree
    rows: IntArray
    first: IntArray
    nodes: NDArray[np.int32]
    shares: FloatArray
    outcomes: IntArray
    weights: FloatArray

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
