"""Degrees right behind their number: 98.1F is what 98.1 °F is."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.spelled_numbers import read_numbers
from probtrees.table.read_table import read_table

CELLS = [f"{97 + n % 5}.{n % 7}F" for n in range(60)]
MIXED = [cell if n % 3 else f"{36 + n % 3}.{n % 5}C" for n, cell in enumerate(CELLS)]


def _table(cells: list[str], name: str = "temp") -> tuple[str, bytes]:
    rows = (f"{cell},{'yn'[n * 5 % 7 > 2]}" for n, cell in enumerate(cells))
    return "t.csv", "\n".join([f"{name},y", *rows]).encode()


@pytest.mark.parametrize("cells", [CELLS, MIXED, [*CELLS, "refused"]])
def test_glued_degrees_are_read_as_those_with_a_blank(cells: list[str]) -> None:
    apart = [cell.replace("F", " F").replace("C", " C") for cell in cells]
    found, wanted = (read_numbers(text_array(texts)) for texts in (cells, apart))
    np.testing.assert_allclose(found.values, wanted.values)
    assert found.spelling == wanted.spelling
    assert np.isfinite(found.values[:60]).all()


def test_a_column_of_them_is_numeric_and_says_so() -> None:
    report = inspect_table(_table(MIXED)).column("temp")
    assert any("converted" in found.sentence for found in report.findings)
    data = read_table(_table(MIXED))
    assert not data.schema.columns[0].is_nominal
    later = read_table(_table(["98F", "37C", "98.1 °F"]), schema=data.schema)
    assert later.values[0, 0] == pytest.approx(98)
    assert later.values[1, 0] == pytest.approx(98.6)


def test_whole_degrees_are_known_by_a_minus() -> None:
    assert read_numbers(text_array(["24F", "-0F", "-12F"])).values.tolist() == [24, 0, -12]


@pytest.mark.parametrize("cells", [["12F", "14C", "3F"], ["1.5F", "2.5B"], ["1.2.F", "2.F"]])
def test_seats_and_codes_are_no_degrees(cells: list[str]) -> None:
    assert np.isnan(read_numbers(text_array(cells)).values).all()


@pytest.mark.parametrize(
    "name", ["temp_f", "Temperature F", "Fieber", "body temp", "température", "temp max"]
)
def test_whole_degrees_are_known_by_the_name_of_a_temperature(name: str) -> None:
    cells = [f"{20 + n % 40}F" for n in range(60)]
    (note,) = inspect_table(_table(cells, name)).column(name).findings
    assert "with the unit 'F'" in note.sentence
    data = read_table(_table(cells, name))
    np.testing.assert_array_equal(data.values[:, 0], [20 + n % 40 for n in range(60)])
    later = read_table(_table(["30F", "31"], name), schema=data.schema)
    assert later.values[:, 0].tolist() == [30, 31]


def test_whole_degrees_of_both_kinds_are_on_one_scale_with_a_line() -> None:
    cells = [f"{97 + n % 7}F" if n % 3 == 0 else f"{35 + n % 6}C" for n in range(60)]
    told, *_ = inspect_table(_table(cells)).column("temp").findings
    assert "converted" in told.sentence
    assert read_table(_table(cells)).values[0, 0] == pytest.approx(36.1111111111)


@pytest.mark.parametrize("name", ["seat", "class", "attempt", "template", "temp_agency"])
def test_whole_numbers_elsewhere_stay(name: str) -> None:
    cells = [f"{20 + n % 40}F" for n in range(60)]
    assert inspect_table(_table(cells, name)).column(name).type == "nominal"


def test_whole_degrees_beside_many_numbers_without_are_asked_about() -> None:
    cells = [(f"{97 + n % 7}F", f"{35 + n % 6}C", f"{36 + n % 5}")[n % 3] for n in range(60)]
    assert inspect_table(_table(cells)).column("temp").type != "numeric"
