"""The papers' tests against enumeration, textbook formulas and scipy."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from probtrees.errors import DataError
from probtrees.score.paired_test import corrected_t_test, wilcoxon, win_draw_loss
from probtrees.score.rank_test import (
    critical_difference,
    friedman,
    holm,
    nemenyi_p_values,
    pairs,
    pairwise_p_values,
)
from probtrees.score.significance import leading_over_datasets
from tests.naive import naive_holm

P_VALUES = st.floats(0, 1)


@given(st.integers(0, 7), st.integers(0, 4), st.integers(0, 7))
def test_the_sign_test_counts_coin_throws(wins: int, draws: int, losses: int) -> None:
    first = [0.1] * wins + [0.2] * draws + [0.3] * losses
    record = win_draw_loss(first, [0.2] * len(first))
    assert record.text == f"{wins}-{draws}-{losses}"
    for found, side in ((record.p_one_sided, "greater"), (record.p_two_sided, "two-sided")):
        expected = stats.binomtest(wins, wins + losses, alternative=side) if wins + losses else None
        assert found == pytest.approx(1.0 if expected is None else expected.pvalue, rel=1e-9)


def test_printed_decimals_make_draws_and_undefined_sets_do_not_count() -> None:
    record = win_draw_loss([0.12341, 0.2, np.nan], [0.12339, 0.3, 0.1], decimals=3)
    assert record.text == "1-1-0"
    assert win_draw_loss([], []).p_two_sided == 1


@given(st.lists(P_VALUES, min_size=1, max_size=10))
def test_holm(p_values: list[float]) -> None:
    np.testing.assert_allclose(holm(p_values), naive_holm(p_values), rtol=1e-12)


@given(st.integers(3, 6), st.integers(0, 2**31))
def test_friedman_with_ties_is_scipys(k: int, seed: int) -> None:
    table = np.random.default_rng(seed).integers(0, 3, (9, k)).astype(float)
    table[0] = np.arange(k)
    expected = stats.friedmanchisquare(*table.T)
    test = friedman(table)
    np.testing.assert_allclose(test.average_ranks, stats.rankdata(table, axis=1).mean(axis=0))
    assert test.chi_square == pytest.approx(expected.statistic, rel=1e-9, abs=1e-12)
    assert test.p_chi_square == pytest.approx(expected.pvalue, rel=1e-9)


def test_undefined_data_sets_are_left_out() -> None:
    table = np.array([[1, 2, 3], [np.nan, 1, 2], [2, 1, 3.0]])
    assert friedman(table).n_sets == 2
    with pytest.raises(DataError, match="every method"):
        friedman(np.full((2, 3), np.nan))
    with pytest.raises(DataError, match="at least two"):
        friedman([[1.0], [2.0]])


@pytest.mark.parametrize(("k", "q"), [(2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_critical_values_of_demsars_table_5(k: int, q: float) -> None:
    test = friedman(np.random.default_rng(k).random((30, k)))
    expected = q * math.sqrt(k * (k + 1) / (6 * 30))
    assert critical_difference(test) == pytest.approx(expected, rel=3e-4)


def test_nemenyi_agrees_with_its_critical_difference() -> None:
    table = np.random.default_rng(1).random((20, 4)) + np.array([0, 0.2, 0.3, 0.6])
    test = friedman(table)
    for (i, j), p in zip(pairs(4), nemenyi_p_values(test), strict=True):
        apart = abs(test.average_ranks[i] - test.average_ranks[j])
        assert (p <= 0.05) == (apart >= critical_difference(test))
    assert (pairwise_p_values(test) <= nemenyi_p_values(test) + 1e-9).all()


def test_wilcoxon_with_ties_and_without_differences() -> None:
    assert wilcoxon([1, 2, 3], [1, 2, 3]).p_value == 1
    # 5 ranks have 32 ways to be signed; 2 are as far from the middle as all, 4 as all but the 1.
    assert wilcoxon([1, 2, 3, 4, 5], np.zeros(5)).p_value == pytest.approx(2 / 32)
    assert wilcoxon([-1, 2, 3, 4, 5], np.zeros(5)).p_value == pytest.approx(4 / 32)
    found = wilcoxon([1, 2, 3, 4, 5.0], [1, 1, 2, 3, 4])
    assert 0 < found.p_value < 0.2
    with pytest.raises(DataError, match="both are defined"):
        wilcoxon([np.nan], [1.0])
    with pytest.raises(DataError, match="must equal"):
        wilcoxon([1.0, 2.0], [1.0])


@given(st.integers(2, 30), st.integers(0, 2**31))
def test_the_corrected_t_test_widens_the_ordinary_one(n: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    first, second = random.random(n), random.random(n)
    ordinary = stats.ttest_rel(first, second)
    corrected = corrected_t_test(first, second, test_share=1 / 9)
    assert corrected.statistic is not None
    shrink = math.sqrt((1 / n) / (1 / n + 1 / 9))
    assert corrected.statistic == pytest.approx(ordinary.statistic * shrink, rel=1e-9)
    assert corrected.p_value >= ordinary.pvalue - 1e-12


def test_the_corrected_t_test_without_variation() -> None:
    assert corrected_t_test([1, 1.0], [1, 1.0], 1 / 9).p_value == 1
    assert corrected_t_test([2, 2.0], [1, 1.0], 1 / 9).p_value == 0
    assert corrected_t_test([2.0], [1.0], 1 / 9).p_value == 1
    with pytest.raises(DataError, match="test_share"):
        corrected_t_test([1.0], [1.0], 0)


def test_the_leading_set_never_is_one_winner_without_evidence() -> None:
    random = np.random.default_rng(0)
    noise = random.random((30, 3)) * 0.01
    leading = leading_over_datasets(noise + np.array([0.1, 0.1, 0.2]))
    assert leading.members == (0, 1)
    assert leading.adjusted_p[leading.best] == 1
