"""Units of curvature: moments, factors, and points measured by them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.smooth.optimise import _curvature_kernels as kernels
from probtrees.smooth.optimise import _logit_kernels, logit
from probtrees.smooth.optimise.curvature import Bends, Moments, with_factor, without_factor
from probtrees.smooth.optimise.logit import Logit
from tests.naive import naive_second_moments
from tests.smooth.optimise.test_logit import some_rows


@given(seed=st.integers(0, 1000))
@settings(max_examples=10)
def test_moments_and_factor_are_their_slow_twins(seed):
    rows, features = some_rows(seed, n_rows=15)
    fitted = Logit.of(rows)
    variances = fitted.variances.copy()
    variances[seed % rows.n_features] = 0.0  # a feature that is left out
    sizes = np.random.default_rng(seed).random(15)
    found = Moments.of(rows.arrays, sizes, (fitted.means, variances))
    slow = naive_second_moments(features[:, found.kept], sizes, fitted.means[found.kept])
    assert np.tril(found.sums) == pytest.approx(np.tril(slow), abs=1e-9)
    penalties = np.linspace(0.1, 2.0, found.kept.size)
    factor = np.zeros_like(found.sums)
    kernels.factorise(found.sums, 0.3, penalties, factor)
    assert factor == pytest.approx(np.linalg.cholesky(0.3 * slow + np.diag(penalties)), abs=1e-9)


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
    assert bends.groups.tolist() == ([0, 0, 1, 2] if rates.size == 4 else [0, 0, 0])


@pytest.mark.parametrize("n_outcomes", [2, 3, 6])
def test_a_point_becomes_its_coefficients_again_and_slopes_follow(n_outcomes):
    rows, _ = some_rows(1, n_outcomes=n_outcomes)
    fitted = Logit.of(rows)
    n_scores = 1 if n_outcomes == 2 else n_outcomes
    penalties = np.linspace(0.1, 1.0, 1 + rows.n_features)
    bends = Bends.at(rows.counts.sum(axis=0) / rows.counts.sum())
    units = without_factor(bends, np.linspace(1.0, 9.0, penalties.size), penalties)
    most = rows.n_features - 1  # one is measured on its own
    sizes = rows.counts.sum(axis=1)
    moments = Moments.of(rows.arrays, sizes, (fitted.means, fitted.variances), most)
    assert moments.kept.size == most
    random = np.random.default_rng(0)
    for own in (units, with_factor(units, bends, moments, penalties)):
        given_weights, moved = random.normal(size=(2, penalties.size, n_scores))
        point, weights = own.point(given_weights), np.empty_like(given_weights)
        _logit_kernels.weights_at(tuple(own), point, weights)
        assert weights == pytest.approx(given_weights, abs=1e-9)
        gradient, slope = random.normal(size=point.shape), np.empty_like(point)
        _logit_kernels.slope_at(tuple(own), gradient, slope)
        assert (slope * own.point(moved)).sum() == pytest.approx((gradient * moved).sum())


@pytest.mark.parametrize("n_columns", [1, 3, 9, 13])
@pytest.mark.parametrize("size", [1, 4, 11])
def test_a_factor_is_solved_for_any_number_of_columns(size, n_columns):
    random = np.random.default_rng(size)
    factor = np.tril(random.normal(size=(size, size))) + 5 * np.eye(size)
    above = factor + np.triu(np.full((size, size), 9.0), 1)  # never looked at
    asked = random.normal(size=(size, n_columns))
    for back, matrix in ((False, factor), (True, factor.T)):
        columns = asked.copy()
        _logit_kernels.solve(above, columns, back)
        assert matrix @ columns == pytest.approx(asked, abs=1e-9)


@pytest.mark.parametrize("most", [0, 2])
@pytest.mark.parametrize("n_outcomes", [2, 4])
def test_the_minimum_does_not_depend_on_the_units(n_outcomes, most, monkeypatch):
    rows, _ = some_rows(2, n_outcomes=n_outcomes)
    penalties = np.full(rows.n_features, 0.5)
    together = Logit.of(rows).fit(penalties)
    monkeypatch.setattr(logit, "MOST_FACTORED", most)
    monkeypatch.setattr(logit, "STEPS_PER_FACTOR", 4)
    alone = Logit.of(rows).fit(penalties)
    assert together.weights == pytest.approx(alone.weights, abs=1e-7)
    assert together.intercept == pytest.approx(alone.intercept, abs=1e-7)
