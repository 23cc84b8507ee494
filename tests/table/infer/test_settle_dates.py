"""Dates that do not say how they are meant are read as the rest of the table suggests."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from probtrees.table.cells.dates import YEARS_AHEAD, this_year
from probtrees.table.infer.dates import settle_dates
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import ColumnReport

EITHER = [f"{1 + n % 12:02d}/{1 + n // 12:02d}/2024" for n in range(36)]


def look(others: list[str], name: str = "when", dates: list[str] = EITHER, **said: Any) -> Any:
    """Look at a table of dates beside another column."""
    lines = [f"{name}\tother\ty"]
    lines += [
        f"{date}\t{others[n % len(others)]}\t{'ab'[n % 3 == 0]}" for n, date in enumerate(dates)
    ]
    return inspect_table(("t.tsv", "\n".join(lines).encode()), **said)


def read_day_first(column: ColumnReport) -> bool:
    """Whether the dates lie in three months; the other way they lie on three days of a month."""
    return column.examples[-1] == "2024-03-12"


@pytest.mark.parametrize(
    ("others", "day_first", "severity"),
    [
        (["25/12/2023", "24/12/2023"], True, "note"),
        (["12/25/2023", "12/24/2023"], False, "note"),
        (["1,5", "2,25"], True, "note"),
        (["7.5 €", "8 €"], True, "note"),
        (["$7.5", "$8"], False, "note"),
        (["red", "blue"], False, "warning"),
    ],
)
def test_the_table_tells_which_is_the_day(
    others: list[str], day_first: bool, severity: str
) -> None:
    column = look(others).column("when")
    assert read_day_first(column) is day_first
    (found,) = [found for found in column.findings if found.kind == "date order"]
    assert found.severity == severity


@pytest.mark.parametrize("order", ["day", "month"])
def test_a_click_says_it_and_another_takes_it_back(order: str) -> None:
    report = look(["red", "blue"], roles={"when": "feature"})
    (warned,) = [found for found in report.findings if found.kind == "date order"]
    fix = next(fix for fix in warned.fixes if fix.value == order)
    reading = ReadOptions().with_fix("when", fix.setting, fix.value)
    said = look(["red", "blue"], date_order=reading.date_order)
    assert read_day_first(said.column("when")) is (order == "day")
    assert "date order" not in {found.kind for found in said.findings}
    (back,) = [found for found in said.findings if found.kind == "said"]
    assert reading.with_fix(None, back.fixes[0].setting, back.fixes[0].value) == ReadOptions()


def test_a_column_that_says_it_itself_is_not_overruled() -> None:
    sure = [f"{1 + n % 28:02d}/03/2024" for n in range(36)]
    report = look(["red", "blue"], dates=sure, date_order="month")
    assert report.column("when").examples[-1] == "2024-03-28"


@pytest.mark.parametrize(
    ("name", "years", "last"),
    [
        ("DOB", range(20, 32), this_year()),
        ("seen", range(40, 52), this_year()),
        ("contract end", range(20, 32), this_year() + YEARS_AHEAD),
    ],
)
def test_two_digits_of_a_year(name: str, years: range, last: int) -> None:
    dates = [f"01.01.{year}" for year in years]
    report = look(["1", "2"], name, dates)
    (found,) = [found for found in report.findings if found.kind == "short years"]
    assert f"{last - 99} to {last}" in found.sentence


@pytest.mark.parametrize("written", ["2022-05-{:02d}", "{:02d}.05.22"])
def test_nobody_is_born_after_today_or_after_the_last_visit(monkeypatch, written: str) -> None:
    monkeypatch.setattr(settle_dates, "today", lambda: 20_000)  # 2024-10-04
    born = [f"{1 + n % 28:02d}.12.{n}" for n in range(24, 60)]
    report = look(["1", "2"], "Geburt", born)
    assert report.column("Geburt").examples[-1] == "1959-12-04"
    lines = [f"{day},{written.format(1 + n % 28)},{'ab'[n % 2]}" for n, day in enumerate(born)]
    first = written.format(1)
    text = "\n".join(["Geburt,visit,y", *lines, f"30.04.22,{first},a", f"03.03.23,{first},b"])
    report = inspect_table(("t.csv", text.encode()))
    assert report.column("Geburt").examples[-1] == "2022-04-30"
    assert report.column("Geburt").examples[0] == "1923-03-03"


def test_later_tables_are_read_in_the_same_century() -> None:
    lines = [f"22.12.{year},{'ab'[year % 2]}" for year in range(30, 90)]
    data = read_table(("t.csv", "\n".join(["DOB,y", *lines]).encode()))
    later = read_table(("t.csv", b"DOB,y\n22.12.20,a\n22.12.31,b\n"), schema=data.schema)
    years = later.values[:, 0].astype("datetime64[D]").astype("datetime64[Y]").astype(str)
    assert years.tolist() == ["2020", "1931"]


def test_a_date_that_stands_for_none_is_asked_about():
    born = [
        "1900-01-01" if n % 9 == 0 else f"19{50 + n % 40}-03-{1 + n % 27:02d}" for n in range(90)
    ]
    rows = [f"{day},{n % 7},{'ny'[n % 2]}" for n, day in enumerate(born)]
    content = ("t.csv", "\n".join(["birth,x,y", *rows]).encode())
    (found,) = (f for f in inspect_table(content).findings if f.kind == "maybe missing")
    assert "'1900-01-01' in 10 rows" in found.sentence
    assert found.fixes[0].label == "Treat '1900-01-01' as missing"
    once = content[0], content[1].replace(b"1900-01-01", b"1951-02-03")
    assert not [f for f in inspect_table(once).findings if f.kind == "maybe missing"]


@pytest.mark.parametrize("swapped", [True, False])
@pytest.mark.parametrize("order", ["%d/%m/%Y", "%m/%d/%Y"])
def test_dates_that_a_spreadsheet_swapped_are_asked_about(swapped, order):
    days = [datetime.date(2021, 1, 1) + datetime.timedelta(days=5 * n) for n in range(140)]
    cells = [f"{d:%Y-%d-%m}" if d.day < 13 else d.strftime(order) for d in days]
    if not swapped:
        cells = [f"{d:%Y-%m-%d}" if d.month < 7 else d.strftime(order) for d in days]
    rows = [f"{cell},{n % 7},{'ab'[n % 4 > 1]}" for n, cell in enumerate(cells)]
    report = inspect_table(("t.csv", "\n".join(["seen,x,y", *rows]).encode()))
    assert report.column("seen").type == "date"
    asked = [f for f in report.column("seen").findings if "wrong way round" in f.sentence]
    assert len(asked) == swapped
