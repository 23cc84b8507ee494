"""Years that a spreadsheet shows like amounts: 2.021."""

from __future__ import annotations

import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table


def _table(name: str, years: list[str], sep: str = ",") -> tuple[str, bytes]:
    rows = [f"{year}{sep}{n % 9}{sep}{'ab'[n * 5 % 7 > 2]}" for n, year in enumerate(years)]
    return "t.csv", "\n".join([f"{name}{sep}x{sep}y", *rows]).encode()


YEARS = [f"2.0{10 + n % 14}" for n in range(90)]


@pytest.mark.parametrize("name", ["Jahr", "year", "Baujahr", "Anno di nascita", "año"])
@pytest.mark.parametrize("sep", [",", ";"])
def test_years_with_a_point_are_years_under_the_name_of_one(name, sep):
    data = read_table(_table(name, YEARS, sep))
    assert data.values[:2, 0].tolist() == [2010, 2011]
    (told,) = inspect_table(_table(name, YEARS, sep)).column(name).findings
    assert "thousands in groups" in told.sentence
    later = read_table(_table(name, ["2.021", "2.020", "1.999"], sep), schema=data.schema)
    assert later.values[:, 0].tolist() == [2021, 2020, 1999]


@pytest.mark.parametrize(
    ("name", "cells"), [("price", YEARS), ("year", ["2.5", *YEARS]), ("years", ["3.021", *YEARS])]
)
def test_other_numbers_keep_their_decimals(name, cells):
    assert read_table(_table(name, cells)).values[1, 0] < 3
