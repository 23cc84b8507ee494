"""Workbooks and files of statistics programs, all written by other libraries."""

import datetime as dt
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyreadstat
import pytest
import xlsxwriter

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.table.formats import other_programs
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.formats.source import Sheets
from probtrees.table.raw_table import Dates, Numbers
from probtrees.table.table_report import inspect_table
from tests.table.formats.raw import column, columns, raw
from tests.table.formats.test_open_table import archive

ROWS: list[tuple[Any, ...]] = [
    ("age", "colour", "seen", "ill"),
    (41, "red", dt.datetime(2020, 1, 31), "no"),
    (52.5, "blue, dark", dt.datetime(2021, 2, 28, 14, 30), "yes"),
    (None, 'the "best"', None, "no"),
    (7, "red", dt.datetime(2022, 12, 1), "yes"),
]
CELLS = {
    "age": ["41", "52.5", "", "7"],
    "colour": ["red", "blue, dark", 'the "best"', "red"],
    "seen": ["2020-01-31", "2021-02-28 14:30:00", "", "2022-12-01"],
    "ill": ["no", "yes", "no", "yes"],
}
OTHER: list[tuple[Any, ...]] = [("x", "y"), (1, "a"), (2, "b"), (3, "a")]


def workbook(
    sheets: Mapping[str, Sequence[Sequence[Any]]], row: int = 0, place: int = 0, shown: str = ""
) -> bytes:
    """Write the rows of every sheet by name; numbers are shown in some format."""
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    dates = book.add_format({"num_format": "yyyy-mm-dd"})
    numbers = book.add_format({"num_format": shown}) if shown else None
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for down, cells in enumerate(rows):
            for right, cell in enumerate(cells):
                if isinstance(cell, dt.datetime):
                    sheet.write_datetime(row + down, place + right, cell, dates)
                elif cell is not None:
                    sheet.write(row + down, place + right, cell, numbers)
    book.close()
    return content.getvalue()


def ods() -> bytes:
    """Write the rows with odfpy, as LibreOffice would."""
    content = io.BytesIO()
    pd.DataFrame(ROWS[1:], columns=ROWS[0]).to_excel(content, index=False, engine="odf")
    return content.getvalue()


BOOKS = {
    "xlsx": lambda: workbook({"S": ROWS}),
    "shifted": lambda: workbook({"S": ROWS}, 5, 3),
    "ods": ods,
    "blank rows": lambda: workbook(
        {"Cover": [], "S": [(None,), *ROWS[:3], (), *ROWS[3:], ()]}, 1, 1
    ),
    "a title and totals": lambda: workbook({"S": [("Ward 7",), (), *ROWS, ("Total", 4)]}),
}


@pytest.mark.parametrize("case", BOOKS)
def test_a_sheet_is_read_like_the_table_it_holds(case: str) -> None:
    table = raw(("t.xlsx", BOOKS[case]()))
    assert columns(table) == CELLS
    assert isinstance(table.columns["age"], Numbers)


def test_values_are_spelled_as_they_are_shown() -> None:
    rows = [("n", "t", "w"), (1e20, True, "=1+1 \n two"), (0.1, False, " x "), (3.0, True, "y")]
    table = raw(("t.xlsx", workbook({"S": rows})))
    assert column(table, "n") == ["1e+20", "0.1", "3"]
    assert column(table, "t") == ["True", "False", "True"]
    hours = [("h", "y"), (dt.timedelta(hours=26, minutes=30), "a"), (dt.timedelta(minutes=5), "b")]
    book = workbook({"S": hours}, shown="[h]:mm:ss")
    assert column(raw(("t.xlsx", book)), "h") == ["26:30:00", "0:05:00"]


def test_a_sheet_is_chosen() -> None:
    book = ("t.xlsx", workbook({"One": ROWS, "2": OTHER, "Three": ROWS}))
    assert sheets_of(book) == Sheets(("One", "2", "Three"), "One")
    assert sheets_of(book, "3") == Sheets(("One", "2", "Three"), "Three")
    assert sheets_of(("t.csv", b"x,y")) is None
    assert raw(book, sheet="2").names == ("x", "y")
    found = raw(book).findings[0]
    assert found.sentence == "Sheet 'One' is read; the workbook also has '2', 'Three'."
    assert [fix.value for fix in found.fixes] == ["2", "Three"]
    with pytest.raises(DataError, match=r"'t.xlsx' must have sheet='Thre'.*'Three'"):
        raw(book, sheet="Thre")


