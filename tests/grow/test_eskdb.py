import numpy as np
import pytest
from hypothesis import given

from probtrees.grow.eskdb import ESKDB, draw_order
from probtrees.table.cuts import Cuts
from tests.small_tables import table_of
from tests.strategies import nominal_tables


@given(nominal_tables())
def test_members_are_networks_over_drawn_orders(data):
    structure = ESKDB(size=3, k=2).learn(data)
    assert len(structure.members) == 3
    for member, drawn in zip(structure.members, structure.diagnostics["members"], strict=True):
        assert sorted(drawn["order"]) == list(range(data.schema.target_column))
        kept = drawn["order"][: drawn["n_attributes"]]
        assert list(member.dag.columns[1:]) == kept
        assert member.cuts is None


def test_orders_are_drawn_in_proportion_to_information():
    information = np.array([0.5, 0.3, 0.2, 0.0, 0.0])
    generator = np.random.default_rng(0)
    orders = np.array([draw_order(information, generator) for _ in range(4000)])
    first = np.bincount(orders[:, 0], minlength=5) / 4000
    assert first == pytest.approx(information, abs=0.03)
    second_after_0 = orders[orders[:, 0] == 0, 1]
    assert (second_after_0 == 1).mean() == pytest.approx(0.6, abs=0.04)
    assert set(orders[:, 3]) == {3, 4}
    assert (orders[:, 3] == 3).mean() == pytest.approx(0.5, abs=0.04)


def test_every_member_has_cuts_of_its_own():
    data = table_of("x, y: no yes", [1, 2, 3, 4], [0, 0, 1, 1])
    seeds = []

    def find_cuts(train, seed):
        seeds.append(seed)
        return Cuts.noting_missing(train, {0: np.array([len(seeds) + 0.5])})

    structure = ESKDB(size=3).learn(data, find_cuts)
    assert [member.cuts.points[0].tolist() for member in structure.members] == [[1.5], [2.5], [3.5]]
    assert len(set(seeds)) == 3
