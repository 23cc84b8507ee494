"""Six digits are a date where the name of the column and all of its cells say so."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.dataset import Schema
from probtrees.table.read_table import read_table

DAYS = np.datetime64("2022-01-03") + np.arange(120) * 5


def _table(name: str, cells: list[str]) -> tuple[str, bytes]:
    rows = [f"{cell},{n * 7 % 31},{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join([f"{name},x,y", *rows]).encode()


def _six(days) -> list[str]:
    return [str(day)[2:].replace("-", "") for day in days]


@pytest.mark.parametrize("name", ["Date", "visit_date", "Aufnahmedatum", "Fecha", "data", "Valuta"])
def test_six_digits_under_the_name_of_a_date_are_dates(name):
    column = inspect_table(_table(name, _six(DAYS))).column(name)
    assert column.type == "date"
    (told,) = (found for found in column.findings if found.kind == "date spelling")
    assert "220103 is 2022-01-03" in told.sentence
    assert told.fixes[0].value == "numeric"
    assert inspect_table(_table(name, _six(DAYS)), types={name: "numeric"}).column(name).type == (
        "numeric"
    )


def test_a_model_reads_them_alike_also_with_zeros_in_front():
    days = np.datetime64("2005-01-03") + np.arange(120) * 40
    data = read_table(_table("date", _six(days)), roles={"date": "feature"})
    expected = days.astype("datetime64[D]").astype(np.float64)
    np.testing.assert_array_equal(data.values[:, 0], expected)
    schema = Schema.from_dict(json.loads(json.dumps(data.schema.to_dict())))
    later = read_table(_table("date", _six(days[:5])), schema=schema)
    np.testing.assert_array_equal(later.values[:, 0], expected[:5])
    frame = pd.DataFrame({"date": [50103, 120131], "x": [1, 2], "y": ["a", "b"]})
    numbers = read_table(frame, schema=schema).values[:, 0]
    np.testing.assert_array_equal(numbers, [expected[0], 15370.0])


def test_births_are_not_in_the_future():
    days = np.datetime64("1944-02-03") + np.arange(120) * 200
    column = inspect_table(_table("birth_date", _six(days))).column("birth_date")
    assert column.type == "date"
    assert (column.examples[0], column.examples[-1]) == (str(days[0]), str(days[-1]))


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("amount", _six(DAYS)),
        ("candidate", _six(DAYS)),
        ("date", [str(220_000 + n * 37) for n in range(120)]),
        ("date", [str(day)[:7].replace("-", "") for day in DAYS]),
        ("date", [f"{n % 20 + 1:02d}0122" for n in range(120)]),
        ("date", [f"{n % 24 + 1:02d}{n % 12 + 1:02d}01" for n in range(120)]),
        ("date", [f"{n % 12 + 1:02d}{n % 11 + 1:02d}65" for n in range(120)]),
        ("date", ["220101", "220102"] * 60),
    ],
)
def test_other_numbers_are_none(name, cells):
    column = inspect_table(_table(name, cells)).column(name)
    assert not [found for found in column.findings if "six digits" in found.sentence]


def _year_last(days, *, day_first: bool = True) -> list[str]:
    parted = (str(day).split("-") for day in days)
    return [f"{d}{m}{y[2:]}" if day_first else f"{m}{d}{y[2:]}" for y, m, d in parted]


@pytest.mark.parametrize("first", ["1948-02-03", "2019-01-03", "2022-01-03"])
@pytest.mark.parametrize("day_first", [True, False])
def test_six_digits_that_cannot_begin_with_a_year_end_with_it(first, day_first):
    days = np.datetime64(first) + np.arange(120) * 9
    cells = _year_last(days, day_first=day_first)
    column = inspect_table(_table("visit_date", cells)).column("visit_date")
    assert column.type == "date"
    (told,) = (found for found in column.findings if found.kind == "date spelling")
    assert f"{'day' if day_first else 'month'} first ({cells[0]} is {days[0]})" in told.sentence
    data = read_table(_table("visit_date", cells), roles={"visit_date": "feature"})
    expected = days.astype("datetime64[D]").astype(np.float64)
    np.testing.assert_array_equal(data.values[:, 0], expected)
    schema = Schema.from_dict(json.loads(json.dumps(data.schema.to_dict())))
    later = read_table(_table("visit_date", cells[:5]), schema=schema)
    np.testing.assert_array_equal(later.values[:, 0], expected[:5])
    frame = pd.DataFrame({"visit_date": [int(cells[3])], "x": [1], "y": ["a"]})
    np.testing.assert_array_equal(read_table(frame, schema=schema).values[:, 0], expected[3:4])
