"""A masked tree tells no small count, and nothing it could be worked out from."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.ladder import ladder_html, rungs
from probtrees.draw.node_card import Mask
from probtrees.draw.outline import outline
from probtrees.draw.tree import tree_dot
from probtrees.report.masking import masked
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.laplace import Laplace
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.mle import MLE
from probtrees.table.dataset import Column, Schema

SCHEMA = Schema(
    (Column("a", ("x", "y", "z")), Column("b", ("x", "y")), Column("ill", ("no", "yes")))
)
MASK = Mask(5)


def tree_with(cases: int, rows: int = 200):
    """A leaf with a hidden number of cases among others whose counts stay the same."""
    return tree_of([3, 0, 0, 0], [[rows - cases, cases], [100, 40], [60, 20]], target=2)


def everything_drawn(tree, smoother) -> str:
    shown = masked(smoother.smooth(tree), 1, MASK)
    ladder = ladder_html(rungs(shown, SCHEMA, 1, 1))
    return tree_dot(shown, SCHEMA, outcome=1) + outline(shown, SCHEMA, outcome=1) + ladder


@pytest.mark.parametrize("smoother", [MLE(), Laplace()])
def test_hidden_cases_make_no_difference(smoother):
    pages = {everything_drawn(tree_with(cases), smoother) for cases in (1, 2)}
    assert len(pages) == 1
    assert "fewer than 5 yes" in pages.pop()


@pytest.mark.parametrize("smoother", [MLE(), Laplace(), MBranch()])
@given(cases=st.integers(1, 4), rows=st.integers(5, 3000))
def test_the_range_holds_the_estimate_of_every_hidden_count(smoother, cases, rows):
    shown = masked(smoother.smooth(tree_with(cases, rows)), 1, MASK)
    low, high = (float(n) / 100 for n in re.findall(r"[\d.]+", shown.ranges[1]))
    for hidden in range(1, 5):
        p = smoother.smooth(tree_with(hidden, rows)).probs[1, 1]
        assert low - 0.02 <= p <= high + 0.02


@given(
    counts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=3, max_size=3),
    smallest=st.integers(2, 12),
)
def test_no_small_count_is_drawn(counts, smallest):
    mask = Mask(smallest)
    shown = masked(Laplace().smooth(tree_of([3, 0, 0, 0], counts, target=2)), 1, mask)
    told = re.findall(r"([\d,]+) rows? · (?:fewer than )?([\d,]+) yes", tree_dot(shown, SCHEMA))
    for rows, cases in told:
        assert int(rows) % smallest == 0
        assert int(cases) % smallest == 0
    printed = outline(shown, SCHEMA, outcome=1)
    assert all(int(n) % smallest == 0 for n in re.findall(r"\((\d+) rows?\)", printed))


def test_a_leaf_of_few_rows_says_nothing_but_that():
    tree = tree_of([2, 0, 0], [[1, 2], [100, 40]], target=2)
    shown = masked(Laplace().smooth(tree), 1, MASK)
    assert shown.ranges == {1: "not shown"}
    assert "fewer than 5 rows" in tree_dot(shown, SCHEMA, outcome=1)


def test_the_mask_of_nothing_changes_nothing():
    smoothed = MBranch().smooth(tree_with(3))
    shown = masked(smoothed, 1, Mask())
    assert np.array_equal(shown.probs, smoothed.probs)
    assert tree_dot(shown, SCHEMA, outcome=1) == tree_dot(smoothed, SCHEMA, outcome=1)
