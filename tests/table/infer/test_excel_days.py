"""Dates that Excel shows as numbers: offered under the name of a date, and read alike later."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.dates.excel_days import EXCEL_DAYS
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.dataset import Schema
from probtrees.table.read_table import read_rows, read_table

N_ROWS = 40


def table(name: str, cells: list[str]) -> tuple[str, bytes]:
    rows = [f"{n % 7}.5,{cell},{'yes' if n % 3 else 'no'}" for n, cell in enumerate(cells)]
    return "visits.csv", "\n".join([f"x,{name},y", *rows]).encode()


def whole(first: int, step: int = 7) -> list[str]:
    return [str(first + step * n) for n in range(N_ROWS)]


@pytest.mark.parametrize(
    ("name", "cells", "offered"),
    [
        ("Date of visit", whole(44000), True),
        ("aufnahme_datum", [f"{n}.25" for n in whole(44000)], True),
        ("date of birth", whole(12000, 500), True),
        ("Date of visit", whole(12000, 500), False),
        ("income", whole(44000), False),
        ("date code", [*whole(44000)[1:], "7"], False),
        ("Date of visit", [*whole(44000)[1:], "44000.5"], False),
    ],
)
def test_numbers_under_the_name_of_a_date_are_offered_as_days(
    name: str, cells: list[str], offered: bool
) -> None:
    column = inspect_table(table(name, cells), "y").column(name)
    found = [finding for finding in column.findings if finding.kind == EXCEL_DAYS]
    assert bool(found) == offered
    assert column.type != "date"
    if found:
        assert ("type", "date") in [(fix.setting, fix.value) for fix in found[0].fixes]


def test_days_of_excel_are_dates_here_and_in_later_tables() -> None:
    cells = [*whole(44000)[1:], ""]
    data = read_table(table("visit date", cells), "y", types={"visit date": "date"})
    assert data.schema.columns[1].unit == "date"
    days = [44007 - 25569, 44014 - 25569]
    assert data.values[:2, 1].tolist() == days
    assert Schema.from_dict(data.schema.to_dict()) == data.schema
    later = ("later.csv", b"x,visit date,y\n1,44007,no\n1,2020-07-02,no\n1,44007.5,\n1,soon,no\n")
    rows, problems = read_rows(later, data.schema)
    np.testing.assert_array_equal(rows.values[:, 1], [days[0], 18445, days[0] + 0.5, np.nan])
    assert list(problems) == [3]


def test_the_way_back_is_a_click() -> None:
    report = inspect_table(table("date", whole(44000)), "y", types={"date": "date"})
    (note,) = [f for f in report.column("date").findings if f.kind == EXCEL_DAYS]
    assert "44000 is 2020-06-18" in note.sentence
    assert [(fix.setting, fix.value) for fix in note.fixes] == [("type", "numeric")]


def test_days_and_months_without_a_year_are_asked_about():
    days = [f"{1 + n % 31:02d}.{1 + n * 5 % 12:02d}" for n in range(120)]
    amounts = [f"{1 + n % 31:02d}.{1 + n * 5 % 13:02d}" for n in range(120)]
    for cells, are_days in ((days, True), (amounts, False)):
        rows = [f"{cell},{n % 7},{'ab'[n % 4 > 1]}" for n, cell in enumerate(cells)]
        source = ("t.csv", "\n".join(["Tag,x,y", *rows]).encode())
        report = inspect_table(source)
        kinds = [found.kind for found in report.column("Tag").findings]
        assert ("days without a year" in kinds) == are_days
    said = inspect_table(("t.csv", source[1].replace(b".13,", b".12,")), types={"Tag": "numeric"})
    assert not said.column("Tag").findings


def test_days_and_months_without_a_year_or_a_point_are_asked_about_under_the_name_of_a_date():
    cells = [f"{1 + n % 31}{1 + n * 5 % 12:02d}" for n in range(120)]
    for name, kinds in (("Belegdatum", ["days without a year"]), ("Betrag", [])):
        rows = [f"{cell},{n % 7},{'ab'[n % 4 > 1]}" for n, cell in enumerate(cells)]
        report = inspect_table(("t.csv", "\n".join([f"{name},x,y", *rows]).encode()))
        assert [found.kind for found in report.column(name).findings] == kinds
