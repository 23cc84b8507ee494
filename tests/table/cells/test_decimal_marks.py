"""Commas and points in one column: 0,018 and 0.018 are the same number."""

from __future__ import annotations

import io

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table, read_to_predict
from probtrees.table.table_report import Finding
from tests.table.tiny_table import csv

N_ROWS = 120
TROPONIN = [0.018, 0.042, 0.033, 0.009, 0.148, 0.007]
D_DIMER = [0.886, 2.238, 2.171, 6.441, 0.332, 1.204, 12.5]
TWO_MARKS = ["1,234", "2.345", "12,5", "3,4", "7.125"]


def given(cells: list[str], others: list[str] | None = None) -> tuple[str, bytes]:
    others = others or ["1", "2", "3"]
    rows = (
        f"{cells[n % len(cells)]};{others[n % len(others)]};{'ab'[n % 2]}" for n in range(N_ROWS)
    )
    return csv("c;x;y", *rows)


def numbers(cells: list[str], others: list[str] | None = None, **options: object) -> list[float]:
    data = read_table(given(cells, others), **options)  # type: ignore[arg-type]
    return [float(value) for value in data.values[: len(cells), 0]]


def said(cells: list[str], others: list[str] | None = None, **options: object) -> list[Finding]:
    report = inspect_table(given(cells, others), **options)  # type: ignore[arg-type]
    return [found for found in report.column("c").findings if found.kind != "leak"]


def written(values: list[float], *commas: int) -> list[str]:
    texts = [f"{value:.3f}" for value in values]
    return [t.replace(".", ",") if n in commas else t for n, t in enumerate(texts)]


@pytest.mark.parametrize("others", [["1"], ["1,5", "2,5"], ["1.5", "2.25"]])
@pytest.mark.parametrize("commas", [(0,), (0, 1, 2), (0, 1, 2, 3, 4)])
@pytest.mark.parametrize("values", [TROPONIN, D_DIMER])
def test_both_are_decimal_marks(
    values: list[float], commas: tuple[int, ...], others: list[str]
) -> None:
    cells = written(values, *commas)
    assert numbers(cells, others)[: len(values)] == values
    (found,) = said(cells, others)
    assert "commas and points that are both decimal marks" in found.sentence
    assert [fix.label for fix in found.fixes] == ["Treat as categories"]
    trained = read_table(given(cells, others)).schema
    for later in (range(9), ()):
        table = given(written(values, *later), others)
        assert read_to_predict(table, trained).values[: len(values), 0].tolist() == values


@pytest.mark.parametrize("around", ["-{}", "{} ng/ml", "{}ng"])
def test_signs_and_units_may_stand_around(around: str) -> None:
    cells = [around.format(cell) for cell in written(D_DIMER, 1, 4, 5)]
    assert np.abs(numbers(cells)).tolist() == D_DIMER


def test_texts_among_the_numbers_of_a_workbook() -> None:
    cells = [f"{v:.3f}".replace(".", ",") if n == 3 else v for n, v in enumerate(TROPONIN)] * 20
    file = io.BytesIO()
    frame = pd.DataFrame({"c": cells, "y": ["a", "b"] * 60})
    frame.to_excel(file, index=False)
    values = read_table(("t.xlsx", file.getvalue())).values[:6, 0]
    assert values.tolist() == TROPONIN


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["0.75", "12.50", "150.25", "1,250", "999.99"], [0.75, 12.5, 150.25, 1250, 999.99]),
        (["0,75", "12,50", "150,25", "1.250", "999,99"], [0.75, 12.5, 150.25, 1250, 999.99]),
        (["1.234,50", "2,25", "3,75", "4.10", "1,5", "6,5", "3,2"], [1234.5, 2.25, 3.75, 4.1]),
    ],
)
def test_thousands_stay_thousands(cells: list[str], values: list[float]) -> None:
    for others in (["1"], ["1,5"], ["1.5"]):
        assert numbers(cells, others)[: len(values)] == values
        assert all(found.severity == "note" for found in said(cells, others))


def test_points_below_one_are_no_thousands_where_others_have_commas() -> None:
    creatinine = ["0.641", "1.577", "11.200", "k.A.", "10.986"]
    values = numbers(creatinine, ["11,2", "10,5", "9,1"])
    assert values[:3] == [0.641, 1.577, 11.2]
    report = inspect_table(given(creatinine, ["11,2", "10,5", "9,1"]))
    assert "grouped points" not in {found.kind for found in report.findings}


def test_what_may_be_either_is_asked_with_both_answers() -> None:
    assert numbers(TWO_MARKS) == [1.234, 2345, 12.5, 3.4, 7125]
    (found,) = (f for f in said(TWO_MARKS) if f.severity == "warning")
    assert "'2.345' is 2345" in found.sentence
    decimals, thousands = found.fixes
    assert decimals.label == "Decimal marks: '2.345' is 2.345"
    assert thousands.label == "Thousands: '2.345' is 2345"
    one_scale = numbers(TWO_MARKS, one_scale=["c"])
    assert one_scale == [1.234, 2.345, 12.5, 3.4, 7.125]
    assert not [f for f in said(TWO_MARKS, one_scale=["c"]) if f.severity == "warning"]
    assert numbers(TWO_MARKS, types={"c": "numeric"}) == [1.234, 2345, 12.5, 3.4, 7125]
    assert not said(TWO_MARKS, types={"c": "numeric"})


def test_an_answer_is_remembered() -> None:
    trained = read_table(given(TWO_MARKS), one_scale=["c"]).schema
    assert trained.columns[0].spelling.both_marks
    later = read_to_predict(given(["2.345", "9,125"]), trained)
    assert later.values[:2, 0].tolist() == [2.345, 9.125]


def test_the_number_in_each_cell_is_below_one() -> None:
    cells = [f"{cell} (H)*" for cell in written(TROPONIN, 0, 2, 4)]
    assert numbers(cells, numbers_in=["c"]) == TROPONIN


def test_names_of_laboratories_are_no_codes() -> None:
    name, content = given(written(D_DIMER))
    for called in (b"hsTnT", b"hs-CRP", b"Trop_T_hs"):
        report = inspect_table((name, content.replace(b"c;x;y", called + b";x;y")))
        assert "codes" not in {found.kind for found in report.findings}
