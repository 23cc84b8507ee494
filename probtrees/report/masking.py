"""A tree whose small groups are merged, so that a report on it can tell of no small count.

Hiding or rounding what is printed is not enough: estimates, totals and other smoothers' answers
are functions of the hidden counts, and whoever remakes the report for every candidate finds
them. So small groups are merged before anything is computed. Every figure of a masked report is
a function of the merged tree alone, and each of its counts is 0 or at least the mask.

Which groups are merged must not tell their counts either. So the rule knows groups by their counts
alone, never by name or place, and takes equally large ones together: were the counts of "a, b or c"
dealt to the three in another order, the same three would be merged. Each of them may therefore have
the count of any other, and the rule goes on until these differ enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.rule import outcome_names
from probtrees.grow.count_tree import NO_COLUMN, NO_NODE, CountTree, make_arrays
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray, IntArray

_CLOSE = 1e-6
"""How far sums of fractions of rows may be off."""


@dataclass(frozen=True)
class Mask:
    """How many rows a count must have to be shown.

    Attributes
    ----------
    smallest : counts from 1 to below it are not shown; up to 1 nothing is hidden
    """

    smallest: int = 0

    def __bool__(self) -> bool:
        return self.smallest > 1

    @property
    def promise(self) -> str:
        """What is promised, for the reader of a report."""
        return (
            f"Counts from 1 to {self.smallest - 1} are hidden: before anything was computed, "
            "smaller groups were merged with a larger one or with the group they were split from, "
            f"until every group counts no row or at least {self.smallest} of each outcome. All "
            "figures are computed from the merged groups alone. Settings that a smoother would "
            "choose by held-out rows are at their middle values, and there is no track record, "
            "since both would count rows in other groups."
        )


class MaskedTree(NamedTuple):
    """A tree as it may be shown.

    Attributes
    ----------
    tree : the merged tree
    schema : the columns, the rare outcomes of the tree's target joined
    place_of : int64[n_nodes of the tree as it was], the node that each is part of now
    outcome_of : int64[n_outcomes as they were], the outcome that each is part of now
    """

    tree: CountTree
    schema: Schema
    place_of: IntArray
    outcome_of: IntArray

    def smooth(self, smoothed: SmoothedTree) -> SmoothedTree:
        """Smooth the merged tree as another tree was, without evidence of its rows."""
        smoother = smoothed.smoother
        return smoother.smooth(self.tree, Evidence(()) if smoother.needs_evidence else None)


def masked(tree: CountTree, schema: Schema, mask: Mask) -> MaskedTree:
    """Merge what is too small to be shown.

    Raises
    ------
    DataError
        where all but one outcome are too rare
    """
    rows = _rows_by_cell(tree)
    outcome_of = _join_outcomes(rows, mask)
    cells = _joined(rows, outcome_of)
    met = outcome_of[tree.arrays.counts[0] > 0]
    if _smallest(cells[0]) < mask.smallest or len(set(met.tolist())) < min(2, len(met)):
        name = schema.columns[tree.target].name
        raise DataError(
            f"mask={mask.smallest} must be at most the number of rows of two values of {name!r}. "
            "Give a smaller one: nothing of such a table could be shown."
        )
    old = np.array(outcome_names(tree, schema), dtype=object)
    names = [" or ".join(old[outcome_of == joined]) for joined in range(int(outcome_of.max()) + 1)]
    columns = list(schema.columns)
    columns[tree.target] = replace(columns[tree.target], categories=tuple(names))
    pieces = _pieces(tree, cells, mask)
    merged = _merged(tree, pieces, _joined(tree.arrays.counts, outcome_of))
    schema = replace(schema, columns=tuple(columns))
    return MaskedTree(merged, schema, _places(tree, pieces), outcome_of)


def _rows_by_cell(tree: CountTree) -> FloatArray:
    """Count rows by node and outcome: by weight and, where rows have weights, by number too.

    Returns
    -------
    float64[n_nodes, 1 or 2, n_outcomes]
    """
    counts = tree.arrays.counts
    if tree.mean_weights is None:
        return counts[:, None, :]
    numbers = np.divide(counts, tree.mean_weights, out=counts.copy(), where=tree.mean_weights > 0)
    return np.stack([counts, numbers], axis=1)


def _join_outcomes(rows: FloatArray, mask: Mask) -> IntArray:
    """Join rare outcomes with others until each has enough rows in the whole tree."""
    n_outcomes = rows.shape[2]
    joined = _merge(rows[0].T[:, :, None], range(n_outcomes), mask)
    first = min(joined, default=0)
    kept = [k for k in range(n_outcomes) if k == first or k not in joined]
    places = {k: place for place, k in enumerate(kept)}
    return np.array([places[first if k in joined else k] for k in range(n_outcomes)])


def _joined(counts: FloatArray, outcome_of: IntArray) -> FloatArray:
    """Add up the counts of joined outcomes, which are the last axis."""
    added = np.zeros((*counts.shape[:-1], int(outcome_of.max()) + 1))
    np.add.at(added.T, outcome_of, counts.T)
    return added


def _smallest(cells: FloatArray) -> float:
    """Find the smallest count that is not 0."""
    return float(np.where(cells > _CLOSE, cells + _CLOSE, np.inf).min())


def _merge(cells: FloatArray, nodes: Sequence[int], mask: Mask) -> list[int]:
    """Choose which nodes must be merged into one; all of them where nothing less will do.

    All that are too small, and of the others those of fewest rows: at least one, or each of the
    merged would be known to be small, and more until what any of them may have is told by nothing.
    """
    small = [node for node in nodes if _smallest(cells[node]) < mask.smallest]
    merged = list(small)
    rows = {node: round(float(cells[node].sum()), 6) for node in set(nodes) - set(small)}
    for _, alike in groupby(sorted(rows, key=rows.__getitem__), key=rows.__getitem__):
        if not small or (len(merged) > len(small) and _tells_nothing(cells[merged], mask)):
            break
        merged.extend(alike)
    return sorted(merged)


def _tells_nothing(cells: FloatArray, mask: Mask) -> bool:
    """Whether merged groups reach the mask, and span it, in rows and in every outcome they have."""
    counts = np.concatenate([cells, cells.sum(axis=-1, keepdims=True)], axis=-1)
    most = counts.max(axis=0)
    least_of = np.minimum(most, most - counts.min(axis=0) + 1)
    return bool((least_of + _CLOSE >= mask.smallest)[most > _CLOSE].all())


class _Piece(NamedTuple):
    """A node of the merged tree: the nodes it is made of, and where it hangs."""

    nodes: tuple[int, ...]
    parent: int
    depth: int
    first_child: int
    n_children: int


def _pieces(tree: CountTree, cells: FloatArray, mask: Mask) -> list[_Piece]:
    """Go down from the root, and merge children where one of them is too small."""
    waiting: list[tuple[tuple[int, ...], int, int]] = [((0,), NO_NODE, 0)]
    pieces: list[_Piece] = []
    for number, (nodes, parent, depth) in enumerate(waiting):
        below = _children(tree, nodes[0], cells, mask) if len(nodes) == 1 else []
        first = len(waiting) if below else NO_NODE
        pieces.append(_Piece(nodes, parent, depth, first, len(below)))
        waiting.extend((part, number, depth + 1) for part in below)
    return pieces


def _children(tree: CountTree, node: int, cells: FloatArray, mask: Mask) -> list[tuple[int, ...]]:
    """List the children of a node, the small ones as one; none where it must be a leaf."""
    children = tree.children(node)
    lost = cells[node] - cells[list(children)].sum(axis=0)
    if not children or _smallest(lost) < mask.smallest:
        return []  # rows that reached no child could be had by subtraction
    small = _merge(cells, children, mask)
    rest = [child for child in children if child not in small]
    if small and not tree.totals[rest].any():
        return []
    return sorted([*([tuple(small)] if small else []), *((child,) for child in rest)])


def _merged(tree: CountTree, pieces: list[_Piece], of_node: FloatArray) -> CountTree:
    """Make the tree; pieces of rows are rounded to whole ones, leaf by leaf."""
    arrays = tree.arrays
    counts = np.array([of_node[list(piece.nodes)].sum(axis=0) for piece in pieces])
    first = np.array([piece.nodes[0] for piece in pieces])
    is_leaf = np.array([piece.n_children == 0 for piece in pieces])
    if (np.abs(counts - np.rint(counts)) > _CLOSE).any():
        counts = np.where(is_leaf[:, None], np.rint(counts), 0.0)
        for number in range(len(pieces) - 1, 0, -1):
            counts[pieces[number].parent] += counts[number]
    return CountTree(
        tree.target,
        make_arrays(
            parent=[piece.parent for piece in pieces],
            depth=[piece.depth for piece in pieces],
            first_child=[piece.first_child for piece in pieces],
            n_children=[piece.n_children for piece in pieces],
            column=np.where(is_leaf, NO_COLUMN, arrays.column[first]),
            threshold=np.where(is_leaf, np.nan, arrays.threshold[first]),
            branch=arrays.branch[first],
            weight=counts.sum(axis=1),
            counts=counts,
        ),
        joined={
            number: tuple(arrays.branch[list(piece.nodes)].tolist())
            for number, piece in enumerate(pieces)
            if len(piece.nodes) > 1
        },
    )


def _places(tree: CountTree, pieces: list[_Piece]) -> IntArray:
    """Find the node that every former node is part of now."""
    places = np.full(tree.n_nodes, NO_NODE, dtype=np.int64)
    for number, piece in enumerate(pieces):
        places[list(piece.nodes)] = number
    for node in range(1, tree.n_nodes):
        if places[node] == NO_NODE:
            places[node] = places[tree.arrays.parent[node]]
    return places
