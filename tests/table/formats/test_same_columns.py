"""Sheets and files of the same columns are read as one table, if somebody wants it."""

from __future__ import annotations

import io
import zipfile

import pytest
import xlsxwriter
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from probtrees.errors import DataError
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

NAMES = ("age", "colour", "ill")
Sheets = dict[str, list[tuple[object, ...]]]


def months() -> Sheets:
    """Three sheets of the same columns, with a title or totals, and one of explanations."""
    rows = [(n + 20, ("red", "blue")[n % 2], ("no", "yes")[n % 3 % 2]) for n in range(30)]
    return {
        "January": [NAMES, *rows[:10], ("Total", 245, "")],
        "February": [("Report of February",), (), NAMES, *rows[10:22]],
        "March": [NAMES, *rows[22:]],
        "Key": [("colour", "meaning"), ("red", "warm"), ("blue", "cold")],
    }


def as_xlsx(sheets: Sheets) -> tuple[str, bytes]:
    content = io.BytesIO()
    book = xlsxwriter.Workbook(content, {"in_memory": True})
    for name, rows in sheets.items():
        sheet = book.add_worksheet(name)
        for number, row in enumerate(rows):
            sheet.write_row(number, 0, row)
    book.close()
    return "months.xlsx", content.getvalue()


def as_ods(sheets: Sheets) -> tuple[str, bytes]:
    book = OpenDocumentSpreadsheet()
    for name, rows in sheets.items():
        table = Table(name=name)
        for row in rows:
            line = TableRow()
            for cell in row:
                is_text = isinstance(cell, str)
                said = {} if is_text else {"value": str(cell)}
                found = TableCell(valuetype="string" if is_text else "float", **said)
                found.addElement(P(text=str(cell)))
                line.addElement(found)
            table.addElement(line)
        book.spreadsheet.addElement(table)
    content = io.BytesIO()
    book.write(content)
    return "months.ods", content.getvalue()


def as_zip(sheets: Sheets, encoding: str = "utf-8") -> tuple[str, bytes]:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, rows in sheets.items():
            text = "".join(";".join(map(str, row)) + "\n" for row in rows)
            archive.writestr(f"{name}.csv", text.encode(encoding))
    return "months.zip", content.getvalue()


@pytest.mark.parametrize("write", [as_xlsx, as_ods])
def test_sheets_of_the_same_columns_are_offered_and_joined(write) -> None:
    book = write(months())
    offer = next(found for found in inspect_table(book).findings if found.kind == "sheets")
    assert "'January', 'February', 'March' have the same columns" in offer.sentence
    fix = offer.fixes[0]
    said = ReadOptions().with_fix(None, fix.setting, fix.value)
    report = inspect_table(book, **said.arguments)
    assert report.n_rows == 30
    assert [(c.name, c.role) for c in report.columns][:2] == [
        ("sheet", "ignore"),
        ("age", "feature"),
    ]
    joined = next(found for found in report.findings if found.kind == "sheets")
    assert "'Key' left out" in joined.sentence
    back = joined.fixes[0]
    assert said.with_fix(None, back.setting, back.value) == ReadOptions()
    data = read_table(book, sheet="all")
    assert data.schema.names == NAMES
    assert data.values[:, 0].tolist() == [float(n + 20) for n in range(30)]
    wanted = read_table(book, sheet="all", roles={"sheet": "feature"})
    assert wanted.schema.columns[0].categories == ("February", "January", "March")
    assert read_table(book, sheet="all", schema=data.schema).n_rows == 30


def test_files_of_an_archive_are_joined_whatever_their_encoding() -> None:
    sheets = months()
    sheets["March"][1] = (42, "żółty", "no")
    del sheets["February"]
    archive = as_zip(sheets, "cp1250")
    offer = next(found for found in inspect_table(archive).findings if found.kind == "sheets")
    assert "'January.csv', 'March.csv' have the same columns" in offer.sentence
    data = read_table(archive, sheet="all")
    assert data.n_rows == 18
    assert "żółty" in (data.schema.columns[1].categories or ())
    found = sheets_of(archive, "all")
    assert found is not None
    assert (found.read, found.alike) == ("all", ("January.csv", "March.csv"))


def test_sheets_of_different_columns_are_not_joined() -> None:
    sheets = months()
    del sheets["February"], sheets["March"]
    book = as_xlsx(sheets)
    assert not [found for found in inspect_table(book).findings if found.kind == "sheets"]
    with pytest.raises(DataError, match="must be of sheets or files with the same columns"):
        read_table(book, sheet="all")
