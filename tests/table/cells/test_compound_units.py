"""Units made of two, t/ha and mg/dL, and those with words behind them."""

import numpy as np
import pytest

from probtrees.table.cells.unit_names import conversion
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_table import read_table
from probtrees.ui.shared.finding_words import is_question, is_told

N = 60
AMOUNTS = [n * 7 % 40 + 30 for n in range(N)]


def table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{cell},{n % 7},{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["c,x,y", *lines]).encode()


@pytest.mark.parametrize(
    ("one", "other", "factor"),
    [
        (" dt/ha", " t/ha", 10),
        (" kg/ha", "t/ha", 1000),
        (" mg/dL", " g/L", 100),
        (" µmol/L", " mmol/L", 1000),
        (" m²", " ha", 10000),
        (" L/h", " L/min", 60),
    ],
)
def test_units_of_two_are_converted_to_the_most_frequent(one, other, factor):
    cells = [f"{a}{one}" if n % 5 else f"{a / factor:g}{other}" for n, a in enumerate(AMOUNTS)]
    np.testing.assert_allclose(read_table(table(cells)).values[:, 0], AMOUNTS, rtol=1e-4)
    report = inspect_table(table(cells))
    told, note = report.column("c").findings
    assert is_told(told, report)
    assert not is_question(told, report)
    assert told.sentence.startswith(f"Column 'c' has {other.strip()!r} in ")
    assert told.fixes[0].label == "Take it back"
    assert note.fixes[0].label == "Treat as categories"


def test_other_units_are_not_converted():
    assert conversion("bu/ac", "t/ha") is None
    assert conversion("mg/dL", "mg/kg") is None
    assert conversion("°C/min", "°F/min") is None


def test_units_that_cannot_be_converted_are_warned_of_before_and_after():
    cells = [f"{a} bu/ac" if n % 5 else f"{a / 10:g} t/ha" for n, a in enumerate(AMOUNTS)]
    (asked,) = inspect_table(table(cells)).column("c").findings
    assert "in several units" in asked.sentence
    (warned,) = inspect_table(table(cells), numbers_in=["c"]).column("c").findings
    assert warned.severity == "warning"
    assert "compared as if they were in one unit" in warned.sentence


def test_a_unit_with_words_behind_it_that_all_cells_share_is_one():
    report = inspect_table(table([f"{a} kg N/ha" for a in AMOUNTS]))
    assert report.column("c").type == "numeric"
    assert "the unit 'kg N/ha'" in report.column("c").findings[0].sentence


@pytest.mark.parametrize("cell", ["{} cups of tea", "{} kg N/ha or so now"])
def test_other_words_behind_numbers_make_categories(cell):
    report = inspect_table(table([cell.format(a % 8) for a in AMOUNTS]))
    assert report.column("c").type == "nominal"


def test_words_behind_a_unit_that_differ_make_categories():
    cells = [f"{a % 8} kg {'NP'[n % 2]}/ha" for n, a in enumerate(AMOUNTS)]
    assert inspect_table(table(cells)).column("c").type == "nominal"
