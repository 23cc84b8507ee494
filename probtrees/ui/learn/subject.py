"""What a lesson is about: one leaf of one tree, and the outcome whose chance is sought."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from probtrees.explain.rule import branch_condition, outcome_names, rule
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.table.dataset import Column, Schema
from probtrees.types import FloatArray
from probtrees.words import plural

GENE_COUNTS = (10, 0, 0, 1, 90, 900)
"""The example of the thesis, fig. 2: sick and healthy women with the gene, men with it,
everybody without it."""

LARGEST_COUNT = 100_000

_GENE_SCHEMA = Schema(
    (
        Column("gene", ("yes", "no")),
        Column("sex", ("female", "male")),
        Column("disease", ("yes", "no")),
    )
)

_HEIGHTS = ("short", "medium", "tall")
_WEIGHT, _HEIGHT = Column("weight", ("heavy", "light")), Column("height", _HEIGHTS)
_STROKE = Column("stroke", ("yes", "no"))
STROKE_COUNTS = (1, 0, 1, 3, 1, 3, 0, 3, 0, 3, 0, 0)
"""Patients with and without a stroke: heavy and short, medium, tall; light and short, and so on."""

CELLS = tuple((weight, height) for weight in ("heavy", "light") for height in _HEIGHTS)
ORDERS = ("weight", "height")
"""Which column of the table comes first."""

EXACT_ANSWERS = {
    "weight": (0.6100, 0.3072, 0.3072, 0.0421, 0.0421, 0.1050),
    "height": (0.5845, 0.2536, 0.2885, 0.1482, 0.1070, 0.3719),
}
"""HDP's posterior mean of every cell, tied by level, by trying all tables and concentrations."""


@dataclass(frozen=True)
class Subject:
    """A leaf to be estimated.

    Attributes
    ----------
    tree, schema : the counts and the names of their columns
    node : the leaf
    outcome : the outcome whose chance is sought
    key : what the tree was made from; its results are found again by it
    """

    tree: CountTree
    schema: Schema
    node: int
    outcome: int
    key: tuple[Any, ...]

    @property
    def path(self) -> list[int]:
        """The nodes from the root to the leaf."""
        return self.tree.path(self.node)

    @property
    def counts(self) -> FloatArray:
        """Cases of the outcome in every node."""
        return np.asarray(self.tree.arrays.counts[:, self.outcome])

    @property
    def outcome_name(self) -> str:
        """What is predicted, in words."""
        target = self.schema.columns[self.tree.target].name
        return f"{target}: {outcome_names(self.tree, self.schema)[self.outcome]}"

    def who(self, node: int) -> str:
        """Say which rows a node holds."""
        conditions = rule(self.tree, self.schema, node)
        return " and ".join(condition.words for condition in conditions) or "all rows"

    def step(self, node: int) -> str:
        """Say what leads to a node from its parent."""
        condition = branch_condition(self.tree, self.schema, node)
        return "all rows" if condition is None else condition.short


def count_tree(parent: tuple[int, ...], ends: tuple[int, ...], counts: ArrayLike) -> CountTree:
    """Make a tree of the counts of its leaves: all outcomes of the first, of the next, and so on.

    Of two outcomes these are its cases and others by turns. The nodes are in level order.
    """
    of_leaves = np.reshape(counts, (len(ends), -1))[np.argsort(ends)]
    target, node = 0, len(parent) - 1
    while node > 0:  # the last node is as deep as any; the target comes behind all splits
        node, target = parent[node], target + 1
    return tree_of([parent.count(node) for node in range(len(parent))], of_leaves, target)


def gene_subject(counts: tuple[int, ...] = GENE_COUNTS) -> Subject:
    """Make the tree of the gene example: gene first, then sex among the carriers."""
    tree = count_tree(GENE_SHAPE.parent, GENE_SHAPE.ends, counts)
    return Subject(tree, _GENE_SCHEMA, GENE_SHAPE.leaf, 0, ("gene", counts))


def stroke_subject(order: str = "weight", cell: int = 0) -> Subject:
    """Make the table p(stroke | weight, height) of the HDP paper's slides: 15 patients.

    A table of a network: the first split is on a column that counts as the class. ``order`` names
    the column that comes first, ``cell`` is a place in ``CELLS``.
    """
    counts, columns = np.reshape(STROKE_COUNTS, (2, 3, 2)), (_WEIGHT, _HEIGHT)
    first, then = divmod(cell, len(_HEIGHTS))
    if order == "height":
        counts, columns, first, then = counts.swapaxes(0, 1), columns[::-1], then, first
    n_first, n_then, _ = counts.shape
    shape = [n_first, *[n_then] * n_first, *[0] * (n_first * n_then)]
    tree = tree_of(shape, counts.reshape(-1, 2), target=2)
    node = 1 + n_first + first * n_then + then
    return Subject(tree, Schema((*columns, _STROKE)), node, 0, ("stroke", order))


@dataclass(frozen=True)
class TreeShape:
    """A tree as a picture shows it, without its counts.

    Attributes
    ----------
    parent : the parent of every node, in level order; -1 of the root
    names : what leads to every node
    ends : the leaves
    leaf : the leaf that is asked about
    """

    parent: tuple[int, ...]
    names: tuple[str, ...]
    ends: tuple[int, ...]
    leaf: int

    @property
    def place(self) -> int:
        """The place of the leaf that is asked about among the leaves."""
        return self.ends.index(self.leaf)


GENE_SHAPE = TreeShape(
    (-1, 0, 0, 1, 1), ("everybody", "gene", "no gene", "women", "men"), (3, 4, 2), leaf=4
)


def drawn_tree(subject: Subject) -> tuple[TreeShape, tuple[float, ...]]:
    """Describe the gene example whole, and of any other tree the path to the leaf.

    Its counts are the cases of each of its leaves and all others, by turns.

    The other branches of each node on the path are one node. Estimates of the closed forms depend
    on the path alone, so they stay what they are.
    """
    if subject.key[0] == "gene":
        return GENE_SHAPE, subject.key[1]
    tree = subject.tree
    parent, names, ends = [-1], ["all rows"], []
    counts: list[float] = []
    above = 0
    for node, child in pairwise(subject.path):
        others = subject.counts[node] - subject.counts[child]
        rows = tree.totals[node] - tree.totals[child]
        ends.append(len(parent) + 1)
        counts += [max(float(others), 0.0), max(float(rows - others), 0.0)]
        parent += [above, above]
        names += [subject.step(child), plural(len(tree.children(node)) - 1, "other branches")]
        above = len(parent) - 2
    ends.append(above)
    cases, total = float(subject.counts[subject.node]), float(tree.totals[subject.node])
    counts += [cases, total - cases]
    return TreeShape(tuple(parent), tuple(names), tuple(ends), above), tuple(counts)
