"""Ages in years, months, weeks and days are one number, in later tables too."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import ProbTreesWarning
from probtrees.table.read_table import read_rows, read_table
from tests.table.tiny_table import csv

DOGS = ["3 y 6 m", "4 m", "2 y", "8 wks", "7 y", "1 y 1 m", "5 y", "11 y"]
TIERE = ["13,5 J.", "10 Mon.", "2 J.", "3 J.", "6 Wo.", "4 J.", "1 J.", "9 J."]


def table(cells: list[str], n_rows: int = 48) -> tuple[str, bytes]:
    rows = (f"{cells[n % len(cells)]};{n % 7};{'ab'[n % 2]}" for n in range(n_rows))
    return csv("age;x;y", *rows)


@pytest.mark.parametrize(
    ("trained", "later", "expected"),
    [
        (DOGS, ["6 m", "2 y 3 m", "4", "52 w", "18 M"], [0.5, 2.25, 4.0, 364 / 365.25, 1.5]),
        (DOGS, ["3 m", "9 m", "1 m"], [0.25, 0.75, 1 / 12]),
        (TIERE, ["6 Mon.", "2,5 J.", "3 Jahre", "1 J. 6 Mon."], [0.5, 2.5, 3.0, 1.5]),
    ],
)
def test_later_ages_are_in_the_unit_of_training(
    trained: list[str], later: list[str], expected: list[float]
) -> None:
    data = read_table(table(trained))
    rows, problems = read_rows(csv("age;x", *(f"{cell};1" for cell in later)), data.schema)
    assert not problems
    np.testing.assert_allclose(rows.values[:, 0], expected, rtol=1e-9)


def test_ages_are_told_and_taken_back_by_one_click() -> None:
    findings = inspect_table(table(DOGS)).column("age").findings
    (told,) = [finding for finding in findings if finding.kind == "units converted"]
    assert told.severity == "warning"
    assert "has 'm', 'wks' in" in told.sentence
    assert "converted to 'y': " in told.sentence
    assert (told.fixes[0].label, told.fixes[0].setting) == ("Take it back", "type")


def test_a_word_among_ages_is_asked_about_and_the_numbers_are_converted_all_the_same() -> None:
    cells = [*TIERE, *TIERE, "1 J. 6 Mon.", "alt"]
    with pytest.warns(ProbTreesWarning, match="5 of 90 cells"):
        data = read_table(table(cells, 90), numbers_in=["age"])
    expected = [13.5, 10 / 12, 2.0, 3.0, 42 / 365.25]
    np.testing.assert_allclose(data.values[:5, 0], expected, rtol=1e-9)
    np.testing.assert_allclose(data.values[16:18, 0], [1.5, np.nan])
    assert any("in each cell, in 'Jahre'" in note for note in data.provenance.notes)


SPANS = {
    "{} year(s), {} month(s), {} day(s)": "2 year(s), 6 month(s), 0 day(s)",
    "{} Jahr(e) {} Monat(e)": "2 Jahre 6 Monate",
    "{} an(s) et {} mois": "2 ans 6 mois",
    "{} let {} měsíců": "2 roky 6 měsíců",
    "{}y {}m": "2 years 6 months",
}


@pytest.mark.parametrize("form", SPANS)
def test_spans_of_years_and_months_are_years_however_plurals_are_written(form: str) -> None:
    cells = [form.format(n % 21, n % 12, n % 28) for n in range(240)]
    data = read_table(csv("time;x;y", *(f"{c};{n % 7};{'ab'[n % 2]}" for n, c in enumerate(cells))))
    first = data.values[25, 0]  # 4 years, 1 month and, where there are days, 25
    assert first == pytest.approx(4 + 1 / 12 + ("day" in form) * 25 / 365.25, abs=1e-9)
    (note,) = (text for text in data.provenance.notes if "'time'" in text)
    assert "read as numbers" in note
    rows, problems = read_rows(csv("time;x", f"{SPANS[form]};1"), data.schema)
    assert not problems
    assert rows.values[0, 0] == pytest.approx(2.5)


@pytest.mark.parametrize(
    "form",
    ["{}yo", "{}y.o.", "{} y.o.", "{}y/o", "{} y/o", "{}J.", "{}J", "{} J", "{}a", "{} ans"],
)
def test_ages_in_short_are_years_and_those_of_a_later_table_too(form: str) -> None:
    data = read_table(table([form.format(n) for n in range(20, 68)]))
    np.testing.assert_array_equal(data.values[:, 0], np.arange(20, 68))
    assert any("'age' holds numbers written with the unit" in n for n in data.provenance.notes)
    rows, problems = read_rows(csv("age;x", f"{form.format(81)};1", "75;1"), data.schema)
    assert not problems
    assert rows.values[:, 0].tolist() == [81, 75]


@pytest.mark.parametrize("months", ["{}mo", "{} mo", "{} mos"])
@pytest.mark.parametrize("years", ["{}y", "{}yo", "{} y.o."])
def test_months_beside_years_are_on_one_scale_with_a_line(months: str, years: str) -> None:
    cells = [(years if n % 4 else months).format(n % 11 + 1) for n in range(48)]
    finding, *_ = inspect_table(table(cells)).column("age").findings
    assert finding.kind == "units converted"
    ages = read_table(table(cells)).values[:, 0]
    assert ages[1] == pytest.approx(24 * ages[0])


@pytest.mark.parametrize(("name", "letter"), [("block", "a"), ("seat", "J"), ("class", "a")])
def test_letters_behind_other_numbers_are_no_years(name: str, letter: str) -> None:
    rows = (f"{n % 40 + 1}{letter};{n % 7};{'ab'[n % 2]}" for n in range(80))
    assert inspect_table(csv(f"{name};x;y", *rows)).column(name).type != "numeric"


def test_different_letters_behind_ages_are_asked_about() -> None:
    cells = [f"{n % 40 + 20}{'Mw'[n % 2]}" for n in range(48)]
    assert inspect_table(table(cells)).column("age").type != "numeric"
