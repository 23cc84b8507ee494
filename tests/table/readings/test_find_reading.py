"""What texts are read as: certain readings, guards against wrong ones, and what people ask for."""

import datetime

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import OptionError
from probtrees.table.raw_table import Texts
from probtrees.table.readings.dates import this_year
from probtrees.table.readings.find_reading import (
    find_reading,
    read_cells,
    read_texts,
)
from probtrees.table.readings.reading import ColumnReading

NAN = float("nan")


def day(year: int, month: int, of_month: int) -> float:
    return float((datetime.date(year, month, of_month) - datetime.date(1970, 1, 1)).days)


def read(texts: list[str], decimal: str = ".", name: str = ""):
    return find_reading(Texts.of_cells(texts), decimal, name)


DAYS = [day(2019, 1, 1), day(2020, 6, 8), day(2021, 11, 15)]

CERTAIN = [
    # texts, decimal mark of the file, name and unit of the reading, values
    (["1", "-2.5e3", "+7", ".5"], ".", "", "", [1, -2500, 7, 0.5]),
    (["12", "7"], ",", "", "", [12, 7]),
    (["1.5", "NA", "n/a", "–", "k. A.", "unknown"], ".", "", "", [1.5, *[NAN] * 5]),
    (["1,234", "12,345", "987", "1,234,567"], ".", "grouped", "", [1234, 12345, 987, 1234567]),
    (["1,234.50", "-17.25", "0.50"], ".", "grouped", "", [1234.5, -17.25, 0.5]),
    (["1\u202f234.5", "12", "1 234 567"], ".", "grouped", "", [1234.5, 12, 1234567]),
    (["1\xa0234,5", "987,0"], ".", "grouped", "", [1234.5, 987]),
    (["2,5", "12,25", "3"], ".", "grouped", "", [2.5, 12.25, 3]),
    (["1.234,5", "0,5"], ".", "grouped", "", [1234.5, 0.5]),
    (["1,500", "0,750"], ".", "grouped", "", [1.5, 0.75]),
    (["35", "(35)", "7.5"], ".", "grouped", "", [35, -35, 7.5]),
    (["−17.25", "1"], ".", "", "", [-17.25, 1]),
    (["$1,200", "($35)", "-$7.50", "$-3"], ".", "amount", "$", [1200, -35, -7.5, -3]),
    (["Rs.500", "Rs.1,200", "Rs .5"], ".", "amount", "₹", [500, 1200, 0.5]),
    (["1.234,50 €", "-17,25 €"], ".", "amount", "€", [1234.5, -17.25]),
    (["€ 205.093,-", "€ 95,-"], ".", "amount", "€", [205093, 95]),
    (["5%", "12.5 %", "100 %"], ".", "amount", "%", [5, 12.5, 100]),
    (["0.800 kg", "4.500 kg"], ".", "amount", "kg", [0.8, 4.5]),
    (["1234.5 mmol/l", "2 mmol/L"], ".", "amount", "mmol/L", [1234.5, 2]),
    (["-2.5m2", "100m²"], ".", "amount", "m²", [-2.5, 100]),
    (["14:30", "00:15:36", "7:05"], ".", "clock", "h:mm", [14.5, 0.26, 7 + 5 / 60]),
    (["12:30 AM", "12:30 PM", "11:45 p.m."], ".", "clock", "h:mm", [0.5, 12.5, 23.75]),
    (["100:15", "-1:30"], ".", "clock", "h:mm", [100.25, -1.5]),
    (["1h 30m", "45m", "2d 4h"], ".", "duration", "h:mm", [1.5, 0.75, 52]),
    (["<5", *map(str, range(6, 30))], ".", "limit", "", [5, *range(6, 30)]),
    (["2019-01-01", "2020/6/8", "2021. 11. 15."], ".", "date", "", DAYS),
    (["1 Jan 2019", "8-Jun-20", "November 15, 2021"], ".", "date", "", DAYS),
    (["1 de enero de 2019", "8 juin 2020", "15. November 2021"], ".", "date", "", DAYS),
    (["Tue, 1 January 2019", "Mon, 8 June 2020"], ".", "date", "", DAYS[:2]),
    (["20190101", "20200608"], ".", "", "", [20190101, 20200608]),
    (["20190101", "20200608 12:00"], ".", "date", "", [DAYS[0], DAYS[1] + 0.5]),
    (["01.01.2019", "8. 6. 2020", "15.11.21"], ".", "day first", "", DAYS),
    (["15/11/2021", "8/6/2020"], ".", "day first", "", [DAYS[2], DAYS[1]]),
    (["11/15/2021", "06/08/2020 18:00"], ".", "month first", "", [DAYS[2], DAYS[1] + 0.75]),
    (["2019-01-01T12:00:00Z", "2019-01-01 12:00:00+01:00"], ".", "date", "",
     [DAYS[0] + 0.5, DAYS[0] + 11 / 24]),
    (["2019-01-01 2:30 PM", "0000-00-00"], ".", "date", "", [DAYS[0] + 14.5 / 24, NAN]),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "decimal", "name", "unit", "values"), CERTAIN)
