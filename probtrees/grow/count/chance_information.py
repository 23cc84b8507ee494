"""What columns seem to tell about each other by chance alone.

Measured on a finite table, information is never 0, and a column of many values shares much of it
with any other. The learners choose by what is measured, as published; what is shown to people says
how much of it chance would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.special import chdtri, gammaln

from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag
from probtrees.types import FloatArray
from probtrees.words import bits

_REACH = 10.0
"""Standard deviations around the expected count beyond which nothing is summed."""

_MOST_EXACT = 300
"""Contexts of a table up to which the exact mean is worked out in each of them."""

Margins = Mapping[int, FloatArray]
"""By column, float64[n_classes, n_values]: how often it has each value in each class."""


@dataclass(frozen=True)
class BeyondChance:
    """Information in nats as rows measure it, and the part that chance alone would give."""

    measured: float
    chance: float
    n_rows: float

    @property
    def bits(self) -> float:
        """What is left when chance is taken off."""
        return bits(max(self.measured - self.chance, 0.0))

    @property
    def limit(self) -> float:
        """What fewer than one table in a hundred reach by chance: 2 N I is chi-squared."""
        return float(chdtri(2 * self.n_rows * self.chance, 0.01)) / (2 * self.n_rows)

    @property
    def is_clear(self) -> bool:
        """Whether it is more than that: learners choose the best of many."""
        return self.chance > 0 and self.measured > self.limit

    @property
    def words(self) -> str:
        """Say it in bits."""
        if self.is_clear:
            return f"{self.bits:.3f} bits beyond chance"
        limit = "" if self.chance <= 0 else f", chance reaches {bits(self.limit):.2g} once in 100"
        return f"no more than chance ({bits(self.measured):.2g} bits{limit})"


def expected_information(one: FloatArray, other: FloatArray) -> float:
    r"""Return the mean mutual information, in nats, of columns that are dealt out at random.

    .. math:: \sum_{i, j} \sum_n \frac{n}{N} \log \frac{N n}{a_i b_j} P(n | a_i, b_j, N)

    with the hypergeometric P: the values keep how often they occur, a and b, and are shuffled
    (Vinh, Epps & Bailey, 2010, eq. 24a).

    >>> round(expected_information(np.array([5, 5]), np.array([5, 5])), 4)
    0.0597
    """
    a, n_like_a = np.unique(np.rint(one[one >= 0.5]), return_counts=True)
    b, n_like_b = np.unique(np.rint(other[other >= 0.5]), return_counts=True)
    total = max(float(a @ n_like_a), float(b @ n_like_b))
    if total < 2 or a.sum() == 0 or b.sum() == 0:
        return 0.0
    a, b = a[:, None, None], b[None, :, None]
    mean = a * b / total
    reach = _REACH * np.sqrt(mean * (1 - a / total) * (1 - b / total)) + _REACH
    low = np.maximum(np.maximum(np.floor(mean - reach), a + b - total), 1)
    high = np.minimum(np.ceil(mean + reach), np.minimum(a, b))
    n = low + np.arange(max(int((high - low).max()) + 1, 1))
    some = n <= high
    n = np.where(some, n, low)
    # Cells whose rows fit nowhere (low above high) are masked; their counts must still be valid.
    left = [np.maximum(each, 0) for each in (a - n, b - n, total - a - b + n)]
    log_chance = (
        gammaln(a + 1) + gammaln(b + 1) + gammaln(total - a + 1) + gammaln(total - b + 1)
    ) - (gammaln(total + 1) + gammaln(n + 1) + sum(gammaln(each + 1) for each in left))
    terms = np.where(some, np.exp(log_chance) * n / total * np.log(total * n / (a * b)), 0.0)
    return max(float(n_like_a @ terms.sum(axis=2) @ n_like_b), 0.0)


def margins_of_tables(tables: Iterable[CountTree], target: int) -> dict[int, FloatArray]:
    """Read off tables that ask for the class first how often every value occurs in each class."""
    found = {}
    for tree in tables:
        if tree.target == target or tree.arrays.column[0] != target:
            continue
        first, n_children = int(tree.arrays.first_child[0]), int(tree.arrays.n_children[0])
        found[tree.target] = np.asarray(tree.arrays.counts[first : first + n_children])
    return found


def contexts_of(tree: CountTree, parent: int) -> dict[tuple[int, ...], dict[int, int]]:
    """Group the leaves of a table by all its columns but one: the leaf of each value of that one.

    The groups are contexts in which nothing but the one column differs.
    """
    found: dict[tuple[int, ...], dict[int, int]] = {}
    for leaf in tree.leaves.tolist():
        branches = {
            int(tree.arrays.column[above]): int(tree.arrays.branch[node])
            for above, node in pairwise(tree.path(leaf))
        }
        value = branches.pop(parent, -1)
        found.setdefault(tuple(branches.values()), {})[value] = leaf
    return found


def class_information(margins: Margins) -> dict[int, BeyondChance]:
    """Say of every column what it tells about the class."""
    return {column: _information([counts]) for column, counts in margins.items()}


def arrow_information(tables: Iterable[CountTree]) -> dict[tuple[int, int], BeyondChance]:
    """Say of every arrow what its parent tells about its child, the child's other parents known."""
    found = {}
    for tree in tables:
        counts = np.asarray(tree.arrays.counts)
        for parent in Dag.of_tables([tree]).parents[tree.target]:
            groups = contexts_of(tree, parent).values()
            found[parent, tree.target] = _information([counts[[*at.values()]] for at in groups])
    return found


def _information(contexts: Sequence[FloatArray]) -> BeyondChance:
    """Measure what rows and columns of tables tell about each other, on average over the tables."""
    total = max(float(sum(joint.sum() for joint in contexts)), 1e-300)
    is_quick = len(contexts) > _MOST_EXACT
    measured = chance = 0.0
    for joint in contexts:
        n = float(joint.sum())
        if n <= 0 or len(joint) < 2:
            continue
        rows, columns, some = joint.sum(axis=1), joint.sum(axis=0), joint > 0
        apart = (rows[:, None] * columns)[some]
        measured += float((joint[some] * np.log(joint[some] * n / apart)).sum()) / total
        # Miller (1955): what the exact mean comes to where rows are many.
        freedom = (np.count_nonzero(rows) - 1) * (np.count_nonzero(columns) - 1)
        mean = freedom / (2 * n) if is_quick else expected_information(rows, columns)
        chance += n / total * mean
    return BeyondChance(measured, chance, total)
