"""Remarks are set aside also where they repeat, by what their column is called."""

from __future__ import annotations

import pytest
from probtrees.table.infer.guess_reading import why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import REMARKS

SAID = ("retest 60d", "DNA taken", "lump measured twice", "")


def table(name: str, said: tuple[str, ...] = SAID) -> tuple[str, bytes]:
    lines = [
        f"{n % 13},{said[n * 7 % len(said)]},{'abc'[n % 3]},{'yn'[n % 5 > 0]}" for n in range(200)
    ]
    return "t.csv", "\n".join([f"x,{name},kind,ill", *lines]).encode()


@pytest.mark.parametrize("name", ["Remarks", "Bemerkung", "vet_comments", "Uwagi", "Notes"])
def test_remarks_that_repeat_are_set_aside_once_said(name):
    report = inspect_table(table(name))
    column = report.column(name)
    assert column.role == "ignore"
    (found,) = column.findings
    assert not is_question(found, report)
    assert (found.kind, found.severity) == (REMARKS, "warning")
    assert "'DNA taken'" in found.sentence
    assert why_not_used(column).startswith("it holds remarks")
    (fix,) = found.fixes
    said = ReadOptions().with_fix(name, fix.setting, fix.value)
    used = inspect_table(table(name), **said.arguments).column(name)
    assert (used.role, used.findings) == ("feature", ())


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("comment type", SAID),
        ("note", ("A", "B", "C")),
        ("Comments", ("yes", "no")),
        ("comments", ("1", "2", "7")),
        ("breed", SAID),
    ],
)
def test_kinds_marks_answers_and_numbers_are_used(name, said):
    assert inspect_table(table(name, said)).column(name).role == "feature"


def test_a_target_may_be_called_so():
    assert read_table(table("Remarks"), "Remarks").schema.target.name == "Remarks"
