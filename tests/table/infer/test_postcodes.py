"""Postcodes are kept as texts, whether they begin with 0 or not."""

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from tests.table.tiny_table import csv


def test_postcodes_are_no_amounts():
    rows = [f"{80000 + n % 4 * 111},{n % 7},{'ab'[n % 2]}" for n in range(80)]
    column = inspect_table(csv("PLZ,x,y", *rows)).column("PLZ")
    assert column.type == "nominal"
    assert column.findings[0].fixes[0].label == "Read as numbers"
    assert inspect_table(csv("PLZ,x,y", *rows), types={"PLZ": "numeric"}).column("PLZ").type == (
        "numeric"
    )
    assert inspect_table(csv("price,x,y", *rows)).column("price").type == "numeric"


@pytest.mark.parametrize(
    ("name", "first", "type"),
    [
        ("CP", 75001, "nominal"),
        ("C.P.", 28001, "nominal"),
        ("CAP", 20121, "nominal"),
        ("PIN", 110001, "nominal"),
        ("pincode", 400001, "nominal"),
        ("CEP", 20040002, "nominal"),
        ("CP", 1, "numeric"),
        ("cap", 900, "numeric"),
        ("PIN", 1234, "numeric"),
    ],
)
def test_short_names_mean_postcodes_above_as_many_digits(name, first, type):
    rows = [f"{first + n % 4 * 111},{n % 7},{'ab'[n % 2]}" for n in range(80)]
    assert inspect_table(csv(f"{name},x,y", *rows)).column(name).type == type


def test_dk_means_not_known_beside_yes_and_no_only():
    rows = [f"{('yes', 'no', 'DK')[n % 3]},{('SE', 'NO', 'DK')[n % 3]},{n % 2}" for n in range(60)]
    report = inspect_table(csv("eggs,country,y", *rows))
    (found,) = report.column("eggs").findings
    assert found.fixes[0].label == "Treat 'DK' as missing"
    assert not report.column("country").findings
