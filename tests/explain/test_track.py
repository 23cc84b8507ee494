"""Ranges are printed with no more digits than they deserve, and hold what lies inside."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.explain.track import range_text, track_sentence
from probtrees.model.track_record import TrackRecord


@given(low=st.floats(0, 1), width=st.floats(0, 1), place=st.floats(0, 1))
def test_what_lies_inside_a_range_lies_inside_as_printed(
    low: float, width: float, place: float
) -> None:
    high = min(1.0, low + width)
    printed = range_text(low, high, outwards=True)
    first, last = (float(number) for number in re.findall(r"[\d.]+", printed))
    assert first <= 100 * (low + place * (high - low)) + 1e-5
    assert 100 * (low + place * (high - low)) <= last + 1e-5
    assert all(len(digits) <= 1 for digits in re.findall(r"\.(\d+)", printed))


PROBA = np.array([[0.003, 0.997]] * 100 + [[0.99, 0.01]] * 200)
HAPPENED = np.array([1] * 100 + [0] * 200)


@pytest.fixture
def record() -> TrackRecord:
    """Rows of four leaves, each right as a whole."""
    leaves = np.repeat([0, 1, 2, 3], [50, 50, 100, 100])
    return TrackRecord.of(PROBA, HAPPENED, groups=leaves, sizes=np.full(300, 2.0), n_parts=2)


def test_a_wide_interval_of_many_rows_is_explained(record):
    similar = record.lookup(0.997, 1)
    assert similar.worth < 4
    assert track_sentence(similar).endswith("together they tell about as much as 3 rows.")
    apart = TrackRecord.of(PROBA, HAPPENED).lookup(0.997, 1)
    assert apart.worth > 90
    assert "wide" not in track_sentence(apart)
