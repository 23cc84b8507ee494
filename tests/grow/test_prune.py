from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow import prune
from probtrees.grow.c45 import C45
from probtrees.grow.prune import (
    collapse,
    count_joined_unlike,
    count_rows,
    prune_by_held_out_rows,
    prune_pessimistically,
)
from probtrees.smooth.example_trees import tree_of
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.read_table import read_table
from tests.checks import check_grown_tree
from tests.grow.test_c45 import assert_same, naive_rows, nested, random_table, tables
from tests.naive import naive_landing, naive_prune


@given(
    tables(max_rows=60),
    st.sampled_from(["value", "fraction"]),
    st.sampled_from([0.05, 0.25, 0.5]),
    st.booleans(),
)
def test_pessimistic_pruning_equals_the_slow_twin(data, missing, confidence, raising):
    tree = C45(missing=missing, min_leaf=1).grow(data)
    pruned = prune_pessimistically(tree, data, confidence=confidence, raise_subtrees=raising)
    check_grown_tree(pruned)
    naive = naive_prune(
        nested(tree),
        naive_rows(data),
        data.schema.n_values.tolist(),
        data.n_classes,
        confidence,
        NormalDist().inv_cdf(1 - confidence),
        raising,
    )
    assert_same(nested(pruned), naive)


def chain(depth, n_rows, chance, noise=0.1):
    """A tree that parts one group after the other, and rows with some noise."""
    group = np.repeat(np.arange(depth + 1), n_rows)
    outcome = np.where(chance.random(len(group)) < noise, 1 - group % 2, group % 2)
    columns = (group[:, None] > np.arange(depth)).astype(float)
    named = (Column(f"c{number}", ("x", "y")) for number in range(depth))
    data = Dataset(Schema((*named, Column("k", ("a", "b")))), np.column_stack([columns, outcome]))
    counts = [np.bincount(outcome[group == each], minlength=2) for each in range(depth + 1)]
    return tree_of([2] + [0, 2] * (depth - 1) + [0, 0], counts, target=depth), data


def test_steps_of_pruning_grow_with_depth_as_those_of_growing_do():
    """A row is looked at where it goes down, and a few times more: 1,300 levels took 84 s."""
    steps = []
    for depth in (50, 100):
        tree, data = chain(depth, 6, np.random.default_rng(3))
        calls = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(prune, "_ITEMS_PER_CALL", 200)
            prune_pessimistically(
                tree, data, confidence=0.25, raise_subtrees=True, progress=calls.append
            )
        steps.append(len(calls))
    assert steps[0] > 10
    assert steps[1] < 6 * steps[0]


@pytest.mark.parametrize("missing", ["value", "fraction"])
def test_pruning_a_large_tree_runs_out_of_room_and_goes_on(missing):
    data = noisy(random_table(300, missing=0.4))
    tree = C45(missing=missing, min_leaf=1, collapse=False).grow(data)
    pruned = prune_pessimistically(tree, data, confidence=0.4, raise_subtrees=True)
    check_grown_tree(pruned)
    naive = naive_prune(
        nested(tree), naive_rows(data), [0] * 5, 2, 0.4, NormalDist().inv_cdf(0.6), True
    )
    assert_same(nested(pruned), naive)
    assert (pruned.fragments is None) == (missing == "value")


@given(tables())
def test_counting_other_rows_equals_landing_them(data):
    tree = C45(missing="fraction").grow(data.take(np.arange(data.n_rows) % 2 == 0))
    other = data.take(np.arange(data.n_rows) % 2 == 1)
    expected = np.zeros_like(tree.arrays.counts)
    for row, label, weight in zip(other.values, other.labels, other.row_weights, strict=True):
        for node, share in naive_landing(tree, row, data.schema.n_values, stop=False):
            expected[node, label] += weight * share
    leaves = tree.leaves
    np.testing.assert_allclose(count_rows(tree, other)[0][leaves], expected[leaves], atol=1e-5)


def noisy(data: Dataset) -> Dataset:
    flipped = np.random.default_rng(1).random(data.n_rows) < 0.25
    values = data.values.copy()
    values[flipped, -1] = 1 - values[flipped, -1]
    return Dataset(data.schema, values)


@pytest.mark.parametrize(("rates", "n_unlike"), [((0.02, 0.02), 0), ((0.02, 0.12), 1)])
def test_leaves_that_join_other_chances_are_counted(rates, n_unlike):
    """Nobody is predicted to be ill; what counts is whether the wards plainly differ."""
    random = np.random.default_rng(1)
    wards = random.integers(2, size=1500)
    frame = pd.DataFrame({"ward": np.array(["a", "b"])[wards], "noise": random.random(1500)})
    frame["ill"] = np.where(random.random(1500) < np.array(rates)[wards], "yes", "no")
    data = read_table(frame, "ill")
    assert count_joined_unlike(C45(collapse=False).grow(data)) == n_unlike
    tree, report = C45().grow_with_report(data)
    assert report.joined_unlike == n_unlike
    assert any("plainly differ" in said for said in report.sentences) == bool(n_unlike)
    assert tree.n_leaves == 1


def test_collapse_never_adds_training_errors():
    tree = C45(collapse=False).grow(noisy(random_table(300, missing=0.2)))
    collapsed = collapse(tree)

    def errors(t):
        return (t.totals - t.arrays.counts.max(axis=1))[t.leaves].sum()

    assert collapsed.n_nodes < tree.n_nodes
    assert errors(collapsed) == errors(tree)
    assert collapse(collapsed).n_nodes == collapsed.n_nodes


def test_reduced_error_pruning_counts_all_rows():
    data = noisy(random_table(300))
    tree, report = C45(prune="reduced-error").grow_with_report(data)
    check_grown_tree(tree)
    assert report.pruned.nodes < report.collapsed.nodes
    assert tree.arrays.counts[0].tolist() == np.bincount(data.labels).tolist()


def test_reduced_error_pruning_leaves_no_split_that_errs_as_often_as_a_leaf():
    rows = noisy(random_table(300))
    grow, held_out = rows.take(np.arange(300) % 3 > 0), rows.take(np.arange(300) % 3 == 0)
    tree = C45().grow(grow)
    pruned = prune_by_held_out_rows(tree, held_out)
    held = count_rows(pruned, held_out)[0]
    majority = (pruned.arrays.counts - held).argmax(axis=1)
    as_leaf = held.sum(axis=1) - held[np.arange(pruned.n_nodes), majority]
    for node in np.flatnonzero(~pruned.is_leaf):
        below = [leaf for leaf in pruned.leaves if node in pruned.path(int(leaf))]
        assert as_leaf[node] > as_leaf[below].sum()
