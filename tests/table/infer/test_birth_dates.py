"""Dates of birth are used: they tell the age."""

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.estimators.table import rows_under
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.dataset import Schema
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict


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


def _patients(seen: str) -> bytes:
    rows = (
        f"{1 + n % 28}.{1 + n % 12}.{1940 + n % 60},{1 + n % 12}/{1 + n % 28}/{2020 + n % 3},"
        f"{n % 7},{n % 5}.5,{n % 3},{'yn'[n % 2]}"
        for n in range(120)
    )
    return "\n".join([f"Geburtsdatum,{seen},a,b,c,ill", *rows]).encode()


@pytest.mark.parametrize(
    ("seen", "first", "on"),
    [
        ("Aufnahme", 80.0, "'Aufnahme' of the same row (on 2022-12-28"),
        ("entered", 82.9, "2022-12-28"),
    ],
)
def test_birth_dates_are_ages_by_a_click(seen, first, on, tmp_path):
    source = ("t.csv", _patients(seen))
    offered = inspect_table(source).column("Geburtsdatum").findings
    fix = next(f for f in offered if f.kind == "birth").fixes[0]
    reading = ReadOptions(roles={seen: "ignore"}).with_fix("Geburtsdatum", fix.setting, fix.value)
    report = inspect_table(source, **reading.arguments)
    (found,) = report.column("Geburtsdatum").findings
    assert on in found.sentence
    data = read_table(source, **reading.arguments)
    assert data.schema.names[0] == "Geburtsdatum (age)"
    assert data.schema.columns[0].unit == "year"
    assert data.values[0, 0] == first
    assert Schema.from_dict(data.schema.to_dict()) == data.schema
    again = read_to_predict(source, data.schema)
    np.testing.assert_array_equal(again.values, data.values)
    path = tmp_path / "t.csv"
    path.write_bytes(source[1])
    chunked = open_chunks(str(path), ages=["Geburtsdatum"])
    assert chunked.schema == data.schema
    back = next(f for f in report.findings if f.kind == "said").fixes[0]
    plain = reading.with_fix("Geburtsdatum", back.setting, back.value)
    assert read_table(source, **plain.arguments).schema.names[0] == "Geburtsdatum (days)"


def test_ages_of_later_rows_are_those_on_their_own_dates():
    data = read_table(("t.csv", _patients("Aufnahme")), ages=["Geburtsdatum"])
    later = b"GEBURTSDATUM,aufnahme,a,b,c\n1.1.1990,1/13/2030,1,1,1\n1.1.1990,,1,1,1\n"
    rows = read_to_predict(("l.csv", later), data.schema)
    assert rows.values[:, 0].tolist() == [40.0, 32.9]
    lacking = read_to_predict(("l.csv", later.replace(b"aufnahme", b"x")), data.schema)
    assert lacking.values[0, 0] == 32.9
    assert "There is no column 'Aufnahme'" in " ".join(lacking.provenance.notes)
    row = {"Geburtsdatum": "1.1.1990", "Aufnahme": "1/13/2030"}
    assert rows_under(data.schema, row).values[0, 0] == 40.0
