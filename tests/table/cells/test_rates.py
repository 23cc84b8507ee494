"""Amounts by something: $18.25/hr, £450 per week, 16/min."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.errors import DataError
from probtrees.table.read_table import read_table

N = 60
AMOUNTS = [n * 7 % 40 + 12 for n in range(N)]


def table(cells: list[str], name: str = "c") -> tuple[str, bytes]:
    lines = [f"{cell};{n % 7};{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join([f"{name};x;y", *lines]).encode()


@pytest.mark.parametrize(
    ("cell", "unit"),
    [
        ("${}.25/hr", "$/hr"),
        ("$ {}.25 / hour", "$/hour"),
        ("€{},25/h", "€/h"),
        ("{},25 €/h", "€/h"),
        ("{},25€/h", "€/h"),
        ("£{}.25 per week", "£/week"),
        ("£{}.25pw", "£/week"),
        ("{},25 kr/mån", "kr/mån"),
        ("${}.25/night", "$/night"),
        ("{}.25/min", "/min"),
        ("{}.25 /µl", "/µl"),
        ("{}.25/µl", "/µl"),
        ("{}.25x/week", "x/week"),
        ("{}.25 mg/dL", "mg/dL"),
    ],
)
def test_a_rate_that_all_cells_share_is_the_unit(cell, unit):
    cells = [cell.format(a) for a in AMOUNTS]
    np.testing.assert_allclose(read_table(table(cells)).values[:, 0], np.array(AMOUNTS) + 0.25)
    (note,) = inspect_table(table(cells)).column("c").findings
    assert f"the unit {unit!r}" in note.sentence
    assert note.severity == "note"


def test_thousands_in_short_may_stand_before_a_rate():
    data = read_table(table([f"${a}k/yr" for a in AMOUNTS]))
    np.testing.assert_array_equal(data.values[:, 0], np.array(AMOUNTS) * 1000)


def test_names_of_the_same_rate_are_one():
    cells = [f"${a}.5/{('hr', 'hour', 'h')[n % 3]}" for n, a in enumerate(AMOUNTS)]
    data = read_table(table(cells))
    np.testing.assert_allclose(data.values[:, 0], np.array(AMOUNTS) + 0.5)


@pytest.mark.parametrize("other", ["${}/week", "£{}/hr", "${}"])
def test_different_rates_are_asked_about(other):
    cells = [(other if n % 3 else "${}/hr").format(a) for n, a in enumerate(AMOUNTS)]
    report = inspect_table(table(cells))
    (asked,) = report.column("c").findings
    assert asked.kind == "several units"
    assert is_question(asked, report)
    assert report.column("c").role == "ignore"


def test_numbers_without_a_rate_are_not_said_to_be_in_one():
    cells = [("${}/week", "${}/hr", "{}")[n % 3].format(a) for n, a in enumerate(AMOUNTS)]
    (asked,) = inspect_table(table(cells)).column("c").findings
    assert [fix.label for fix in asked.fixes] == ["Read the numbers without units"]


@pytest.mark.parametrize("letters", ["MF", "mw", "HF", "hd"])
@pytest.mark.parametrize("gap", ["", " "])
def test_letters_behind_a_stroke_are_no_units(letters, gap):
    cells = [f"{a}{gap}/{letters[n % 2]}" for n, a in enumerate(AMOUNTS)]
    report = inspect_table(table(cells))
    assert report.column("c").type != "numeric"
    assert "several units" not in {f.kind for f in report.column("c").findings}


def test_a_rate_is_shown_as_the_file_writes_it():
    column = read_table(table([f"${a}.25/hr" for a in AMOUNTS])).schema.columns[0]
    assert column.unit == "$#/hr"


def test_scoring_knows_the_rate_and_no_other():
    schema = read_table(table([f"${a}.25/hr" for a in AMOUNTS])).schema
    data = read_table(table(["$18.25/hr", "$18.25/hour", "18.25"]), schema=schema)
    np.testing.assert_array_equal(data.values[:, 0], [18.25] * 3)
    with pytest.raises(DataError, match="730/week"):
        read_table(table(["$18.25/hr", "$730/week"]), schema=schema)
