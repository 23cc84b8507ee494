"""Which rows test and which train, and how that is said, written and read."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError, OptionError
from probtrees.table.dataset import Column, Dataset, Provenance, Schema
from probtrees.table.folds import (
    NEVER_TESTED,
    FoldPlan,
    describe_folds,
    folds_follow,
    grouped_folds,
    read_cuts,
    read_plan,
    stratified_folds,
    time_folds,
)


def table(labels, **roles) -> Dataset:
    schema = Schema((Column("x"), Column("y", ("a", "b", "c"))))
    values = np.column_stack([np.arange(len(labels), dtype=float), np.asarray(labels, float)])
    return Dataset(schema, values, **roles)


@given(st.lists(st.integers(0, 2), min_size=4, max_size=60), st.integers(2, 4), st.integers(0, 9))
def test_every_fold_gets_its_share_of_each_class(labels, n_folds, seed):
    labels = np.array(labels)
    folds = stratified_folds(labels, n_folds, np.random.default_rng(seed))
    assert np.ptp(np.bincount(folds, minlength=n_folds)) <= 1
    for label in np.unique(labels):
        assert np.ptp(np.bincount(folds[labels == label], minlength=n_folds)) <= 1


def test_seed_and_repeat_decide_the_cut():
    data = table(np.arange(60) % 3)
    first = FoldPlan(n_folds=5).cut_once(data, seed=1).test_fold
    assert (first == FoldPlan(n_folds=5).cut_once(data, seed=1).test_fold).all()
    assert (first != FoldPlan(n_folds=5).cut_once(data, seed=2).test_fold).any()
    assert (first != FoldPlan(n_folds=5).cut_once(data, seed=1, repeat=1).test_fold).any()


def test_splits_train_on_all_other_rows():
    tested = []
    for train, test in FoldPlan(n_folds=4).cut_once(table(np.arange(20) % 2)).splits():
        assert sorted([*train, *test]) == list(range(20))
        tested += test.tolist()
    assert sorted(tested) == list(range(20))


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 2)), min_size=8, max_size=60))
def test_groups_stay_together(rows):
    groups, labels = np.array(rows).T
    n_folds = min(3, len(set(groups)))
    if n_folds < 2:
        return
    folds = grouped_folds(labels, groups, n_folds, np.random.default_rng(0))
    for group in set(groups):
        assert len(set(folds[groups == group])) == 1
    assert set(folds) == set(range(n_folds))


def test_groups_of_one_row_are_spread_by_class():
    labels = np.array([0] * 30 + [1] * 10)
    folds = grouped_folds(labels, np.arange(40), 5, np.random.default_rng(0))
    assert (np.bincount(folds[labels == 1]) == 2).all()
    assert (np.bincount(folds[labels == 0]) == 6).all()


def test_time_trains_on_the_past_only():
    times = np.array([5.0, 1, 2, 3, 4, 6, 7, 8, 8, 8, 9, 10])
    data = table(np.arange(12) % 2, times=times)
    folds = FoldPlan(n_folds=3).cut_once(data)
    assert (folds.test_fold == NEVER_TESTED).sum() > 0
    for train, test in folds.splits():
        assert times[train].max() < times[test].min()
    assert len(set(folds.test_fold[times == 8])) == 1


def test_time_and_group_together():
    data = table(np.zeros(12), times=np.arange(12.0), groups=np.arange(12) % 5)
    for train, test in FoldPlan(n_folds=3).cut_once(data).splits():
        assert not set(data.groups[train]) & set(data.groups[test])
        assert train.max() < test.min()


def test_time_that_cannot_be_cut():
    with pytest.raises(DataError, match="row 2"):
        time_folds(np.array([1.0, np.nan, 3.0]), 2)
    with pytest.raises(OptionError, match="2 different times"):
        time_folds(np.array([1.0, 1.0, 3.0]), 2)
    with pytest.raises(DataError, match="one time"):
        time_folds(np.array([1.0, 2, 3] + [4] * 97), 2)


@pytest.mark.parametrize(("n_folds", "words"), [(1, "at least 2"), (7, "at most the 6 rows")])
def test_impossible_numbers_of_folds(n_folds, words):
    with pytest.raises(OptionError, match=words):
        FoldPlan(n_folds=n_folds).cut_once(table([0, 1, 0, 1, 0, 1]))
    with pytest.raises(OptionError, match="2 groups"):
        FoldPlan(n_folds=3).cut_once(table([0, 1, 0, 1], groups=np.array([0, 0, 1, 1])))


def write(tmp_path, text: str):
    path = tmp_path / "folds.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "row,fold\n0,2\n1,10\n2,2\n3,1\n",
        "test_fold\n2\n10\n2\n1\n\n",
        "\ufefffold;x\r\n2;a\r\n10;b\r\n2;c\r\n1;d\r\n",
    ],
)
def test_given_folds_are_read_in_row_order(tmp_path, text):
    (folds,) = read_cuts(write(tmp_path, text), table([0, 1, 0, 1]))
    assert folds.test_fold.tolist() == [1, 2, 1, 0]


def test_folds_for_rows_that_were_dropped_are_skipped(tmp_path):
    data = table([0, 1, 0, 1]).take(np.array([0, 2, 3]))
    (folds,) = read_cuts(write(tmp_path, "fold\n0\n1\n1\n0\n"), data)
    assert folds.test_fold.tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("fold\n0\n1\n", "one row per data row: it has 2, the table 4"),
        ("part\n0\n1\n", "column 'fold'"),
        ("x", "column"),
        ("row,fold\n0,1\n1,\n2,0\n3,1\n", "row 2"),
        ("fold\n1\n1\n1\n1\n", "at least two folds"),
    ],
)
def test_unusable_folds_are_refused(tmp_path, text, words):
    with pytest.raises(DataError, match=r"nothing\.csv"):
        read_cuts(tmp_path / "nothing.csv", table([0, 1]))
    with pytest.raises(DataError, match=words):
        read_cuts(write(tmp_path, text), table([0, 1, 0, 1]))


def test_several_cuts_stand_in_one_file_by_number(tmp_path):
    text = "fold 2,row,fold 10,fold_1\n0,a,1,0\n1,b,0,0\n0,c,0,1\n1,d,1,1\n"
    data = table([0, 1, 0, 1])
    first, second, third = read_cuts(write(tmp_path, text), data)
    assert first.test_fold.tolist() == [0, 0, 1, 1]
    assert second.test_fold.tolist() == [0, 1, 0, 1]
    assert third.test_fold.tolist() == [1, 0, 0, 1]
    assert len(read_cuts(write(tmp_path, text.replace("row", "fold")), data)) == 1


def test_every_form_is_read():
    assert read_plan("10") == FoldPlan("folds", 10)
    assert read_plan(10, 3) == FoldPlan("folds", 10, 3)
    assert read_plan(" 5X2 ") == FoldPlan("folds", 2, 5)
    assert read_plan("loo") == read_plan("leave-one-out") == FoldPlan("loo", 0)
    assert read_plan("holdout") == FoldPlan("holdout", 1)
    assert read_plan("hold-out=0.25", 4) == FoldPlan("holdout", 1, 4, 0.25)


@pytest.mark.parametrize(
    "text", ["", "x", "1", "0x2", "ten", "holdout=0", "holdout=1", "holdout=a", "-3", "2.5"]
)
def test_others_are_refused_in_words(text):
    with pytest.raises(OptionError, match="must"):
        read_plan(text)


def test_repeats_are_said_once():
    with pytest.raises(OptionError, match="says how many itself"):
        read_plan("5x2", 3)
    with pytest.raises(OptionError, match="same every time"):
        read_plan("loo", 3)
    with pytest.raises(OptionError, match="repeats=0"):
        read_plan("10", 0)


def test_leaving_one_out_leaves_whole_groups_out():
    (folds,) = read_plan("loo").cut(table([0, 1, 0, 1], groups=np.array([7, 3, 7, 5])))
    assert sorted(test.tolist() for _, test in folds.splits()) == [[0, 2], [1], [3]]


@pytest.mark.parametrize(
    ("plan", "words"), [("loo", "time column"), ("holdout=0.3", "rows to train on")]
)
def test_times_that_cannot_be_held_out(plan, words):
    with pytest.raises(OptionError, match=words):
        read_plan(plan).cut(table([0, 1, 0, 1], times=np.zeros(4)))


@given(
    st.lists(st.integers(0, 2), min_size=8, max_size=60), st.floats(0.2, 0.8), st.integers(0, 99)
)
def test_a_hold_out_takes_every_class_at_the_same_rate(labels, share, seed):
    data = table(labels)
    (folds,) = FoldPlan("holdout", 1, 1, share).cut(data, seed)
    ((train, test),) = folds.splits()
    assert sorted([*train, *test]) == list(range(len(labels)))
    for label in set(labels):
        n = labels.count(label)
        assert abs((data.labels[test] == label).sum() - share * n) <= 1 + 1e-9


def test_a_hold_out_by_time_tests_the_latest_and_keeps_groups_together():
    times = np.array([5.0, 1.0, 4.0, 2.0, 3.0, 6.0])
    (folds,) = read_plan("holdout=0.33").cut(table([0, 1, 0, 1, 0, 1], times=times))
    ((train, test),) = folds.splits()
    assert times[train].max() < times[test].min()
    assert len(test) == 2
    groups = np.repeat(np.arange(10), 6)
    (folds,) = read_plan("holdout=0.3").cut(table(np.arange(60) % 3, groups=groups))
    ((train, test),) = folds.splits()
    assert not set(groups[train]) & set(groups[test])
    assert len(test) == 18


def test_what_the_folds_follow_is_said():
    plain = table(np.arange(40) % 2)
    assert folds_follow(plain) == describe_folds(plain, read_plan(4).cut(plain)) == ""
    assert describe_folds(plain, read_plan("holdout=0.25").cut(plain)) == (
        "30 rows of 40 are never tested."
    )
    roles = {"admitted": "time", "ward": "group"}
    data = replace(
        table(np.arange(40) % 2, times=np.arange(40.0), groups=np.arange(40) // 2),
        provenance=Provenance("people", roles=roles),
    )
    assert folds_follow(data) == "by time (admitted), by group (ward)"
    assert describe_folds(data, read_plan(4).cut(data)) == (
        "Folds follow time (admitted): only earlier rows train. Rows of one "
        "group (ward) are held out together. 8 rows of 40 are never tested."
    )


def test_classes_that_are_never_tested_are_named():
    late = np.where(np.arange(40) < 4, 2, np.arange(40) % 2)
    data = table(late, times=np.arange(40.0))
    assert describe_folds(data, read_plan(4).cut(data)).endswith(
        "No row of c is tested, so the AUC is of 2 of 3 classes: do not hold it beside one of all."
    )
    assert "No row" not in describe_folds(table(late), read_plan(4).cut(table(late)))


def test_copies_at_several_times_are_no_groups_of_the_user():
    values = np.column_stack([np.arange(40) % 39, np.arange(40) % 39 % 2]).astype(float)
    schema = Schema((Column("x"), Column("y", ("a", "b"))))
    data = Dataset(schema, values, times=np.arange(40.0), repeats="together")
    said = describe_folds(data, read_plan(4).cut(data))
    assert "Copies of a row never train the model that they test." in said
    assert "group" not in said
