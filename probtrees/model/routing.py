"""Which leaves rows reach in a tree, and with what shares.

A row goes down a decision tree by its values. A value that leads nowhere (missing where
missing is no branch of its own, or never met in training) sends the row to all children in
proportion to their weight. In a table it ends the descent at the deepest context met. Routed
softly, a row close to a cut goes down both sides, and a little everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count_tree import CountTree
from probtrees.machine.json_file import decode, encode
from probtrees.machine.kernel_cache import runnable
from probtrees.model import _predict_kernels as kernels
from probtrees.types import FloatArray


@dataclass(frozen=True)
class SoftRouting:
    """How rows are routed softly through one tree.

    At a node v with N_v rows, child c with N_c rows gets of a row's weight

    .. math:: (1 - e_v) g_c + e_v N_c / N_v,  e_v = kappa / (kappa + N_v)

    g_c is 1 for the branch of the row's category. At a numeric split the right child's g is
    the logistic function of (x - middle) / (beta sd_v). Where the value leads nowhere
    e_v = 1. kappa = stray, beta = blur, sd_v = spread.

    Attributes
    ----------
    blur : width of a cut in standard deviations of its column at the node; 0: sharp
    stray : rows at which half of the weight goes to the children by their size; 0: none
    middle : float64[n_nodes], the middle between the training values next to a numeric cut
    spread : float64[n_nodes], the standard deviation of the split column at the node
    tried : how the settings were chosen: one array per name (blur, stray, loss, ...)
    """

    blur: float
    stray: float
    middle: FloatArray
    spread: FloatArray
    tried: Mapping[str, FloatArray] = field(default_factory=dict)

    @property
    def gates(self) -> FloatArray:
        """Middle and spread of every node: what kernels receive."""
        return np.stack([self.middle, self.spread])

    def to_dict(self) -> dict[str, Any]:
        """Return the routing as plain values, ready for JSON."""
        return {part.name: encode(getattr(self, part.name)) for part in fields(self)}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any], n_nodes: int) -> SoftRouting:
        """Read what :meth:`to_dict` wrote, for a tree with so many nodes."""
        middle = np.asarray(decode(record["middle"]), dtype=np.float64)
        spread = np.asarray(decode(record["spread"]), dtype=np.float64)
        blur, stray = float(record["blur"]), float(record["stray"])
        if middle.shape != (n_nodes,) or spread.shape != (n_nodes,):
            raise DataError(f"routing must have {n_nodes} entries, one for every node.")
        if not (np.isfinite([blur, stray]).all() and blur >= 0 and stray >= 0):
            raise DataError("routing must have a blur and a stray of 0 or more.")
        if not (np.isfinite(spread).all() and (spread >= 0).all()):
            raise DataError("routing must have finite spreads of 0 or more.")
        return cls(blur, stray, middle, spread, dict(decode(record["tried"])))


@dataclass(frozen=True)
class LeafShares:
    """Where rows end in a tree.

    Row i ends in ``nodes[first[i]:first[i + 1]]`` with the shares at the same places; the
    shares of a row sum to 1.
    """

    first: NDArray[np.int64]
    nodes: NDArray[np.int32]
    shares: FloatArray

    @property
    def n_rows(self) -> int:
        """Number of rows that landed."""
        return int(self.first.shape[0]) - 1

    @property
    def is_single(self) -> bool:
        """Whether every row ends in one node."""
        return int(self.nodes.shape[0]) == self.n_rows

    def mix(self, probs: FloatArray) -> FloatArray:
        """Average the nodes' vectors by share, one result per row."""
        return np.take(probs, self.nodes, axis=0) if self.is_single else self.add_up(probs)

    def add_up(self, probs: FloatArray) -> FloatArray:
        """Add the nodes' vectors up, each times its share, one result per row."""
        mixed = np.empty((self.n_rows, probs.shape[1]))
        kernels.mix(self.first, self.nodes, self.shares, probs, np.arange(self.n_rows), mixed)
        return mixed


def find_leaves(tree: CountTree, values: FloatArray, n_values: NDArray[np.int32]) -> LeafShares:
    """Drop rows into a tree and note where they end.

    Parameters
    ----------
    tree : a decision tree or a table. A table reads the class from the rows like any other
        column and ends at the deepest context it has met.
    values : the rows, as in :class:`~probtrees.table.dataset.Dataset`
    n_values : ``schema.n_values``: which branch of a split stands for "missing"
    """
    values = np.ascontiguousarray(values, dtype=np.float64)
    landed = np.empty(values.shape[0], dtype=np.int32)
    is_table = tree.target != values.shape[1] - 1
    if runnable(kernels.descend)(tree.arrays, values, n_values, is_table, landed) == 0:
        return LeafShares(np.arange(landed.shape[0] + 1), landed, np.ones(landed.shape[0]))
    return spread(tree, values, n_values)


