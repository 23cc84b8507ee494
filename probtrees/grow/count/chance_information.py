"""What columns seem to tell about each other by chance alone.

Measured on a finite table, information is never 0, and a column of many values shares much of it
with any other. The learners choose by what is measured, as published; what is shown to people says
how much of it chance would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import numpy as np
from scipy.special import gammaln

from probtrees.grow.count.mutual_information import WithClass
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

_REACH = 10.0
"""Standard deviations around the expected count beyond which nothing is summed."""

_MOST_EXACT = 300
"""Contexts of a table up to which the exact mean is worked out in each of them."""

Margins = Mapping[int, FloatArray]
"""By column, float64[n_classes, n_values]: how often it has each value in each class."""


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


def margins_of_rows(data: Dataset) -> dict[int, FloatArray]:
    """Count how often every value of a nominal table occurs in each class."""
    rows = nominal_rows(data)
    counted = WithClass.empty(rows.n_values)
    counted.update(rows)
    cells = np.split(counted.counts, counted.first_cell[1:-1])
    return {column: each.reshape(-1, data.n_classes).T for column, each in enumerate(cells)}


def chance_with_class(margins: Margins, column: int) -> float:
    """Return the mutual information with the class that chance alone would give a column."""
    counts = margins[column]
    return expected_information(counts.sum(axis=0), counts.sum(axis=1))


def contexts_of(tree: CountTree, parent: int) -> dict[tuple[int, ...], dict[int, int]]:
    """Group the leaves of a table by all its columns but one: the leaf of each value of that one.

    The groups are contexts in which nothing but the one column differs.
    """
    found: dict[tuple[int, ...], dict[int, int]] = {}
    for leaf in tree.leaves.tolist():
        path = tree.path(leaf)
        branches = {
            int(tree.arrays.column[above]): int(tree.arrays.branch[node])
            for above, node in pairwise(path)
        }
        value = branches.pop(parent, -1)
        found.setdefault(tuple(branches.values()), {})[value] = leaf
    return found


def arrow_information(tree: CountTree, parent: int) -> tuple[float, float]:
    """Return what one parent tells about a table's column when all others are known, in nats.

    Returns
    -------
    as it was measured, and as much as chance alone would give
    """
    counts, total = tree.arrays.counts, max(float(tree.totals[0]), 1e-300)
    groups = contexts_of(tree, parent).values()
    is_quick = len(groups) > _MOST_EXACT
    measured = chance = 0.0
    for leaves in groups:
        joint = np.asarray(counts[list(leaves.values())])
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
    return measured, chance
