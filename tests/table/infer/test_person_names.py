"""Names of people are left out, and asked about: a tree may learn them by heart."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.errors import ProbTreesWarning
from probtrees.table.read_table import read_table
from probtrees.table.table_report import PERSONS

FIRST = ("Inès", "Jürgen", "Anna", "Piotr", "Maria", "John")
LAST = ("Wójcik", "Schmidt", "O'Brien", "van Dam", "Müller-Lang")


def _applicants(name: str, cells: list[str]) -> tuple[str, bytes]:
    rows = (f"{cells[n % len(cells)]},{n % 7},{'yn'[n % 3 > 0]}" for n in range(120))
    return "t.csv", "\n".join([f"{name},x,hired", *rows]).encode()


NAMES = [f"{first} {last}" for first in FIRST for last in LAST]


@pytest.mark.parametrize("name", ["Candidate", "Applicant name", "Line manager", "Bewerber", "Nom"])
def test_names_of_people_are_left_out_and_asked_about(name: str) -> None:
    report = inspect_table(_applicants(name, NAMES))
    (found,) = (f for f in report.column(name).findings if f.kind == PERSONS)
    assert is_question(found, report)
    assert report.column(name).role == "ignore"
    assert "and is ignored" in found.sentence
    with pytest.warns(ProbTreesWarning, match="names of people"):
        data = read_table(_applicants(name, NAMES))
    assert name not in [column.name for column in data.schema.columns]
    for fix in found.fixes:
        said = inspect_table(_applicants(name, NAMES), roles={name: fix.value})
        assert PERSONS not in [f.kind for f in said.column(name).findings]
        assert said.column(name).role == fix.value
    assert [fix.value for fix in found.fixes] == ["group", "feature"]


@pytest.mark.parametrize("name", ["Nachname", "last_name", "Apellido", "Prénom"])
def test_one_word_is_a_name_under_the_name_of_a_first_or_last_name(name: str) -> None:
    cells = [f"{first}{last}" for first in "KLM" for last in ("arlic", "evin", "ohner", "üller")]
    assert inspect_table(_applicants(name, cells)).column(name).role == "ignore"
    assert inspect_table(_applicants("Name", cells)).column("Name").role == "feature"


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


MAILS = [f"a{n}.b@home{n % 4}.co.uk" for n in range(30)]
PHONES = [f"(555) 01{n:02}" for n in range(30)]
DIALLED = [f"555-01{n:02}" for n in range(30)]


@pytest.mark.parametrize(
    ("name", "cells", "what"),
    [
        ("x", MAILS, "e-mail addresses"),
        ("Contact", [*MAILS, "none"], "e-mail addresses"),
        ("Where", PHONES, "telephone numbers"),
        ("Home phone", DIALLED, "telephone numbers"),
        ("Telefon", [f"030/9419{n:02}" for n in range(30)], "telephone numbers"),
        ("x", [f"+49 30 9419{n:02}" for n in range(30)], "telephone numbers"),
    ],
)
def test_telephone_numbers_and_mail_addresses_are_left_out(
    name: str, cells: list[str], what: str
) -> None:
    report = inspect_table(_applicants(name, cells))
    (found,) = report.column(name).findings
    assert what in found.sentence
    assert is_question(found, report)
    assert report.column(name).role == "ignore"
    assert [fix.value for fix in found.fixes] == ["group", "feature"]
    with pytest.warns(ProbTreesWarning, match=what):
        data = read_table(_applicants(name, cells))
    assert name not in [column.name for column in data.schema.columns]
    used = inspect_table(_applicants(name, cells), roles={name: "feature"})
    assert used.column(name).role == "feature"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("part", [f"{n}-0142" for n in range(30)]),
        ("phone", [f"model {n}" for n in range(30)]),
        ("period", [f"(20{n:02}-2030)" for n in range(30)]),
        ("handle", [f"@name{n}" for n in range(30)]),
    ],
)
def test_other_texts_are_no_telephone_numbers(name: str, cells: list[str]) -> None:
    assert PERSONS not in [f.kind for f in inspect_table(_applicants(name, cells)).findings]
