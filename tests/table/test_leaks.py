"""Columns that know the answer, or nearly, are asked about; good predictors are not."""

import numpy as np
import pytest

from probtrees.table.guess import guess_reading
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import load_sample, read_table, sample_names
from probtrees.table.table_report import inspect_table, suspicious_features

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


def late() -> Source:
    """Make a table of days of which a cut is the very class."""
    random = np.random.default_rng(2)
    days = np.where(
        random.random(900) < 0.6, random.integers(-10, 4, 900), random.integers(4, 90, 900)
    )
    return table("days,x,late", [f"{d},{n % 13},{'ny'[int(d > 3)]}" for n, d in enumerate(days)])


HUGE = [f"{'1.7976931348623157e308' if n % 2 else n},{n % 3}" for n in range(90)]


@pytest.mark.parametrize(
    ("source", "leaks"),
    [
        (falls(1.0), ["x-ray"]),
        (falls(0.96), []),
        (late(), ["days"]),
        (table("x,y", HUGE), []),
        *((name, []) for name in sample_names()),
    ],
)
def test_columns_that_may_be_leaks(source, leaks):
    data = load_sample(source) if isinstance(source, str) else read_table(source)
    assert list(suspicious_features(data)) == leaks


@pytest.mark.parametrize(("source", "aside"), [(falls(1.0), {"x-ray"}), (falls(0.96), set())])
def test_the_app_leaves_out_what_the_command_line_warns_of(source, aside):
    guess = guess_reading(lambda said: inspect_table(source, said), ReadOptions())
    assert {name for name, role in guess.reading.roles.items() if role == "ignore"} == aside
    assert set(guess.aside) == aside
    used = ReadOptions(roles=dict.fromkeys(aside, "feature"))
    assert not [f for f in inspect_table(source, used).findings if f.kind == "leak"]
