import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.cluster import expected_mutual_information

from probtrees.experiment.fit import fit
from probtrees.grow.count.chance_information import (
    arrow_information,
    class_information,
    expected_information,
    margins_of_tables,
)
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.dag import Dag
from probtrees.ui.network.network_information import margins_of_rows
from tests.naive import naive_mutual_information
from tests.small_tables import patients


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3)), min_size=2, max_size=80))
@settings(max_examples=40)
def test_it_is_the_mean_over_all_ways_to_shuffle(pairs):
    table = np.zeros((10, 4), dtype=np.int64)
    np.add.at(table, tuple(np.array(pairs).T), 1)
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    expected = expected_mutual_information(table, int(table.sum()))
    found = expected_information(table.sum(axis=1).astype(float), table.sum(axis=0).astype(float))
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_a_column_of_many_values_owes_all_it_tells_to_chance():
    random = np.random.default_rng(0)
    codes = random.integers(0, [[160], [3], [2]], (3, 1200))
    rows = NominalRows(codes, np.array([160, 3, 2]), np.ones(1200))
    measured = measure_information(rows)
    counts = [np.zeros((2, 160)), np.zeros((2, 3))]
    for column in range(2):
        np.add.at(counts[column], (codes[2], codes[column]), 1)
    margins = dict(enumerate(counts))
    assert measured.with_class[0] > 0.05
    found = class_information(margins)[0]
    assert found.measured == pytest.approx(measured.with_class[0])
    assert found.bits == pytest.approx(0, abs=0.02)
    assert "no more than chance" in found.words


def test_tables_and_rows_count_alike():
    data = patients(60, missing=False)
    model = fit(data, "kdb", "mle")
    member = model.members[0]
    target = data.schema.target_column
    of_tables = margins_of_tables([each.tree for each in member.trees], target)
    of_rows = margins_of_rows(member.cuts.apply(data))
    assert set(of_tables) <= set(of_rows)
    for column in of_tables:
        same = pytest.approx(class_information(of_rows)[column].chance, abs=1e-12)
        assert class_information(of_tables)[column].chance == same


def test_an_arrow_adds_what_its_parent_tells_where_the_others_are_known():
    data = patients(80, missing=False)
    (member,) = fit(data, "kdb", "mle").members
    rows = member.cuts.apply(data).values.astype(int)
    n_arrows = 0
    for tree in (each.tree for each in member.trees):
        parents = Dag.of_tables([tree]).parents[tree.target]
        for parent in parents:
            others = [column for column in parents if column != parent]
            measured = chance = 0.0
            for context in np.unique(rows[:, others], axis=0):
                part = rows[(rows[:, others] == context).all(axis=1)]
                one, other = part[:, parent], part[:, tree.target]
                share = len(part) / len(rows)
                measured += share * naive_mutual_information(one, other, np.ones(len(part)))
                table = np.zeros((one.max() + 1, other.max() + 1), dtype=np.int64)
                np.add.at(table, (one, other), 1)
                table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
                if min(table.shape) > 1:  # else there is nothing to tell
                    chance += share * expected_mutual_information(table, len(part))
            found = arrow_information([tree])[parent, tree.target]
            assert (found.measured, found.chance) == pytest.approx((measured, chance), abs=1e-9)
            n_arrows += 1
    assert n_arrows > 4
