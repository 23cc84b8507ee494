"""Clock times with a point are read where the name of the column and all of its cells say so."""

from __future__ import annotations

import json

import numpy as np
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.dataset import Schema
from probtrees.table.read_table import read_table

TIMES = [f"{6 + n % 14}.{n * 7 % 60:02d}" for n in range(150)]
HOURS = [6 + n % 14 + n * 7 % 60 / 60 for n in range(150)]


def _table(name: str, cells: list[str], mark: str = ",") -> tuple[str, bytes]:
    rows = [f"{cell}{mark}{'ab'[n % 3 > 0]}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join([f"{name}{mark}y", *rows]).encode()


@pytest.mark.parametrize("name", ["Uhrzeit", "Klo", "kl.", "hora", "start_time", "Ankunftszeit"])
def test_points_between_hours_and_minutes_are_read_as_clock_times(name):
    data = read_table(_table(name, TIMES))
    np.testing.assert_allclose(data.values[:, 0], HOURS)
    (told,) = inspect_table(_table(name, TIMES)).column(name).findings
    assert told.sentence.endswith("19.57 is read as 19:57.")
    assert told.fixes[0].value == "numeric"
    plain = read_table(_table(name, TIMES), types={name: "numeric"})
    assert plain.values[1, 0] == pytest.approx(7.07)


def test_commas_are_such_points_too():
    data = read_table(_table("Uhr", [text.replace(".", ",") for text in TIMES], ";"))
    np.testing.assert_allclose(data.values[:, 0], HOURS)


def test_a_model_reads_later_times_alike():
    data = read_table(_table("Klo", TIMES))
    schema = Schema.from_dict(json.loads(json.dumps(data.schema.to_dict())))
    for cells in (["13.15", "8.30"], ["13:15", "8:30"], ["13.15", "8:30"]):
        assert read_table(_table("Klo", cells), schema=schema).values[:, 0].tolist() == [13.25, 8.5]


def test_half_hours_are_told_from_tenths_under_the_name_of_a_clock():
    slots = [f"{8 + n % 6}.{'03'[n % 2]}0" for n in range(90)]
    assert read_table(_table("Uhrzeit", slots)).values[1, 0] == 9.5
    halves = [f"{8 + n % 6}.{'05'[n % 2]}0" for n in range(90)]
    assert read_table(_table("Uhrzeit", halves)).values[1, 0] == 9.5


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("dose", TIMES),
        ("time", [f"{n * 7 % 20}.{n * 17 % 100:02d}" for n in range(150)]),
        ("time", [f"{n % 20}.{n % 6}" for n in range(150)]),
        ("time", [f"{n % 3}.{(n % 4) * 15:02d}" for n in range(150)]),
        ("time", [f"{n % 40}.{n * 7 % 60:02d}" for n in range(150)]),
        ("hours", [str(n % 24) for n in range(150)]),
    ],
)
def test_other_numbers_are_none(name, cells):
    findings = inspect_table(_table(name, cells)).column(name).findings
    assert not [found for found in findings if "clock times" in found.sentence]


def test_noise_is_hardly_ever_taken_for_times():
    rng = np.random.default_rng(7)
    taken = 0
    for _ in range(200):
        cells = [f"{value:.2f}" for value in rng.uniform(0, 24, 60)]
        findings = inspect_table(_table("time", cells)).column("time").findings
        taken += any("clock times" in found.sentence for found in findings)
    assert taken == 0


def test_ages_in_full_years_are_numbers():
    cells = [f"만 {20 + n % 50}세" for n in range(150)]
    data = read_table(_table("age", cells))
    assert data.values[:3, 0].tolist() == [20, 21, 22]
