"""Soft routing: settings by unseen rows, paths as the formula says."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.experiment import choose_routing
from probtrees.experiment.choose_routing import measure_splits, route_softly
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import NO_COLUMN, NO_NODE, CountTree, make_arrays
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.model.routing import SoftRouting, find_leaves_softly
from probtrees.smooth.blend import Blend
from probtrees.smooth.hgs import HGS
from probtrees.smooth.m_estimate import Laplace
from probtrees.smooth.shrinkage import Shrinkage
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Column, Dataset, Schema
from tests.experiment.test_inner_evidence import evidence_of
from tests.model.test_predict import SCHEMA, random_rows, random_tree
from tests.naive import naive_soft_paths
from tests.small_tables import patients, table_of


@settings(max_examples=50, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    blur=st.sampled_from([0.0, 0.1, 0.8]),
    stray=st.sampled_from([0.0, 1.0, 64.0]),
)
def test_rows_take_the_paths_of_the_slow_twin(seed: int, blur: float, stray: float) -> None:
    tree, rows = random_tree(seed), random_rows(seed)
    random = np.random.default_rng(seed)
    spread = random.random(tree.n_nodes) * (tree.arrays.column == 0)
    middle = tree.arrays.threshold + random.random(tree.n_nodes)
    routing = SoftRouting(blur, stray, middle, spread)
    landing = find_leaves_softly(tree, routing, rows.values, SCHEMA.n_values)
    for number, row in enumerate(rows.values):
        places = slice(landing.first[number], landing.first[number + 1])
        expected = dict(naive_soft_paths(tree, routing.gates, blur, stray, row, SCHEMA.n_values))
        total = sum(expected.values())
        found = dict(zip(landing.nodes[places].tolist(), landing.shares[places], strict=True))
        assert found.keys() == expected.keys()
        for node, share in found.items():
            assert share == pytest.approx(expected[node] / total, abs=1e-6)


def test_paths_that_would_all_be_dropped_end_where_they_are() -> None:
    n_values = 600
    schema = Schema((Column("x", tuple(map(str, range(n_values)))), Column("y", ("n", "p"))))
    counts = np.concatenate([[[n_values, n_values]], np.ones((n_values, 2))])
    n_nodes = n_values + 1
    arrays = make_arrays(
        parent=[NO_NODE] + [0] * n_values,
        depth=[0] + [1] * n_values,
        first_child=[1] + [NO_NODE] * n_values,
        n_children=[n_values] + [0] * n_values,
        column=[0] + [NO_COLUMN] * n_values,
        threshold=np.full(n_nodes, np.nan),
        branch=[0, *range(n_values)],
        weight=counts.sum(axis=1),
        counts=counts,
    )
    tree = CountTree(1, arrays)
    routing = SoftRouting(0.0, 1.0, arrays.threshold, np.zeros(n_nodes))
    landing = find_leaves_softly(tree, routing, np.array([[np.nan, 0.0]]), schema.n_values)
    assert landing.nodes.tolist() == [0]
    assert landing.shares.tolist() == [1.0]


def test_splits_are_measured_on_the_rows_at_the_node() -> None:
    data = patients(200, missing=False)
    tree = C45().grow(data)
    middle, spread = measure_splits(tree, data)
    for node in np.flatnonzero(np.isfinite(tree.arrays.threshold)):
        rows = data.values[_rows_at(tree, data, int(node))]
        x = rows[:, tree.arrays.column[node]]
        assert spread[node] == pytest.approx(x.std())
        low = x[x <= tree.arrays.threshold[node]].max()
        high = x[x > tree.arrays.threshold[node]].min()
        assert middle[node] == pytest.approx((low + high) / 2)


def _rows_at(tree: CountTree, data: Dataset, node: int) -> list[int]:
    found = []
    for number, row in enumerate(data.values):
        at = 0
        while at != node and tree.arrays.column[at] >= 0:
            x = row[tree.arrays.column[at]]
            threshold = tree.arrays.threshold[at]
            branch = int(x) if np.isnan(threshold) else int(x > threshold)
            at = tree.children(at)[branch]
        if at == node:
            found.append(number)
    return found


@pytest.mark.parametrize("smoother", [Shrinkage(), Blend(), HGS(), Laplace()], ids=repr)
def test_routing_is_chosen_for_every_smoother(smoother: Smoother) -> None:
    data = patients(60)
    tree = C45().grow(data)
    evidence = evidence_of(data, C45())
    smoothed, routing = route_softly(data, tree, evidence, smoother)
    _, again = route_softly(data, tree, evidence, smoother)
    assert (routing.blur, routing.stray) == (again.blur, again.stray)
    assert routing.blur in choose_routing.BLURS
    assert routing.stray in choose_routing.STRAYS
    if isinstance(smoother, Blend | Shrinkage):
        assert smoothed.smoother.name == "shrinkage"
        assert not smoothed.smoother.needs_evidence
    else:
        assert smoothed.smoother == smoother
    model = Model(data.schema, (Member((smoothed,), None, routing),), "c45", "x")
    np.testing.assert_allclose(predict_proba(model, data).sum(axis=1), 1.0)


def test_the_winner_has_the_least_loss_of_all_when_all_rows_are_looked_at() -> None:
    data = patients(60)
    tree = C45().grow(data)
    evidence = evidence_of(data, C45())
    smoothed, chosen = route_softly(data, tree, evidence, Laplace())
    losses = []
    for blur, stray in zip(chosen.tried["blur"], chosen.tried["stray"], strict=True):
        total = 0.0
        for part in evidence.parts:
            kept = np.setdiff1d(np.arange(60), part.rows)
            routing = SoftRouting(blur, stray, *measure_splits(part.tree, data.take(kept)))
            inner = Member((Laplace().smooth(part.tree),), None, routing)
            p = predict_proba(Model(data.schema, (inner,), "c45", "x"), data.take(part.rows))
            total += ((p - np.eye(3)[data.labels[part.rows]]) ** 2).sum()
        losses.append(total)
    np.testing.assert_allclose(chosen.tried["loss"], losses)
    assert smoothed.probs == pytest.approx(Laplace().smooth(tree).probs)
    best = int(np.argmin(losses))
    assert chosen.blur == chosen.tried["blur"][best]
    assert chosen.stray == chosen.tried["stray"][best]


def test_settings_are_given_up_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose_routing, "FEWEST_ROWS", 10)
    data = patients(120)
    _, routing = route_softly(data, C45().grow(data), evidence_of(data, C45()), Shrinkage())
    assert np.isinf(routing.tried["loss"]).sum() == 30 - 3


# Uncompiled kernels work with numpy's scalars, which warn where compiled code does not.
@pytest.mark.filterwarnings("ignore:.* encountered in scalar:RuntimeWarning")
def test_cuts_between_the_largest_numbers_are_sharp_and_can_be_saved() -> None:
    x = np.array([-1.7e308, -1e308, 1e308, 1.7e308] * 10)
    data = table_of("x, y: no yes", x, (x > 1e308).astype(float))
    tree = C45().grow(data)
    middle, spread = measure_splits(tree, data)
    assert tree.n_nodes > 1
    assert not np.isinf(middle).any()
    assert (spread == 0).all()
    routing = SoftRouting(0.5, 1.0, middle, spread)
    again = SoftRouting.from_dict(routing.to_dict(), tree.n_nodes)
    np.testing.assert_array_equal(again.gates, routing.gates)
