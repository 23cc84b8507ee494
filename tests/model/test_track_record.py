"""The track record counts what happened to similar forecasts, and to groups like a leaf."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from probtrees.errors import DataError
from probtrees.model.track_record import TrackRecord, wilson_interval
from tests.naive import naive_leaf_interval


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


def test_certain_forecasts_have_a_place() -> None:
    record = TrackRecord.of(np.array([[1.0, 0.0]] * 5), np.array([0, 0, 0, 0, 1]))
    assert record.lookup(1.0, 0).rate == 0.8
    assert record.lookup(0.0, 1).cases == 1


def test_rows_count_by_weight() -> None:
    p, outcomes = forecasts(1)
    once, twice = TrackRecord.of(p, outcomes), TrackRecord.of(p, outcomes, np.full(len(p), 2.0))
    for name in ("rows", "cases", "forecasts"):
        np.testing.assert_allclose(getattr(twice, name), 2 * getattr(once, name))


@given(st.integers(1, 10**6), st.data())
def test_wilson_is_scipys(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    expected = stats.binomtest(k, n).proportion_ci(0.9, method="wilson")
    lower, upper = wilson_interval(k / n, n, 0.9)
    assert lower == pytest.approx(max(expected.low, 0), abs=1e-12)
    assert upper == pytest.approx(min(expected.high, 1), abs=1e-12)


def grouped(seed: int, spread: float = 0.1, n_groups: int = 300) -> tuple[TrackRecord, np.ndarray]:
    """Groups of four rows, all given 30 %, whose true rates are drawn from a Beta."""
    random = np.random.default_rng(seed)
    size = 1 / spread - 1
    rates = random.beta(0.3 * size, 0.7 * size, n_groups)
    groups = np.repeat(np.arange(n_groups), 4)
    outcomes = (random.random(len(groups)) < rates[groups]).astype(np.int64)
    proba = np.tile([0.7, 0.3], (len(groups), 1))
    weights = np.ones(len(groups))
    sizes = np.full(len(groups), 16.0)
    return TrackRecord.of(proba, outcomes, weights, groups, sizes, 5), rates


@pytest.mark.parametrize("spread", [0.02, 0.1, 0.3])
def test_the_spread_of_true_rates_is_found(spread: float) -> None:
    found = [grouped(seed, spread)[0]._rates[1].spread_of_rows for seed in range(8)]
    assert np.mean(found) == pytest.approx(spread, rel=0.4, abs=0.02)


def test_about_nine_in_ten_true_rates_lie_inside() -> None:
    shares = []
    for seed in range(8):
        record, rates = grouped(seed)
        lower, upper = record.intervals(np.array([0.3]), np.array([16.0]), 1)
        shares.append(np.mean((rates >= lower) & (rates <= upper)))
    assert 0.85 < np.mean(shares) < 0.97


@settings(deadline=None, max_examples=20)
@given(seed=st.integers(0, 100), weight=st.floats(0.01, 100))
def test_weights_alone_never_narrow_an_interval(seed: int, weight: float) -> None:
    random = np.random.default_rng(seed)
    outcomes = random.integers(0, 2, 200)
    proba = np.tile([0.7, 0.3], (200, 1))
    groups = np.repeat(np.arange(50), 4)
    plain = TrackRecord.of(proba, outcomes, groups=groups)
    heavy = TrackRecord.of(proba, outcomes, np.full(200, weight), groups)
    one, other = plain.lookup(0.3, 1), heavy.lookup(0.3, 1)
    assert other.rows == pytest.approx(weight * one.rows)
    assert (other.lower, other.upper) == pytest.approx((one.lower, one.upper))
    narrow, wide = plain.leaf_interval(0.3, 8, 1), heavy.leaf_interval(0.3, 8, 1)
    assert (wide.lower, wide.upper) == pytest.approx((narrow.lower, narrow.upper))


@settings(deadline=None, max_examples=30)
@given(p=st.floats(0, 1), rows=st.floats(0, 1e9), outcome=st.integers(0, 1))
def test_every_group_has_an_interval(p: float, rows: float, outcome: int) -> None:
    lower, upper = grouped(0)[0].intervals(np.array([p]), np.array([rows]), outcome)
    assert 0 <= lower[0] <= upper[0] <= 1


def test_more_groups_narrow_the_record_but_rows_of_one_group_hardly_do() -> None:
    outcomes = np.repeat([0, 1, 0, 0, 1, 0], 50)
    proba = np.tile([0.7, 0.3], (300, 1))
    alone = TrackRecord.of(proba, outcomes).lookup(0.3, 1)
    together = TrackRecord.of(proba, outcomes, groups=np.repeat(np.arange(6), 50)).lookup(0.3, 1)
    assert together.upper - together.lower > alone.upper - alone.lower


def test_groups_are_written_and_read_back() -> None:
    record, _ = grouped(1)
    written = record.to_dict()
    again = TrackRecord.from_dict(json.loads(json.dumps(written)), 2)
    np.testing.assert_array_equal(again.amounts, record.amounts)
    np.testing.assert_array_equal(again.cells, record.cells)
    with pytest.raises(DataError, match="in order"):
        TrackRecord.from_dict(written, 3)  # rows would count for two outcomes of three
    for fault, words in (({"n_sizes": 3}, "bins"), ({"row_squares": -1.0}, "finite")):
        with pytest.raises(DataError, match=words):
            TrackRecord.from_dict({**written, "groups": {**written["groups"], **fault}}, 2)


@settings(deadline=None, max_examples=6)
@given(seed=st.integers(0, 1000))
def test_the_interval_is_the_plain_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    leaves = [
        (
            2.0 ** random.integers(0, 8),
            float(np.sin((random.integers(0, 200) + 0.5) / 200 * np.pi / 2) ** 2),
            m := int(random.integers(1, 9)),
            int(random.integers(0, m + 1)),
        )
        for _ in range(random.integers(5, 20))
    ]
    n, p, m, k = (np.array(each) for each in zip(*leaves, strict=True))
    groups = np.repeat(np.arange(len(m)), m)
    happened = np.concatenate([np.arange(of) < cases for of, cases in zip(m, k, strict=True)])
    proba = np.column_stack([1 - p, p])[groups]
    record = TrackRecord.of(proba, happened.astype(np.int64), None, groups, n[groups])
    lower, upper = record.intervals(p[:3], n[:3], 1)
    expected = [naive_leaf_interval(leaves, *each) for each in zip(p[:3], n[:3], strict=True)]
    np.testing.assert_allclose(np.column_stack([lower, upper]), expected, atol=2e-4)


def test_a_pure_leaf_of_many_rows_is_told_from_one_of_few() -> None:
    """156 of 156 rows, and 157 of 158 unseen rows alike, beside leaves that err."""
    groups = np.concatenate(
        [np.repeat(np.arange(5), [32, 32, 32, 31, 31]), np.arange(300) // 10 + 5]
    )
    happened = np.concatenate([np.arange(158) > 0, np.arange(300) % 5 == 0]).astype(np.int64)
    forecast = np.repeat([0.99, 0.2], [158, 300])
    proba, sizes = np.column_stack([1 - forecast, forecast]), np.repeat([130.0, 40.0], [158, 300])
    record = TrackRecord.of(proba, happened, None, groups, sizes, 5)
    assert record.leaf_interval(0.99, 156, 1).lower > 0.9
    assert record.leaf_interval(0.99, 5, 1).lower < 0.8
