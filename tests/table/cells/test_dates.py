"""Dates as people spell them, and their parts."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.dates import MONTHS, WEEKDAYS, date_part, parse_dates

EPOCH = datetime.date(1970, 1, 1)
dates = st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 31))


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
