"""A tree while it is grown level by level: nodes with counts, splits on codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import (
    NO_COLUMN,
    NO_NODE,
    CountTree,
    TreeArrays,
    in_level_order,
    make_arrays,
)
from probtrees.grow.split import growth_records as records
from probtrees.scale.passes.node_statistics import CodeTree
from probtrees.types import IntArray

Counts = NDArray[np.int64]


@dataclass
class Node:
    """A node: its rows of every class, and its split once it has one."""

    counts: Counts
    parent: int = NO_NODE
    depth: int = 0
    branch: int = 0
    first_child: int = NO_NODE
    n_children: int = 0
    place: int = NO_COLUMN
    threshold: float = np.nan
    last_below: int = -1


class GrowingTree:
    """Nodes in the order they were made; siblings lie side by side.

    Parameters
    ----------
    columns : the coded columns; splits name a column by its place there
    class_counts : the rows of every class
    """

    def __init__(self, columns: records.Columns, class_counts: Counts) -> None:
        self.columns = columns
        self.nodes = [Node(class_counts)]
        self._grown: list[tuple[IntArray, TreeArrays]] = []

    def split(self, number: int, chosen: np.record, table: Counts) -> range:
        """Give a node the children of a chosen split; return their numbers.

        Parameters
        ----------
        table : the node's rows per code and class, all columns one below the other
        """
        fact = self.columns.facts[chosen.column]
        own = table[fact.table_start : fact.table_start + fact.n_codes + fact.has_missing]
        if fact.nominal:
            parts = list(own)
        else:
            cut = int(chosen.last_below) + 1
            parts = [own[:cut].sum(axis=0), own[cut : fact.n_codes].sum(axis=0)]
            if fact.has_missing:
                parts.append(own[fact.n_codes])
        node, first = self.nodes[number], len(self.nodes)
        node.first_child, node.n_children = first, len(parts)
        node.place, node.threshold = int(chosen.column), float(chosen.threshold)
        node.last_below = int(chosen.last_below)
        for branch, counts in enumerate(parts):
            self.nodes.append(Node(counts.copy(), number, node.depth + 1, branch))
        return range(first, first + len(parts))

    def n_rows(self, number: int) -> int:
        """Count the rows of a node."""
        return int(self.nodes[number].counts.sum())

    def is_open(self, number: int, min_leaf: int, max_depth: int | None) -> bool:
        """Whether a node may be split: large enough, not pure, not too deep."""
        node, n_rows = self.nodes[number], self.n_rows(number)
        is_mixed = int(node.counts.max()) < n_rows
        return n_rows >= 2 * min_leaf and is_mixed and (max_depth is None or node.depth < max_depth)

    def slots_of(self, nodes: Sequence[int]) -> IntArray:
        """Give some nodes numbers from 0; all others get -1."""
        slots = np.full(len(self.nodes), -1, dtype=np.int64)
        slots[list(nodes)] = np.arange(len(nodes))
        return slots

    def as_code_tree(self) -> CodeTree:
        """Return what sends coded rows down the tree."""
        return CodeTree(
            np.array([node.first_child for node in self.nodes]),
            np.array([node.place for node in self.nodes]),
            np.array([node.last_below for node in self.nodes]),
            np.ascontiguousarray(self.columns.facts.n_codes),
        )

    def add_grown(self, nodes: IntArray, below: TreeArrays) -> None:
        """Keep what was grown below some nodes: these nodes first, then all below them."""
        self._grown.append((nodes, below))

    def finished(self, target: int) -> CountTree:
        """Return the whole tree, level by level."""
        numbers = np.append(self.columns.facts.number, NO_COLUMN)  # the last is that of no column
        counts = np.array([node.counts for node in self.nodes], dtype=np.float64)
        names = ("parent", "depth", "first_child", "n_children", "threshold", "branch")
        pieces = [
            make_arrays(
                column=numbers[[node.place for node in self.nodes]],
                weight=counts.sum(axis=1),
                counts=counts,
                **{name: [getattr(node, name) for node in self.nodes] for name in names},
            )
        ]
        n_nodes = len(self.nodes)
        while self._grown:
            nodes, below = self._grown.pop()
            n_roots = nodes.shape[0]
            shift = n_nodes - n_roots
            moved = np.where(below.first_child >= 0, below.first_child + shift, NO_NODE)
            pieces[0].first_child[nodes] = moved[:n_roots]
            pieces[0].n_children[nodes] = below.n_children[:n_roots]
            pieces[0].column[nodes] = below.column[:n_roots]
            pieces[0].threshold[nodes] = below.threshold[:n_roots]
            rest = TreeArrays._make(array[n_roots:] for array in below)
            pieces.append(rest._replace(first_child=moved[n_roots:].astype(np.int32)))
            n_nodes += rest.parent.shape[0]
        return in_level_order(target, _joined(pieces))


def _joined(pieces: list[TreeArrays]) -> TreeArrays:
    """Put nodes one behind the other, giving the pieces up on the way: there may be many."""
    by_field = [list(arrays) for arrays in zip(*pieces, strict=True)]
    pieces.clear()
    joined = []
    while by_field:
        joined.append(np.concatenate(by_field.pop(0)))
    return TreeArrays._make(joined)
