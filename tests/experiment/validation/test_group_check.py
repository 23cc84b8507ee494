import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from probtrees.experiment.validation.group_check import belief_size, two_sided


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0.5, 1e5))
def test_two_sided_adds_up_cases_as_far_off(rows, chance, size):
    law = stats.betabinom(rows, chance * size, (1 - chance) * size)
    pmf = law.pmf(np.arange(rows + 1))
    for cases in (0, rows // 2, rows):
        far = np.abs(np.arange(rows + 1) - rows * chance)
        equal = np.isclose(far, far[cases], rtol=0, atol=1e-9)
        expected = pmf[(far > far[cases]) & ~equal].sum() + pmf[equal].sum() / 2
        assert two_sided(cases, rows, chance, size) == pytest.approx(expected, abs=1e-6)


def test_a_surer_answer_is_marked_sooner():
    sure, unsure = belief_size(0.1, 0.09, 0.11), belief_size(0.1, 0.02, 0.3)
    assert two_sided(40, 200, 0.1, sure) < 0.001 < two_sided(40, 200, 0.1, unsure)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_belief_is_worth_rows(a, b, c):
    low, middle, high = sorted([a, b, c])
    assert belief_size(middle, low, high) > 0
