"""Columns that name the same customer in several rows, and categories that look like them."""

import warnings

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from probtrees.table.infer.guess_reading import guess_reading, why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.repeated_identifiers import REPEATED
from probtrees.ui.shared.finding_words import is_question

from probtrees.errors import ProbTreesWarning
from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table


def table(name, write, rows_each, n_values=60):
    lines = [
        f"{write(n % n_values)},{n % 7},{n % 5}.5,{'yn'[n % 3 > 0]}"
        for n in range(n_values * rows_each)
    ]
    return ("t.csv", "\n".join([f"{name},a,b,y", *lines]).encode())


@pytest.mark.parametrize(
    ("name", "write", "rows_each", "thing"),
    [
        ("Kunde", lambda n: f"K-{1023 + n}", 3, "customer"),
        ("Kunde", lambda n: 1023 + n, 3, "customer"),
        ("patient_id", lambda n: f"P{n}", 4, "patient"),
        ("PatientID", lambda n: 5000 + 7 * n, 4, "patient"),
        ("subject", lambda n: f"s{n:02d}", 24, "participant"),
        ("Matrikelnummer", lambda n: f"a{n}b", 5, "student"),
        ("device_id", lambda n: f"x{n}y", 3, "device"),
        ("record_id", lambda n: f"x{n}y", 3, "one"),
        ("ref", lambda n: f"AB{2000 + n}", 2, "one"),
        ("Herd No", lambda n: f"{28 + 7919 * n:07d}", 20, "herd"),
        ("Betriebsnr.", lambda n: 9000 + 31 * n * n, 20, "farm"),
        ("Store number", lambda n: 100 + 17 * n * n, 30, "store"),
        ("hh_id", lambda n: f"v{n % 9}h{n}", 12, "household"),
        ("Nr stada", lambda n: 50 + 13 * n * n, 15, "herd"),
        ("Nr tab.", lambda n: 3000 + n, 23, "vehicle"),
        ("vehicle no.", lambda n: 12 + 5 * n, 23, "vehicle"),
        ("bus", lambda n: 3000 + n, 23, "vehicle"),
        ("Wagen-Nr.", lambda n: 801 + n, 12, "vehicle"),
        ("numéro de véhicule", lambda n: 201 + 2 * n, 23, "vehicle"),
        ("machine no.", lambda n: 41 + n, 30, "machine"),
        ("nº de máquina", lambda n: 1001 + 7 * n, 12, "machine"),
        ("device id", lambda n: 77001 + 13 * n, 23, "device"),
        ("operator_badge", lambda n: 2000 + n, 16, "driver"),
        ("driver number", lambda n: 118 + 3 * n, 16, "driver"),
        ("Fahrernummer", lambda n: 118 + 3 * n, 16, "driver"),
        ("IDSCHOOL", lambda n: 1001 + 3 * n, 16, "school"),
        ("UKPRN", lambda n: 10001 + 37 * n * n, 3, "school"),
        ("URN", lambda n: 100001 + 37 * n * n, 4, "one"),
        ("RouteID", lambda n: f"R{100 + 7 * n}", 4, "route"),
        ("Auftragsnr.", lambda n: 100001 + 37 * n * n, 3, "order"),
    ],
)
def test_the_same_customer_in_several_rows(name, write, rows_each, thing, tmp_path):
    source = table(name, write, rows_each)
    reading = guess_reading(lambda r: inspect_table(source, **r.arguments), ReadOptions()).reading
    report = inspect_table(source, **reading.arguments)
    column = report.column(name)
    assert (column.type, column.role) == ("identifier", "ignore")
    shared = "it names something that several rows share"
    named = shared if thing == "one" else f"it names the same {thing} in several rows"
    assert why_not_used(column) == named
    (found,) = [f for f in column.findings if f.kind == REPEATED]
    assert is_question(found, report)
    together = found.fixes[0]
    whose = "rows of the same value" if thing == "one" else f"rows of one {thing}"
    assert together.label == f"Keep {whose} together"
    said = reading.with_fix(name, together.setting, together.value)
    data = read_table(source, **said.arguments)
    assert data.groups is not None
    assert len(set(data.groups.tolist())) == 60
    (back,) = [f for f in inspect_table(source, **said.arguments).findings if f.kind == "said"]
    undone = said.with_fix(name, back.fixes[0].setting, back.fixes[0].value)
    assert inspect_table(source, **undone.arguments).column(name).role == "ignore"
    path = tmp_path / "t.csv"
    path.write_bytes(source[1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ProbTreesWarning)
        assert open_chunks(str(path)).schema.names == ("a", "b", "y")


@pytest.mark.parametrize(
    ("name", "write", "rows_each", "n_values"),
    [
        ("ward", lambda n: f"W{n}", 30, 12),
        ("school", lambda n: f"School of {n}", 8, 40),
        ("school_id", lambda n: f"S{100 + n}", 15, 40),
        ("product", lambda n: f"ART-{1000 + n}", 25, 30),
        ("region", lambda n: f"{chr(65 + n)}land", 5, 25),
        ("customer type", lambda n: f"type {n}", 5, 25),
        ("icd", lambda n: f"{'EIJK'[n % 4]}{100 + n}", 6, 40),
        ("Kunde", lambda n: f"Firma {n}", 12, 8),
        ("Herd No", lambda n: f"H{n}", 15, 40),
        ("Herd", lambda n: f"Green hill {n}", 15, 60),
        ("Herd", lambda n: f"Green hill {n}", 60, 60),
        ("store_code", lambda n: f"S{n}", 55, 60),
    ],
)
def test_categories_are_no_identifiers(name, write, rows_each, n_values):
    column = inspect_table(table(name, write, rows_each, n_values)).column(name)
    assert (column.type, column.role) == ("nominal", "feature")


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("bus", lambda n: n),
        ("buses", lambda n: 3000 + n),
        ("vehicle weight", lambda n: 3000 + n),
        ("No. of buses", lambda n: 3000 + n),
        ("machine hours", lambda n: 3000 + n),
        ("device", lambda n: 1000 + 997 * n),
        ("driver age", lambda n: 18 + n),
    ],
)
def test_amounts_of_vehicles_and_machines_are_amounts(name, write):
    column = inspect_table(table(name, write, 23)).column(name)
    assert (column.type, column.role) == ("numeric", "feature")


