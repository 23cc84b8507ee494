"""Rows that stand in a table twice are told by an identifier, asked about and left out if said."""

from __future__ import annotations

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.repeated_rows import TWICE
from probtrees.ui.shared.finding_words import is_question

from probtrees.errors import OptionError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict

pytestmark = pytest.mark.filterwarnings("ignore::probtrees.errors.ProbTreesWarning")

LINES = [f"W{1000 + n},{'abc'[n % 3]},{n % 4},note {n % 5},{'ny'[n // 2 % 2]}" for n in range(200)]
HEADER = "walk,kind,bites,notes,bite"


def _table(*lines: str) -> tuple[str, bytes]:
    return "t.csv", "\n".join([HEADER, *lines]).encode()


TWICE_THERE = _table(*LINES, *LINES[20:30])


def test_copies_of_the_same_identifier_are_asked_about() -> None:
    report = inspect_table(TWICE_THERE)
    assert report.column("walk").type == "identifier"
    (found,) = (f for f in report.findings if f.kind == TWICE)
    assert found.sentence.startswith(
        "10 of 210 rows repeat an earlier row in every cell, 'walk' included"
    )
    assert is_question(found, report)
    assert [(fix.setting, fix.value) for fix in found.fixes] == [
        ("repeats", "once"),
        ("repeats", "together"),
    ]
    assert not any("happen to agree" in f.sentence for f in report.findings)
    data = read_table(TWICE_THERE)
    notes = " ".join(data.provenance.notes)
    assert "--repeats once" in notes
    assert "happen to agree" not in notes
    (one,) = (f for f in inspect_table(_table(*LINES, LINES[7])).findings if f.kind == TWICE)
    assert "1 of 201 rows repeats" in one.sentence


@pytest.mark.parametrize(
    "lines",
    [
        LINES,
        [*LINES, *(f"X{line}" for line in LINES[:10])],  # others, who agree with the first
        [*LINES, *LINES[20:30], LINES[3].replace("note 3", "note 9")],  # one has two stories
    ],
    ids=["none", "others", "unlike"],
)
def test_other_rows_are_not(lines: list[str]) -> None:
    assert TWICE not in [f.kind for f in inspect_table(_table(*lines)).findings]


@pytest.mark.parametrize("said", ["together", "apart", "once"])
def test_nothing_is_asked_once_it_was_said(said: str) -> None:
    reading = ReadOptions().with_fix(None, "repeats", said)
    report = inspect_table(TWICE_THERE, **reading.arguments)
    assert TWICE not in [f.kind for f in report.findings]


def test_copies_are_left_out_whatever_columns_are_used() -> None:
    data = read_table(TWICE_THERE, repeats="once")
    plain = read_table(_table(*LINES))
    assert np.array_equal(data.values, plain.values)
    assert data.repeats == "auto"
    assert data.provenance.rows_dropped == {"copies of earlier rows": 10}
    assert any(
        note == "10 rows that repeat an earlier row in every cell are left out."
        for note in data.provenance.notes
    )
    # A column that is set aside still tells rows apart that are alike in all others.
    without = read_table(TWICE_THERE, roles={"walk": "ignore", "notes": "ignore"}, repeats="once")
    assert without.n_rows == 200
    report = inspect_table(TWICE_THERE, repeats="once")
    back = [fix for f in report.findings for fix in f.fixes if f.sentence.startswith("10 rows")]
    assert [(fix.setting, fix.value) for fix in back] == [("repeats", "auto")]
    later = read_to_predict(TWICE_THERE, data.schema, ReadOptions(repeats="once"))
    assert later.n_rows == 210  # every row to predict gets its answer


def test_only_reading_leaves_rows_out() -> None:
    with pytest.raises(OptionError, match="'together', 'apart' or 'once'"):
        read_table(TWICE_THERE, repeats="onc")  # type: ignore[arg-type]
    data = read_table(_table(*LINES))
    with pytest.raises(OptionError, match="repeats='once' must be 'auto', 'together' or 'apart'"):
        type(data)(data.schema, data.values, repeats="once")  # type: ignore[arg-type]
