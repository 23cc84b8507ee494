"""Years as Thailand counts them are told, and asked about beside others."""

import pytest
from probtrees.table.infer.dates.thai_years import OTHER_YEARS
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.table.table_report import Finding
from tests.table.tiny_table import csv


def findings(name: str, years: list[int], **options) -> list[Finding]:
    rows = (f"{year};{n * 5 % 7};{'ab'[n // 8 % 2]}" for n, year in enumerate(years))
    report = inspect_table(csv(f"{name};x;y", *rows), **options)
    assert report.column(name).type == "numeric"
    found = [f for f in report.column(name).findings if f.kind == OTHER_YEARS]
    assert all(is_question(f, report) == (f.severity == "warning") for f in found)
    return found


@pytest.mark.parametrize("name", ["ปี", "พ.ศ.", "year", "birth_year", "Jahr"])
def test_thai_years_are_told(name):
    (note,) = findings(name, [2540 + n % 26 for n in range(80)])
    assert note.severity == "note"
    assert "2565 is 2022" in note.sentence


def test_years_of_two_calendars_are_asked_about_and_one_click_settles_it():
    years = [2560 + n % 6 if n % 4 == 0 else 2015 + n % 8 for n in range(80)]
    (asked,) = findings("year", years)
    assert asked.severity == "warning"
    assert "in 20 of 80 cells" in asked.sentence
    assert not findings("year", years, types={"year": "numeric"})


@pytest.mark.parametrize(
    ("name", "years"),
    [
        ("price", [2540 + n % 26 for n in range(80)]),
        ("yearly income", [2540 + n % 26 for n in range(80)]),
        ("year", [1990 + n % 30 for n in range(80)]),
        ("year", [2540 + n * 13 for n in range(80)]),
        ("year", [2022 - n % 30 if n else 2565 for n in range(80)]),
    ],
)
def test_other_numbers_are_none(name, years):
    assert not findings(name, years)