def test_a_certain_reading_reads_all_cells(texts, decimal, name, unit, values):
    found = read(texts, decimal)
    assert found.reading is not None
    assert (found.reading.name, found.reading.unit) == (name, unit)
    assert np.array_equal(found.values, np.array(values, dtype=float), equal_nan=True)
    # What the model stores reads the same texts alike, and so does what its file stores.
    stored = ColumnReading.from_dict(found.reading.to_dict())
    again, unread = read_texts(pa.array(texts), stored, decimal=decimal)
    assert np.array_equal(again, found.values, equal_nan=True)
    assert not unread.any()


GUARDS = [
    # texts that stay as written, decimal mark of the file, what a person is asked
    (["+", "-", "++"], ""),
    (["1.5", "2,5", "3.25"], "mark"),
    (["9,000", "50,625", "466,875"], "mark"),
    (["80", "450", "820", "1.190", "1.930", "2.300"], "mark"),
    (["75.794 €", "12.500 €", "8.250 €"], "mark"),
    (["12 €", "1.200 €", "7 €", "450 €"], "mark"),
    (["1,23", "12.345,6", "9.8"], "mark"),
    (["1a", "2a", "3b"], ""),
    (["3g", "4g", "12g"], ""),
    (["3M", "6M", "12M"], ""),
    (["450K", "12K"], ""),
    (["3,2 Mio. €", "0,5 Mio. €"], ""),
    (["Nov 2020", "Dec 2020"], ""),
    (["Q3 2021", "Q1 2020"], ""),
    (["3 apples", "2 pears"], ""),
    (["1.8", "1.9", "1.10"], ""),
    (["0451", "1200"], ""),
    (["08", "28", "41"], ""),
    (["(1)", "(2)"], ""),
    (["1-", "2-", "3"], ""),
    (["9007199254740992", "9007199254740993"], ""),
    (["5 kg", "12.5 cm"], "units"),
    (["2.1", "3.1", "4.1", "6100 g"], "units"),
    (["<5", "5-10", ">10"], ""),
    (["5.5", "<5", ">80", "7"], "limit"),
    (["1", "2", "3+"], ""),
    (["45m", "30m"], ""),
    (["2010/11", "2012/13"], ""),
    (["Marketing 2019", "Sales 2020"], ""),
    ([f"20-03-{d:02d}" for d in range(1, 29)], ""),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "ask"), GUARDS)
def test_what_is_in_doubt_stays_as_written(texts, ask):
    found = read(texts)
    assert (found.reading, found.kind, found.ask) == (None, None, ask)


def test_day_or_month_first_is_asked_where_nothing_tells():
    found = read(["1/2/2020", "3/4/2020"])
    assert (found.reading.name, found.ask) == ("month first", "order")
    assert read(["1.2.2020", "3.4.2020"]).ask == ""  # points are written where days come first
    assert read(["1/2/2020", "13/4/2020"]).ask == ""
    said = read(["1/2/2020", "3/4/2020"], name="day first")
    assert said.values.tolist() == [day(2020, 2, 1), day(2020, 4, 3)]


def test_two_digits_of_a_year_are_not_far_ahead():
    in_ten = (this_year() + 10) % 100
    assert read([f"01.05.{in_ten:02d}", "13.05.01"]).reading.last_year == this_year() + 10
    born = read(["01.05.67", "13.05.12"])
    assert born.reading.last_year == this_year()
    assert born.values[0] == day(1967, 5, 1)


@pytest.mark.parametrize(
    ("odd", "name", "ask"),
    [
        (["x"], "", "missing"),
        (["x"] * 3, None, "missing"),
        (list("uvwx"), None, ""),
        (["x"] * 30, None, ""),
        (["1.2.3"], None, "missing"),
        (["4/7 b"], None, "missing"),
        (["<5"], "limit", "limit"),
    ],
)
def test_a_few_cells_left_over_are_asked_about(odd, name, ask):
    found = read([*map(str, range(99)), *odd])
    assert (found.reading.name if found.reading else None, found.ask) == (name, ask)
    # A word is missing until somebody says otherwise; what holds a digit may mean something.
    assert found.left_over == (tuple(dict.fromkeys(odd)) if ask == "missing" else ())
    if name == "":
        assert found.reading.missing == ("x",)
        assert np.isnan(found.values[-1])


def test_all_texts_are_looked_at_not_only_the_sample():
    numbers = [f"${k}.50" for k in range(5000)]
    assert read(numbers).values[-1] == 4999.5
    assert read([*numbers, *(f"x{k}" for k in range(200))]).reading is None


ASKED_FOR = [
    (["5.5", "<5", ">80"], "numeric", "limit", [5.5, 5, 80]),
    (["007", "012"], "numeric", "", [7, 12]),
    (["1.5", "2,5", "1.234"], "decimal comma", "decimal comma", [1.5, 2.5, 1234]),
    (["1.5", "2,5", "1.234"], "decimal point", "decimal point", [1.5, 2.5, 1.234]),
    (["14:30", "noon"], "clock", "clock", [14.5, NAN]),
    (["20200304", "20201231"], "date", "date", [day(2020, 3, 4), day(2020, 12, 31)]),
    (["04.03.2020", "x"], "date", "day first", [day(2020, 3, 4), NAN]),
]


