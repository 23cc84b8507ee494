"""What a lesson is about: one leaf of one tree, and the outcome whose chance is sought."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.explain.rule import outcome_names, rule
from probtrees.grow.count_tree import NO_COLUMN, NO_NODE, CountTree, make_arrays
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Column, Schema
from probtrees.types import FloatArray

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
_MALE_CARRIERS = 4


@dataclass(frozen=True)
class Subject:
    """A leaf to be estimated.

    Attributes
    ----------
    tree, schema : the counts and the names of their columns
    node : the leaf
    outcome : the outcome whose chance is sought
    key : what the tree was made from; its results are found again by it
    smooth_with_rows : smooths the tree by any smoother, also one that asks held-out rows; None
        where there are only counts
    """

    tree: CountTree
    schema: Schema
    node: int
    outcome: int
    key: tuple[Any, ...]
    smooth_with_rows: Callable[[str], SmoothedTree] | None = None

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

    def observed(self, node: int) -> float | None:
        """Return the share of a node's rows that have the outcome; None without rows."""
        total = float(self.tree.totals[node])
        return float(self.counts[node]) / total if total > 0 else None


def gene_subject(counts: tuple[int, ...] = GENE_COUNTS) -> Subject:
    """Make the tree of the gene example: gene first, then sex among the carriers."""
    women, men, others = np.reshape(counts, (3, 2)).astype(np.float64)
    carriers = women + men
    arrays = make_arrays(
        parent=[NO_NODE, 0, 0, 1, 1],
        depth=[0, 1, 1, 2, 2],
        first_child=[1, 3, NO_NODE, NO_NODE, NO_NODE],
        n_children=[2, 2, 0, 0, 0],
        column=[0, 1, NO_COLUMN, NO_COLUMN, NO_COLUMN],
        threshold=[np.nan] * 5,
        branch=[0, 0, 1, 0, 1],
        weight=[v.sum() for v in (carriers + others, carriers, others, women, men)],
        counts=[carriers + others, carriers, others, women, men],
    )
    return Subject(CountTree(2, arrays), _GENE_SCHEMA, _MALE_CARRIERS, 0, ("gene", counts))
