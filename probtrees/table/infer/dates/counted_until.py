"""The day up to which ages and years are counted in a table to predict.

A model keeps the day of its training. In a table of the next year everybody is a year older, and
counting on as in training would say so of nobody.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.errors import OptionError
from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.dates import parse_dates, spell_dates, today
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.dataset import Column, Schema
from probtrees.table.infer.dates.birth_dates import age_words
from probtrees.table.read_fields import AS_TRAINED, NEWEST
from probtrees.table.table_report import Finding

COUNTED = "counted until"
"""The kind of the finding."""

_ISO = re.compile(r"\d{4}-\d\d?-\d\d?")


def count_until(
    schema: Schema, raw: RawTable | None, until: str | None
) -> tuple[Schema, tuple[Finding, ...]]:
    """Let ages and years be those on a day, and say on which; None: as in training.

    Parameters
    ----------
    raw : the table to predict; None where it is read in chunks, and its newest date is not known
    until : a date, "training", or "newest": the newest date of the table that is not in the future,
        where that is later than the day of training
    """
    said = None if until in (None, AS_TRAINED, NEWEST) else _day(str(until))
    ages = [c for c in schema.features if c.date_part == "age"]
    if said is not None and not ages:
        raise OptionError(
            f"count_until={until!r} must be left out: the model uses no date as an age or as years."
        )
    counted = [c for c in ages if said is not None or _is_counted(c, raw)]
    if until is None or not counted:
        return schema, ()
    newest = _newest(schema, raw) if raw is not None and until == NEWEST else -np.inf
    days = {c.name: max(c.spelling.at_day, newest) if said is None else said for c in counted}
    changed = tuple(
        replace(c, spelling=replace(c.spelling, at_day=days[c.name])) if c.name in days else c
        for c in schema.columns
    )
    findings = (_finding(c, days[c.name], raw, is_said=said is not None) for c in counted)
    return Schema(changed), tuple(findings)


def _is_counted(column: Column, raw: RawTable | None) -> bool:
    """Whether a column counts years to a day that no column of the table says."""
    if raw is None:
        return not column.spelling.at_column
    return column.source_name in raw.columns and column.spelling.at_column not in raw.columns


def counted_columns(schema: Schema, notes: Sequence[str]) -> list[Column]:
    """Find the columns of whose day the notes on a table speak."""
    return [
        column
        for column in schema.features
        if column.date_part == "age"
        and any(_beginning(column.source_name) in note for note in notes)
    ]


def _beginning(name: str) -> str:
    return f"Column {name!r} is read as the "


def _day(until: str) -> float:
    days = parse_dates(text_array([until])).days[0] if _ISO.fullmatch(until) else np.nan
    if np.isnan(days):
        raise OptionError(
            f"count_until={until!r} must be a date such as 2026-12-31, {NEWEST!r} or "
            f"{AS_TRAINED!r}."
        )
    return float(days)


def _newest(schema: Schema, raw: RawTable) -> float:
    """Return the newest day in the columns of dates that the model uses, unless it is to come."""
    found = -np.inf
    for column in schema.features:
        cells = raw.columns.get(column.source_name)
        if column.date_part is not None and cells is not None:
            days = cells.written(column.spelling).as_dates(column.day_first).days
            days = days[days < today() + 1]
            found = max(found, float(np.floor(days.max(initial=-np.inf))))
    return found


def _finding(column: Column, day: float, raw: RawTable | None, *, is_said: bool) -> Finding:
    """Say on which day the years of a column are counted, and on which they were in training."""
    at, trained = column.spelling.at_column, column.spelling.at_day
    is_absent = bool(at) and raw is not None and at not in raw.columns
    spelling = replace(column.spelling, at_day=day, at_column="" if is_absent else at)
    lacking = f"There is no column {at!r}. " if is_absent else ""
    because = "as was said" if is_said else "the newest date of this table"
    words = f"{because} ({spell_dates(np.array([trained]))[0]} in training)"
    words = "as in training" if day == trained else words
    return Finding(
        column.source_name,
        COUNTED,
        f"{lacking}{_beginning(column.source_name)}"
        f"{age_words(replace(column, spelling=spelling)).removeprefix('the ')}, {words}.",
        "Say another day if the rows are of one (--count-until 2026-12-31).",
    )
