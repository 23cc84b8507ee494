"""The way from the root to a node, with the values of the row that is followed."""

import numpy as np

from probtrees.explain.path import path_steps, value_text
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_estimate import MLE
from probtrees.table.dataset import UNSEEN, Column, Schema

SCHEMA = Schema((Column("age"), Column("sex", ("f", "m")), Column("y", ("no", "yes"))))


def age_tree() -> CountTree:
    tree = tree_of([2, 0, 2, 0, 0], [[3, 1], [2, 2], [0, 0]], target=2)
    tree.arrays.threshold[0] = 54.5
    return tree


def test_the_way_of_a_row() -> None:
    smoothed = MLE().smooth(age_tree())
    row = np.array([60.25, 1.0, np.nan])
    steps = path_steps(smoothed, SCHEMA, 4, 1, row)
    assert [step.condition for step in steps] == ["all rows", "age is above 54.5", "sex is m"]
    assert [step.value for step in steps] == [None, "60.25", "m"]
    assert [step.observed for step in steps] == [3 / 8, 0.5, None]
    assert steps[-1].estimate == 0.5
    assert steps[0].rows == 8


def test_values_read_as_people_write_them() -> None:
    row = np.array([np.nan, UNSEEN, 0.0])
    assert value_text(SCHEMA, 0, row) == "not recorded"
    assert value_text(SCHEMA, 1, row) == "a value never seen in training"
    assert value_text(SCHEMA, 2, row) == "no"
