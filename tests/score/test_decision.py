import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats
from sklearn import metrics

from probtrees.errors import OptionError
from probtrees.model.track_record import wilson_interval
from probtrees.score.decision import decide
from probtrees.score.threshold import decision_curve
from tests.naive import naive_decision


def forecasts(seed, n=40):
    """Chances with ties, what came, weights, groups of a few rows; a case and another at least."""
    random = np.random.default_rng(seed)
    p = (0.9 * random.random(n)).round(1)
    y = random.random(n) < p
    y[:2] = True, False
    p[0] = 0.95
    return p, y, random.integers(1, 4, n).astype(float), random.integers(0, n // 2, n)


RULES = st.one_of(
    st.fixed_dictionaries({"threshold": st.sampled_from([0.0, 0.1, 0.35, 0.5, 0.9])}),
    st.fixed_dictionaries({"capacity": st.floats(0.02, 1)}),
)


@given(st.integers(0, 50), RULES)
def test_figures_are_those_of_counting_row_by_row(seed, rule):
    p, y, w, groups = forecasts(seed)
    found = decide(p, y, weights=w, groups=groups, **rule)
    expected = naive_decision(p.tolist(), y.tolist(), w.tolist(), groups.tolist(), **rule)
    for name, (value, variance) in expected.items():
        estimate = getattr(found, name)
        assert estimate.value == pytest.approx(value, abs=1e-12)
        assert estimate.lower <= estimate.value <= estimate.upper
        if variance and 0 < value < 1:
            most = sum(w) ** 2 / sum(w**2)
            worth = value * (1 - value) / variance
            if worth < most and name in ("acted_on", "rightly", "missed"):
                ends = wilson_interval(value, worth, 0.95)
                assert (estimate.lower, estimate.upper) == pytest.approx(ends)
    assert found.rightly.value + found.missed.value == pytest.approx(np.average(y, weights=w))
    assert found.number_needed.value == pytest.approx(1 / found.predictive_value.value)
    if "capacity" in rule:
        assert found.acted_on.value == pytest.approx(rule["capacity"])


@given(st.integers(0, 30), st.integers(1, 9), st.integers(1, 9))
@example(10, 9, 1)
def test_costs_give_scikit_learns_figures_and_vickers_net_benefit(seed, miss, alarm):
    p, y, _, _ = forecasts(seed)
    found = decide(p, y, costs=(miss, alarm))
    acted = p >= alarm / (miss + alarm)
    assert found.sensitivity.value == pytest.approx(metrics.recall_score(y, acted))
    assert found.predictive_value.value == pytest.approx(metrics.precision_score(y, acted))
    benefit = decision_curve(p, y, thresholds=[found.threshold])
    assert found.net_benefit.value == pytest.approx(benefit.benefit[0])
    assert found.over_all.value == pytest.approx(benefit.benefit[0] - benefit.treat_all[0])
    assert found.lift.value == pytest.approx(metrics.precision_score(y, acted) / y.mean())
    # Rows that count once and stand alone are a plain sample.
    for estimate, part, rows in (
        (found.sensitivity, y & acted, y),
        (found.predictive_value, y & acted, acted),
        (found.specificity, ~y & ~acted, ~y),
        (found.rejected, ~y & ~acted, ~acted),
        (found.missed, y & ~acted, np.ones(len(y))),
    ):
        if not rows.any():
            assert estimate is None
            continue
        ends = stats.binomtest(int(part.sum()), int(rows.sum())).proportion_ci(method="wilson")
        assert (estimate.lower, estimate.upper) == pytest.approx((ends.low, ends.high))


def test_what_cannot_be_known_is_none_and_what_cannot_be_meant_is_refused():
    nobody = decide([0.2, 0.1], [0, 1], threshold=0.5)
    assert nobody.predictive_value is nobody.number_needed is nobody.lift is None
    assert nobody.net_benefit.value == 0
    assert decide([1.0, 0.5], [1, 0], threshold=1).net_benefit is None
    assert decide([0.2, 0.1], [0, 0], threshold=0).sensitivity is None
    refused = ({}, {"threshold": 1.5}, {"capacity": 0}, {"capacity": 50}, {"costs": (0, 0)})
    for rule in (*refused, {"costs": (-1, 2)}, {"threshold": 0.5, "capacity": 0.1}):
        with pytest.raises(OptionError):
            decide([0.2, 0.1], [0, 1], **rule)


def test_visits_of_one_patient_are_no_independent_witnesses():
    p, y = np.repeat([0.9, 0.8, 0.2, 0.1], 25), np.repeat([1, 0, 1, 0], 25)
    alone, together = (
        decide(p, y, threshold=0.5, groups=g) for g in (None, np.repeat(range(4), 25))
    )
    assert alone.missed.value == together.missed.value
    assert together.missed.upper - together.missed.lower > 2 * (
        alone.missed.upper - alone.missed.lower
    )
