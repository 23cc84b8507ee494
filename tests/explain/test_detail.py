"""The detail of a picture by importance: what few groups tell of what all leaves tell."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.tree_data import tree_texts
from probtrees.explain.detail import (
    branches_without_rows,
    detail_order,
    nodes_without_rows,
    shown_children,
)
from probtrees.grow.c45 import C45
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_estimate import MLE, Laplace
from probtrees.table.read_table import read_table
from tests.naive import naive_share_shown
from tests.strategies import count_trees


@given(count_trees(), st.integers(1, 12))
def test_the_share_shown_is_the_variance_between_groups(tree, n_groups):
    smoothed = Laplace().smooth(tree)
    order = detail_order(smoothed)
    opened = set(order.opened(n_groups)) if not tree.is_leaf[0] else set()
    expected = naive_share_shown(tree, smoothed.probs, opened)
    assert order.share_shown(opened) == pytest.approx(expected, abs=1e-9)


@given(count_trees())
def test_opening_goes_from_the_root_down_and_tells_more_and_more(tree):
    order = detail_order(Laplace().smooth(tree))
    with_rows = ~nodes_without_rows(tree)
    assert sorted(order.opening) == np.flatnonzero(~tree.is_leaf & with_rows).tolist()
    place = {int(node): k for k, node in enumerate(order.opening)}
    for node in order.opening[1:]:
        assert place[int(tree.arrays.parent[node])] < place[int(node)]
    shares = [order.share_shown(order.opened(k)) for k in range(1, tree.n_leaves + 1)]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1.0)


@given(count_trees(), st.integers(1, 12))
def test_every_row_is_in_one_of_the_groups_shown(tree, n_groups):
    shown = detail_order(Laplace().smooth(tree)).shown_groups(n_groups)
    assert tree.totals[shown].sum() == pytest.approx(tree.totals[0])
    ways = [set(tree.path(node)[:-1]) for node in shown.tolist()]
    assert not any(way & set(shown.tolist()) for way in ways)


def test_branches_without_rows_are_left_out_and_counted():
    score = [*range(40), None]
    outcome = ["yes" if 10 <= (k or 0) < 30 else "no" for k in score]
    data = read_table(pd.DataFrame({"score": score, "bad": outcome}), target="bad")
    tree = C45().grow(data)
    (gone,) = np.flatnonzero(branches_without_rows(tree)).tolist()
    assert tree.arrays.depth[gone] == 2
    assert shown_children(tree)[tree.arrays.parent[gone]] == 2
    assert shown_children(tree)[0] == 3
    texts = tree_texts(tree, data.schema)
    assert texts["leaves"] == tree.n_leaves - 1
    assert texts["below"][0] == tree.n_leaves - 1
    assert texts["empty"] == [gone]


def test_few_groups_are_those_that_differ_most():
    # Of the two branches only the second tells its leaves apart.
    tree = tree_of([2, 2, 2, 0, 0, 0, 0], [[5, 5], [5, 5], [10, 0], [0, 10]])
    order = detail_order(MLE().smooth(tree))
    assert order.opening.tolist() == [0, 2, 1]
    assert order.opened(3) == [0, 2]
    assert order.share_shown([0, 2]) == pytest.approx(1.0)
    assert order.share_shown([0]) == pytest.approx(0.0)


@given(count_trees(), st.integers(1, 12), st.data())
def test_a_way_is_open_besides_what_tells_most(tree, n_groups, data):
    order = detail_order(Laplace().smooth(tree))
    leaf = data.draw(st.sampled_from(tree.leaves.tolist()))
    way = tree.path(leaf)[:-1]
    opened = order.opened(n_groups, way)
    assert set(opened) == {*way, *order.opened(n_groups)}
    assert all(int(tree.arrays.parent[node]) in {-1, *opened} for node in opened)


@given(count_trees(), st.integers(1, 12))
def test_near_leaves_fit_into_the_picture_or_are_the_nearest(tree, n_groups):
    order = detail_order(Laplace().smooth(tree))

    def groups(leaf):
        return 1 + sum(int(shown_children(tree)[node]) - 1 for node in tree.path(leaf)[:-1])

    leaves = [leaf for leaf in tree.leaves if not nodes_without_rows(tree)[leaf]]
    least = min(groups(leaf) for leaf in leaves)
    expected = [leaf for leaf in leaves if groups(leaf) <= max(n_groups, least)]
    assert order.near_leaves(n_groups).tolist() == expected
