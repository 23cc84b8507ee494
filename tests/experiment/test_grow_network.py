from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.experiment.grow_network import held_out_parts
from probtrees.experiment.inner_evidence import inner_splits
from probtrees.grow.aode import AODE
from probtrees.grow.eskdb import ESKDB
from probtrees.grow.kdb import KDB
from probtrees.grow.kdf import KDF
from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.grow.skdb import SKDB
from probtrees.grow.super_parent import SuperParent
from probtrees.grow.tan import TAN
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import UNSEEN, Column, Dataset, Schema
from probtrees.table.discretize.mdlp import MDLP, RandomizedMDLP
from tests.naive import naive_network
from tests.small_tables import patients
from tests.strategies import nominal_tables

LEARNERS = [NaiveBayes(), TAN(), KDB(k=2), SKDB(k=2), AODE(), KDF(k=2), ESKDB(size=2, k=2)]
LEARNERS += [SuperParent(criterion=criterion) for criterion in ("accuracy", "auc", "cll")]

by_name = pytest.mark.parametrize("learner", LEARNERS, ids=repr)


@settings(max_examples=40)
@given(nominal_tables(), st.integers(0, 3), st.integers(0, 10**6))
def test_answers_equal_the_definition(data, k, seed):
    model = fit(data, KDB(k=k), "m-estimate")
    dag = KDB(k=k).learn(data).members[0].dag
    parents = {a: list(path[1:]) for a, path in dag.parents.items() if path}
    n_values = data.schema.n_values.tolist()
    random = np.random.default_rng(seed)
    new = np.column_stack([random.integers(0, n, 5) for n in n_values])
    found = predict_proba(model, Dataset(data.schema, new.astype(float)))
    rows, weights = data.values.astype(int).tolist(), data.row_weights.tolist()
    for row, proba in zip(new.tolist(), found, strict=True):
        expected = naive_network(rows, weights, parents, n_values, row)
        assert proba == pytest.approx(np.array(expected))


@by_name
def test_unseen_and_newly_missing_values_have_an_answer(learner):
    data = patients(60, missing=False)
    model = fit(data, learner, "m-estimate")
    known = predict_proba(model, data.take(np.array([0])))
    rows = np.array([[np.nan, UNSEEN, np.nan, np.nan], [40, 1, UNSEEN, np.nan]])
    proba = predict_proba(model, Dataset(data.schema, rows))
    assert proba.sum(axis=1) == pytest.approx(1)
    # A row of which nothing is known gets the class frequencies.
    counts = np.bincount(data.labels, minlength=3)
    assert proba[0] == pytest.approx((counts + 1 / 3) / 61)
    assert not np.allclose(known, proba[0])


@by_name
def test_hard_tables(learner):
    """One-value columns, a copy of the class, a class with one row, more parents than columns."""
    label = np.array([0, 0, 0, 1, 1, 1, 1, 2])
    values = np.column_stack([np.zeros(8), label, np.arange(8) % 2, label]).astype(float)
    schema = Schema(
        (
            Column("constant", ("a",)),
            Column("copy", ("a", "b", "c")),
            Column("noise", ("a", "b")),
            Column("y", ("no", "yes", "rare")),
        )
    )
    data = Dataset(schema, values)
    proba = predict_proba(fit(data, learner, "m-estimate"), data)
    assert proba.sum(axis=1) == pytest.approx(1)
    assert proba.argmax(axis=1)[:7].tolist() == label[:7].tolist()


@pytest.mark.parametrize("cut_seed", [None, 7])
def test_judges_have_no_part_in_the_cuts(cut_seed):
    data = replace(patients(80), groups=np.arange(80) // 4)
    splits = inner_splits(data, seed=3)
    parts = list(held_out_parts(data, MDLP(), 3, cut_seed))
    assert len(parts) == len(splits) == 5
    for part, (trained, held_out) in zip(parts, splits, strict=True):
        train = data.take(trained)
        method = MDLP() if cut_seed is None else RandomizedMDLP(seed=cut_seed)
        cuts = method.find_cuts(train)
        assert np.array_equal(part.trained.codes, cuts.apply(train).values.T)
        judges = cuts.apply(data.take(held_out))
        known = ~np.isnan(judges.values.T)
        assert np.array_equal(part.judges.codes[known], judges.values.T[known])
        assert (part.judges.codes[~known] == judges.schema.n_values[np.nonzero(~known)[0]]).all()


def test_weights_count_like_repeated_rows():
    data = patients(40, missing=False)
    repeats = np.arange(40) % 3
    weighted = Dataset(data.schema, data.values, weights=repeats.astype(float))
    repeated = data.take(np.repeat(np.arange(40), repeats))
    for learner in (NaiveBayes(), TAN(), KDB(k=2)):
        first, second = (
            predict_proba(fit(rows, learner, "m-estimate"), data) for rows in (weighted, repeated)
        )
        assert first == pytest.approx(second)
