import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow.aode import AODE
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.kdb import KDB
from probtrees.grow.kdf import KDF
from probtrees.grow.naive_bayes import NaiveBayes
from probtrees.grow.tan import TAN
from probtrees.table.dataset import Column, Dataset, Schema
from tests.naive import naive_conditional_mutual_information, naive_kdb
from tests.strategies import nominal_tables


@given(nominal_tables(), st.integers(0, 5))
def test_parents_equal_the_recipe(data, k):
    dag = KDB(k=k).learn(data).members[0].dag
    expected = naive_kdb(data.values.astype(int).tolist(), data.row_weights.tolist(), k)
    target = data.schema.target_column
    assert dag.columns == (target, *expected)
    for attribute, parents in expected.items():
        assert dag.parents[attribute] == (target, *parents)


@given(nominal_tables())
def test_naive_bayes_and_aode_are_what_their_names_say(data):
    target = data.schema.target_column
    attributes = sorted(range(target))
    (naive,) = NaiveBayes().learn(data).members
    assert dict(naive.dag.parents) == {target: (), **dict.fromkeys(attributes, (target,))}
    averaged = AODE().learn(data)
    assert averaged.averaging == "joint"
    firsts = [member.dag.columns[1] for member in averaged.members]
    assert sorted(firsts) == attributes
    for first, member in zip(firsts, averaged.members, strict=True):
        others = {column: (target, first) for column in attributes if column != first}
        assert dict(member.dag.parents) == {target: (), first: (target,), **others}


@given(nominal_tables())
def test_tan_is_a_spanning_tree_of_maximum_weight(data):
    dag = TAN().learn(data).members[0].dag
    target = data.schema.target_column
    *attributes, labels = data.values.astype(int).T.tolist()
    weights = data.row_weights.tolist()

    def cmi(i, j):
        return naive_conditional_mutual_information(attributes[i], attributes[j], labels, weights)

    arcs = [(parents[1], child) for child, parents in dag.parents.items() if len(parents) == 2]
    assert dag.parents[0] == (target,)
    assert len(arcs) == target - 1
    assert sum(cmi(i, j) for i, j in arcs) == pytest.approx(_heaviest_tree(cmi, target), abs=1e-9)


@given(nominal_tables())
def test_tan_starts_at_the_attribute_that_says_most_about_the_class(data):
    information = measure_information(nominal_rows(data))
    dag = TAN(root="strongest").structure(information).members[0].dag
    target = data.schema.target_column
    strongest = int(np.argmax(information.with_class.round(12)))
    assert dag.parents[strongest] == (target,)
    links = [(p[1], child) for child, p in dag.parents.items() if len(p) == 2]
    as_published = TAN().structure(information).members[0].dag
    same = [(p[1], child) for child, p in as_published.parents.items() if len(p) == 2]
    weight = information.pairwise
    assert sum(weight[i, j] for i, j in links) == pytest.approx(sum(weight[i, j] for i, j in same))


def _heaviest_tree(weight, n):
    """Kruskal: take the heaviest link that closes no circle."""
    group = list(range(n))
    total = 0.0
    links = [(weight(i, j), i, j) for j in range(n) for i in range(j)]
    for value, i, j in sorted(links, reverse=True):
        if group[i] != group[j]:
            total += value
            group = [group[i] if g == group[j] else g for g in group]
    return total


@given(nominal_tables(), st.integers(0, 3))
def test_a_forest_starts_once_from_every_attribute(data, k):
    structure = KDF(k=k).learn(data)
    target = data.schema.target_column
    starts = [member.dag.columns[1] for member in structure.members]
    assert sorted(starts) == list(range(target))
    for member in structure.members:
        met = []
        for column, parents in list(member.dag.parents.items())[1:]:
            assert parents[0] == target
            assert len(parents) <= k + 1
            assert set(parents[1:]) <= set(met)
            for parent in parents[2:]:
                assert parent in _ancestors(member.dag, parents[1])
            met.append(column)


def _ancestors(dag, attribute):
    direct = dag.parents[attribute][1:]
    return set(direct).union(*(_ancestors(dag, parent) for parent in direct))


@pytest.mark.parametrize("learner", [NaiveBayes(), TAN(), KDB(), AODE(), KDF()])
def test_a_table_without_attributes_is_answered_by_the_class_alone(learner):
    data = Dataset(Schema((Column("y", ("no", "yes")),)), np.array([[0.0], [1.0]]))
    structure = learner.learn(data)
    assert [dict(member.dag.parents) for member in structure.members] == [{0: ()}]


@given(nominal_tables(weighted=False))
def test_a_forest_orders_attributes_by_what_they_add_about_the_class(data):
    *attributes, labels = data.values.astype(int).T.tolist()
    weights = [1.0] * data.n_rows

    def beside(j, chosen):
        return sum(
            naive_conditional_mutual_information(attributes[j], labels, attributes[i], weights)
            for i in chosen
        )

    for member in KDF(k=1).learn(data).members:
        order = list(member.dag.columns[1:])
        for place in range(1, len(order)):
            most = max(beside(j, order[:place]) for j in order[place:])
            assert beside(order[place], order[:place]) == pytest.approx(most, abs=1e-9)
