"""Names of people are asked about: a tree may learn them by heart."""

from __future__ import annotations

import pytest

from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.person_names import PERSONS
from probtrees.ui.shared.finding_words import is_question

FIRST = ("Inès", "Jürgen", "Anna", "Piotr", "Maria", "John")
LAST = ("Wójcik", "Schmidt", "O'Brien", "van Dam", "Müller-Lang")


def _applicants(name: str, cells: list[str]) -> tuple[str, bytes]:
    rows = (f"{cells[n % len(cells)]},{n % 7},{'yn'[n % 3 > 0]}" for n in range(120))
    return "t.csv", "\n".join([f"{name},x,hired", *rows]).encode()


NAMES = [f"{first} {last}" for first in FIRST for last in LAST]


@pytest.mark.parametrize("name", ["Candidate", "Applicant name", "Line manager", "Bewerber", "Nom"])
def test_names_of_people_are_asked_about(name: str) -> None:
    report = inspect_table(_applicants(name, NAMES))
    (found,) = (f for f in report.column(name).findings if f.kind == PERSONS)
    assert is_question(found, report)
    assert report.column(name).role == "feature"
    for fix in found.fixes:
        said = inspect_table(_applicants(name, NAMES), roles={name: fix.value})
        assert PERSONS not in [f.kind for f in said.column(name).findings]
    used = inspect_table(_applicants(name, NAMES), roles={name: "feature"})
    assert PERSONS not in [f.kind for f in used.column(name).findings]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Role", NAMES),
        ("Product name", NAMES),
        ("Candidate", NAMES[:5]),
        ("Candidate", [f"level {n} pool" for n in range(20)]),
    ],
)
def test_other_columns_are_not(name: str, cells: list[str]) -> None:
    report = inspect_table(_applicants(name, cells))
    assert PERSONS not in [f.kind for f in report.column(name).findings]
