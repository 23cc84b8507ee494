"""Dates that tell the target together."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.guess_reading import guess_for, why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT, asks_if_worked_out

from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table
from probtrees.table.table_report import TableReport

ROWS = 400
RNG = np.random.default_rng(0)
AGE = RNG.integers(30, 90, ROWS)
BEGIN = pd.Series(pd.Timestamp("2021-01-01") + pd.to_timedelta(RNG.integers(0, 700, ROWS), "D"))
STAY = RNG.poisson(3 + AGE / 12)
END = BEGIN + pd.to_timedelta(STAY, "D")
LIVED = RNG.exponential(900, ROWS).astype(int) + 3
DIED = BEGIN + pd.to_timedelta(LIVED, "D")


def _guessed(columns: dict[str, object], target: str) -> TableReport:
    table = pd.DataFrame({"age": AGE, "ward": RNG.choice(list("AB"), ROWS), **columns})

    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(table.copy(), **reading.arguments)

    return look(guess_for(look, ReadOptions(), target).reading)


@pytest.mark.parametrize(
    ("columns", "target", "end", "begin"),
    [
        ({"admitted": BEGIN, "discharged": END, "los": STAY}, "los", "discharged", "admitted"),
        (
            {"admitted": BEGIN, "discharged": END, "long": np.where(STAY > 10, "yes", "no")},
            "long",
            "discharged",
            "admitted",
        ),
        (
            {"death": DIED, "diagnosed": BEGIN, "months": (LIVED / 30.44).round(1)},
            "months",
            "death",
            "diagnosed",
        ),
        (
            {"diagnosed": BEGIN, "death": DIED, "years": LIVED // 365.25},
            "years",
            "death",
            "diagnosed",
        ),
    ],
)
def test_the_later_date_is_set_aside_with_the_reason(
    columns: dict[str, object], target: str, end: str, begin: str
) -> None:
    """In a table with few other columns, where dates are used."""
    report = _guessed(columns, target)
    assert report.column(end).role == "ignore"
    assert report.column(begin).role == "feature"
    assert why_not_used(report.column(end)) == (
        f"it tells the target with {begin!r} (by the days from one to the other)"
    )


def test_a_date_of_death_alone_is_a_leak_as_before() -> None:
    dead = np.random.default_rng(3).random(ROWS) < 0.4
    columns = {
        "diagnosed": BEGIN,
        "death": DIED.where(dead),
        "died": np.where(dead, "yes", "no"),
    }
    report = _guessed(columns, "died")
    kinds = {found.kind for found in report.column("death").findings}
    assert "leak" in kinds
    assert WORKED_OUT not in kinds
    assert report.column("death").role == "ignore"


def test_nothing_is_said_of_dates_that_tell_little() -> None:
    again = np.where(RNG.random(ROWS) < 0.2 + 0.5 * (STAY > 10), "yes", "no")
    report = _guessed({"admitted": BEGIN, "discharged": END, "again": again}, "again")
    assert not [found for found in report.findings if found.kind == WORKED_OUT]
    columns = {"a": BEGIN, "b": DIED, "score": RNG.normal(50, 9, ROWS).round(1)}
    report = _guessed(columns, "score")
    assert not [found for found in report.findings if found.kind == WORKED_OUT]


def test_reading_asks_about_it_where_both_are_used() -> None:
    table = pd.DataFrame(
        {"age": AGE, "in": BEGIN, "out": END, "long": np.where(STAY > 10, "yes", "no")}
    )
    notes = read_table(table, "long").provenance.notes
    (asked,) = [note for note in notes if asks_if_worked_out(note)]
    assert asked.startswith("Column 'out' tells the target with 'in'")
