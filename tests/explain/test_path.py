"""The way from the root to a node, with the values of the row that is followed."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.explain.path import path_steps, value_text
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, RIGHT, CountTree, make_arrays
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.m_estimate import MLE
from probtrees.table.dataset import UNSEEN, Column, Schema

SCHEMA = Schema((Column("age"), Column("sex", ("f", "m")), Column("y", ("no", "yes"))))

NAN = float("nan")
PATIENTS = Schema((Column("age"), Column("sex", ("female", "male")), Column("ill", ("no", "yes"))))


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


@pytest.fixture
def tree() -> CountTree:
    """Age at 54 (left, right, not recorded); below left: sex."""
    counts = np.array([[60, 12], [40, 2], [15, 10], [5, 0], [30, 2], [10, 0]], dtype=float)
    return CountTree(
        target=2,
        arrays=make_arrays(
            parent=[-1, 0, 0, 0, 1, 1],
            depth=[0, 1, 1, 1, 2, 2],
            first_child=[1, 4, -1, -1, -1, -1],
            n_children=[3, 2, 0, 0, 0, 0],
            column=[0, 1, -1, -1, -1, -1],
            threshold=[54, NAN, NAN, NAN, NAN, NAN],
            branch=[0, LEFT, RIGHT, NOT_RECORDED, 0, 1],
            weight=counts.sum(axis=1),
            counts=counts,
        ),
    )
