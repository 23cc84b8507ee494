"""A row of weight 3 is three rows: for every learner and every way to cut numbers."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probtrees import cross_validate
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.registry import DISCRETIZERS, LEARNERS
from probtrees.grow.c45 import C45
from probtrees.model.routing import find_leaves
from probtrees.table.dataset import Dataset
from tests.small_tables import patients, schema_of, table_of


@st.composite
def weighted_tables(draw):
    """Numeric and nominal columns with ties, and small whole weights, one of them 1."""
    n_rows = draw(st.integers(6, 24))
    random = np.random.default_rng(draw(st.integers(0, 10_000)))
    numbers = random.integers(0, draw(st.integers(3, 30)), (n_rows, 2)).astype(float)
    codes = random.integers(0, 3, (n_rows, 1)).astype(float)
    labels = (numbers[:, 0] + random.integers(0, 9, n_rows) > numbers[:, 0].mean() + 4) * 1.0
    labels[:2] = [0.0, 1.0]
    weights = np.append(1, random.integers(1, 4, n_rows - 1)).astype(float)
    return table_of("a, b, c: p q r, y: no yes", numbers, codes, labels, weights=weights)


def repeated(data, seed=0):
    """Write every row as often as it weighs, in another order."""
    rows = np.repeat(np.arange(data.n_rows), data.weights.astype(int))
    rows = np.random.default_rng(seed).permutation(rows)
    return Dataset(data.schema, data.values[rows])


def with_rule(data, rule):
    return Dataset(data.schema, data.values, weights=data.weights, repeats=rule)


def assert_same_trees(one, other):
    assert len(one.trees) == len(other.trees)
    for tree, twin in zip(one.trees, other.trees, strict=True):
        for name, array in tree.arrays._asdict().items():
            assert np.allclose(array, getattr(twin.arrays, name), equal_nan=True), name


@settings(max_examples=25, deadline=None)
@given(data=weighted_tables(), name=st.sampled_from(sorted(DISCRETIZERS)))
def test_cuts_of_weighted_rows_are_those_of_repeated_rows(data, name):
    method = DISCRETIZERS[name].make({})
    found, expected = method.find_cuts(data).points, method.find_cuts(repeated(data)).points
    assert found.keys() == expected.keys()
    for column in found:
        assert np.allclose(found[column], expected[column])


@settings(max_examples=25, deadline=None)
@given(
    data=weighted_tables(),
    prune=st.sampled_from(["none", "pessimistic"]),
    missing=st.sampled_from(["value", "fraction"]),
)
def test_a_tree_of_weighted_rows_is_that_of_repeated_rows(data, prune, missing):
    learner = C45(prune=prune, missing=missing)
    grown, expected = learner.grow(data).arrays, learner.grow(repeated(data)).arrays
    for name, array in grown._asdict().items():
        assert np.allclose(array, getattr(expected, name), equal_nan=True), name


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=weighted_tables())
@pytest.mark.parametrize("rule", ["together", "apart"])
@pytest.mark.parametrize("learner", sorted(LEARNERS))
def test_every_learner_takes_weights_for_copies(learner, rule, data):
    spec = make_spec(learner)
    grown = grow_model(with_rule(data, rule), spec)
    assert_same_trees(grown, grow_model(with_rule(repeated(data), rule), spec))


@pytest.mark.parametrize("learner", ["c45", "skdb", "nb"])
def test_a_table_twice_has_the_structure_of_the_table(learner):
    data = patients(60).observations()
    twice = Dataset(data.schema, np.concatenate([data.values] * 2), repeats="together")
    once = grow_model(Dataset(data.schema, data.values, repeats=None), make_spec(learner))
    grown = grow_model(twice, make_spec(learner))
    for tree, other in zip(once.trees, grown.trees, strict=True):
        assert np.array_equal(tree.arrays.column, other.arrays.column)
        assert np.allclose(2 * tree.arrays.counts, other.arrays.counts)
        assert np.allclose(other.mean_weights, 2 * tree.row_weights)


def test_evidence_counts_observations_and_not_copies():
    data = patients(60)
    thrice = Dataset(data.schema, data.values, weights=np.full(60, 3.0), repeats="together")
    grown = grow_model(thrice, make_spec("c45"))
    ((evidence,),) = (of.values() for of in grown.evidence().by_member)
    n_rows = grown.data.n_rows
    assert sum(part.weights.sum() for part in evidence.parts) == pytest.approx(n_rows)
    assert evidence.parts[0].tree.totals[0] == pytest.approx(3 * 48, abs=12)


def test_a_table_of_frequencies_is_cut_case_by_case():
    schema = schema_of("x: p q, y: no yes")
    values = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
    weights = np.array([30.0, 10.0, 12.0, 25.0])
    rows = Dataset(schema, np.repeat(values, weights.astype(int), axis=0))
    for learner in ("c45", "nb"):
        by_case = cross_validate(rows, learner)
        counted = cross_validate(Dataset(schema, values, weights=weights), learner)
        assert counted.n_rows == 77
        assert counted.scores == by_case.scores


@pytest.mark.parametrize("learner", ["c45", "kdb"])
def test_mean_weights_are_those_of_the_rows_below(learner):
    data = patients(60, missing=False)
    weights = 1.0 + np.arange(60) % 4
    grown = grow_model(Dataset(data.schema, data.values, weights=weights), make_spec(learner))
    for member in grown.members:
        rows = grown.data if member.cuts is None else member.cuts.apply(grown.data)
        for tree in member.trees:
            cells = {}
            leaves = find_leaves(tree, rows.values, rows.schema.n_values).nodes
            for leaf, values, weight in zip(leaves, rows.values, rows.row_weights, strict=True):
                for node in tree.path(int(leaf)):
                    cells.setdefault((node, int(values[tree.target])), []).append(weight)
            for cell, found in cells.items():
                assert tree.mean_weights[cell] == pytest.approx(np.mean(found))
