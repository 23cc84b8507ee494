from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import OptionError
from probtrees.table.dataset import Column, Dataset, Provenance, Schema
from probtrees.table.folds import FoldPlan, describe_folds, folds_follow, read_plan


def table(labels, **more):
    values = np.column_stack([np.arange(len(labels)), labels]).astype(float)
    return Dataset(Schema((Column("x"), Column("y", ("a", "b", "c")))), values, **more)


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


def test_leaving_one_out_tests_every_row_alone():
    (folds,) = read_plan("loo").cut(table([0, 1, 0, 1, 2]))
    splits = list(folds.splits())
    assert [test.tolist() for _, test in splits] == [[0], [1], [2], [3], [4]]
    assert all(len(train) == 4 for train, _ in splits)


def test_leaving_one_out_leaves_whole_groups_out():
    (folds,) = read_plan("loo").cut(table([0, 1, 0, 1], groups=np.array([7, 3, 7, 5])))
    assert sorted(test.tolist() for _, test in folds.splits()) == [[0, 2], [1], [3]]


def test_time_forbids_leaving_one_out():
    with pytest.raises(OptionError, match="later rows"):
        read_plan("loo").cut(table([0, 1, 0], times=np.arange(3.0)))


@given(
    st.lists(st.integers(0, 2), min_size=8, max_size=60),
    st.floats(0.2, 0.8),
    st.integers(0, 99),
)
def test_a_hold_out_takes_every_class_at_the_same_rate(labels, share, seed):
    data = table(labels)
    (folds,) = FoldPlan("holdout", 1, 1, share).cut(data, seed)
    ((train, test),) = folds.splits()
    assert sorted([*train, *test]) == list(range(len(labels)))
    for label in set(labels):
        n = labels.count(label)
        assert abs((data.labels[test] == label).sum() - share * n) <= 1 + 1e-9


def test_hold_outs_of_a_seed_are_the_same_and_repeats_differ():
    data = table(np.arange(60) % 3)
    plan = read_plan("holdout=0.5", 2)
    first, again = plan.cut(data, 1), plan.cut(data, 1)
    assert (first[0].test_fold == again[0].test_fold).all()
    assert (first[0].test_fold != first[1].test_fold).any()


def test_a_hold_out_by_time_tests_the_latest():
    times = np.array([5.0, 1.0, 4.0, 2.0, 3.0, 6.0])
    (folds,) = read_plan("holdout=0.33").cut(table([0, 1, 0, 1, 0, 1], times=times))
    ((train, test),) = folds.splits()
    assert times[train].max() < times[test].min()
    assert len(test) == 2


def test_a_hold_out_keeps_groups_together():
    groups = np.repeat(np.arange(10), 6)
    (folds,) = read_plan("holdout=0.3").cut(table(np.arange(60) % 3, groups=groups))
    ((train, test),) = folds.splits()
    assert not set(groups[train]) & set(groups[test])
    assert len(test) == 18


def test_a_hold_out_needs_rows_on_both_sides():
    with pytest.raises(OptionError, match="rows to train on"):
        read_plan("holdout=0.3").cut(table([0, 1, 0, 1], times=np.zeros(4)))


def test_what_the_folds_follow_is_said():
    plain = table(np.arange(40) % 2)
    assert folds_follow(plain) == describe_folds(plain, read_plan(4).cut(plain)) == ""
    assert describe_folds(plain, read_plan("holdout=0.25").cut(plain)) == (
        "30 rows of 40 only train and are never tested."
    )
    roles = {"admitted": "time", "ward": "group"}
    data = replace(
        table(np.arange(40) % 2, times=np.arange(40.0), groups=np.arange(40) // 2),
        provenance=Provenance("people", roles=roles),
    )
    assert folds_follow(data) == "by time (admitted), by group (ward)"
    assert describe_folds(data, read_plan(4).cut(data)) == (
        "Folds follow time (admitted): rows are only predicted from earlier ones. Rows of one "
        "group (ward) are held out together. 8 rows of 40 only train and are never tested."
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
