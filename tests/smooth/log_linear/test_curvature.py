"""Units of curvature: factors, their solutions, and points measured by them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.smooth.log_linear import _curvature_kernels as kernels
from probtrees.smooth.log_linear import _logit_kernels, curvature, logit
from probtrees.smooth.log_linear.curvature import Bends, Places, with_factor, without_factor
from probtrees.smooth.log_linear.logit import Logit
from probtrees.smooth.log_linear.logit_rows import LogitRows
from tests.naive import naive_second_moments
from tests.smooth.log_linear.test_logit import some_rows


def triangle(first, column, values, roots):
    """Write a factor out."""
    full = np.diag(roots)
    for line in range(roots.size):
        full[line, column[first[line] : first[line + 1]]] = values[first[line] : first[line + 1]]
    return full


@pytest.mark.parametrize("crowded", [0, 1000])
@given(seed=st.integers(0, 1000))
@settings(max_examples=10)
def test_a_factor_is_its_slow_twin(crowded, seed):
    rows, features = some_rows(seed, n_rows=15, n_sparse=6)
    variances = Logit.of(rows).variances.copy()
    variances[seed % rows.n_features] = 0.0  # a feature that is left out
    sizes = np.random.default_rng(seed).random(15)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(curvature, "CROWDED", crowded)
        places = Places.within(rows.arrays, variances, 1e9)
    assert (places.n_full == 0) == (crowded > 0)
    ordered = np.column_stack([features[:, places.features], np.ones(15)])
    penalties = np.linspace(0.1, 2.0, ordered.shape[1])
    values, roots = np.empty(places.column.size), np.empty(ordered.shape[1])
    kernels.factorise(rows.arrays, sizes, penalties, places[:4], places.n_full, values, roots)
    slow = np.linalg.cholesky(naive_second_moments(ordered, sizes) + np.diag(penalties))
    found = triangle(places.first, places.column, values, roots)
    assert found == pytest.approx(slow, abs=1e-9)


def test_nodes_that_never_meet_have_no_entry(monkeypatch):
    """Six leaves below two branches below a root: entries on the ways to the root alone."""
    monkeypatch.setattr(curvature, "CROWDED", 0)  # so small a tree counts as crowded else
    n_rows, n_nodes = 60, 9
    leaf = np.arange(n_rows) % 6
    path = np.column_stack([np.zeros(n_rows), 1 + leaf // 3, 3 + leaf]).astype(np.int32)
    rows, _ = some_rows(0, n_rows=n_rows, n_dense=0)
    sparse = rows.sparse._replace(
        first=np.arange(n_rows + 1) * 3, feature=path.ravel(), value=np.ones(3 * n_rows)
    )
    tree = LogitRows(sparse, n_nodes, np.empty((n_rows, 0)), rows.counts)
    places = Places.within(tree.arrays, np.ones(n_nodes), 1e9)
    assert set(places.features[:6]) == set(range(3, 9))
    assert np.diff(places.first).tolist() == [0] * 6 + [3, 3, 8, 9]


def test_features_that_cost_too_much_are_left_out():
    rows, _ = some_rows(0, n_sparse=6)
    variances = np.linspace(1.0, 2.0, rows.n_features)
    everything = Places.within(rows.arrays, variances, 1e9)
    assert everything.features.size == rows.n_features
    some = Places.within(rows.arrays, variances, everything.n_products / 4)
    assert 0 < some.features.size < rows.n_features
    assert some.features.min() == rows.n_features - some.features.size  # the least varied went
    assert Places.within(rows.arrays, variances, 0).features.size == 0


@pytest.mark.parametrize("rates", [[0.3, 0.7], [0.25, 0.25, 0.5], [0.01, 0.04, 0.15, 0.8]])
def test_directions_take_the_curvature_between_outcomes_apart(rates):
    rates = np.array(rates)
    bends = Bends.at(rates)
    if rates.size == 2:
        assert bends.sizes.tolist() == [0.3 * 0.7]
        return
    apart = bends.turn.T @ (np.diag(rates) - np.outer(rates, rates)) @ bends.turn
    assert apart[1:, 1:] == pytest.approx(np.diag(bends.sizes[1:]), abs=1e-12)
    assert np.abs(apart[0]).max() < 1e-12
    assert bends.group.tolist() == ([0, 0, 1, 2] if rates.size == 4 else [0, 0, 0])


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("n_outcomes", [2, 3, 6])
def test_a_point_is_as_long_as_the_loss_bends_and_slopes_follow(n_outcomes, apart):
    rows, features = some_rows(1, n_outcomes=n_outcomes)
    fitted = Logit.of(rows)
    n_scores = 1 if n_outcomes == 2 else n_outcomes
    penalties = np.linspace(0.1, 1.0, 1 + rows.n_features)
    rates = rows.counts.sum(axis=0) / rows.counts.sum()
    bends = Bends.centred(np.ones(n_scores)) if apart else Bends.at(rates)
    if apart and n_scores == 1:
        bends = Bends.apart(np.ones(1))
    random = np.random.default_rng(0)
    begin, gradient, point = random.normal(size=(3, penalties.size, n_scores))
    units = without_factor(bends, np.linspace(1.0, 9.0, penalties.size), penalties)
    weights = random.random((rows.counts.shape[0], bends.of_groups.size))
    places = Places.within(rows.arrays, fitted.variances, 1e9)
    measured = rows.arrays, fitted.means
    together = with_factor(units, begin, places, measured, weights, penalties)
    for own, origin in ((units, 0 * begin), (together, begin)):
        there, slope = np.empty_like(point), np.empty_like(point)
        _logit_kernels.weights_at(tuple(own), np.zeros_like(point), there)
        assert there == pytest.approx(origin)
        _logit_kernels.weights_at(tuple(own), point, there)
        _logit_kernels.slope_at(tuple(own), gradient, slope)
        assert (slope * point).sum() == pytest.approx((gradient * (there - origin)).sum())
    if apart and n_scores > 1:
        return  # what is added to all outcomes alike is not moved along
    moved = (there - origin) @ bends.turn
    moved[0] -= fitted.means @ moved[1:]  # features as they are, not centred
    with_one = np.column_stack([np.ones(features.shape[0]), features])
    for direction in range(n_scores):
        along, heavy = moved[:, direction], weights[:, bends.group[direction]]
        bent = heavy @ (with_one @ along) ** 2 + penalties @ along**2
        assert (point[:, direction] ** 2).sum() == pytest.approx(bent)


@pytest.mark.parametrize("n_columns", [1, 3, 9, 13])
@pytest.mark.parametrize("size", [1, 4, 11])
def test_factors_are_solved_for_any_number_of_columns(size, n_columns):
    random = np.random.default_rng(size)
    has = np.tril(random.random((size, size)) < 0.6, -1)
    first = np.concatenate([[0], np.cumsum(has.sum(axis=1))])
    column = np.nonzero(has)[1].astype(np.int32)
    back = np.zeros_like(first), np.empty_like(column), np.empty_like(column)
    kernels.turn_places(first, column, back)
    asked = random.normal(size=(size, n_columns))
    for group in (
        np.zeros(n_columns, int),
        np.arange(n_columns) * 2 // n_columns,
        np.arange(n_columns),
    ):
        n_groups = group.max() + 1
        values = random.normal(size=(column.size, n_groups))
        roots = 5.0 + random.random((size, n_groups))
        for turned in (False, True):
            places = back[:2] if turned else (first, column)
            own = values[back[2]] if turned else values
            solved = asked.copy()
            _logit_kernels.solve(places, own, roots, group, solved, turned)
            for k, number in enumerate(group):
                factor = triangle(first, column, values[:, number], roots[:, number])
                again = (factor.T if turned else factor) @ solved[:, k]
                assert again == pytest.approx(asked[:, k], abs=1e-9)


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("spared", [0, 1, 100])
@pytest.mark.parametrize("n_outcomes", [2, 4])
def test_the_minimum_does_not_depend_on_the_units(n_outcomes, spared, apart, monkeypatch):
    rows, _ = some_rows(2, n_outcomes=n_outcomes)
    penalties = np.full(rows.n_features, 0.5)
    together = Logit.of(rows).fit(penalties)
    monkeypatch.setattr(logit, "STEPS_SPARED", spared)
    monkeypatch.setattr(logit, "STEPS_PER_FACTOR", 4)
    monkeypatch.setattr(Logit, "_worth_apart", lambda *_: apart and n_outcomes > 2)
    alone = Logit.of(rows).fit(penalties)
    assert together.weights == pytest.approx(alone.weights, abs=1e-7)
    assert together.intercept == pytest.approx(alone.intercept, abs=1e-7)
