import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from probtrees.errors import DataError
from probtrees.experiment.validation.new_table import column_drift
from probtrees.experiment.validation.part_check import two_sided
from probtrees.table.column_profile import ColumnProfile, profile_table
from probtrees.table.dataset import UNSEEN, Column
from tests.small_tables import patients


def drift_of(old, new, name):
    before = profile_table(old)
    return next(d for d in column_drift(before, profile_table(new, before)) if d.name == name)


@given(st.integers(2, 300), st.integers(0, 5))
def test_profiles_count_every_row_once(n_rows, seed):
    data = patients(n_rows, seed)
    for profile in profile_table(data):
        assert profile.rows == pytest.approx(n_rows)
        assert profile.unseen == profile.outside == 0
    for drift in column_drift(profile_table(data), profile_table(data)):
        assert drift.distance == 0
        assert drift.verdict == "as before"


def test_a_profile_survives_a_file_and_refuses_nonsense():
    for profile, column in zip(profile_table(patients()), patients().schema.features, strict=True):
        read = ColumnProfile.from_dict(profile.to_dict(), column)
        assert np.array_equal(read.counts, profile.counts)
    record = profile_table(patients())[0].to_dict()
    for wrong in ({"counts": [1.0]}, {"edges": None}, {"missing": -1.0}, {"name": "x"}):
        with pytest.raises(DataError, match="'age' must count"):
            ColumnProfile.from_dict({**record, **wrong}, Column("age"))


def test_p_is_that_of_a_chi_square_test():
    old, new = patients(400, missing=False), patients(300, seed=1, missing=False)
    table = [np.bincount(rows.values[:, 2].astype(int)) for rows in (old, new)]
    expected = stats.chi2_contingency(table, correction=False).pvalue
    assert drift_of(old, new, "blood").p_value == pytest.approx(expected)


def test_unseen_outside_and_missing_are_reported():
    old, new = patients(300, missing=False), patients(100, seed=1, missing=False)
    new.values[:10, 2] = UNSEEN
    new.values[:20, 0] = 200.0
    new.values[20:50, 1] = np.nan
    assert drift_of(old, new, "blood").unseen == pytest.approx(0.1)
    age, sex = drift_of(old, new, "age"), drift_of(old, new, "sex")
    assert age.outside == pytest.approx(0.2)
    assert "outside the range" in age.words
    assert (sex.missing_before, sex.missing_now) == (0, pytest.approx(0.3))
    assert "not recorded in 30.0 %, before in 0 %" in sex.words


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.floats(0.5, 1e5))
def test_two_sided_adds_up_cases_as_far_off(rows, chance, size):
    law = stats.betabinom(rows, chance * size, (1 - chance) * size)
    pmf = law.pmf(np.arange(rows + 1))
    for cases in (0, rows // 2, rows):
        far = np.abs(np.arange(rows + 1) - rows * chance)
        equal = np.isclose(far, far[cases], rtol=0, atol=1e-9)
        expected = pmf[(far > far[cases]) & ~equal].sum() + pmf[equal].sum() / 2
        assert two_sided(cases, rows, chance, size) == pytest.approx(expected, abs=1e-6)
