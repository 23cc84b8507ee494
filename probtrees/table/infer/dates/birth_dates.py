"""Dates of birth, which unlike other dates say something about a person: the age."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.dates import DAYS_OF_YEAR, spell_dates, today
from probtrees.table.cells.raw_table import Dates, RawTable
from probtrees.table.dataset import Column, Schema
from probtrees.table.infer.dates.settle_dates import BIRTH
from probtrees.table.infer.dates.start_dates import are_start_dates
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.read_options import ReadOptions
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import Finding, Fix

_SEEN = re.compile(
    r"admi(ssion|tted)|aufnahme|visit|besuch|untersuchung|termin|examin|appl(ication|ied)|antrag|"
    r"order|bestell|auftrag|inclusion|einschluss|enrol|index|baseline|consult|entr[ée]e|ingres|"
    r"ricovero|visita|surgery|operation|\bop\b|purchase|kauf|claim|schaden|event|ereignis|"
    r"diagnos|presentation|encounter|sample|probe|entnahme",
    re.I,
)
"""How a column of dates is called on which people were seen, and had an age."""

_SPREAD, _LONG_AGO = 30 * DAYS_OF_YEAR, 10 * DAYS_OF_YEAR


def are_birth_dates(name: str, column: Dates) -> bool:
    """Whether dates are those of births: called so, or spread over decades and all long ago."""
    known = column.days[~column.missing]
    if not len(known) or known.max() > today() + 1:
        return False
    first, last = np.quantile(known, [0.05, 0.95])
    if BIRTH.search(name.replace("_", " ")):
        return True
    return bool(last - first > _SPREAD and today() - known.max() > _LONG_AGO)


def birth_finding(name: str) -> Finding:
    """Say that birth dates are used."""
    return Finding(
        name,
        "birth",
        f"Column {name!r} holds birth dates and is used: it tells how old somebody is.",
        "Use the age in years instead (--age), or ignore it if age must not matter.",
        "note",
        (Fix("Use the age in years", "ages", name), IGNORE),
    )


def with_ages(plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions) -> list[ColumnPlan]:
    """Use birth dates as ages, as somebody said, and dates on which something began as years.

    The age is that on a date of the same row on which people were seen (admission, visit, order);
    where there is none, on the newest other date of the table, or today in a table without one.
    Since something began it is counted to the newest date of the table at the latest.
    """
    dated = {
        plan.name: column
        for plan in plans
        if plan.type == "date" and isinstance(column := raw.columns.get(plan.name), Dates)
    }
    others = {n: c for n, c in dated.items() if n not in options.ages and not BIRTH.search(n)}
    known = np.concatenate([c.distinct for c in others.values()] or [np.empty(0)])
    known = known[known < today() + 1]
    newest = np.floor(float(np.nanmax(known))) if np.isfinite(known).any() else float(today())
    asked = {p.name for p in plans if p.name in options.ages and p.role == "feature"}
    seen = {name: _seen_on(dated[name], others) for name in asked.intersection(dated)}
    order = {name: others[by].day_first if by else None for name, by in seen.items()}
    until = {name: _until(name, dated[name], others, newest) for name in seen}
    began = {name for name in seen if is_start(name, dated[name])}
    return [
        _as_age(p, until[p.name], seen[p.name], order[p.name], is_age=p.name not in began)
        if p.name in seen
        else p
        for p in plans
    ]


def _until(name: str, dates: Dates, others: dict[str, Dates], newest: float) -> float:
    """Return the day to which years are counted where no date of the same row says it."""
    own = float(np.fmax.reduce(dates.distinct, initial=np.nan))
    if not is_start(name, dates) or not np.isfinite(own):
        return newest
    return max(np.floor(own), newest) if others else float(np.floor(own))


def is_start(name: str, dates: Dates) -> bool:
    """Whether something began on these dates, other than lives."""
    return are_start_dates(name, dates) and not are_birth_dates(name, dates)


def _seen_on(born: Dates, others: dict[str, Dates]) -> str:
    """Name the first column of dates on which people were seen, after they were born."""
    called = [name for name in others if _SEEN.search(name)]
    after = (n for n in called if np.nanmedian(others[n].days) > np.nanmedian(born.days))
    return next(after, "")


def _as_age(
    plan: ColumnPlan, newest: float, seen: str, order: bool | None, *, is_age: bool
) -> ColumnPlan:
    days = next((column for column in plan.columns if column.date_part == "days"), None)
    if days is None:
        return plan
    spelling = replace(days.spelling, at_column=seen, at_day=newest, at_day_first=order)
    name = f"{plan.name} ({'age' if is_age else 'years'})"
    age = Column(name, None, plan.name, "age", days.day_first, spelling)
    findings = tuple(found for found in plan.findings if found.kind not in ("birth", "date"))
    sentence = f"Column {plan.name!r} is used as {age_words(age)}."
    return replace(plan, columns=(age,), findings=(*findings, Finding(plan.name, "age", sentence)))


def age_words(column: Column) -> str:
    """Say what an age is: that of somebody, or the years since something began.

    >>> hired = Column("hired (years)", source="hired", spelling=Spelling(at_day=19000.0))
    >>> age_words(hired)
    'the years since then, counted on 2022-01-08'
    """
    is_age = column.name == f"{column.source_name} (age)"
    words = "the age in years" if is_age else "the years since then, counted"
    return f"{words} {seen_on(column.spelling)}"


def notes_on_dates(schema: Schema) -> tuple[str, ...]:
    """Say of every column of dates what it is used as.

    >>> notes_on_dates(Schema((Column("seen (days)", None, "seen", "days"), Column("y", ("a",)))))
    ("Column 'seen' is a date, used as days since 1970-01-01.",)
    """
    parts: dict[str, list[str]] = {}
    for column in schema.columns:
        if column.date_part is not None:
            words = {"days": "days since 1970-01-01"}.get(column.date_part, column.date_part)
            words = age_words(column) if words == "age" else words
            words = f"the days to {column.spelling.at_column!r}" if words == "span" else words
            parts.setdefault(column.source_name, []).append(words)
    return tuple(f"Column {name!r} is a date, used as {', '.join(p)}." for name, p in parts.items())


def seen_on(spelling: Spelling) -> str:
    """Say on which date an age is one.

    >>> seen_on(Spelling(at_day=19000.0)), seen_on(Spelling(at_column="visit", at_day=19000.0))
    ('on 2022-01-08', "on 'visit' of the same row (on 2022-01-08 where that is missing)")
    """
    day = f"on {spell_dates(np.array([spelling.at_day]))[0]}"
    by_row = f"on {spelling.at_column!r} of the same row ({day} where that is missing)"
    return by_row if spelling.at_column else day


def _without_it(column: Column) -> str:
    """Say what becomes of years or days that are counted to a date which a table lacks."""
    if column.date_part == "span":
        return f"{column.name!r} is not recorded"
    day = seen_on(replace(column.spelling, at_column=""))
    return f"ages by {column.source_name!r} are those {day}"


def lacking_dates(schema: Schema, raw: RawTable) -> tuple[Finding, ...]:
    """Say which dates of ages a table to predict lacks."""
    return tuple(
        Finding(
            column.source_name,
            "age",
            f"There is no column {column.spelling.at_column!r}: {_without_it(column)}.",
        )
        for column in schema.features
        if column.spelling.at_column and column.spelling.at_column not in raw.columns
    )
