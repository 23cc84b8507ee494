"""Two heaps of numbers, and amounts without a unit among several units, are asked about."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.two_scales import find_fahrenheit, find_heaps
from probtrees.table.spelling import Spelling
from probtrees.ui.shared.finding_words import decided, is_question, is_told

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table
from probtrees.table.table_report import Finding
from tests.table.tiny_table import csv


def given(cells: list[str]) -> tuple[str, bytes]:
    return csv("c,x,y", *(f"{c},{n % 7},{'ab'[n % 2]}" for n, c in enumerate(cells)))


def asked(cells: list[str], kind: str) -> list[Finding]:
    report = inspect_table(given(cells))
    return [f for f in report.column("c").findings if f.kind == kind and is_question(f, report)]


MILLIGRAMS = [f"{0.5 + n % 17 / 10:.1f}" for n in range(90)]
MICROMOLES = [f"{44 + 9 * n}" for n in range(10)]


def test_two_heaps_are_asked_about_and_left_as_they_are() -> None:
    cells = MILLIGRAMS + MICROMOLES
    (found,) = asked(cells, "two units")
    assert "0.5 to 2.1 in 90 rows, and 44 to 125 in 10 rows" in found.sentence
    assert [fix.value for fix in found.fixes] == ["ignore"]
    np.testing.assert_array_equal(read_table(given(cells)).values[:, 0], list(map(float, cells)))


@pytest.mark.parametrize(
    "values",
    [
        [*np.linspace(0.5, 2.1, 96), *np.linspace(44, 293, 4)],
        [*np.linspace(0.5, 2.1, 50), *np.linspace(9, 40, 50)],
        [*np.linspace(1, 5, 50), *[99.0] * 50],
        [*np.geomspace(0.5, 500, 100)],
        [*np.linspace(-2, 2, 50), *np.linspace(44, 293, 50)],
    ],
    ids=["few", "near", "one code", "no gap", "not positive"],
)
def test_other_numbers_are_no_two_heaps(values: list[float]) -> None:
    assert find_heaps(np.array(values)) is None


def weights(n_bare: int) -> list[str]:
    kilos = [f"{50 + n}kg" for n in range(40)]
    pounds = [f"{120 + 3 * n} lbs" for n in range(20)]
    return [*kilos, *pounds, *(f"{100 + n}" for n in range(n_bare))]


def test_amounts_without_a_unit_among_several_are_asked_about() -> None:
    (found,) = asked(weights(20), "several units")
    assert "(kg and lbs), and without one in 20 rows" in found.sentence
    assert found.fixes[0].label == "Those without are in 'kg'"
    values = read_table(given(weights(20)), numbers_in=["c"]).values[:, 0]
    assert values[[0, 40, 79]] == pytest.approx([50, 120 * 0.45359237, 119])


def test_a_few_without_a_unit_are_read_like_most() -> None:
    assert not asked(weights(2), "several units")
    assert read_table(given(weights(2))).values[-1, 0] == 101


def test_years_and_yrs_are_one_unit_which_bare_ages_are_in() -> None:
    cells = [f"{20 + n}{('', ' years', ' yrs', '')[n % 4]}" for n in range(60)]
    assert not asked(cells, "several units")
    assert read_table(given(cells)).values[:, 0].tolist() == [20.0 + n for n in range(60)]


def temperatures(n_rows: int = 60) -> tuple[str, bytes]:
    lines = []
    for n in range(n_rows):
        celsius = 37 + n % 30 / 10
        shown = f"{celsius * 1.8 + 32:.1f}" if n % 3 == 0 else f"{celsius:.1f}"
        lines.append(f"{shown},{'ny'[celsius > 39]}")
    return "t.csv", "\n".join(["temp,ill", *lines]).encode()


def test_temperatures_in_two_scales_are_converted_if_somebody_says_so():
    (found,) = (f for f in inspect_table(temperatures()).findings if f.kind == "two scales")
    assert "in °C (37.1 to 39.9) and in °F (98.6 to 103.5, in 20 rows)" in found.sentence
    data = read_table(temperatures(), one_scale=("temp",))
    expected = [37 + n % 30 / 10 for n in range(60)]
    np.testing.assert_allclose(data.values[:, 0], expected, atol=0.06)
    again = Spelling.from_dict(data.schema.columns[0].spelling.to_dict())
    assert again == data.schema.columns[0].spelling
    rows, _ = read_rows(("new.csv", b"temp\n38\n100.4\n"), data.schema)
    np.testing.assert_allclose(rows.values[:, 0], [38, 38])


def test_years_and_pounds_are_no_temperatures():
    assert find_fahrenheit(np.arange(30.0, 110.0)) == 0
    assert find_fahrenheit(np.array([31.0, 35, 40, 44, 44.5])) == 0


def test_a_lost_decimal_mark_is_asked_about():
    weights = [f"{60 + n % 30}" if n % 6 else f"{(60 + n % 30) * 10 + 3}" for n in range(120)]
    (found,) = asked(weights, "two units")
    assert "in two heaps" in found.sentence
    assert not asked([str(20 + n * 7) for n in range(120)], "two units")


def test_grams_among_kilograms_are_told_in_sight_and_taken_back() -> None:
    cells = [f"{3 + n % 30 / 10:.1f}" for n in range(80)] + ["3450 g", "2900 g"]
    assert not asked(cells, "units converted")
    report = inspect_table(given(cells))
    (found,) = (f for f in report.findings if is_told(f, report))
    assert found.sentence == (
        "Column 'c' has 'g' in 2 of 82 cells, converted to 'kg': '3450 g' is read as 3.45."
    )
    back, missing = found.fixes
    assert back.label == "Take it back"
    options = ReadOptions().with_fix("c", back.setting, back.value)
    taken = inspect_table(given(cells), **options.arguments)
    assert taken.column("c").type == "nominal"
    (said,) = (f for f in taken.findings if f.kind == "said")
    assert options.with_fix("c", said.fixes[0].setting, said.fixes[0].value) == ReadOptions()
    options = ReadOptions().with_fix("c", missing.setting, missing.value)
    assert np.isnan(read_table(given(cells), missing_in=options.missing_in).values[-2:, 0]).all()
    assert "c converted to one unit" in decided(report)


def test_a_code_for_missing_does_not_hide_two_scales() -> None:
    celsius = [36.5 + n % 30 / 10 for n in range(100)]
    temps = [999.0 if n % 20 == 3 else t * 1.8 + 32 if n % 4 == 0 else t
             for n, t in enumerate(celsius)]  # fmt: skip
    rows = [f"{t:.1f},{n % 9},{'ab'[n % 2]}" for n, t in enumerate(temps)]
    source = ("t.csv", "\n".join(["temp,x,y", *rows]).encode())
    found = {each.kind: each for each in inspect_table(source).column("temp").findings}
    assert {"maybe missing", "two scales"} <= found.keys()
    assert "999" not in found["two scales"].sentence
    both = {"one_scale": ["temp"], "missing_in": {"temp": ["999"]}}
    values = read_table(source, **both).values[:, 0]
    assert np.nanmax(values) < 40
    said = inspect_table(source, one_scale=["temp"]).column("temp").findings
    assert "maybe missing" in [each.kind for each in said]


def test_codes_that_are_asked_about_are_not_converted() -> None:
    celsius = [36.5 + n % 30 / 10 for n in range(100)]
    temps = [999.0 if n % 20 == 3 else t * 1.8 + 32 if n % 4 == 0 else t
             for n, t in enumerate(celsius)]  # fmt: skip
    heights = [-1 if n % 20 == 5 else 1.5 + n / 250 if n % 4 else 150 + n // 3 for n in range(100)]
    rows = [f"{t:.1f},{h:.4g},{n % 9},{'ab'[n % 2]}"
            for n, (t, h) in enumerate(zip(temps, heights, strict=True))]  # fmt: skip
    source = ("t.csv", "\n".join(["temp,height,x,y", *rows]).encode())
    values = read_table(source, one_scale=["temp", "height"]).values
    known = np.unique(values[:, 0])
    assert known[-1] == 999
    assert known[-2] < 40
    known = np.unique(values[:, 1])
    assert known[0] == -1
    assert known[1] >= 150


def test_the_largest_numbers_there_are_tell_no_scale_and_overflow_nothing():
    rows = "".join(f"{n},{'ab'[k % 2]}\n" for k, n in enumerate([1, 1, 1.7e308, 1.7e308] * 3))
    with np.errstate(over="raise"):
        report = inspect_table(("t.csv", f"x,y\n{rows}".encode()))
    assert not [f for f in report.findings if f.kind == "two scales"]