def test_numbers_of_a_few_vehicles_are_asked_about():
    source = table("Bus-Nr.", lambda n: 301 + n, 40, 30)
    report = inspect_table(source)
    (found,) = [f for f in report.column("Bus-Nr.").findings if f.kind == "codes"]
    assert is_question(found, report)
    assert "numbers of a vehicle" in found.sentence
    assert [fix.value for fix in found.fixes] == ["nominal"]


@pytest.mark.parametrize(
    ("label", "n_schools", "kind", "is_kept"),
    [
        ("School ID", 60, REPEATED, False),
        ("School identifier", 60, REPEATED, False),
        ("School ID", 480, "identifier", False),
        ("Pupils at the school", 60, "", True),
        ("Has an ID card since", 60, "", True),
    ],
)
def test_numbers_name_a_school_by_the_label_of_their_column(
    tmp_path, label, n_schools, kind, is_kept
):
    n = np.arange(480)
    frame = pd.DataFrame({"v1": 1000.0 + 7 * (n * 11 % n_schools) ** 2, "a": n % 7, "y": n % 2})
    pyreadstat.write_sav(frame, tmp_path / "t.sav", column_labels={"v1": label})
    column = inspect_table(tmp_path / "t.sav", target="y").column("v1")
    assert (column.role == "feature") == is_kept
    assert [f.kind for f in column.findings] == ([kind] if kind else [])
    if kind == REPEATED:
        assert column.findings[0].fixes[0].label == "Keep rows of one school together"
        assert why_not_used(column) == "it names the same school in several rows"
    used = inspect_table(tmp_path / "t.sav", target="y", roles={"v1": "feature"}).column("v1")
    assert (used.type, used.role) == ("numeric", "feature")


def test_numbers_of_a_register_that_all_differ_name_the_rows_and_ages_do_not():
    cells = [
        f"{100003 + 61 * (n * n)},{8 + n % 60},{18 + n % 70},{'yn'[n % 3 > 0]}" for n in range(300)
    ]
    lines = ["URN,UAI,IDADE,y", "England,50,40,y", *cells]
    report = inspect_table(("t.csv", "\n".join(lines).encode()), target="y")
    column = report.column("URN")
    assert (column.type, column.role) == ("identifier", "ignore")
    assert why_not_used(column) == "it only names the row"
    assert [report.column(name).role for name in ("UAI", "IDADE")] == ["feature", "feature"]


@pytest.mark.parametrize(
    ("name", "thing"),
    [
        ("cow", "animal"),
        ("Kuh", "animal"),
        ("pacjent", "patient"),
        ("uczeń", "student"),
        ("trabajador", "worker"),
        ("huurder", "tenant"),
        ("player", "player"),
        ("rat", "animal"),
    ],
)
def test_numbers_of_people_and_animals_from_1_on_name_them(name, thing):
    lines = [f"{name},x,y", *(f"{1 + n // 6},{n % 13}.5,{'ab'[n % 5 > 1]}" for n in range(360))]
    column = inspect_table(("t.csv", "\n".join(lines).encode()), target="y").column(name)
    assert column.role == "ignore"
    (found,) = [f for f in column.findings if f.kind == REPEATED]
    assert found.fixes[0].label == f"Keep rows of one {thing} together"


@pytest.mark.parametrize("name", ["cows", "Spieler", "number of players", "rate", "milk per cow"])
def test_counts_of_people_and_animals_stay_numbers(name):
    lines = [f"{name},x,y", *(f"{1 + n // 6},{n % 13}.5,{'ab'[n % 5 > 1]}" for n in range(360))]
    column = inspect_table(("t.csv", "\n".join(lines).encode()), target="y").column(name)
    assert (column.role, column.type) == ("feature", "numeric")
