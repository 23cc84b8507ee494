"""Points before three digits: thousands or decimals, as the rest of a text tells."""

from __future__ import annotations

import pytest
from probtrees.table.formats.text.grouped_points import POINTS
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_table import read_table
from probtrees.table.table_report import Finding


def _table(other: str, delimiter: str = ";") -> tuple[str, bytes]:
    rows = [
        delimiter.join((f"{n % 8 + 1}.{n * 37 % 900 + 100}", other.format(n % 30), "yn"[n % 3 > 0]))
        for n in range(60)
    ]
    return "t.csv", "\n".join([delimiter.join(("cost", "other", "y")), *rows]).encode()


def _said(table: tuple[str, bytes], **options: object) -> list[Finding]:
    return [found for found in inspect_table(table, **options).findings if found.kind == POINTS]


@pytest.mark.parametrize("other", ["{},5", "{},50 €", "1.{0:03},25"])
def test_decimal_commas_of_another_column_tell_thousands(other: str) -> None:
    data = read_table(_table(other))
    assert data.values[:2, 0].tolist() == [1100, 2137]
    (found,) = _said(_table(other))
    assert "1.100 is 1100 in column 'cost'" in found.sentence
    assert not is_question(found, inspect_table(_table(other)))
    again = read_table(_table(other), schema=data.schema)
    assert again.values[:2, 0].tolist() == [1100, 2137]
    (fix,) = found.fixes
    undone = read_table(_table(other), **{fix.setting: [fix.value]})
    assert undone.values[:2, 0].tolist() == [1.1, 2.137]
    assert not _said(_table(other), as_written=["points"])


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_it_is_asked_where_nothing_tells(delimiter: str) -> None:
    table = _table("{}", delimiter)
    assert read_table(table).values[0, 0] == 1.1
    (found,) = _said(table)
    assert is_question(found, inspect_table(table))
    assert read_table(table, as_written=["points"]).values[0, 0] == 1100
    assert not _said(table, as_written=["points"])


@pytest.mark.parametrize(
    ("other", "delimiter"), [("{}.5", ";"), ("£{}.25", ";"), ("{}", ","), ("0.{0:03}", ";")]
)
def test_decimal_points_elsewhere_leave_no_question(other: str, delimiter: str) -> None:
    assert read_table(_table(other, delimiter)).values[0, 0] == 1.1
    assert not _said(_table(other, delimiter))


def test_chunks_are_read_and_told_alike(tmp_path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(_table("{},5")[1])
    table = open_chunks(path)
    assert next(iter(table.chunks())).values[0, 0] == 1100
    assert any("Points group thousands" in note for note in table.provenance.notes)
    told = open_chunks(path, as_written=["points"])
    assert next(iter(told.chunks())).values[0, 0] == 1.1
    assert not any("Points group thousands" in note for note in told.provenance.notes)


def _with_unit(other: str) -> tuple[str, bytes]:
    rows = [
        f"{n % 90 + 11}.{n * 37 % 900 + 100} km;{other.format(n % 30)};{'yn'[n % 3 > 0]}"
        for n in range(60)
    ]
    return "cars.csv", "\n".join(["driven;other;y", *rows]).encode()


@pytest.mark.parametrize("other", ["{},5 l/100km", "{},50 €"])
def test_they_tell_it_of_amounts_with_a_unit_too(other: str) -> None:
    data = read_table(_with_unit(other))
    assert data.values[:2, 0].tolist() == [11100, 12137]
    (found,) = _said(_with_unit(other))
    assert "11.100 km is 11100 km in column 'driven'" in found.sentence
    again = read_table(_with_unit(other), schema=data.schema)
    assert again.values[:2, 0].tolist() == [11100, 12137]
    undone = read_table(_with_unit(other), as_written=["points"])
    assert undone.values[:2, 0].tolist() == [11.1, 12.137]


def test_amounts_with_a_unit_are_asked_about_where_nothing_tells() -> None:
    (found,) = _said(_with_unit("{}"))
    assert is_question(found, inspect_table(_with_unit("{}")))
    data = read_table(_with_unit("{}"), as_written=["points"])
    assert data.values[:2, 0].tolist() == [11100, 12137]


def test_decimal_commas_before_a_unit_are_decimal_elsewhere_too() -> None:
    rows = [
        f"{n % 8 + 1},{n * 37 % 900 + 100} kg;{n % 9},25 Std.;{'yn'[n % 3 > 0]}" for n in range(60)
    ]
    table = ("t.csv", "\n".join(["load;hours;y", *rows]).encode())
    assert read_table(table).values[:2, 0].tolist() == [1.1, 2.137]
    english = ("t.csv", table[1].replace(b",25 Std.", b".25 hrs"))
    assert read_table(english).values[:2, 0].tolist() == [1100, 2137]
