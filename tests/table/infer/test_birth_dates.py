"""Dates of birth are used: they tell the age."""

import pytest

from probtrees.table.infer.inspect_table import inspect_table


def _table(name: str, first: int, years: int) -> bytes:
    rows = (
        f"{1 + n % 28}.{1 + n % 12}.{first + n % years},{n % 7},{n % 5}.5,{n % 3},{'yn'[n % 2]}"
        for n in range(120)
    )
    return "\n".join([f"{name},a,b,c,ill", *rows]).encode()


@pytest.mark.parametrize(
    ("name", "first", "years", "used"),
    [
        ("Geb.-Datum", 1935, 70, True),
        ("dob", 2018, 4, True),
        ("day", 1940, 50, True),
        ("day", 2020, 4, False),
        ("customer since", 1985, 40, False),
    ],
)
def test_birth_dates_are_used_and_others_are_not(name, first, years, used):
    report = inspect_table(("t.csv", _table(name, first, years)), target="ill")
    found = report.column(name)
    assert found.role == ("feature" if used else "ignore")
    assert any(finding.kind == "birth" for finding in found.findings) == used


def test_who_ignores_a_birth_date_is_followed():
    report = inspect_table(
        ("t.csv", _table("dob", 1950, 50)), target="ill", roles={"dob": "ignore"}
    )
    assert report.column("dob").role == "ignore"
    assert not report.column("dob").findings
