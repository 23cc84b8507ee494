"""Columns that know the answer, or nearly, are asked about; good predictors are not."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.table.infer.leaks import (
    carrying_features,
    leaking_features,
    standing_out,
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


def reduced_doses() -> Source:
    """Make a table of what was done about an outcome, though often for another reason."""
    random = np.random.default_rng(5)
    toxic = random.random(800) < 0.22
    reduced = random.random(800) < np.where(toxic, 0.73, 0.08)
    age = random.integers(30, 90, 800)
    rows = [f"{a},{r:d},{t:d}" for a, r, t in zip(age, reduced, toxic, strict=True)]
    return table("age,dose_red,toxic", rows)


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


def leavers(right: float = 1.0, some: float = 0.9) -> Source:
    """Write where pupils went, of those who left for three reasons, and of hardly any other."""
    random = np.random.default_rng(9)
    labels = random.choice(4, 2400, p=[0.9, 0.04, 0.03, 0.03])
    has = np.where(labels > 0, random.random(2400) < some, random.random(2400) > right)
    words = np.array(["East", "West", "South"])[random.integers(0, 3, 2400)]
    reasons = ("stays", "W1", "W3", "W8")
    rows = [f"{n % 13},{words[n] if has[n] else ''},{reasons[k]}" for n, k in enumerate(labels)]
    return table("x,went,reason", rows)


@pytest.mark.parametrize(
    ("source", "leaks", "strong"),
    [
        (falls(1.0), ("x-ray",), None),
        (falls(0.96), (), "x-ray"),
        (falls(0.8), (), None),
        (reduced_doses(), (), "dose_red"),
        (fees(""), ("fee",), None),
        (fees("0"), ("fee",), None),
        (pumps("0", ("E10", "E11")), ("alarm",), None),
        (pumps("", ("x",)), ("alarm",), None),
        (pumps("0", ("E10", "E11"), right=0.95), (), None),
        (late(), ("days",), None),
        (leavers(), ("went",), None),
        (leavers(right=0.98), (), None),
        (leavers(some=0.08), (), None),
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


def test_two_columns_that_are_alike_do_not_stand_out():
    assert standing_out({"a": 0.9, "b": 0.3}) == "a"
    assert standing_out({"a": 0.9, "b": 0.8}) is None
    assert standing_out({"a": 0.6}) is None
    assert standing_out({}) is None


@pytest.mark.parametrize(("source", "aside"), [(falls(1.0), {"x-ray"}), (falls(0.96), set())])
def test_the_app_leaves_out_what_the_command_line_warns_of(source, aside):
    guess = guess_reading(lambda said: inspect_table(source, said), ReadOptions())
    assert {name for name, role in guess.reading.roles.items() if role == "ignore"} == aside
    assert set(guess.aside) == aside
    used = ReadOptions(roles=dict.fromkeys(aside, "feature"))
    assert not [f for f in inspect_table(source, used).findings if f.kind == "leak"]
