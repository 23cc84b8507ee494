"""Several tables in one sheet or text: reported, and read one at a time when asked."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError
from probtrees.table.read_table import read_table
from probtrees.table.table_report import Finding, UnreadableTableError
from tests.table.formats.test_workbooks import workbook

Cells = Sequence[Sequence[object]]

WARD: Cells = [("age", "dose", "ill"), *((20 + n, n % 7 / 2, "ny"[n % 3 > 0]) for n in range(12))]
CITY: Cells = [("town", "warm"), *((f"town {n % 4}", "no" if n % 3 else "yes") for n in range(8))]


def text(*lines: Cells) -> bytes:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(row for part in lines for row in part)
    return file.getvalue().encode()


def beside(left: Cells, right: Cells) -> Cells:
    """Put two tables side by side, with an empty column between them."""
    height = max(len(left), len(right))
    blank = [("",) * len(left[0]), ("",) * len(right[0])]
    lefts, rights = [*left, *height * [blank[0]]], [*right, *height * [blank[1]]]
    return [(*lefts[row], "", *rights[row]) for row in range(height)]


GAP: Cells = [()]
TITLE: Cells = [("Table 2: towns",)]
CASES = {
    "one below the other": text(WARD, GAP, CITY),
    "with a title": text(WARD, GAP, TITLE, CITY),
    "with a title set apart": text(WARD, GAP, TITLE, GAP, CITY),
    "padded": text([(*row, "", "")[:3] for row in (*WARD, ("",), *CITY)]),
    "side by side": text(beside(WARD, CITY)),
    "a sheet, side by side": workbook({"S": (beside(WARD, CITY), 2, 1)}),
    "a sheet, one below the other": workbook({"S": ([*WARD, (), (), *TITLE, *CITY], 3, 1)}),
}


def offered(content: bytes) -> list[Finding]:
    name = "t.xlsx" if content.startswith(b"PK") else "t.csv"
    try:
        found = inspect_table((name, content)).findings
    except UnreadableTableError as problem:
        found = problem.findings
    return [finding for finding in found if finding.kind == "tables"]


@pytest.mark.parametrize("case", CASES)
def test_each_can_be_read_by_its_number(case: str) -> None:
    content = CASES[case]
    name = "t.xlsx" if content.startswith(b"PK") else "t.csv"
    (offer,) = offered(content)
    assert [(fix.setting, fix.value) for fix in offer.fixes] == [("table", 1), ("table", 2)]
    ward = read_table((name, content), table=1)
    assert (ward.schema.names, ward.n_rows) == (WARD[0], 12)
    assert ward.values[:, 0].tolist() == [20.0 + n for n in range(12)]
    city = read_table((name, content), table=2)
    assert (city.schema.names, city.n_rows) == (CITY[0], 8)
    with pytest.raises(DataError, match="table=3 must be one of the tables"):
        read_table((name, content), table=3)


def test_what_cannot_be_one_table_says_so() -> None:
    with pytest.raises(DataError, match=r"must have 3 cells.*1 \(lines 1 to 13: .*table=1"):
        read_table(("t.csv", CASES["one below the other"]))


def test_cells_are_placed_by_the_lines_of_the_sheet() -> None:
    wrong = [*WARD[:6], (40, "much", "y"), *WARD[6:]]
    content = workbook({"S": ([*CITY, (), (), *wrong], 3, 0)})
    report = inspect_table(("t.xlsx", content), "ill", table=2, types={"dose": "numeric"})
    (found,) = (finding for finding in report.findings if finding.severity == "error")
    assert "row 6 (line 21 of the sheet)" in found.sentence


@pytest.mark.parametrize(
    "content",
    [
        text(WARD),
        text(WARD, GAP, WARD[1:]),
        text(WARD, GAP, [("Source: the ward",)]),
        text([("Ward 7",)], GAP, WARD),
        text([(a, b, "", c) for a, b, c in WARD]),
        b"x,note,y\n" + b"".join(b'%d,"a\n\nb, c",%d\n' % (n, n % 2) for n in range(20)),
    ],
)
def test_one_table_is_one(content: bytes) -> None:
    assert offered(content) == []


@pytest.mark.parametrize("kind", ["text", "sheet", "no gap"])
def test_tables_of_the_same_columns_are_one(kind: str) -> None:
    total = [("Total", "", 12)]
    between: Cells = [] if kind == "no gap" else [*total, (), ("Ward 2",), ()]
    cells = [*WARD, *between, *WARD, ("old", 1, "y")]
    content = workbook({"S": (cells, 2, 1)}) if kind == "sheet" else text(cells)
    source = ("t.xlsx" if kind == "sheet" else "t.csv", content)
    report = inspect_table(source, types={"age": "numeric"})
    assert report.n_rows == 25
    (stacked,) = (found for found in report.findings if found.kind == "stacked")
    again = len(WARD) + len(between) + 1 + 2 * (kind == "sheet")
    assert f"again in line {again}:" in stacked.sentence
    (wrong,) = (found for found in report.findings if found.kind == "mixed")
    assert wrong.cell is not None
    assert (wrong.cell.row, wrong.cell.line) == (25, again + 13)
    if kind != "text":  # where the title is a row that is too short
        kept = inspect_table(source, as_written=["names", "totals"])
        assert kept.n_rows == 26 + len([row for row in between if row])


@pytest.mark.parametrize("kind", ["text", "sheet"])
@pytest.mark.parametrize("units_again", [False, True])
def test_units_below_names_that_stand_there_again(kind: str, units_again: bool) -> None:
    units = [("", "years", "mg")]
    names, rows = WARD[:1], WARD[1:]
    cells = [*names, *units, *rows, *names, *(units if units_again else []), *rows]
    content = workbook({"S": (cells, 0, 0)}) if kind == "sheet" else text(cells)
    report = inspect_table(("t.xlsx" if kind == "sheet" else "t.csv", content))
    assert report.n_rows == 2 * len(rows)
    assert {"title", "stacked"} <= {found.kind for found in report.findings}
