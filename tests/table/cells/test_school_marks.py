"""Marks with a tendency and points out of different totals are numbers by themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.errors import ProbTreesWarning
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table
from probtrees.table.table_report import Fix

_MARKS = ["1-", "2", "2+", "2-", "3", "3−", "4+"]
_AS_NUMBERS = [1.3, 2.0, 1.7, 2.3, 3.0, 3.3, 3.7]
_BACK = Fix("Treat as categories", "type", "nominal")


def _table(cells: list[str]) -> tuple[str, bytes]:
    lines = [f"{n * 5 % 8};{cell};{'yn'[n * 3 % 11 > 4]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["x;c;y", *lines]).encode()


@pytest.mark.parametrize("said", [[], ["c"]])
def test_tendencies_are_parts_of_a_mark(said: list[str]) -> None:
    data = read_table(_table(_MARKS * 9), numbers_in=said)
    np.testing.assert_allclose(data.values[:7, 1], _AS_NUMBERS)
    later, problems = read_rows(_table(["2-", "2+", "5", "ill"]), data.schema)
    np.testing.assert_allclose(later.values[:, 1], [2.3, 1.7, 5.0, np.nan])
    assert list(problems) == [3]


def test_marks_among_other_texts_keep_their_tendencies() -> None:
    with pytest.warns(ProbTreesWarning, match="20 of 83 cells"):
        data = read_table(_table(_MARKS * 9 + ["krank (2 T.)"] * 20), numbers_in=["c"])
    np.testing.assert_allclose(data.values[:7, 1], _AS_NUMBERS)


@pytest.mark.parametrize(
    ("cells", "severity", "first"),
    [
        (["1-", "2+", "3", "4"], "note", 1.3),
        (["2-", "2+", "3", "4"], "warning", 2.3),
        (["6-", "2+", "3", "4"], "note", 5.7),
        (["1-", "2+", "3", "6-"], "warning", 1.3),
        (["7-", "8+", "9", "10-"], "note", 6.7),
    ],
)
def test_the_marks_tell_which_is_the_best(cells: list[str], severity: str, first: float) -> None:
    found = inspect_table(_table(cells * 12)).column("c")
    (said,) = (f for f in found.findings if f.kind == "number spelling")
    turn, back = said.fixes
    assert (said.severity, back, turn.setting) == (severity, _BACK, "turn_marks")
    assert "2+ is 1.7" in said.sentence or "more being better" in said.sentence
    assert read_table(_table(cells * 12)).values[0, 1] == pytest.approx(first)


@pytest.mark.parametrize("said", [[], ["c"]])
def test_a_click_turns_the_tendencies(said: list[str]) -> None:
    report = inspect_table(_table(_MARKS * 9))
    (found,) = (f for f in report.column("c").findings if f.kind == "number spelling")
    assert found.fixes[0] == Fix("Read 2+ as 2.3", "turn_marks", "c")
    options = ReadOptions().with_fix("c", found.fixes[0].setting, found.fixes[0].value)
    data = read_table(_table(_MARKS * 9), numbers_in=said, **options.arguments)
    np.testing.assert_allclose(data.values[:7, 1], [0.7, 2.0, 2.3, 1.7, 3.0, 2.7, 4.3])
    assert any("(2+ is 2.3" in note for note in data.provenance.notes)
    later, _ = read_rows(_table(["2-", "2+", "5"]), data.schema)
    np.testing.assert_allclose(later.values[:, 1], [1.7, 2.3, 5.0])
    turned = inspect_table(_table(_MARKS * 9), turn_marks=["c"])
    backs = [fix for f in turned.findings for fix in f.fixes if fix.setting == "take back"]
    assert Fix("Take it back", "take back", "turn_marks c") in backs


def test_chunks_turn_them(tmp_path: Path) -> None:
    name, content = _table(_MARKS * 9)
    (tmp_path / name).write_bytes(content)
    found = next(open_chunks(tmp_path / name, turn_marks=["c"]).chunks())
    whole = read_table(tmp_path / name, turn_marks=["c"])
    np.testing.assert_array_equal(found.values, whole.values)


@pytest.mark.parametrize("cells", [["1+", "2+", "3+", "neg"], ["1+", "2", "3+", "4"]])
def test_findings_of_tests_are_no_marks(cells: list[str]) -> None:
    assert inspect_table(_table(cells * 12)).column("c").examples != ("0.7", "1.7", "2.7")


def test_letters_are_ordered_from_the_worst() -> None:
    grades = ["A", "A*", "A-", "B+", "B", "C"]
    data = read_table(_table(grades * 9))
    assert data.schema.columns[1].categories == ("C", "B", "B+", "A-", "A", "A*")
    blood = read_table(_table(["A+", "A-", "B+", "B-"] * 9))
    assert blood.schema.columns[1].categories == ("A+", "A-", "B+", "B-")


@pytest.mark.parametrize(
    ("cells", "shares"),
    [
        (["13,1/20", "4,9/10", "29,3/40"], [65.5, 49.0, 73.25]),
        (["76 von 190", "30 von 60", "3 von 4"], [40.0, 50.0, 75.0]),
        (["17/20", "21/25", "5/10"], [85.0, 84.0, 50.0]),
    ],
)
def test_points_out_of_different_numbers_are_shares(cells: list[str], shares: list[float]) -> None:
    data = read_table(_table(cells * 12))
    np.testing.assert_allclose(data.values[:3, 1], shares)
    found = inspect_table(_table(cells * 12)).column("c")
    assert _BACK in [fix for finding in found.findings for fix in finding.fixes]
    later, problems = read_rows(_table(["10/40", "25 %"]), data.schema)
    assert later.values[:, 1].tolist() == [25.0, 25.0]
    assert not problems


@pytest.mark.parametrize("cells", [["3/12", "2/17", "1/4", "2/4"], ["120/80", "135/90", "60/90"]])
def test_other_pairs_of_numbers_are_no_shares(cells: list[str]) -> None:
    assert inspect_table(_table(cells * 12)).column("c").type != "numeric"
