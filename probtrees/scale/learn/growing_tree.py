"""A tree while it is grown level by level: nodes with counts, splits on codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

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

Counts = NDArray[np.int64]


@dataclass
class GrowingTree:
    """Nodes in the order they were made; siblings lie side by side.

    Attributes
    ----------
    columns : the coded columns; splits name a column by its place there
    counts : per node the rows of every class
    """

    columns: records.Columns
    counts: list[Counts]
    parent: list[int] = field(default_factory=lambda: [NO_NODE])
    depth: list[int] = field(default_factory=lambda: [0])
    branch: list[int] = field(default_factory=lambda: [0])
    first_child: list[int] = field(default_factory=lambda: [NO_NODE])
    n_children: list[int] = field(default_factory=lambda: [0])
    place: list[int] = field(default_factory=lambda: [NO_COLUMN])
    threshold: list[float] = field(default_factory=lambda: [np.nan])
    last_below: list[int] = field(default_factory=lambda: [-1])
    grown: list[tuple[NDArray[np.int64], TreeArrays]] = field(default_factory=list)

    def split(self, node: int, chosen: np.record, table: Counts) -> range:
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
        first = len(self.counts)
        self.first_child[node], self.n_children[node] = first, len(parts)
        self.place[node], self.threshold[node] = int(chosen.column), float(chosen.threshold)
        self.last_below[node] = int(chosen.last_below)
        for branch, counts in enumerate(parts):
            self.counts.append(counts.copy())
            self.parent.append(node)
            self.depth.append(self.depth[node] + 1)
            self.branch.append(branch)
            self.first_child.append(NO_NODE)
            self.n_children.append(0)
            self.place.append(NO_COLUMN)
            self.threshold.append(np.nan)
            self.last_below.append(-1)
        return range(first, first + len(parts))

    def is_open(self, node: int, min_leaf: int, max_depth: int | None) -> bool:
        """Whether a node may be split: large enough, not pure, not too deep."""
        n_rows = int(self.counts[node].sum())
        return (
            n_rows >= 2 * min_leaf
            and int(self.counts[node].max()) < n_rows
            and (max_depth is None or self.depth[node] < max_depth)
        )

    def slots_of(self, nodes: Sequence[int]) -> NDArray[np.int64]:
        """Give some nodes numbers from 0; all others get -1."""
        slots = np.full(len(self.counts), -1, dtype=np.int64)
        slots[list(nodes)] = np.arange(len(nodes))
        return slots

    def as_code_tree(self) -> CodeTree:
        """Return what sends coded rows down the tree."""
        return CodeTree(
            np.array(self.first_child),
            np.array(self.place),
            np.array(self.last_below),
            np.ascontiguousarray(self.columns.facts.n_codes),
        )

    def add_grown(self, nodes: NDArray[np.int64], below: TreeArrays) -> None:
        """Keep what was grown below some nodes: these nodes first, then all below them."""
        self.grown.append((nodes, below))

    def finished(self, target: int) -> CountTree:
        """Return the whole tree, level by level."""
        numbers = self.columns.facts.number
        place = np.array(self.place)
        column = np.full(place.shape[0], NO_COLUMN)
        column[place >= 0] = numbers[place[place >= 0]]
        counts = np.array(self.counts, dtype=np.float64)
        pieces = [
            make_arrays(
                parent=self.parent,
                depth=self.depth,
                first_child=self.first_child,
                n_children=self.n_children,
                column=column,
                threshold=self.threshold,
                branch=self.branch,
                weight=counts.sum(axis=1),
                counts=counts,
            )
        ]
        n_nodes = place.shape[0]
        while self.grown:
            nodes, below = self.grown.pop()
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
