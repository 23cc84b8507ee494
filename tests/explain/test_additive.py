import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.explain.additive import explain_additively
from probtrees.explain.shape_curves import shape_curves
from probtrees.model.predict import predict_proba
from probtrees.smooth.log_linear.softmax import normalise, straight_line_parts
from probtrees.table.dataset import UNSEEN, Dataset
from tests.small_tables import patients


@pytest.fixture(scope="module")
def shaped():
    data = patients(80)
    return fit(data, "shaped-tree", options={"penalty": 1.0, "freedom": 10.0}), data


def test_the_terms_of_every_row_add_up(shaped):
    model, data = shaped
    values = data.values.copy()
    values[::3, 0] = np.nan
    values[1::4, 1] = np.nan
    values[2::5, 2] = UNSEEN
    rows = Dataset(data.schema, values)
    proba = predict_proba(model, rows)
    for row in range(rows.n_rows):
        found = explain_additively(model, rows, row)
        assert found.proba == pytest.approx(proba[row], abs=1e-12)
        for outcome in range(3):
            against = found.against(outcome)
            odds = np.log(proba[row, outcome] / proba[row, against])
            assert found.log_odds(outcome).sum() == pytest.approx(odds, abs=1e-9)
            assert found.ledger(outcome).sum() == pytest.approx(proba[row, outcome], abs=1e-12)


def test_steps_follow_the_tree_and_columns_come_in_order(shaped):
    model, data = shaped
    found = explain_additively(model, data, 5)
    tree = model.members[0].smoothed.tree
    steps = [term for term in found.terms if term.kind == "step"]
    parents = [int(tree.arrays.parent[term.node]) for term in steps]
    assert parents == [0, *(term.node for term in steps[:-1])]
    names = [term.name for term in found.terms if term.kind == "column"]
    assert names == [model.schema.names[shape.column] for shape in model.members[0].shapes]
    assert all(0 < term.share <= 1 for term in found.terms)


@given(
    base=st.lists(st.floats(-5, 5), min_size=2, max_size=4),
    seed=st.integers(0, 1000),
    scale=st.sampled_from([0.1, 1.0, 30.0]),
)
@settings(max_examples=30)
def test_percentage_points_add_up_and_know_no_order(base, seed, scale):
    start = np.array(base)
    terms = scale * np.random.default_rng(seed).normal(size=(5, len(base)))
    parts = straight_line_parts(start, terms)
    change = normalise((start + terms.sum(axis=0))[None])[0] - normalise(start[None])[0]
    assert parts.sum(axis=0) == pytest.approx(change, abs=1e-12)
    assert parts.sum(axis=1) == pytest.approx(0, abs=1e-9)
    assert straight_line_parts(start, terms[::-1])[::-1] == pytest.approx(parts, abs=1e-9)


def test_two_classes_share_the_change_in_proportion_to_their_log_odds():
    base, terms = np.array([0.0, -1.0]), np.array([[0.0, 2.0], [0.0, -0.5]])
    parts = straight_line_parts(base, terms)[:, 1]
    assert parts[0] / parts[1] == pytest.approx(2.0 / -0.5)


def test_curves_hold_every_training_row(shaped):
    model, data = shaped
    for curve in shape_curves(model):
        assert curve.counts.sum() + curve.missing_count == data.n_rows
        assert curve.scores.shape == (len(curve.values), 3)
        assert len(curve.to_dict()["values"]) == len(curve.values)
