"""Numbers under the name of a code are asked about."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import is_question

from probtrees.table.read_options import ReadOptions


def table(name, cells):
    rows = [f"{cells[n % len(cells)]},{n % 7}.5,{'ab'[n % 5 > 1]}" for n in range(90)]
    return ("t.csv", "\n".join([f"{name},x,y", *rows]).encode())


@pytest.mark.parametrize("name", ["country_code", "Branche (NACE)", "Kst.", "ProductCode", "ICD-9"])
def test_codes_are_asked_about_and_become_categories_by_a_click(name):
    source = table(name, ["276", "250", "724", "616"])
    report = inspect_table(source)
    (found,) = report.column(name).findings
    assert (found.kind, report.column(name).type) == ("codes", "numeric")
    assert is_question(found, report)
    reading = ReadOptions().with_fix(name, found.fixes[0].setting, found.fixes[0].value)
    again = inspect_table(source, **reading.arguments)
    assert again.column(name).type == "nominal"
    assert not again.column(name).findings


@pytest.mark.parametrize(
    ("name", "cells"),
    [("decoder", ["276", "250", "724"]), ("code", ["1", "2", "3"]), ("code", ["276", "250"])],
)
def test_other_numbers_are_not(name, cells):
    assert not inspect_table(table(name, cells)).column(name).findings


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("race", ["1", "2", "3", "4"]),
        ("Bundesland", ["1", "5", "9"]),
        ("room", ["101", "205", "310"]),
        ("firmware version", ["1.2", "1.3", "2.0"]),
        ("Bukr.", ["1000", "2000", "3000"]),
        ("BuKr", ["1000", "2000", "3100"]),
        ("Bewegungsart", ["101", "261", "601"]),
        ("Steuerschlüssel", ["10", "19", "22"]),
        ("GLAccount", ["4000", "4100", "5000"]),
    ],
)
def test_what_has_names_is_asked_about_too(name, cells):
    (found,) = inspect_table(table(name, cells)).column(name).findings
    assert found.kind == "codes"
    assert [fix.label for fix in found.fixes] == ["Treat as categories"]


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("Produktcode", ["10", "11", "20", "25"]),
        ("status_code", ["1", "2", "3"]),
        ("Gemeindekennziffer", ["10101", "10102", "20201"]),
        ("ÖNACE", ["4711", "5610", "4120"]),
        ("Segment", ["1", "2", "3", "7"]),
        ("Cluster", ["1", "2", "3", "4"]),
        ("Klasse", ["1", "2", "3", "4"]),
        ("Kundengruppe", ["1", "2", "3"]),
        ("stan_cywilny", ["1", "2", "3", "4"]),
        ("stato civile", ["1", "2", "3"]),
        ("Berufsgruppe", ["1", "2", "3", "4"]),
        ("Rechtsform", ["1", "2", "3", "5"]),
    ],
)
def test_few_sorts_and_codes_are_asked_about_in_sight(name, cells):
    report = inspect_table(table(name, cells))
    (found,) = report.column(name).findings
    assert found.fixes[0].label == "Treat as categories"
    assert is_question(found, report)


def test_marital_status_is_still_asked_about_once_9_is_missing():
    cells = ["1", "2", "3", "4"] * 6 + ["9"]
    report = inspect_table(table("Fam_Stand", cells), missing_in={"Fam_Stand": ("9",)})
    assert [found.kind for found in report.column("Fam_Stand").findings] == ["codes"]


@pytest.mark.parametrize(
    "name", ["Altersgruppe", "BMI_Klasse", "severity_code", "Jahre im Beruf", "group size"]
)
def test_what_goes_up_is_not(name):
    assert not inspect_table(table(name, ["1", "2", "3", "5"])).column(name).findings


@pytest.mark.parametrize("name", ["rooms", "number of stores", "region mean", "diversion"])
def test_what_is_counted_is_not(name):
    assert not inspect_table(table(name, ["11", "12", "13"])).column(name).findings


@pytest.mark.parametrize(
    "name",
    [
        "district",
        "DistrictNo",
        "Bezirk",
        "ligne",
        "turno",
        "zmiana",
        "wijk",
        "police district",
        "distrikt",
        "okręg",
        "agenzia",
        "fuel_type",
        "Zahlungsart",
        "court",
        "zone_code",
        "cage",
    ],
)
def test_a_few_numbered_ones_can_be_categories(name):
    (found,) = inspect_table(table(name, [str(n) for n in range(1, 9)])).column(name).findings
    assert (found.kind, [fix.value for fix in found.fixes]) == ("codes", ["nominal"])


@pytest.mark.parametrize("name", ["judge", "Bezirk", "partia", "linje", "flight"])
def test_rows_of_one_of_many_can_be_kept_together(name):
    source = table(name, [str(n) for n in range(101, 131)])
    report = inspect_table(source)
    (found,) = report.column(name).findings
    assert [fix.value for fix in found.fixes] == ["nominal", "group"]
    assert is_question(found, report)
    kept = ReadOptions().with_fix(name, found.fixes[1].setting, found.fixes[1].value)
    assert inspect_table(source, **kept.arguments).column(name).role == "group"


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("zones", ["1", "2", "3"]),
        ("team size", ["5", "7", "11"]),
        ("distance to district", ["3", "4", "9"]),
        ("engine", ["998", "1598", "1998"]),
        ("field", ["1.5", "2.5", "4.5"]),
        ("floor", ["1", "2", "3"]),
        ("week", ["1", "2", "3"]),
        ("heart", ["61", "72", "80"]),
    ],
)
def test_amounts_that_sound_like_them_are_not_asked_about(name, cells):
    assert not inspect_table(table(name, cells)).column(name).findings
