"""The track record counts what happened to similar forecasts."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from probtrees.errors import DataError
from probtrees.model.track_record import TrackRecord, wilson_interval


def forecasts(seed: int, n_rows: int = 400) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    p = random.dirichlet(np.ones(3), n_rows)
    outcomes = (random.random(n_rows)[:, None] > p.cumsum(axis=1)).sum(axis=1)
    return p, np.minimum(outcomes, 2)


@given(seed=st.integers(0, 1000), probability=st.floats(0, 1), outcome=st.integers(0, 2))
def test_the_window_counts_the_rows_inside_it(seed: int, probability: float, outcome: int) -> None:
    p, outcomes = forecasts(seed)
    similar = TrackRecord.of(p, outcomes).lookup(probability, outcome)
    assert similar.low <= probability <= similar.high + 1e-12
    inside = (p[:, outcome] >= similar.low) & (p[:, outcome] < similar.high)
    assert similar.rows == pytest.approx(inside.sum(), abs=1)
    assert similar.cases == pytest.approx((outcomes[inside] == outcome).sum(), abs=1)
    assert similar.lower <= (similar.rate or 0.0) <= similar.upper or similar.rows == 0
    if similar.rows:
        assert similar.forecast == pytest.approx(p[inside, outcome].mean(), abs=0.02)


def test_many_lookups_are_those_one_by_one() -> None:
    p, outcomes = forecasts(1)
    record = TrackRecord.of(p, outcomes)
    assert record.lookup_all(p[:, 2], 2) == [record.lookup(float(each), 2) for each in p[:, 2]]


def test_the_window_grows_until_it_holds_enough() -> None:
    p, outcomes = forecasts(0, n_rows=5000)
    record = TrackRecord.of(p, outcomes)
    few, many = record.lookup(0.3, 0, enough=10), record.lookup(0.3, 0, enough=400)
    assert few.rows >= 10
    assert many.rows >= 400
    assert few.high - few.low < many.high - many.low


def test_no_similar_forecast_is_said_to_be_none() -> None:
    similar = TrackRecord.of(np.array([[0.9, 0.1]]), np.array([0])).lookup(0.5, 0)
    assert (similar.rows, similar.rate, similar.forecast) == (0.0, None, None)
    assert (similar.lower, similar.upper) == (0.0, 1.0)


def test_certain_forecasts_have_a_place() -> None:
    record = TrackRecord.of(np.array([[1.0, 0.0]] * 5), np.array([0, 0, 0, 0, 1]))
    assert record.lookup(1.0, 0).rate == 0.8
    assert record.lookup(0.0, 1).cases == 1


def test_rows_count_by_weight() -> None:
    p, outcomes = forecasts(1)
    once, twice = TrackRecord.of(p, outcomes), TrackRecord.of(p, outcomes, np.full(len(p), 2.0))
    for name in ("rows", "cases", "forecasts"):
        np.testing.assert_allclose(getattr(twice, name), 2 * getattr(once, name))


def test_written_and_read_back() -> None:
    record = TrackRecord.of(*forecasts(2))
    again = TrackRecord.from_dict(json.loads(json.dumps(record.to_dict())), n_outcomes=3)
    for name in ("rows", "cases", "forecasts"):
        np.testing.assert_array_equal(getattr(again, name), getattr(record, name))
    with pytest.raises(DataError, match="bins"):
        TrackRecord.from_dict(record.to_dict(), n_outcomes=1)
    with pytest.raises(DataError, match="finite"):
        TrackRecord.from_dict({**record.to_dict(), "cases": -1.0}, n_outcomes=3)


@given(rows=st.integers(1, 10**6), share=st.floats(0, 1))
def test_the_interval_holds_the_rate_and_narrows(rows: int, share: float) -> None:
    cases = round(share * rows)
    lower, upper = wilson_interval(cases / rows, rows)
    assert 0 <= lower <= cases / rows + 1e-12
    assert cases / rows - 1e-12 <= upper <= 1
    wider = wilson_interval(cases / rows, rows / 4)
    assert upper - lower <= wider[1] - wider[0] + 1e-12


@given(st.integers(1, 400), st.data())
def test_wilson_is_scipys(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    expected = stats.binomtest(k, n).proportion_ci(0.9, method="wilson")
    lower, upper = wilson_interval(k / n, n, 0.9)
    assert lower == pytest.approx(max(expected.low, 0), abs=1e-12)
    assert upper == pytest.approx(min(expected.high, 1), abs=1e-12)
