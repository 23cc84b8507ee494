"""Pages, and what programs save as .xls without being workbooks."""

from __future__ import annotations

import contextlib
import gzip
import random

import pytest
from probtrees.table.formats.format import Sheets

from probtrees.errors import DataError
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table

BODY = "".join(
    f"<tr><td>{n % 9},5</td><td>0{n % 4}123</td><td>{'ja' if n % 3 else 'nein'}</td></tr>"
    for n in range(30)
)
PAGE = f"""<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>
<table><tr><td>Menü</td><td>Über uns</td></tr></table>
<script>var x = "<table><tr><td>1</td></tr></table>";</script>
<TABLE border=1><TR><TH>Wert</TH><TH>PLZ</TH><TH>Größe &gt; 5</TH></TR>{BODY}</TABLE>
</body></html>"""

SHEETS = """<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"
 xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">{}</Workbook>"""


def sheet(name: str, rows: list[str]) -> str:
    return f'<Worksheet ss:Name="{name}"><Table>{"".join(rows)}</Table></Worksheet>'


def cells(*texts: str) -> str:
    inside = "".join(f'<Cell><Data ss:Type="String">{text}</Data></Cell>' for text in texts)
    return f"<Row>{inside}</Row>"


@pytest.mark.parametrize("name", ["report.xls", "report.html", "report"])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_the_largest_table_of_a_page_is_read_whatever_its_name(name: str, encoding: str) -> None:
    data = read_table((name, PAGE.encode(encoding)))
    assert data.schema.names == ("Wert", "PLZ", "Größe > 5")
    assert data.n_rows == 30
    assert not data.schema.columns[0].is_nominal
    assert data.schema.columns[1].categories == ("00123", "01123", "02123", "03123")
    assert any("is a page" in note for note in data.provenance.notes)


def test_what_a_page_says_about_its_encoding_is_believed() -> None:
    page = PAGE.replace("<body>", '<head><meta charset="iso-8859-2"></head><body>')
    page = page.replace("Größe", "ąęł")
    data = read_table(("t.xls", page.encode("iso-8859-2")))
    assert data.schema.names[2] == "ąęł > 5"


def test_excels_xml_of_2003_is_read_sheet_by_sheet() -> None:
    other = [cells("x", "y"), *(cells(str(n), "ab"[n % 2]) for n in range(20))]
    dated = '<Cell ss:Index="3"><Data ss:Type="DateTime">2019-03-{:02}T00:00:00.000</Data></Cell>'
    rows = [cells("a", "b", "day")] + [
        cells("pq"[n % 2], "").replace("</Row>", dated.format(1 + n % 28) + "</Row>")
        for n in range(40)
    ]
    content = SHEETS.format(sheet("First", other) + sheet("Long", rows)).encode()
    assert sheets_of(("t.xls", content)) == Sheets(("First", "Long"), "Long")
    data = read_table(("t.xls", content), sheet="First")
    assert data.schema.names == ("x", "y")
    assert read_rows(("t.xls", content), data.schema, ReadOptions(sheet="1"))[0].n_rows == 20
    found = read_table(("t.xls", content), target="a", roles={"day": "feature", "b": "ignore"})
    assert found.schema.columns[0].name == "day (days)"
    with pytest.raises(DataError, match=r"sheet='Lnog' must be a table of 't.xls'.*'Long'"):
        read_table(("t.xls", content), sheet="Lnog")


def test_a_cell_that_spans_rows_stands_in_each_of_them() -> None:
    rows = "".join(
        f"<tr><td rowspan=2>ward {n}</td><td>{n}</td><td rowspan=2>{'yn'[n % 2]}</td></tr>"
        f"<tr><td>{n + 100}</td></tr>"
        for n in range(10)
    )
    page = f"<table><tr><th>ward</th><th>x</th><th>ill</th></tr>{rows}</table>"
    data = read_table(("t.html", page.encode()), roles={"ward": "feature"})
    assert data.n_rows == 20
    assert data.row_weights.sum() == 20
    ward = data.schema.columns[0].categories
    assert [ward[int(code)] for code in data.values[:4, 0]] == ["ward 0"] * 2 + ["ward 1"] * 2


def test_a_page_without_a_table_says_so() -> None:
    with pytest.raises(DataError, match="a page without one"):
        read_table(("t.html", b"<!DOCTYPE html><html><body><p>Not found</p></body></html>"))


def test_cells_that_span_very_many_are_refused() -> None:
    wide = "<td rowspan=1000 colspan=1000>x</td>"
    page = "<table>" + ("<tr>" + wide + "</tr>" + "<tr></tr>" * 999) * 6 + "</table>"
    with pytest.raises(DataError, match=r"t\.html"):
        read_table(("t.html", gzip.compress(page.encode())))


def test_damaged_pages_end_in_a_sentence_or_in_a_table() -> None:
    random.seed(7)
    for _ in range(60):
        at, size = random.randrange(len(PAGE)), random.randrange(1, 400)
        page = (
            PAGE[:at] + PAGE[at + size :] + random.choice(["", "<td", "</table>", "&#x;", "<!--"])
        )
        with contextlib.suppress(DataError):  # any other error fails the test
            read_table(("t.xls", page.encode()))
