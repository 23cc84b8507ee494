"""Units made of two, t/ha and mg/dL, and those with words behind them."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question, is_told

from probtrees.table.cells.unit_names import conversion
from probtrees.table.read_table import read_table

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


def semicolons(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{cell};{n % 7};{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["c;x;y", *lines]).encode()


@pytest.mark.parametrize(
    ("word", "factor"),
    [
        *((word, 1e3) for word in ("tys.", "tys", "Tsd.", "tis.", "k", "mil")),
        *((word, 1e6) for word in ("mio", "Mio.", "mln")),
    ],
)
def test_thousands_in_short_stand_before_a_unit_too(word, factor):
    far = [a * factor * 1.1 for a in AMOUNTS]
    plain = [f"{a:,.0f} km".replace(",", " ") for a in far]
    short = [f"{a / factor:.1f}".replace(".", ",") + f" {word} km" for a in far]
    cells = [
        two if n % 5 == 0 else one for n, (one, two) in enumerate(zip(plain, short, strict=True))
    ]
    np.testing.assert_allclose(read_table(semicolons(cells)).values[:, 0], far)
    (note,) = inspect_table(semicolons(cells)).column("c").findings
    assert "thousands or millions in short" in note.sentence


def test_m_beside_minutes_is_minutes():
    cells = [f"{a}m" if n % 2 else f"{a} min" for n, a in enumerate(AMOUNTS)]
    data = read_table(table(cells))
    assert data.values[:, 0].tolist() == AMOUNTS
    (note,) = inspect_table(table(cells)).column("c").findings
    assert "the unit 'min' and 'm' for minutes" in note.sentence
    later = read_table(table([f"{a}m" for a in AMOUNTS]), schema=data.schema)
    assert later.values[:, 0].tolist() == AMOUNTS


def test_m_beside_centimetres_is_metres():
    cells = [f"{a / 100}m" if n % 2 else f"{a} cm" for n, a in enumerate(AMOUNTS)]
    np.testing.assert_allclose(read_table(table(cells)).values[:, 0] / AMOUNTS, 1)


def test_a_few_categories_in_two_units_are_asked_about():
    cells = (["80%", "100%", "60%", "28,8 uur", "36 uur"] * N)[:N]
    (asked,) = inspect_table(semicolons(cells)).column("c").findings
    assert "several units (% and uur); it is taken as 5 categories" in asked.sentence
    assert is_question(asked, inspect_table(semicolons(cells)))
    kept = inspect_table(semicolons(cells), types={"c": "nominal"}).column("c").findings
    assert not [found for found in kept if found.severity == "warning"]


@pytest.mark.parametrize("cells", [["1 kg", "500 g", "250 g", "2 kg"], ["2 km", "5 km", "80%"]])
def test_a_few_categories_in_units_are_not_asked_about_for_nothing(cells):
    found = inspect_table(semicolons((cells * N)[:N])).column("c").findings
    assert not [f for f in found if "several units" in f.sentence]


def test_m_beside_seconds_alone_is_no_minute():
    cells = [f"{a} m" if n % 2 else f"{a} s" for n, a in enumerate(AMOUNTS)]
    (asked,) = inspect_table(table(cells)).column("c").findings
    assert "several units (m and s)" in asked.sentence
