from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.experiment.fit import fit
from probtrees.experiment.grow_network import grow_network, held_out_parts
from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_evidence import inner_splits
from probtrees.experiment.inner_models import held_out_proba
from probtrees.experiment.model_spec import make_spec
from probtrees.grow.aode import AODE
from probtrees.grow.eskdb import ESKDB
from probtrees.grow.kdb import KDB
from probtrees.grow.kdf import KDF
from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.grow.skdb import SKDB
from probtrees.grow.super_parent import SuperParent
from probtrees.grow.tan import TAN
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import UNSEEN, Dataset
from probtrees.table.discretize.methods import MDLP, RandomizedMDLP
from tests.naive import naive_landing, naive_network
from tests.small_tables import patients, schema_of
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
    schema = schema_of("constant: a, copy: a b c, noise: a b, y: no yes rare")
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


NETWORKS = {
    "nb": {},
    "tan": {},
    "kdb": {"k": 2},
    "skdb": {"k": 2},
    "aode": {},
    "kdf": {"k": 1},
    "sp": {},
    "eskdb": {"size": 3, "k": 2},
}


def learnt(name: str, data: Dataset, **settings: str) -> GrownModel:
    return grow_model(data, make_spec(name, NETWORKS.get(name), **settings))


def key_of(name: str, number: int, targets: tuple[int, ...]) -> int:
    """Members correspond by first attribute where there is one for each, else by number."""
    return targets[1] if name in ("aode", "kdf") else number


@pytest.mark.parametrize("name", NETWORKS)
def test_evidence_of_a_part_is_that_of_a_network_learnt_from_scratch(name: str) -> None:
    data = replace(patients(150), repeats="apart")
    grown = learnt(name, data)
    evidence = grown.evidence()
    assert len(evidence.members) == 5
    for number, split in enumerate(inner_splits(data)):
        train, held_out = data.take(split.trained), data.take(split.held_out)
        _, again = grow_network(train, grown.spec.learner, grown.spec.discretizer)
        expected = {
            key_of(name, place, member.targets): (member.trees, member.cuts)
            for place, member in enumerate(again)
        }
        for place, inner in enumerate(evidence.members[number]):
            tables, cuts = expected[key_of(name, place, grown.members[place].targets)]
            assert inner.cuts is not None
            assert inner.cuts.to_dict() == cuts.to_dict()
            assert inner.targets == tuple(tree.target for tree in tables)
            rows = cuts.apply(held_out)
            for table in tables:
                of_table = evidence.by_member[place][table.target]
                (part,) = [p for p in of_table.parts if np.isin(p.rows, split.held_out).all()]
                np.testing.assert_array_equal(part.tree.arrays.counts, table.arrays.counts)
                np.testing.assert_array_equal(part.tree.arrays.column, table.arrays.column)
                counted = np.zeros((table.n_nodes, table.n_outcomes))
                for row in rows.values[~np.isnan(rows.values[:, table.target])]:
                    ((node, _),) = naive_landing(table, row, rows.schema.n_values, stop=True)
                    counted[node, int(row[table.target])] += 1
                found = np.zeros_like(counted)
                found[part.added_up.nodes] = part.added_up.counts
                np.testing.assert_array_equal(found, counted)


@pytest.mark.parametrize("name", ["c45", "tan", "kdf", "eskdb"])
def test_a_twin_answers_as_a_network_of_the_other_rows(name: str) -> None:
    data = replace(patients(150), repeats="apart")
    grown = learnt(name, data)
    proba = held_out_proba(grown, grown.smooth("m-estimate"))
    for split in inner_splits(data):
        inner = grow_model(data.take(split.trained), grown.spec).smooth("m-estimate")
        expected = predict_proba(inner, data.take(split.held_out))
        np.testing.assert_allclose(proba[split.held_out], expected, atol=1e-12)


def test_a_column_that_only_the_model_has_is_smoothed_without_evidence() -> None:
    grown = learnt("nb", patients(120))
    evidence = grown.evidence()
    without = tuple({3: of_member[3]} for of_member in evidence.by_member)
    poorer = replace(grown, gathering=lambda _: evidence._replace(by_member=without))
    weights = [tree.fitted["weights"][0] for tree in poorer.smooth("hgs").trees]
    assert weights[1:] == [4.0] * 3  # the prior weight
    assert poorer.smooth("blend").trees[1].probs.shape == poorer.trees[1].arrays.counts.shape


def test_a_table_alone_has_the_evidence_of_its_network() -> None:
    grown = learnt("tan", patients(120))
    whole = grown.smooth("hgs")
    for smoothed in whole.trees:
        alone = grown.table(0, smoothed.tree.target).smooth("hgs")
        np.testing.assert_array_equal(alone.trees[0].probs, smoothed.probs)
