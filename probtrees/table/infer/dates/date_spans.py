"""Days from one date of a row to another: from admission to discharge, from loss to report."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.table.cells.raw_table import Dates, Numbers, RawTable, Texts
from probtrees.table.dataset import Column
from probtrees.table.infer.dates.birth_dates import are_birth_dates
from probtrees.table.infer.dates.end_dates import are_end_dates
from probtrees.table.infer.leaks import STRONG, errors_avoided
from probtrees.table.infer.outcomes.known_afterwards import known_afterwards
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.read_options import ReadOptions
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import Finding, Fix, Role

SPAN = "date span"
"""The kind of the offer."""
USED_SPAN = "date span used"

_MOST_OFFERS = 3
_IN_ORDER, _KNOWN = 0.98, 0.5
"""Shares of the rows: with both dates in order, of those that have both; and that have both."""
_FEWEST_LENGTHS = 5
_MOST_DAYS = 3653.0
"""Between dates further apart something else lies, as a life."""
_FILLED_ALIKE = 0.2
"""How much the shares of filled cells may differ between outcomes."""
_FEWEST_OPEN = 10
"""Rows without an outcome that are enough to compare with the others."""


def with_spans(
    plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions, where: str
) -> list[ColumnPlan]:
    """Use the days from one date to another, as somebody said, in place of the first."""
    return [
        _with_span(plan, options.days_to[plan.name], raw, where)
        if plan.name in options.days_to
        else plan
        for plan in plans
    ]


def _with_span(plan: ColumnPlan, to: str, raw: RawTable, where: str) -> ColumnPlan:
    begin, end = raw.columns.get(plan.name), raw.columns.get(to)
    for name, column in ((plan.name, begin), (to, end)):
        if not isinstance(column, Dates):
            raise DataError(f"days_to: column={name!r} of {where} must hold dates.")
    if plan.role not in ("feature", "ignore", "time"):
        raise DataError(
            f"days_to: column={plan.name!r} must not have the role {plan.role!r}, so that the days "
            "can be used."
        )
    assert isinstance(begin, Dates)
    assert isinstance(end, Dates)
    known = plan.columns[0].spelling if plan.columns else Spelling()
    spelling = replace(known, at_column=to, at_day_first=end.day_first)
    span = Column(
        f"days from {plan.name} to {to}", None, plan.name, "span", begin.day_first, spelling
    )
    said = Finding(plan.name, USED_SPAN, f"Column {plan.name!r} is used as the days to {to!r}.")
    role: Role = "time" if plan.role == "time" else "feature"
    left = tuple(found for found in plan.findings if found.severity == "error")
    return replace(plan, role=role, columns=(span,), findings=(*left, said))


def offer_spans(
    plans: Sequence[ColumnPlan], raw: RawTable, classes: Texts | None, options: ReadOptions
) -> tuple[Finding, ...]:
    """Offer the days between dates that follow each other in nearly all rows.

    Not where the second date, or the days, tell the outcome: a date of death that only the dead
    have, an end that comes when it is known. Nor where its name says so: the last contact, or the
    day on which a deal was closed.
    """
    if classes is None:
        return ()
    dated = {
        plan.name: column
        for plan in plans
        if plan.type == "date"
        and plan.role in ("feature", "ignore", "time")
        and isinstance(column := raw.columns.get(plan.name), Dates)
        and not column.missing.all()
        and not are_birth_dates(plan.name, column)
        and not are_end_dates(plan.name)
    }
    order = sorted(dated, key=lambda name: float(np.nanmedian(dated[name].days)))
    asked = [(a, b) for a, b in pairwise(order) if a not in options.days_to]
    target = next((plan.name for plan in plans if plan.role == "target"), "")
    asked = [(a, b) for a, b in asked if known_afterwards(b, target, classes.texts) is None]
    good = [(a, b) for a, b in asked if _is_worth_it(dated[a], dated[b], classes)]
    return tuple(_offer(a, b) for a, b in good[:_MOST_OFFERS])


def _is_worth_it(begin: Dates, end: Dates, classes: Texts) -> bool:
    days = end.days - begin.days
    known = ~np.isnan(days)
    if known.sum() < _KNOWN * len(days):
        return False
    lengths = np.floor(days[known])
    if np.mean(lengths >= 0) < _IN_ORDER or np.median(lengths) > _MOST_DAYS:
        return False
    if len(np.unique(lengths)) < _FEWEST_LENGTHS or _tells_by_blanks(known, classes):
        return False
    return errors_avoided(Numbers(days), classes) < STRONG


def _tells_by_blanks(known: NDArray[np.bool_], classes: Texts) -> bool:
    """Whether dates are filled in for some outcomes rather than for others.

    Rows whose outcome is not known yet count as those of one more: deals that are still open.
    """
    shares = [
        known[rows].mean()
        for code in range(-1, classes.n_distinct)
        if (rows := classes.codes == code).sum() >= (_FEWEST_OPEN if code < 0 else 1)
    ]
    return bool(shares) and max(shares) - min(shares) > _FILLED_ALIKE


def _offer(begin: str, end: str) -> Finding:
    return Finding(
        begin,
        SPAN,
        f"{end!r} comes after {begin!r} in nearly all rows: the days from one to the other may "
        "tell more than the dates.",
        "Use them if both dates are known when the question is asked "
        f"(--days-to {shlex.quote(f'{begin}={end}')}).",
        "warning",
        (Fix(f"Use the days from {begin} to {end}", "days_to", end),),
    )
