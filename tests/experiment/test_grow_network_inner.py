"""Inner networks are learnt wholly from the other rows, and held-out rows land in their tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from probtrees.experiment.grow_network import grow_network
from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_evidence import inner_splits
from probtrees.experiment.inner_models import held_out_proba
from probtrees.experiment.model_spec import make_spec
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import Dataset
from tests.naive import naive_landing
from tests.small_tables import patients

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
    return grow_model(data, make_spec(name, NETWORKS[name], **settings))


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


@pytest.mark.parametrize("name", ["tan", "kdf", "eskdb"])
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


def test_gathering_can_be_cancelled_at_once() -> None:
    grown = learnt("eskdb", patients(90))
    reported: list[float] = []

    def cancel(share: float, what: str) -> None:
        reported.append(share)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grown.evidence(cancel)
    assert reported == [0.0]
    assert not grown.has_evidence
