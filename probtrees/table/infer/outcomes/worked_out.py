"""Columns that are worked out of a number that is to be predicted: totals, shares, other units.

Who knows them knows the number, or nearly: they are known as late as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Dates, Numbers, RawTable, Texts
from probtrees.table.infer.outcomes.arithmetic import Relation, relations
from probtrees.table.infer.outcomes.made_of_number import is_count_of_rate, is_recode
from probtrees.table.infer.recognise_numbers import IGNORE, USE
from probtrees.table.infer.row_weights import MAYBE_COUNTS, ROW_COUNTS
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.infer.target_classes import read_as_said
from probtrees.table.infer.text_habits import listed
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray, IntArray

WORKED_OUT = "worked out"
"""The kind of a finding about such a column."""
_NOT_USED, _ASKED = " and is not used.", ". Was this known at the time of prediction?"
_REMEDY = "The app leaves it out; give it the role 'ignore' to do so here."
_OF_TOTALS = ("ratio", "share", "product", "linear")
"""What is worked out of a total is worked out of its parts."""
_MOST_ROWS = 5000


def numbers_of_target(name: str | None, raw: RawTable, options: ReadOptions) -> FloatArray | None:
    """Return the target as it is written, before classes are made of it; None where it is none."""
    column = raw.columns.get(name or "")
    if name is None or column is None or isinstance(column, Dates):
        return None
    said = read_as_said(name, column, options)
    return (column if said is None else said.column).as_numbers().values


def ask_worked_out(
    plans: Sequence[ColumnPlan], raw: RawTable, number: FloatArray | None
) -> list[ColumnPlan]:
    """Ask about columns that are sums, ratios, recodes and the like of the target."""
    target = next((p.name for p in plans if p.role == "target" and p.columns), None)
    if target is None or number is None or raw.is_summary:
        return list(plans)
    columns = {p.name: raw.columns[p.name] for p in plans if _may_be(p)}
    values = {n: column.values for n, column in columns.items() if isinstance(column, Numbers)}
    found = _sentences(target, number, values)
    rows = _some_rows(number)
    for name, column in values.items():
        if name not in found and is_count_of_rate(number[rows], column[rows]):
            found[name] = f"is {target!r} times a whole number (the count behind a rate)"
    for plan in plans:
        if plan.name not in found and _is_recode(plan, raw, number, rows):
            found[plan.name] = f"is worked out from the target ({target!r} in groups)"
    return [
        replace(plan, findings=(*plan.findings, worked_out(plan, found[plan.name])))
        if plan.name in found
        else plan
        for plan in plans
    ]


def _may_be(plan: ColumnPlan) -> bool:
    """Whether a column holds amounts that may be used."""
    counts = any(found.kind in (ROW_COUNTS, MAYBE_COUNTS) for found in plan.findings)
    return plan.role in ("feature", "ignore") and plan.type == "numeric" and not counts


def _some_rows(number: FloatArray) -> IntArray:
    """Return rows in which the target is known, not all of very many."""
    known = np.flatnonzero(np.isfinite(number))
    return known[:: max(1, len(known) // _MOST_ROWS)]


def _is_recode(plan: ColumnPlan, raw: RawTable, number: FloatArray, rows: IntArray) -> bool:
    """Whether the values of a column that may be used stand for ranges of the target."""
    column = raw.columns.get(plan.name)
    if isinstance(column, Numbers) and _may_be(plan):
        values = column.values[rows]
        known = np.isfinite(values)
        codes = np.full(len(known), -1, dtype=np.int64)
        codes[known] = np.unique(values[known], return_inverse=True)[1]
        return is_recode(number[rows], codes)
    is_used = plan.role in ("feature", "ignore") and plan.type in ("nominal", "boolean")
    return isinstance(column, Texts) and is_used and is_recode(number[rows], column.codes[rows])


def _sentences(target: str, number: FloatArray, values: dict[str, FloatArray]) -> dict[str, str]:
    """Say of columns how they are worked out of the target, or of a total that it is part of."""
    found: dict[str, str] = {}
    totals: list[str] = []
    for relation in relations(number, values):
        for name in relation.columns:
            found.setdefault(name, _words(relation, name, target))
        totals += relation.columns if relation.kind == "total" else ()
    for total in totals:
        for relation in relations(values[total], {n: v for n, v in values.items() if n != total}):
            name = relation.columns[0]
            if relation.kind in _OF_TOTALS and name not in found:
                found[name] = f"{_words(relation, name, total)}, which is worked out of the target"
    return found


def _words(relation: Relation, name: str, target: str) -> str:
    """Say how a column and the target make each other up."""
    rest = [repr(other) for other in relation.columns if other != name]
    (*_, other) = ("", *map(repr, relation.others))
    plus = [repr(one) for one in relation.columns if one not in relation.minus]
    minus = [repr(one) for one in relation.minus]
    less = f" less {listed(minus)}" if minus else ""
    summed = f"the sum of {listed(plus)}" if len(plus) > 1 else listed(plus or ["0"])
    of_parts = listed([*map(repr, relation.others), repr(target)])
    return {
        "linear": f"is {target!r} in another unit or scale",
        "total": f"is the sum of {of_parts}, the target among them",
        "parts": f"is a part of the target: {target!r} is {summed}{less}",
        "shares": f"is what the target and {listed(rest)} leave of the whole",
        "share": f"is {target!r} divided by {other}",
        "ratio": f"is {other} divided by {target!r}",
        "product": f"is {target!r} times {other}",
        "quotient": f"makes the target with {listed(rest)}: one divided by the other",
        "product of": f"makes the target with {listed(rest)}: one times the other",
    }[relation.kind]


def worked_out(plan: ColumnPlan, words: str) -> Finding:
    """Ask about a column, or say of one that is not used why; ``words`` say what it is."""
    if plan.role == "ignore":
        return Finding(
            plan.name, WORKED_OUT, f"Column {plan.name!r} {words}{_NOT_USED}", fixes=(USE,)
        )
    sentence = f"Column {plan.name!r} {words}{_ASKED}"
    return Finding(plan.name, WORKED_OUT, sentence, _REMEDY, "warning", (IGNORE,))


def why_worked_out(found: Finding) -> str:
    """Say in a few words why such a column is not used.

    >>> why_worked_out(Finding("all", "", "Column 'all' is 'n' times 'hits' and is not used."))
    "it is 'n' times 'hits'"
    """
    words = found.sentence.removeprefix(f"Column {found.column!r} ")
    return f"it {words.removesuffix(_NOT_USED).removesuffix(_ASKED)}"


def asks_if_worked_out(note: str) -> bool:
    """Whether a note asks about such a column, which nobody should overlook."""
    return note.endswith(f"{_ASKED.removeprefix('.')} {_REMEDY}".strip())