@pytest.mark.parametrize(("texts", "asked", "name", "values"), ASKED_FOR)
def test_a_person_may_ask_for_a_reading(texts, asked, name, values):
    found = read(texts, name=asked)
    assert found.reading.name == name
    assert np.array_equal(found.values, np.array(values, dtype=float), equal_nan=True)


def test_a_reading_nobody_knows_is_refused():
    with pytest.raises(OptionError, match="reading='clok' must be a known one"):
        read(["1"], name="clok")


SCORED = [
    # reading of training, decimal mark of the file, texts, values
    (ColumnReading(), ",", ["1,5", "1.234"], [1.5, 1234]),
    (ColumnReading(), ".", ["1,234.5", "(7)", "soon"], [1234.5, -7, NAN]),
    (ColumnReading("grouped", ","), ".", ["1.5", "2.25"], [1.5, 2.25]),
    (ColumnReading("amount", unit="$"), ".", ["12", "USD 3", "4 €"], [12, 3, NAN]),
    (ColumnReading("amount", unit="€"), ",", ["2 Mio. €", "3 €"], [NAN, 3]),
    (ColumnReading("clock", unit="h:mm"), ".", ["9", "1h 30m", "14:30"], [9, 1.5, 14.5]),
    (ColumnReading("amount", unit="%", missing=("999",)), ".", ["999.0 %", "5 %"], [NAN, 5]),
    (ColumnReading("limit"), ".", ["<5", "7"], [5, 7]),
    (ColumnReading("amount"), ".", ["<5", "7"], [NAN, 7]),
    (ColumnReading("date"), ".", ["2020-03-04", "3/4/2020"], [day(2020, 3, 4), NAN]),
    (ColumnReading("day first", day_first=True), ".", ["3/4/2020", "2020-03-04"],
     [day(2020, 4, 3), day(2020, 3, 4)]),
    (ColumnReading("day first", ".", "", True, 2026), ".", ["1.1.27"], [day(1927, 1, 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("reading", "decimal", "texts", "values"), SCORED)
def test_another_table_is_read_by_the_reading_of_training(reading, decimal, texts, values):
    found, unread = read_texts(pa.array(texts), reading, decimal=decimal)
    assert np.array_equal(found, np.array(values, dtype=float), equal_nan=True)
    is_code = [bool(reading.missing) and "999" in text for text in texts]
    assert unread.tolist() == (np.isnan(found) & ~np.array(is_code)).tolist()


def test_dates_of_columns_that_had_no_texts_are_found_out():
    cells = Texts.of_cells(["13.03.2020", "-", "someday"])
    values, unread = read_cells(cells, ColumnReading(), is_date=True)
    assert values[0] == day(2020, 3, 13)
    assert unread.tolist() == [False, False, True]


def _grouped(number: float, mark: str, group: str) -> str:
    return f"{number:,.2f}".replace(",", "\0").replace(".", mark).replace("\0", group)


@settings(max_examples=30)
@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=20))
def test_numbers_are_read_back_exactly_however_they_are_written(cents):
    numbers = [round(n / 100, 2) for n in (*cents, 5, 125_000_000)]
    writings = {
        ColumnReading("amount", unit="$"): [f"${n:,.2f}" for n in numbers],
        ColumnReading("amount", ",", "€"): [f"{_grouped(n, ',', '.')} €" for n in numbers],
        ColumnReading("grouped", ","): [_grouped(n, ",", " ") for n in numbers],
        ColumnReading("grouped"): [_grouped(n, ".", "'") for n in numbers],
        ColumnReading("amount", unit="mg/dL"): [f"{n} mg/dl" for n in numbers],
        ColumnReading(): [repr(n) for n in numbers],
    }
    for reading, texts in writings.items():
        found = find_reading(Texts.of_cells(texts))
        assert found.reading == reading
        by_text = dict(zip(Texts.of_cells(texts).texts, found.values.tolist(), strict=True))
        assert [by_text[text] for text in texts] == numbers


@settings(max_examples=30)
@given(st.lists(st.dates(datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)), min_size=1))
def test_dates_are_read_back_exactly_however_they_are_written(dates):
    days = [day(d.year, d.month, d.day) for d in dates]
    readings = {
        "%Y-%m-%d": ColumnReading("date"),
        "%d %B %Y": ColumnReading("date"),
        "%d.%m.%Y": ColumnReading("day first", day_first=True),
        "%m/%d/%Y": ColumnReading("month first", day_first=False),
        "%Y%m%d": ColumnReading("date"),
    }
    for form, reading in readings.items():
        texts = pa.array([d.strftime(form) for d in dates])
        assert read_texts(texts, reading)[0].tolist() == days
