"""Numbers and dates as people spell them; orders and intervals."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.cells.arrow_arrays import flag_array, flags, floats, text_array
from probtrees.table.cells.date_parts import MONTHS, WEEKDAYS, date_part
from probtrees.table.cells.intervals import cuts_of_names, equal_frequency_cuts, interval_names
from probtrees.table.cells.spelled_dates import parse_dates
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.table.infer.natural_order import natural_order

EPOCH = datetime.date(1970, 1, 1)
dates = st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 31))


@given(st.lists(st.text(max_size=5)))
def test_texts_survive_arrow(texts: list[str]) -> None:
    assert text_array(texts).to_pylist() == texts


@given(st.lists(st.booleans()), st.integers(0, 9))
def test_flags_survive_arrow(values: list[bool], offset: int) -> None:
    given_flags = np.array(values, dtype=np.bool_)
    assert flags(flag_array(given_flags).slice(offset)).tolist() == values[offset:]


@given(st.lists(st.floats(allow_nan=False)))
def test_numbers_as_python_writes_them(values: list[float]) -> None:
    found = parse_numbers(text_array(map(repr, values)))
    np.testing.assert_array_equal(found, values)


@given(st.lists(st.floats(-1e15, 1e15, allow_nan=False)))
def test_numbers_with_grouped_thousands(values: list[float]) -> None:
    rounded = [round(value, 2) for value in values]
    english = text_array(f"{value:,.2f}" for value in rounded)
    np.testing.assert_array_equal(parse_numbers(english), rounded)
    german = text_array(f"{value:,.2f}".translate({44: 46, 46: 44}) for value in rounded)
    np.testing.assert_array_equal(parse_numbers(german, ","), rounded)


@pytest.mark.parametrize("text", ["", "-", "1_000", "0x10", "1e", "1,2", "nan", "1.2.3", "１"])
def test_what_is_no_number(text: str) -> None:
    assert np.isnan(parse_numbers(text_array([text]))).all()


def test_missing_entries_are_not_numbers() -> None:
    missing = text_array(["1", "2"]).filter(flag_array(np.array([False, False])))
    assert len(parse_numbers(missing)) == 0
    assert len(floats(parse_numbers_source())) == 0


def parse_numbers_source() -> object:
    return text_array([]).cast("float64")


FORMATS = (
    "{0:%Y}-{0:%m}-{0:%d}",
    "{0.year:04d}/{0.month}/{0.day}",
    "{0.day}.{0.month}.{0.year:04d}",
    "{0.day} {0:%b} {0.year:04d}",
    "{0:%B} {0.day}, {0.year:04d}",
    "{0.year:04d}{0:%m}{0:%d}",
)


@given(dates, st.sampled_from(FORMATS[1:]))
def test_dates_in_many_spellings(date: datetime.date, spelling: str) -> None:
    found = parse_dates(text_array([spelling.format(date)]), day_first=True)
    assert found.days.tolist() == [(date - EPOCH).days]


@given(st.datetimes(datetime.datetime(1000, 1, 1)), st.integers(-720, 720))
def test_times_with_zones(moment: datetime.datetime, minutes: int) -> None:
    zone = datetime.timezone(datetime.timedelta(minutes=minutes))
    aware = moment.replace(microsecond=0, tzinfo=zone)
    found = parse_dates(text_array([aware.isoformat()])).days[0]
    start = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    assert found == pytest.approx((aware - start) / datetime.timedelta(days=1), abs=1e-9)


@given(dates)
def test_parts_of_dates(date: datetime.date) -> None:
    days = np.array([(date - EPOCH).days + 0.25])
    assert WEEKDAYS[int(date_part(days, "weekday")[0])] == f"{date:%a}"
    assert MONTHS[int(date_part(days, "month")[0])] == f"{date:%b}"


@pytest.mark.parametrize("text", ["2020-02-30", "2020-00-10", "32.1.2020", "2020-1", "12:30", "x"])
def test_what_is_no_date(text: str) -> None:
    assert np.isnan(parse_dates(text_array([text])).days).all()


def test_afternoon() -> None:
    found = parse_dates(text_array(["1/2/1970 1:30 PM", "1/2/1970 12:00 am"]))
    assert found.days.tolist() == [1 + 13.5 / 24, 1.0]


@given(st.lists(st.text(max_size=4), unique=True), st.randoms())
def test_natural_order_does_not_depend_on_the_given_order(texts: list[str], chance: object) -> None:
    shuffled = texts[:]
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert natural_order(shuffled) == natural_order(texts)
    assert sorted(natural_order(texts)) == sorted(texts)


@given(
    st.lists(st.floats(-1e12, 1e12) | st.integers(-5, 5).map(float), min_size=1),
    st.integers(2, 10),
)
def test_cuts_separate_and_are_read_back_from_names(values: list[float], n_bins: int) -> None:
    array = np.array(values)
    cuts = equal_frequency_cuts(array, n_bins)
    assert len(cuts) < n_bins
    assert (np.diff(cuts) > 0).all()
    if len(cuts):
        assert cuts[0] >= array.min()
        assert cuts[-1] < array.max()
        found = cuts_of_names(interval_names(cuts))
        assert found is not None
        assert found.tolist() == cuts.tolist()


def test_bins_of_distinct_values_are_even() -> None:
    cuts = equal_frequency_cuts(np.arange(100.0), 4)
    assert np.bincount(np.searchsorted(cuts, np.arange(100.0))).tolist() == [25] * 4


@pytest.mark.parametrize(
    "names", [("a", "b"), ("up to 2", "over 3"), ("up to x", "over x"), ("up to 2",)]
)
def test_other_names_are_no_intervals(names: tuple[str, ...]) -> None:
    assert cuts_of_names(names) is None
