"""Commas before three digits: thousands or decimals, as the rest of a text tells."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table
from probtrees.table.table_report import Finding
from tests.table.tiny_table import csv

_GROUPED = ("2,070", "1,563", "3,415", "1,094", "2,471", "12,605", "1,822", "2,909")


def _table(cells: tuple[str, ...], others: tuple[str, ...], delimiter: str) -> tuple[str, bytes]:
    rows = zip(cells, (others * len(cells))[: len(cells)], "ab" * len(cells), strict=False)
    return csv(delimiter.join(("Qty", "other", "kind")), *map(delimiter.join, rows))


def _asked(table: tuple[str, bytes]) -> list[Finding]:
    return [found for found in inspect_table(table).findings if found.kind == "decimal comma"]


@pytest.mark.parametrize("delimiter", ["\t", ";", "|"])
@pytest.mark.parametrize(
    "others",
    [
        ("£44.84", "£7.25"),
        ("£1,234.50", "£3,308.23"),
        ("(169.33)", "27.5", "(1.25)"),
        ("3.5 kg", "12.75 kg"),
        ("12.5%", "7.25%"),
        ("£92.8k", "£47.4k"),
        ("$1,234,567", "$12,345,678"),
    ],
)
def test_points_of_other_cells_tell_thousands(others: tuple[str, ...], delimiter: str) -> None:
    table = _table(_GROUPED, others, delimiter)
    assert read_table(table).values[:3, 0].tolist() == [2070, 1563, 3415]
    assert not _asked(table)


def test_hundreds_without_a_comma_tell_thousands() -> None:
    table = _table((*_GROUPED, "828"), ("x", "y"), "\t")
    assert read_table(table).values[[0, -1], 0].tolist() == [2070, 828]
    assert not _asked(table)


@pytest.mark.parametrize(
    "others", [("1,5", "2,25"), ("12,50 €", "7,95 €"), ("3,5 %", "12 %", "1,25 %")]
)
def test_commas_of_other_cells_tell_decimals(others: tuple[str, ...]) -> None:
    table = _table((*_GROUPED, "828"), others, ";")
    assert read_table(table).values[[0, -1], 0].tolist() == [2.07, 828]
    (said,) = _asked(table)
    assert said.severity == "note"
    assert "'2,070' in column 'Qty' is 2.070" in said.sentence
    assert said.fixes[0].value == "commas"
    assert read_table(table, as_written=["commas"]).values[0, 0] == 2070


def test_one_shorter_decimal_makes_all_of_a_column_decimals() -> None:
    table = _table((*_GROUPED, "1,5", "828"), ("x", "y"), ";")
    assert read_table(table).values[[0, -2], 0].tolist() == [2.07, 1.5]
    assert not _asked(table)


def test_below_one_no_comma_groups_thousands() -> None:
    table = _table((*_GROUPED, "0,750", "828"), ("£1.25", "£2.50"), ";")
    assert read_table(table).values[[0, -2], 0].tolist() == [2.07, 0.75]


def test_a_time_of_day_has_no_decimal_point() -> None:
    table = _table(_GROUPED, ("13.15 Uhr", "8.30 Uhr"), ";")
    assert _asked(table)[0].severity == "warning"


@pytest.mark.parametrize("delimiter", ["\t", ";"])
def test_where_nothing_tells_it_is_asked(delimiter: str) -> None:
    table = _table(_GROUPED, ("x", "y"), delimiter)
    (asked,) = _asked(table)
    assert asked.severity == "warning"
    assert asked.fixes[0].label == "Thousands: 2,070 is 2070"
    assert read_table(table).values[0, 0] == 2.07
    assert read_table(table, as_written=["commas"]).values[0, 0] == 2070
    assert not [
        f for f in inspect_table(table, as_written=["commas"]).findings if f.severity == "warning"
    ]
