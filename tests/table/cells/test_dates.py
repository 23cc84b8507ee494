"""Dates as people spell them, and their parts."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.dates import MONTHS, WEEKDAYS, date_part, parse_dates
from probtrees.table.dataset import Schema
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

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


@pytest.mark.parametrize(
    "text",
    [
        *("5. 3. 2024", "05. 03. 24", "5.3.2024.", "5. března 2024", "5. maaliskuuta 2024"),
        *("5 березня 2024 р.", "05.03.2024р.", "2024. március 5.", "2024-Mar-05"),
        *("5 Μαρτίου 2024", "5 במרץ 2024", "٢٠٢٤/٠٣/٠٥", "٥/٣/٢٠٢٤", "2024-03-05 (Tue)"),
        *("04.03.2024 24:00", "2024-03-04 24:00:00"),
    ],
)
def test_days_as_many_countries_write_them(text: str) -> None:
    found = parse_dates(text_array([text]), day_first=True).days.tolist()
    assert found == [(datetime.date(2024, 3, 5) - EPOCH).days]


@pytest.mark.parametrize(
    "text",
    [
        *("20240305143015", "20240305T143015Z", "2024-03-05-14.30.15.123456"),
        *("2024-03-05 14:30:15,123", "05/03/2024 02:30:15 p. m.", "2024. 3. 5. 오후 2:30:15"),
        *("Mar  5 2024   2:30:15PM", "05.03.2024 14.30.15", "/Date(1709649015000)/"),
    ],
)
def test_moments_as_programs_write_them(text: str) -> None:
    found = parse_dates(text_array([text]), day_first=True).days[0]
    moment = datetime.datetime(2024, 3, 5, 14, 30, 15) - datetime.datetime(1970, 1, 1)
    assert found == pytest.approx(moment / datetime.timedelta(days=1), abs=1e-9)


def test_names_that_begin_alike_in_czech_and_greek() -> None:
    names = ["5. června 2024", "5. července 2024", "5 Ιουνίου 2024", "5 Ιουλίου 2024"]
    found = parse_dates(text_array(names)).days
    months = [(datetime.date(2024, month, 5) - EPOCH).days for month in (6, 7, 6, 7)]
    assert found.tolist() == months


@pytest.mark.parametrize("text", ["12 Pro 2024", "4 LED 40", "1.2.3.4", "2024-03-05 24:30"])
def test_what_is_no_date_of_other_countries(text: str) -> None:
    assert np.isnan(parse_dates(text_array([text])).days).all()


def test_leap_days_of_another_calendar_do_not_refuse_the_table() -> None:
    days = [datetime.date(2024, 1, 1) + datetime.timedelta(days=n) for n in range(200)]
    thai = [f"{day.day}/{day.month}/{day.year + 543}" for day in days]
    assert "29/2/2567" in thai
    lines = ["visit,x,y", *(f"{d},{n % 7},{'ab'[n % 3 == 0]}" for n, d in enumerate(thai))]
    report = inspect_table(("t.csv", "\n".join(lines).encode()), roles={"visit": "feature"})
    assert report.column("visit").type == "date"
    assert [found.kind for found in report.findings if found.severity == "warning"] == [
        "other calendar"
    ]


def test_afternoon() -> None:
    found = parse_dates(text_array(["1/2/1970 1:30 PM", "1/2/1970 12:00 am"]))
    assert found.days.tolist() == [1 + 13.5 / 24, 1.0]


DAYS = [datetime.date(2019, 1, 1) + datetime.timedelta(days=13 * n) for n in range(90)]


@pytest.mark.parametrize("pattern", ["%y-%m-%d", "%y/%m/%d", "%d-%m-%y", "%m/%d/%y", "%d.%m.%y"])
@pytest.mark.parametrize("begin", [2019, 1961])
def test_years_of_two_digits_come_first_where_the_last_number_is_a_day(pattern, begin):
    days = [day.replace(year=day.year - 2019 + begin) for day in DAYS if day.day < 29]
    found = parse_dates(text_array([day.strftime(pattern) for day in days]))
    assert found.days.tolist() == [(day - datetime.date(1970, 1, 1)).days for day in days]
    assert found.year_first == pattern.startswith("%y")


@pytest.mark.parametrize("days", [(1,), (1, 15), (28, 30)])
def test_first_and_last_days_of_months_are_no_years(days):
    written = [f"{day:02}.{1 + n % 12:02}.{n % 24 + 1:02}" for n in range(96) for day in days]
    assert not parse_dates(
        text_array([text.replace(".02.", ".03.") for text in written])
    ).year_first


def test_a_model_remembers_that_the_year_comes_first():
    rows = [f"{day:%y-%m-%d},{day.day % 7},{'ab'[day.month % 2]}" for day in DAYS]
    source = ("t.csv", "\n".join(["seen,x,y", *rows]).encode())
    data = read_table(source, roles={"seen": "feature"})
    later = read_table(("l.csv", b"seen,x,y\n20-03-27,1,a\n"), schema=data.schema)
    assert later.values[0, 0] == 18348
    assert Schema.from_dict(data.schema.to_dict()) == data.schema
    (found,) = [f for f in inspect_table(source).findings if f.kind == "date order"]
    said = ReadOptions(roles={"seen": "feature"}).with_fix(
        "seen", found.fixes[0].setting, found.fixes[0].value
    )
    turned = read_table(source, **said.arguments)
    assert turned.values[0, 0] == (datetime.date(2001, 1, 19) - datetime.date(1970, 1, 1)).days
