"""What the kernels that prune a tree are given: records and tuples of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

PIECE = np.dtype([("node", np.int64), ("start", np.int64), ("stop", np.int64)])
"""A node on its way, and its items."""

FRAME = np.dtype(
    [
        ("node", np.int64),
        ("start", np.int64),
        ("stop", np.int64),
        ("end", np.int64),  # where its children's items end
        ("next_child", np.int64),  # -1 before the node's items are dealt to its children
    ]
)
"""A node whose subtree is being pruned."""


class Rows(NamedTuple):
    """The table: its values, and the number of categories per column."""

    values: NDArray[np.float64]
    n_values: NDArray[np.int64]


class Pruning(NamedTuple):
    """What is known so far.

    Attributes
    ----------
    state : int64[2], frames in use, inner nodes settled
    frames : FRAME[depth], from the root to the node at work
    first_item : int64[n_nodes], where a child's items start; they end where those of the next
        sibling start
    errors : float64[n_nodes], estimated errors of the subtree
    items : ITEM[...], the items of all nodes on the way, level above level
    pieces : PIECE[n_nodes], room for routing a node's items down one branch
    branches : BRANCH[...], room for dealing items to branches
    counts : float64[n_outcomes], room to count
    """

    state: NDArray[np.int64]
    frames: np.recarray
    first_item: NDArray[np.int64]
    errors: NDArray[np.float64]
    items: np.recarray
    pieces: np.recarray
    branches: np.recarray
    counts: NDArray[np.float64]


class Estimate(NamedTuple):
    """How errors are estimated: the confidence, its normal quantile, and subtree raising."""

    confidence: float
    quantile: float
    raising: bool
