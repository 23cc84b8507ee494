"""Copies of rows: identical rows, and rows that count more than once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import OptionError, ProbTreesError
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.folds import read_plan
from probtrees.table.repeats import join_groups, number_rows, scaled_to_rows

NUMERIC = Schema((Column("x"), Column("y", ("a", "b"))))
NOMINAL = Schema((Column("x", ("p", "q")), Column("y", ("a", "b"))))


def measured(n_rows=30, **more):
    """Rows of which no two are alike."""
    values = np.column_stack([np.arange(n_rows) / 7, np.arange(n_rows) % 2])
    return Dataset(NUMERIC, values, **more)


def twice(data, **more):
    values = np.concatenate([data.values, data.values])
    return Dataset(data.schema, values, repeats=data.repeats, **more)


@given(st.lists(st.tuples(st.sampled_from([0.0, -0.0, 1.0, np.nan]), st.integers(0, 2))))
def test_rows_are_numbered_by_what_they_hold(rows):
    values = np.array(rows, dtype=np.float64).reshape(-1, 2)
    contents = [repr((x + 0.0, float(k))) for x, k in rows]
    first = list(dict.fromkeys(contents))
    assert number_rows(values).tolist() == [first.index(content) for content in contents]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1))
def test_groups_with_a_row_in_common_become_one(pairs):
    groups, content = np.array(pairs).T
    joined = join_groups(groups, number_rows(content[:, None].astype(float)))
    for what in (groups, content):
        for value in np.unique(what):
            assert len(np.unique(joined[what == value])) == 1
    assert len(np.unique(joined)) <= len(np.unique(groups))


def test_weights_that_are_not_whole_get_a_mean_of_1():
    weights = np.array([0.1, 0.2, 0.3])
    assert scaled_to_rows(weights).tolist() == pytest.approx([0.5, 1.0, 1.5])
    assert (scaled_to_rows(np.full(7, 1 / 7)) == 1.0).all()
    whole = np.array([2.0, 1.0])
    assert scaled_to_rows(whole) is whole


def test_copies_stay_together_where_numbers_are_measured_finely():
    assert twice(measured()).repeats_rule == "together"
    assert twice(measured(), weights=np.full(60, 4.0)).repeats_rule == "together"
    coarse = Dataset(NUMERIC, np.column_stack([np.arange(60) % 6, np.arange(60) % 2]))
    assert coarse.repeats_rule == "apart"
    assert twice(measured(10)).repeats_rule == "apart"
    assert measured(weights=np.full(30, 10.0)).repeats_rule == "together"
    assert measured(weights=np.full(30, 10.5)).repeats_rule == "together"
    assert Dataset(NOMINAL, np.zeros((5, 2))).repeats_rule == "apart"
    thrice = measured(60).take(np.tile(np.arange(60), 3))  # as fine as the table itself
    assert replace(thrice, repeats="auto").repeats_rule == "together"
    assert measured().repeats_rule is None
    with pytest.raises(OptionError, match="repeats='aprat' must be"):
        measured(repeats="aprat")


def test_rows_taken_twice_are_copies():
    twins = measured().take(np.tile(np.arange(30), 2))
    assert twins.repeats_rule == "together"
    assert twins.observations().row_weights.tolist() == [2.0] * 30
    as_they_stand = measured(repeats=None).take(np.tile(np.arange(30), 2))
    assert as_they_stand.observations().n_rows == 60


def test_copies_together_are_one_row_of_their_weight():
    data = twice(measured(4, repeats="together"), weights=np.array([1.0, 2, 1, 1, 3, 1, 1, 1]))
    seen = data.observations()
    assert np.array_equal(seen.values, data.values[:4])
    assert seen.row_weights.tolist() == [4, 3, 2, 2]
    assert seen.repeats is None
    assert seen.observations().n_rows == 4
    assert measured().observations().weights is None


def test_whole_weights_apart_are_rows_of_weight_1():
    data = measured(3, weights=np.array([2.0, 1.0, 3.0]), repeats="apart")
    seen = data.observations()
    assert seen.weights is None
    assert seen.row_numbers.tolist() == [0, 0, 1, 2, 2, 2]
    halves = measured(3, weights=np.array([2.5, 1.0, 3.0]), repeats="apart").observations()
    assert halves.row_weights.tolist() == [2.5, 1.0, 3.0]
    many = measured(3, weights=np.array([1e9, 1.0, 3.0]), repeats="apart").observations()
    assert many.n_rows == 3


def test_rows_of_other_groups_or_times_are_not_merged_but_never_split():
    data = twice(measured(5, repeats="together"), groups=np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 8]))
    seen = data.observations()
    assert seen.n_rows == 10
    assert seen.groups.tolist() == [0, 1, 2, 3, 3, 0, 1, 2, 3, 3]
    later = twice(measured(5, repeats="together"), times=np.arange(10.0)).observations()
    assert later.n_rows == 10
    assert later.groups.tolist() == [0, 1, 2, 3, 4] * 2
    same = twice(
        measured(5, repeats="together"), groups=np.arange(10) % 5, times=np.arange(10.0) % 5
    )
    assert same.observations().n_rows == 5


@settings(deadline=None)
@given(
    rows=st.lists(st.integers(0, 19), min_size=12, max_size=40),
    plan=st.sampled_from(["2", "3", "loo", "holdout=0.4"]),
    roles=st.sampled_from([(), ("groups",)]),
    seed=st.integers(0, 5),
)
def test_no_copy_of_a_tested_row_trains(rows, plan, roles, seed):
    rows = np.array([*range(8), *rows])
    more = {name: np.arange(len(rows)) % 9 for name in roles}
    values = np.column_stack([rows / 7, rows % 2])
    data = Dataset(NUMERIC, values, repeats="together", **more)
    try:
        cuts = read_plan(plan).cut(data, seed)
        splits = [split for cut in cuts for split in cut.splits()]
    except ProbTreesError:
        return  # all groups share a row with each other
    assert len(cuts[0].test_fold) == len(rows)
    for trained, tested in splits:
        assert not set(rows[trained]) & set(rows[tested])
