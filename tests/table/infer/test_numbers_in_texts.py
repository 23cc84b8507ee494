"""Numbers that are taken from texts are asked about as plain ones are."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import DataError, ProbTreesWarning
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table


def _table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{n % 7}\t{cell}\t{'yn'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.tsv", "\n".join(["x\tdelay\ty", *lines]).encode()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("code", ["999", "999 min"])
def test_codes_among_numbers_taken_from_texts_are_asked_about(code: str) -> None:
    table = _table([code if n % 9 == 0 else f"{n % 40} min" for n in range(180)] + ["NSP"] * 20)
    found = inspect_table(table, numbers_in=["delay"]).column("delay").findings
    (asked,) = (f for f in found if f.kind == "maybe missing")
    assert "holds 999 in 20 rows" in asked.sentence
    (fix,) = asked.fixes
    assert fix.value == code
    reading = ReadOptions(numbers_in=("delay",)).with_fix("delay", fix.setting, fix.value)
    values = read_table(table, **reading.arguments).values[:, 1]
    assert np.isnan(values).sum() == 40
    assert np.nanmax(values) == 39


def _german(n: int) -> str:
    if n % 8 == 0:
        return "pünktlich" if n % 16 else "k.E."
    return f"{n % 90 / 10:.1f}".replace(".", ",") + " min" if n % 4 == 1 else f"{n % 90 / 10}"


def test_units_are_no_words_and_words_for_no_delay_are_0() -> None:
    table = _table([_german(n) for n in range(400)])
    spelling, limits, words = inspect_table(table).column("delay").findings
    assert "the unit 'min' (not in 275 of 375 cells) and commas and points" in spelling.sentence
    assert "'pünktlich' as 0, in 25 rows" in limits.sentence
    assert words.sentence.startswith("'k.E.' in 25 of 400 cells")
    with pytest.warns(ProbTreesWarning):
        plain = read_table(table).values[:, 1]
    reading = ReadOptions(numbers_in=("delay",))
    with pytest.warns(ProbTreesWarning, match="'pünktlich' is read as 0"):
        values = read_table(table, **reading.arguments).values[:, 1]
    assert values[[1, 8]].tolist() == [0.1, 0.0]
    np.testing.assert_array_equal(values, plain)
    assert np.isnan(values).sum() == 25
    said = inspect_table(table, **reading.arguments).column("delay").findings[0]
    assert said.fixes[1].label == "Treat 'pünktlich' as missing"
    reading = reading.with_fix("delay", said.fixes[1].setting, said.fixes[1].value)
    with pytest.warns(ProbTreesWarning):
        assert np.isnan(read_table(table, **reading.arguments).values[:, 1]).sum() == 50


@pytest.mark.parametrize("word", ["on time", "À l'heure", "a tiempo", "op tijd", "w terminie"])
def test_a_word_for_no_delay_is_0_beside_a_word_for_no_value(word: str) -> None:
    table = _table([f"{n % 37} min" if n % 4 else word if n % 8 else "n.k." for n in range(200)])
    (asked,) = inspect_table(table).column("delay").findings
    fix = asked.fixes[0]
    assert fix.label == f"Read as numbers, {word!r} as 0, the rest missing"
    assert asked.fixes[1].label == "Read as numbers, the rest missing"
    reading = ReadOptions().with_fix("delay", fix.setting, fix.value)
    values = read_table(table, **reading.arguments).values[:, 1]
    assert np.isnan(values).sum() == 25
    assert values[4] == 0


@pytest.mark.parametrize("word", ["no pain", "none", "keine Schmerzen", "Sin dolor", "schmerzfrei"])
def test_a_word_for_no_pain_is_0_and_a_refusal_is_missing(word: str) -> None:
    table = _table([str(n % 11) if n % 4 else word if n % 8 else "refused" for n in range(200)])
    values = read_table(table).values[:, 1]
    assert values[[4, 12]].tolist() == [0, 0]
    assert np.isnan(values).sum() == 25
    said = [fix for found in inspect_table(table).column("delay").findings for fix in found.fixes]
    (undo,) = (fix for fix in said if fix.label == f"Treat {word!r} as missing")
    reading = ReadOptions().with_fix("delay", undo.setting, undo.value)
    assert np.isnan(read_table(table, **reading.arguments).values[:, 1]).sum() == 50


@pytest.mark.parametrize(("name", "differs"), [("delay_min", False), ("delay (h)", True)])
def test_a_unit_in_the_name_of_a_column_is_compared_with_that_in_the_cells(
    name: str, differs: bool
) -> None:
    schema = read_table(_table([f"{n % 40} min" for n in range(80)])).schema
    file, content = _table([str(n % 40) for n in range(80)])
    new = (file, content.replace(b"delay", name.encode(), 1))
    with pytest.raises(DataError, match="Perhaps") as problem:
        read_table(new, schema=schema)
    said = "units in the names differ: 'h' in the file, 'min' in training"
    assert (said in str(problem.value)) == differs
    assert "units" not in str(problem.value) or differs
    data = read_table(new, schema=schema, renamed={name: "delay"})
    assert any("'h' × 60 → 'min'" in note for note in data.provenance.notes) == differs
    assert data.values[:40, 1].tolist() == [n * (60 if differs else 1) for n in range(40)]


@pytest.mark.filterwarnings("ignore")
def test_m_is_minutes_in_numbers_taken_from_texts_too() -> None:
    cells = [f"{n % 40}m late" if n % 2 else f"{n % 40} min late" for n in range(80)]
    data = read_table(_table(cells), numbers_in=["delay"])
    assert data.values[:, 1].tolist() == [n % 40 for n in range(80)]
    later = read_table(_table(["7m late", "2 h late"] * 3), schema=data.schema)
    assert later.values[:2, 1].tolist() == [7, 120]


def test_latitude_and_longitude_in_a_cell_are_offered_as_two_columns() -> None:
    cells = [f'"{47 + n * 0.07311:.5f}, {-6 - n * 0.11037:.5f}"' for n in range(90)]
    rows = [f"{cell},{n % 7},{'ab'[n % 2]}" for n, cell in enumerate(cells)]
    source = ("t.csv", "\n".join(["place,x,y", *rows]).encode())
    report = inspect_table(source)
    (found,) = report.column("place").findings
    assert (found.kind, found.fixes[0].setting) == ("numbers in texts ignored", "split_numbers")
    data = read_table(source, split_numbers=["place"])
    assert data.values[1, :2].tolist() == [47.07311, -6.11037]
