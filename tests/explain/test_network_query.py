import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.explain import network_query
from probtrees.explain.network_answer import mutual_information
from probtrees.explain.network_query import NetworkQuery
from probtrees.explain.network_sampling import draw_values
from probtrees.model.networks.bif import read_bif
from probtrees.model.predict import predict_proba
from tests.model.networks.networks import networks, observed, one_column
from tests.naive import naive_drawn
from tests.small_tables import patients

LEARNERS = ["nb", "tan", "kdb", "skdb", "aode", "kdf", "eskdb"]


def findings_of(data, row):
    """Everything a row says."""
    known = {}
    for column, cell in zip(data.schema.features, data.values[row], strict=False):
        if np.isnan(cell):
            known[column.name] = None
        else:
            known[column.name] = float(cell)
            if column.categories is not None:
                known[column.name] = column.categories[int(cell)]
    return known


@settings(max_examples=50)
@given(network=networks(), pick=st.data())
def test_answers_are_those_of_the_whole_joint_table(network, pick):
    fits, findings = {}, {}
    for variable in network.variables:
        kind = pick.draw(st.sampled_from(["unobserved", "known", "soft"]))
        if kind == "known":
            value = pick.draw(st.sampled_from(variable.values))
            findings[variable.name] = value
            fits[variable.name] = np.array([1.0 * (v == value) for v in variable.values])
        elif kind == "soft":
            weights = [pick.draw(st.floats(0.1, 3)) for _ in variable.values]
            findings[variable.name] = dict(zip(variable.values, weights, strict=True))
            fits[variable.name] = np.array(weights) / max(weights)
    joint = observed(network, fits)
    query = NetworkQuery([network], network.target)
    with pytest.MonkeyPatch.context() as patch:
        # All classes in one go, or one after the other.
        patch.setattr(network_query, "PAIR_CELLS", pick.draw(st.sampled_from([0, 2**16])))
        answer = query.ask(findings)
    if joint.sum() == 0:
        assert not answer.is_possible
        return
    assert answer.evidence == pytest.approx(joint.sum(), rel=1e-9)
    for number, name in enumerate(network.names):
        expected = one_column(joint, number) / joint.sum()
        assert answer.posteriors[name] == pytest.approx(expected, abs=1e-9)
    target = network.numbers[network.target]
    for name, found in answer.information.items():
        other = network.numbers[name]
        rest = tuple(axis for axis in range(joint.ndim) if axis not in (target, other))
        pair = joint.sum(axis=rest) / joint.sum()
        assert found == pytest.approx(mutual_information(pair), abs=1e-9)


@settings(max_examples=60)
@given(network=networks(), pick=st.data())
def test_what_tells_nothing_more_is_d_separated(network, pick):
    parents, known, findings = dict(network.dag.parents), set(), {}
    for number, variable in enumerate(network.variables):
        kind = pick.draw(st.sampled_from(["unobserved", "known", "soft"]))
        if kind == "known":
            findings[variable.name] = variable.values[0]
            known.add(number)
        elif kind == "soft" and len(variable.values) > 1:
            findings[variable.name] = dict.fromkeys(variable.values, 0.5)
            parents[100 + number] = (number,)  # what was seen of it
            known.add(100 + number)
    arrows = nx.DiGraph((one, other) for other, above in parents.items() for one in above)
    arrows.add_nodes_from(parents)
    query = NetworkQuery([network], network.target)
    for name, about in network.numbers.items():
        expected = {
            other
            for other, number in network.numbers.items()
            if not known & {about, number}
            and (about == number or not nx.is_d_separator(arrows, about, number, known))
        }
        assert query.telling(name, findings) == expected


@pytest.mark.parametrize("smoother", ["laplace", "hgs"])
@pytest.mark.parametrize("learner", LEARNERS)
def test_whole_rows_are_answered_as_they_are_predicted(learner, smoother):
    data = patients(60)
    model = fit(data, learner, smoother)
    query = NetworkQuery.of_model(model)
    expected = predict_proba(model, data)
    for row in range(0, 60, 7):
        answer = query.ask(findings_of(data, row))
        assert answer.is_exact
        assert answer.target == pytest.approx(expected[row], abs=1e-9)
        assert answer.members.shape == (len(model.members), 3)


def test_a_ladder_climbs_from_the_prior_to_the_answer():
    query = NetworkQuery.of_model(fit(patients(90), "kdb", "m-estimate"))
    findings = {"age": 75.0, "sex": "m", "blood": {"A": 1.0, "O": 0.5}}
    steps = query.ladder(findings, "sick")
    odds = [query.ask(known).target[1] for known in ({}, findings)]
    assert [step.name for step in steps] == ["age", "sex", "blood"]
    assert steps[0].before == pytest.approx(np.log(odds[0] / (1 - odds[0])))
    assert steps[-1].after == pytest.approx(np.log(odds[1] / (1 - odds[1])))
    assert sum(step.added for step in steps) == pytest.approx(steps[-1].after - steps[0].before)


