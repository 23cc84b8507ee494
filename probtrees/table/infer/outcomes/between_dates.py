"""Dates that tell the target together: the length of a stay by admission and discharge.

Neither of them need tell anything alone, yet who has both has the answer. The later one is known as
late as the answer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from probtrees.table.cells.raw_table import Dates, Numbers, RawTable, Texts
from probtrees.table.infer.leaks import SUSPICIOUS, errors_avoided, share_by_one_cut
from probtrees.table.infer.outcomes.arithmetic import relations
from probtrees.table.infer.outcomes.made_of_number import is_recode
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT, worked_out
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.types import FloatArray

_MOST_DATES, _MOST_ROWS = 8, 20_000
_FEWEST_LENGTHS, _FEWEST_ROWS = 5, 20


def ask_between_dates(
    plans: Sequence[ColumnPlan], raw: RawTable, number: FloatArray | None
) -> list[ColumnPlan]:
    """Ask about a date if the days from another one to it are the target, or tell its classes.

    ``number`` is the target before classes are made of it, see
    :func:`~probtrees.table.infer.outcomes.worked_out.numbers_of_target`.
    """
    target = next((p.name for p in plans if p.role == "target" and p.columns), None)
    dated = {p.name: column for p in plans if (column := _dates(p, raw)) is not None}
    if target is None or raw.is_summary or not 2 <= len(dated) <= _MOST_DATES:
        return list(plans)
    rows = slice(None, None, max(1, raw.n_rows // _MOST_ROWS))
    classes = raw.columns[target].as_texts()
    classes = replace(classes, codes=classes.codes[rows])
    number = None if number is None else number[rows]
    days = {name: column.days[rows] for name, column in dated.items()}
    order = sorted(dated, key=lambda name: float(np.nanmedian(dated[name].days)))
    begin_of: dict[str, str] = {}
    for begin, end in combinations(order, 2):
        if end not in begin_of and _tell(days[begin], days[end], number, classes):
            begin_of[end] = begin
    return [_asked(p, begin_of[p.name]) if p.name in begin_of else p for p in plans]


def _dates(plan: ColumnPlan, raw: RawTable) -> Dates | None:
    """Return the dates of a column that may be used, and is not called worked out already."""
    column = raw.columns.get(plan.name)
    is_told = any(found.kind == WORKED_OUT for found in plan.findings)
    if not isinstance(column, Dates) or plan.role not in ("feature", "ignore") or is_told:
        return None
    return column if np.count_nonzero(~column.missing) >= _FEWEST_ROWS else None


def _tell(begin: FloatArray, end: FloatArray, number: FloatArray | None, classes: Texts) -> bool:
    """Whether the days between two dates tell the target, and the later one alone does not."""
    days = end - begin
    known = days[~np.isnan(days)]
    if len(known) < _FEWEST_ROWS or len(np.unique(known)) < _FEWEST_LENGTHS:
        return False
    by_one_cut = share_by_one_cut(days, classes.codes.astype(np.int64), classes.n_distinct)
    if by_one_cut >= SUSPICIOUS or is_recode(days, classes.codes):
        return errors_avoided(Numbers(end), classes) < SUSPICIOUS
    return number is not None and bool(relations(number, {"days": days}))


def _asked(plan: ColumnPlan, begin: str) -> ColumnPlan:
    words = f"tells the target with {begin!r} (by the days from one to the other)"
    return replace(plan, findings=(*plan.findings, worked_out(plan, words)))