def test_a_sheet_of_one_column_is_passed_over() -> None:
    title = [("Sales",), ("of 2024",)]
    book = ("t.xlsx", workbook({"Cover": title, "Customers": OTHER}))
    assert sheets_of(book) == Sheets(("Cover", "Customers"), "Customers")
    assert sheets_of(book, "Cover") == Sheets(("Cover", "Customers"), "Cover")
    assert raw(("t.xlsx", workbook({"Cover": title}))).names == ("Sales",)


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("t.xlsx", workbook({"S": ROWS})[:-200], "must be a complete workbook"),
        ("t.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(999), "must be a complete workbook"),
        ("t.xlsx", workbook({"S": []}), "its sheets are empty"),
        ("t.sav", b"rubbish" + bytes(3000), "must be a complete SPSS file"),
        ("t.dta", b"rubbish" + bytes(3000), "must be a complete Stata file"),
    ],
)
def test_a_damaged_file_gives_one_sentence(name: str, content: bytes, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        raw((name, content))


def test_text_that_is_called_a_workbook_is_read_as_text() -> None:
    assert columns(raw(("t.xlsx", b"x,y\n1,a\n"))) == {"x": ["1"], "y": ["a"]}


def test_a_workbook_made_to_burst_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_bytes, "HARMLESS", 1 << 20)
    monkeypatch.setattr(other_programs, "HARMLESS", 1 << 20)
    content = archive(**{"xl/worksheets/sheet1.xml": b" " * (4 << 20)})
    with pytest.raises(DataError, match="must not unpack to more than 200 times"):
        raw(("t.xlsx", content))


def test_a_cell_far_outside_does_not_fill_the_memory() -> None:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for row, cells in enumerate(OTHER):
            sheet.write_row(row, 0, cells)
        sheet.write(1_048_575, 16_383, "far")
    with pytest.raises(DataError, match="must not take more memory"):
        raw(("t.xlsx", content.getvalue()))


def labelled() -> pd.DataFrame:
    days = [dt.date(2020, 1, 31), None, dt.date(2022, 12, 1), dt.date(2020, 1, 1)]
    words = ["red", "blue", "red", "red"]
    codes, ages = [2.0, 1.0, 2.0, 1.0], [41, 52.5, np.nan, 7]
    return pd.DataFrame({"age": ages, "colour": words, "seen": days, "ill": codes})


@pytest.mark.parametrize("kind", ["dta", "sav", "zsav", "por", "xpt"])
def test_statistics_programs(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"t.{kind}"
    write = getattr(pyreadstat, f"write_{'xport' if kind == 'xpt' else kind.replace('z', '')}")
    has_labels = kind in ("dta", "sav", "zsav")
    extra: dict[str, Any] = {"compress": True} if kind == "zsav" else {}
    if has_labels:
        extra["variable_value_labels"] = {"ill": {1: "well", 2: "ill", 3: "x"}, "age": {7: "seven"}}
    write(labelled(), str(path), **extra)
    table = raw(path)
    names = {name.lower(): name for name in table.names}
    assert column(table, names["age"]) == ["41", "52.5", "", "7"]
    assert isinstance(table.columns[names["seen"]], Dates)
    expected = ["ill", "well", "ill", "well"] if has_labels else ["2", "1", "2", "1"]
    assert column(table, names["ill"]) == expected
    if has_labels:
        assert table.value_labels["ill"] == (("1", "well"), ("2", "ill"), ("3", "x"))
        assert table.columns["ill"].as_texts().texts == ("well", "ill")
        assert isinstance(table.columns["age"], Numbers)


def test_labels_are_kept_and_declared_missing_values_are_missing(tmp_path: Path) -> None:
    table = pd.DataFrame({"v1": [1.0, 2, 9] * 4, "v2": [5.0, 98, 99] * 4})
    pyreadstat.write_sav(
        table,
        tmp_path / "t.sav",
        column_labels=["Sex of respondent", None],
        variable_value_labels={"v1": {1: "m", 2: "f", 9: "no answer"}},
        missing_ranges={"v1": [9], "v2": [{"lo": 98, "hi": 99}]},
    )
    found = raw(tmp_path / "t.sav")
    assert found.labels == {"v1": "Sex of respondent"}
    assert column(found, "v1")[:3] == ["m", "f", ""]
    assert column(found, "v2")[:3] == ["5", "", ""]


def test_labels_that_say_no_answer_are_asked_about_or_noted(tmp_path):
    numbers = [float(n % 11) for n in range(80)]
    frame = pd.DataFrame({"trust": [88.0, 88.0, *numbers[2:]], "kids": [5.0, *numbers[1:]]})
    frame["voted"] = ["no", "yes"] * 40
    labels = {"trust": {0: "none", 88: "Don't know"}, "kids": {5: "No answer"}}
    pyreadstat.write_sav(frame, tmp_path / "s.sav", variable_value_labels=labels)
    report = inspect_table(tmp_path / "s.sav")
    (trust,), (kids,) = (report.column(name).findings for name in ("trust", "kids"))
    assert (trust.question, trust.fixes[0].value["texts"]) == ("missing", ["88"])
    assert kids.question is None
    assert "with '5' are read as missing" in kids.sentence