@pytest.mark.parametrize(
    ("learner", "limit"),
    [("kdb", "MOST_CELLS"), ("aode", "MOST_CELLS"), ("aode", "MOST_CLIQUE_CELLS")],
)
def test_beyond_the_limits_whole_rows_are_still_answered_as_they_are_predicted(
    learner, limit, monkeypatch
):
    data = patients(60)
    model = fit(data, learner, "m-estimate")
    monkeypatch.setattr(network_query, limit, -1)
    query = NetworkQuery.of_model(model)
    answer = query.ask(findings_of(data, 0))
    assert not answer.is_exact
    assert answer.reason
    assert set(answer.posteriors) == set(data.schema.names)
    assert answer.target == pytest.approx(predict_proba(model, data)[0], abs=1e-9)
    assert answer.error < 1e-9
    assert query.ask({"state": "well"}).target == pytest.approx([1, 0, 0], abs=1e-9)
    with pytest.raises(DataError, match="must be in the network"):
        query.ask({"sate": "well"})


def test_what_cannot_be_is_said(monkeypatch):
    data = patients(60, missing=False)
    model = fit(data, "kdb", "mle")
    query = NetworkQuery.of_model(model)
    for row in range(60):
        assert query.ask(findings_of(data, row)).is_possible
    answer = query.ask({"state": "gone"})  # a class that no row has
    assert not answer.is_possible
    assert np.isnan(answer.target).all()
    # Where answers are sampled, it is said as far as samples fit.
    monkeypatch.setattr(network_query, "MOST_CLIQUE_CELLS", 0)
    assert query.ask({}).error < 1e-9
    nothing_fits = query.ask({"state": "gone"})
    assert nothing_fits.error is None
    assert "samples" in nothing_fits.reason


CONTRADICTION = """network n {}
variable a { type discrete [ 2 ] { no, yes }; }
variable b { type discrete [ 2 ] { no, yes }; }
variable c { type discrete [ 2 ] { no, yes }; }
probability ( c ) { table 0.5, 0.5; }
probability ( a ) { table 0.5, 0.5; }
probability ( b | a ) { (no) 1.0, 0.0; (yes) 0.0, 1.0; }
"""


def test_findings_that_contradict_each_other_have_no_answer_and_no_numbers():
    network = read_bif(CONTRADICTION)
    query = NetworkQuery((network,), "a")
    answer = query.ask({"c": "yes", "a": "no", "b": "yes"})
    assert not answer.is_possible
    assert answer.posteriors == {}
    assert answer.conflict == ("a", "b")
    assert query.ask({"a": "no", "c": "yes"}).conflict == ()


@pytest.mark.parametrize(
    ("learner", "limit"),
    [
        ("kdb", "MOST_CELLS"),
        ("kdb", "MOST_CLIQUE_CELLS"),
        ("aode", "MOST_CELLS"),
        ("eskdb", "MOST_CLIQUE_CELLS"),
    ],
)
def test_answers_are_sampled_where_exact_ones_need_too_much(learner, limit, monkeypatch):
    model = fit(patients(60), learner, "m-estimate")
    findings = {"sex": {"f": 1.0, "m": 0.5}}
    query = NetworkQuery.of_model(model)
    exact, prior = query.ask(findings), query.ask({}).target
    monkeypatch.setattr(network_query, limit, 0)
    query = NetworkQuery.of_model(model)
    said = []
    answer = query.ask(findings, lambda share, words: said.append(share))
    assert not answer.is_exact
    assert "cells" in answer.reason
    assert said == sorted(said)
    assert 0 <= answer.error <= answer.largest_error < 0.1
    assert answer.target == pytest.approx(exact.target, abs=3 * answer.error + 1e-9)
    for column, posterior in exact.posteriors.items():
        assert answer.posteriors[column].sum() == pytest.approx(1)
        assert answer.posteriors[column] == pytest.approx(posterior, abs=4 * answer.largest_error)
    assert query.prior == pytest.approx(prior, abs=1e-12)
    nothing = query.ask({})
    assert nothing.error < 1e-12
    assert answer.information == pytest.approx(exact.information, abs=0.02)
    assert nothing.target == pytest.approx(prior, abs=1e-12)


def test_values_are_drawn_by_their_chances_and_rows_weighed_by_what_fits():
    random = np.random.default_rng(0)
    probs = random.dirichlet([1.0, 1.0, 1.0], 4)
    probs[0] = [0.0, 1.0, 0.0]
    contexts = random.integers(0, 4, 500)
    uniforms = random.random(500)
    for fits in (np.empty(0), np.array([0.0, 0.5, 1.0]), np.array([1.0, 0.0, 0.0])):
        values, sums = draw_values(probs[contexts] * (fits if fits.size else 1.0), uniforms)
        expected = [
            naive_drawn(probs[context], fits, place)
            for context, place in zip(contexts, uniforms, strict=True)
        ]
        assert values.tolist() == [value for value, _ in expected]
        assert sums == pytest.approx([weight for _, weight in expected])
