"""Columns that know the answer, or nearly, are asked about; good predictors are not."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.table.infer.leaks import (
    carrying_features,
    leaking_features,
    strong_feature,
)
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample, read_table, sample_names
from probtrees.table.table_report import guess_reading, inspect_table

Source = tuple[str, bytes]


def table(names: str, lines: list[str]) -> Source:
    return "t.csv", "\n".join([names, *lines]).encode()


def falls(right: float) -> Source:
    """Make a table whose column "x-ray" agrees with the outcome in this share of the rows."""
    random = np.random.default_rng(3)
    ill = random.random(600) < 0.3
    ordered = np.where(random.random(600) < right, ill, ~ill)
    age = random.integers(20, 90, 600)
    rows = zip(age, np.where(ordered, "yes", "no"), np.where(ill, "y", "n"), strict=True)
    return table("age,x-ray,injured", [",".join(map(str, row)) for row in rows])


def fees(elsewhere: str) -> Source:
    """Make a table of a fee that one class of three pays."""
    states = ("on time", "late", "reminded")
    rows = [
        f"{n % 13},{5 + n % 4 if n % 3 == 2 else elsewhere},{states[n % 3]}" for n in range(300)
    ]
    return table("x,fee,status", rows)


def pumps(off: str, on: tuple[str, ...], right: float = 1.0) -> Source:
    """Make a table of pumps with an alarm that is on, in this share of them, where one failed."""
    random = np.random.default_rng(4)
    failed = random.random(2000) < 0.1
    kinds = np.array(["seal", "bearing", "electrical"])[random.integers(0, 3, 2000)]
    alarm = np.where(random.random(2000) < right, failed, ~failed)
    codes = np.where(alarm, np.array(on)[random.integers(0, len(on), 2000)], off)
    heat = random.integers(20, 90, 2000) + 10 * failed
    rows = zip(heat, codes, np.where(failed, kinds, "fine"), strict=True)
    return table("heat,alarm,failure", [",".join(map(str, row)) for row in rows])


def late() -> Source:
    """Make a table of days of which a cut is the very class."""
    random = np.random.default_rng(2)
    days = np.where(
        random.random(900) < 0.6, random.integers(-10, 4, 900), random.integers(4, 90, 900)
    )
    return table("days,x,late", [f"{d},{n % 13},{'ny'[int(d > 3)]}" for n, d in enumerate(days)])


@pytest.mark.parametrize(
    ("source", "leaks", "strong"),
    [
        (falls(1.0), ("x-ray",), None),
        (falls(0.96), (), "x-ray"),
        (falls(0.8), (), None),
        (fees(""), ("fee",), None),
        (fees("0"), ("fee",), None),
        (pumps("0", ("E10", "E11")), ("alarm",), None),
        (pumps("", ("x",)), ("alarm",), None),
        (pumps("0", ("E10", "E11"), right=0.95), (), None),
        (late(), ("days",), None),
        *((name, (), None) for name in sample_names()),
    ],
)
def test_columns_that_may_be_leaks(source, leaks, strong):
    data = load_sample(source) if isinstance(source, str) else read_table(source)
    assert leaking_features(data) == leaks
    assert strong_feature(data) == strong


@pytest.mark.parametrize(
    ("source", "carriers"),
    [
        (pumps("0", ("E10", "E11")), [("alarm", 1.0, "fine")]),
        (falls(0.8), []),
        (pumps("0", ("E10", "E11"), right=0.95), []),
    ],
)
def test_columns_that_carry_a_model(source, carriers):
    assert carrying_features(read_table(source)) == carriers


@pytest.mark.parametrize(("source", "aside"), [(falls(1.0), {"x-ray"}), (falls(0.96), set())])
def test_the_app_leaves_out_what_the_command_line_warns_of(source, aside):
    guess = guess_reading(lambda said: inspect_table(source, said), ReadOptions())
    assert {name for name, role in guess.reading.roles.items() if role == "ignore"} == aside
    assert set(guess.aside) == aside
    used = ReadOptions(roles=dict.fromkeys(aside, "feature"))
    assert not [f for f in inspect_table(source, used).findings if f.kind == "leak"]
