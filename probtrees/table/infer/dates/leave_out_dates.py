"""Dates that nobody asked for are left out where there is something else to predict from."""

from __future__ import annotations

from dataclasses import replace

from probtrees.table.cells.raw_table import Dates, RawColumn, RawTable
from probtrees.table.infer.dates.birth_dates import are_birth_dates, birth_finding
from probtrees.table.infer.dates.end_dates import are_end_dates
from probtrees.table.infer.dates.start_dates import are_start_dates, start_finding
from probtrees.table.infer.recognise_numbers import USE
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.read_fields import USUAL_DATE_PARTS
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix

LITTLE_ELSE = 3
"""Dates are used by themselves where there are fewer other columns than this."""


def leave_out_dates(
    plans: list[ColumnPlan], raw: RawTable, options: ReadOptions
) -> list[ColumnPlan]:
    """Ignore dates that nobody asked for, unless there is little else to predict from.

    When a row was written down often says more about how the data were gathered than about what
    is to be predicted. When somebody was born does not.
    """
    born = {p.name for p in plans if _is_birth(p, raw)}
    plans = [
        replace(p, findings=(*p.findings, birth_finding(p.name))) if p.name in born else p
        for p in plans
    ]
    dates = [p for p in plans if p.type == "date" and p.role == "feature"]
    others = sum(plan.role == "feature" for plan in plans) - len(dates)
    if others < LITTLE_ELSE or options.date_parts != USUAL_DATE_PARTS:
        return plans
    asked = {*options.types, *options.roles, *options.ages, *born}
    return [
        replace(
            p,
            role="ignore",
            columns=(),
            findings=(*p.findings, *date_left_out(p.name, raw.columns[p.name])),
        )
        if p in dates and p.name not in asked
        else p
        for p in plans
    ]


def _is_birth(plan: ColumnPlan, raw: RawTable) -> bool:
    column = raw.columns.get(plan.name)
    is_used = plan.type == "date" and plan.role == "feature"
    return is_used and isinstance(column, Dates) and are_birth_dates(plan.name, column)


def date_left_out(name: str, column: RawColumn) -> tuple[Finding, ...]:
    """Say that a date is ignored; of one on which something began ask for the years since."""
    began = isinstance(column, Dates) and are_start_dates(name, column)
    why = (
        "by its name it may be known only at the end, as the outcome is."
        if are_end_dates(name)
        else "when a row was written down often says more about how the data were gathered than "
        "about the answer."
    )
    ignored = Finding(
        name,
        "date",
        f"Column {name!r} holds dates and is ignored: {why}",
        "Give it the role 'feature' to use it as a number of days, or 'time' if new rows are to be "
        "predicted from older ones.",
        "note",
        (USE, Fix("Use it as time", "role", "time")),
    )
    return (ignored, start_finding(name)) if began else (ignored,)
