"""Codes that begin with 0 stay texts, wherever in the file the first of them stands."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.scale.files.text_blocks import read_text
from probtrees.table.raw_table import Texts
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

ROWS = [f"{10000 + n % 80},{n % 7},{1000 + n % 9},{'ab'[n % 3 > 0]}" for n in range(1500)]
LATE = [*ROWS, *(row.replace("100", "010", 1) for row in ROWS[:90])]


def content(rows: list[str], delimiter: str = ",", quote: str = "") -> bytes:
    cells = [[f"{quote}{cell}{quote}" for cell in row.split(",")] for row in rows]
    lines = [f"code{delimiter}x{delimiter}year{delimiter}y", *map(delimiter.join, cells)]
    return "\n".join(lines).encode()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_beyond_the_first_rows(delimiter: str, quote: str) -> None:
    report = inspect_table(("t.csv", content(LATE, delimiter, quote)))
    assert [column.type for column in report.columns[:3]] == ["nominal", "numeric", "numeric"]
    assert "leading zeros" in [found.kind for found in report.column("code").findings]


def test_numbers_without_such_a_code_stay_numbers() -> None:
    report = inspect_table(("t.csv", content(ROWS)))
    assert [column.type for column in report.columns[:3]] == ["numeric"] * 3
    forced = inspect_table(("t.csv", content(LATE)), types={"code": "numeric"})
    assert forced.column("code").type == "numeric"


def test_in_chunks(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content(LATE))
    blocks = [raw for _, raw in read_text(str(path), ReadOptions(), 4000)]
    assert any(isinstance(raw.columns["code"], Texts) for raw in blocks)
    assert all(not isinstance(raw.columns["year"], Texts) for raw in blocks)


CODES = ("47.11", "56.10", "41.20", "86.21")


def pointed(name: str, cells: tuple[str, ...], last: str = "") -> bytes:
    rows = [f"{cells[n % len(cells)]},{n % 7},{'ab'[n % 3 > 0]}" for n in range(300)]
    return "\n".join([f"{name},x,y", *rows, *([f"{last},1,a"] * 9 if last else [])]).encode()


@pytest.mark.parametrize(
    ("name", "last", "example"), [("trade", "01.50", "'01.50'"), ("ÖNACE", "", "'47.11'")]
)
def test_codes_with_a_point_stay_as_they_are_written(name: str, last: str, example: str) -> None:
    source = ("t.csv", pointed(name, CODES, last))
    found = inspect_table(source).column(name)
    assert (found.type, found.findings[0].fixes[0].label) == ("nominal", "Read as numbers")
    assert example in found.findings[0].sentence
    assert "56.10" in (read_table(source, target="y").schema.columns[0].categories or ())
    forced = inspect_table(source, types={name: "numeric"}).column(name)
    assert forced.type == "numeric"


def test_codes_with_a_point_far_below_and_in_chunks(tmp_path) -> None:
    rows = [f"{CODES[n % 4]},{n % 7},{'ab'[n % 3 > 0]}" for n in range(20_000)]
    content = "\n".join(["trade,x,y", *rows, *["01.50,1,a"] * 90]).encode()
    assert inspect_table(("t.csv", content)).column("trade").type == "nominal"
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    blocks = [raw for _, raw in read_text(str(path), ReadOptions(), 40_000)]
    assert isinstance(blocks[-1].columns["trade"], Texts)


@pytest.mark.parametrize(
    "cells",
    [CODES, ("08.30", "13.45", "22.15"), ("00.75", "05.20", "41.10"), ("01.5", "12.25", "47.10")],
)
def test_other_numbers_with_a_point_are_numbers(cells: tuple[str, ...]) -> None:
    assert inspect_table(("t.csv", pointed("x1", cells))).column("x1").type == "numeric"


def test_causes_up_to_09_are_codes_and_days_are_not() -> None:
    causes, days = ("01", "02", "03", "04", "05", "09"), [f"{day:02}" for day in range(1, 29)]
    rows = [f"{causes[n % 6]},{days[n % 28]},{'ab'[n % 3 > 0]}" for n in range(90)]
    report = inspect_table(("t.csv", "\n".join(["cause,day,y", *rows]).encode()))
    assert [column.type for column in report.columns[:2]] == ["nominal", "numeric"]


def test_padded_numbers_read_as_such_are_asked_about_999() -> None:
    ages = ["999" if n % 10 == 0 else f"{18 + n % 61:03}" for n in range(200)]
    rows = [f"{age},{'ab'[n % 3 > 0]}" for n, age in enumerate(ages)]
    table = "t.csv", "\n".join(["age,y", *rows]).encode()
    findings = inspect_table(table, types={"age": "numeric"}).column("age").findings
    assert [finding.kind for finding in findings] == ["maybe missing"]


def test_provinces_of_two_digits_are_codes_and_months_are_not() -> None:
    rows = [
        f"{('08', '28', '41', '46', '03')[n % 5]},{n % 12 + 1:02d},{'ab'[n % 3 > 0]}"
        for n in range(90)
    ]
    report = inspect_table(("t.csv", "\n".join(["province,month,y", *rows]).encode()))
    assert [column.type for column in report.columns[:2]] == ["nominal", "numeric"]
    (found,) = report.column("province").findings
    assert (found.kind, found.fixes[0].label) == ("leading zeros", "Read as numbers")