def spread(tree: CountTree, values: FloatArray, n_values: NDArray[np.int32]) -> LeafShares:
    """Land rows of which some end in several leaves: count the places, then fill them."""
    first = np.zeros(values.shape[0] + 1, dtype=np.int64)
    nodes, shares = np.empty(0, dtype=np.int32), np.empty(0)
    runnable(kernels.spread)(tree.arrays, values, n_values, first, nodes, shares)
    nodes, shares = np.empty(first[-1], dtype=np.int32), np.empty(first[-1])
    runnable(kernels.spread)(tree.arrays, values, n_values, first, nodes, shares)
    return LeafShares(first, nodes, shares)


def curtailed_nodes(tree: CountTree, smallest: float) -> NDArray[np.int32]:
    """For every node, the node that answers when small ones may not.

    Curtailment: a row stops before it would enter a node with fewer than ``smallest``
    training rows (Zadrozny & Elkan, 2001). Weights only shrink on the way down, so that
    is the nearest ancestor, or the node itself, that is large enough; the root always is.
    """
    answering = np.arange(tree.n_nodes, dtype=np.int32)
    for node in np.flatnonzero(tree.arrays.weight < smallest):
        if node > 0:
            answering[node] = answering[tree.arrays.parent[node]]
    return answering


def add_up_the_tree(tree: CountTree, values: FloatArray) -> None:
    """Add what nodes hold to all their ancestors, in place, level by level from below."""
    for level in range(tree.max_depth, 0, -1):
        nodes = np.flatnonzero(tree.arrays.depth == level)
        np.add.at(values, tree.arrays.parent[nodes], values[nodes])


def find_leaves_softly(
    tree: CountTree, routing: SoftRouting, values: FloatArray, n_values: NDArray[np.int32]
) -> LeafShares:
    """Route rows softly and note which leaves they reach, and with what weight.

    All but ``routing`` is as in :func:`find_leaves`.
    """
    return _land_softly(kernels.soft_land, kernels.MOST_PATHS, tree, routing, values, n_values)


def soft_steps(
    tree: CountTree, routing: SoftRouting, values: FloatArray, n_values: NDArray[np.int32]
) -> LeafShares:
    """Route rows softly and note every node they pass but the root, and with what weight.

    Inner nodes are among them, so the shares of a row do not sum to 1.

    All but ``routing`` is as in :func:`find_leaves`.
    """
    return _land_softly(kernels.soft_steps, tree.n_nodes, tree, routing, values, n_values)


def _land_softly(
    kernel: Any,
    most: int,
    tree: CountTree,
    routing: SoftRouting,
    values: FloatArray,
    n_values: NDArray[np.int32],
) -> LeafShares:
    """Call a kernel that lists at most so many nodes per row until all rows have landed."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    gates = routing.gates
    pieces: list[LeafShares] = []
    start, room = 0, max(16 * values.shape[0], most)
    while start < values.shape[0] or not pieces:
        first = np.zeros(values.shape[0] - start + 1, dtype=np.int64)
        nodes, shares = np.empty(room, dtype=np.int32), np.empty(room)
        n_landed = kernel(
            tree.arrays,
            gates,
            routing.blur,
            routing.stray,
            values[start:],
            n_values,
            first,
            nodes,
            shares,
        )
        first = first[: n_landed + 1]
        pieces.append(LeafShares(first, nodes[: first[-1]].copy(), shares[: first[-1]].copy()))
        start += n_landed
    return _joined(pieces)


def _joined(pieces: Sequence[LeafShares]) -> LeafShares:
    """Lay landings end to end."""
    if len(pieces) == 1:
        return pieces[0]
    ends = np.cumsum([piece.first[-1] for piece in pieces])
    starts = [0, *ends[:-1]]
    first = [piece.first[1:] + start for piece, start in zip(pieces, starts, strict=True)]
    return LeafShares(
        np.concatenate([[0], *first]).astype(np.int64),
        np.concatenate([piece.nodes for piece in pieces]),
        np.concatenate([piece.shares for piece in pieces]),
    )
