"""Groups of unseen rows say where the true rates of groups like them lie."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.check_intervals import measure
from probtrees.errors import DataError
from probtrees.model.track_record import TrackRecord


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
    found = [grouped(seed, spread)[0]._rates[1].spread_of_rows() for seed in range(8)]
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


def test_written_and_read_back() -> None:
    record, _ = grouped(1)
    written = record.to_dict()
    again = TrackRecord.from_dict(json.loads(json.dumps(written)), 2)
    np.testing.assert_array_equal(again.amounts, record.amounts)
    np.testing.assert_array_equal(again.cells, record.cells)
    for fault, words in (({"n_sizes": 3}, "bins"), ({"row_squares": -1.0}, "finite")):
        with pytest.raises(DataError, match=words):
            TrackRecord.from_dict({**written, "groups": {**written["groups"], **fault}}, 2)


@pytest.mark.slow
def test_intervals_hold_on_simulated_tables() -> None:
    """Nine in ten leaves are covered, give or take 5 points, where there is something to find."""
    covered: dict[str, list[float]] = {"leaf": [], "track record": []}
    for scenario in ("steps", "crossed"):
        for line in measure(scenario, 1000, "c45 unpruned", ("laplace",), repeats=4):
            if line["interval"] in covered:
                covered[str(line["interval"])].append(float(str(line["covered"])))
    for name, shares in covered.items():
        assert 0.85 < np.mean(shares) < 0.97, (name, shares)


def test_more_leaves_settle_the_spread() -> None:
    wide, narrow = (
        grouped(3, 0.02, n)[0].intervals(np.array([0.3]), np.array([16.0]), 1) for n in (10, 3000)
    )
    assert narrow[1] - narrow[0] < 0.6 * (wide[1] - wide[0])
