import numpy as np
import pytest

from probtrees.explain.alternative import nearest_alternative
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, RIGHT, CountTree, make_arrays
from probtrees.table.dataset import Column, Schema

NAN = float("nan")
SCHEMA = Schema((Column("age"), Column("sex", ("female", "male")), Column("ill", ("no", "yes"))))
SCALES = np.array([10.0, NAN, NAN])


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


def test_a_number_close_to_its_threshold_is_nearer_than_another_category(tree):
    found = nearest_alternative(tree, SCHEMA, 4, np.array([53.0, 0, NAN]), SCALES)
    assert (found.split, found.branch) == (0, 2)
    assert found.condition.words == "age is above 54"
    assert found.value == "53"
    assert found.distance == pytest.approx(0.1)


def test_a_number_far_from_its_threshold_is_farther(tree):
    found = nearest_alternative(tree, SCHEMA, 4, np.array([20.0, 0, NAN]), SCALES)
    assert found.condition.words == "sex is male"
    assert found.distance == 1.0


def test_a_missing_number_is_one_step_from_any_branch(tree):
    found = nearest_alternative(tree, SCHEMA, 3, np.array([NAN, 0, NAN]), SCALES)
    assert found.branch == 1
    assert found.value == "not recorded"


def test_a_lone_root_has_no_alternative():
    arrays = make_arrays(
        parent=[-1],
        depth=[0],
        first_child=[-1],
        n_children=[0],
        column=[-1],
        threshold=[NAN],
        branch=[0],
        weight=[3],
        counts=[[1, 2]],
    )
    tree = CountTree(2, arrays)
    assert nearest_alternative(tree, SCHEMA, 0, np.array([1.0, 0, 0]), SCALES) is None
