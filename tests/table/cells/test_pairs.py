"""Cells that hold two numbers, or a number with its meaning, however few differ."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.cells.special_numbers.pairs import are_labelled_steps, are_results
from probtrees.table.read_table import read_table
from probtrees.table.table_report import ColumnReport
from tests.table.tiny_table import csv

FEW = ["120/80", "130/85", "140/90", "110/70", "125/80"]
GAMES = [f"{21 + n * 5 % 14}:{19 + n * 3 % 13}" for n in range(60)]


def table(cells: list[str], name: str = "c", n_rows: int = 60) -> tuple[str, bytes]:
    rows = (f"{cells[n % len(cells)]};{n * 5 % 7};{'ab'[n // 8 % 2]}" for n in range(n_rows))
    return csv(f"{name};x;y", *rows)


def column(cells: list[str], name: str = "c") -> ColumnReport:
    return inspect_table(table(cells, name), target="y").column(name)


@pytest.mark.parametrize("name", ["c", "BP", "Blutdruck"])
def test_few_blood_pressures_are_asked_about_as_many_are(name: str) -> None:
    (asked,) = column(FEW, name).findings
    assert "two numbers in each cell" in asked.sentence
    assert [fix.label for fix in asked.fixes] == ["Make two columns", "Treat as categories"]
    data = read_table(table(FEW, name), "y", split_numbers=[name])
    np.testing.assert_array_equal(
        data.values[:5, :2].T, [[120, 130, 140, 110, 125], [80, 85, 90, 70, 80]]
    )


def test_blood_pressures_that_all_differ_are_no_identifiers() -> None:
    cells = [f"{100 + n}/{60 + n * 7 % 31}" for n in range(60)]
    (asked,) = column(cells, "bp").findings
    assert "two numbers in each cell" in asked.sentence


@pytest.mark.parametrize("cells", [["205/55", "195/65", "225/45"], ["1/2", "1/3", "2/3"]])
def test_other_pairs_stay_as_they_are(cells: list[str]) -> None:
    assert not [f for f in column(cells).findings if "two numbers" in f.sentence]


@pytest.mark.parametrize(
    ("cells", "name"), [(GAMES, "c"), (["28:24", "27:25", "19:22"], "Ergebnis")]
)
def test_results_of_matches_are_no_times(cells: list[str], name: str) -> None:
    found = column(cells, name)
    assert found.type == "nominal"
    (asked,) = found.findings
    assert [fix.label for fix in asked.fixes][:2] == [
        "Make two columns",
        "Read as hours and minutes",
    ]
    data = read_table(table(cells, name), "y", split_numbers=[name])
    assert data.values[0, :2].tolist() == [float(part) for part in cells[0].split(":")]
    times = read_table(table(cells, name), "y", types={name: "numeric"})
    hours, minutes = map(int, cells[0].split(":"))
    assert times.values[0, 0] == pytest.approx(hours + minutes / 60)


def test_durations_stay_durations() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        cells = [f"{rng.integers(18, 36)}:{rng.integers(0, 60):02d}" for _ in range(20)]
        assert not are_results(cells, "run")
    assert column([f"{7 + n % 16}:{15 + n % 3 * 15}" for n in range(60)], "start").type == "numeric"


def test_steps_of_which_some_have_their_meaning_are_offered_as_numbers() -> None:
    cells = ["1 - disagree", "2", "3", "4", "4 - agree", "5 (strongly agree)"]
    (asked,) = column(cells).findings
    assert asked.fixes[0].label == "Read the number in each cell"
    assert "'1 - disagree'" in asked.sentence
    data = read_table(table(cells), "y", numbers_in=["c"])
    assert data.values[:6, 0].tolist() == [1, 2, 3, 4, 4, 5]


@pytest.mark.parametrize(
    "cells",
    [
        ["1 - no", "2 - maybe", "3 - yes"],
        ["1 - no", "2", "9 - unknown"],
        ["1 (A)", "2", "3"],
        ["1 - no", "1 - yes", "2", "3"],
        ["pT1c", "pT2", "3"],
    ],
)
def test_other_texts_with_a_number_before_them_are_categories(cells: list[str]) -> None:
    assert not are_labelled_steps(cells)


@pytest.mark.parametrize(
    ("cells", "name"),
    [
        (["T2N0M0", "T1N0M0", "T3N1M1"], "tnm"),
        (["pT1c", "pT2", "pT1a"], "pT"),
        (["G1", "G2", "G3"], "grade"),
        (["3+4", "4+3", "4+4"], "gleason"),
        (["9/10/10", "8/9/10", "9/9/10", "10/10/10"], "Apgar"),
    ],
)
def test_codes_and_scores_of_physicians_are_categories(cells: list[str], name: str) -> None:
    found = column(cells, name)
    assert (found.type, found.findings) == ("nominal", ())
