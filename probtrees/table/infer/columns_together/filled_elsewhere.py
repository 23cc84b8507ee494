"""Columns that are empty in the rows that are used, and filled in others, as in tables of visits.

Rows without an outcome are left out. Where a person has several rows (visits, events of REDCap),
the outcome often stands in the last of them and the birth date in the first, so that nothing is
left of it. Such columns are left out, which one line says; where other rows of the same person have
what they lack, it is offered to take it from there. Only what is the same in all rows of a person
is taken: of what was measured again nobody knows which one is meant.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.fill_down import filled_from_same, numbered, said_of_same
from probtrees.table.cells.raw_table import RawColumn, RawTable, Texts
from probtrees.table.dataset import Schema
from probtrees.table.infer.columns_together.redcap_export import (
    is_added_by_redcap,
    is_from_redcap,
)
from probtrees.table.infer.marked_cells import mark_of
from probtrees.table.infer.repeated_identifiers import REPEATED
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.infer.text_habits import listed
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding, Fix, Severity
from probtrees.types import IntArray
from probtrees.words import quoted, rows_text

EMPTY_WHERE_USED = "empty where used"
"""The kind of the finding about columns that only rows without an outcome have."""

_SHOWN = 2
_FEW_VALUES, _FEW_SHARE = 10, 0.01
"""Columns of fewer values, or of a smaller share of the rows, are not told of in sight."""
_HARDLY, _PARTLY = 0.05, 0.5
"""A column may be taken from other rows if it is filled in no larger share of those used."""
_THEN_HALF, _THEN_MOST = 0.5, 0.8
"""Share of the rows used that must have a value then: where hardly one has, and where some have."""
_ALIKE = 0.95
"""Share of the persons whose rows must not differ: more, and it is something that changes."""


@dataclass(frozen=True)
class UsedRows:
    """What columns hold in the rows that are used.

    Attributes
    ----------
    empty : columns without a value in these rows, and how many they have in others
    seldom : columns with values in at most half of these rows, as they are written
    rows : which rows are used
    """

    empty: Mapping[str, int]
    seldom: Mapping[str, RawColumn]
    rows: NDArray[np.bool_]


def look_at_used(
    raw: RawTable, options: ReadOptions, target: str | None, empty: Mapping[str, int] | None
) -> UsedRows:
    """Look which columns the rows with an outcome lack.

    Parameters
    ----------
    empty : these columns, where the rows are not here to tell, and how many values they have
    """
    if raw.is_summary:
        return UsedRows(empty or {}, {}, np.ones(0, dtype=np.bool_))
    used = _rows_used(raw, options, target)
    is_said = options.target is not None or "target" in options.roles.values()
    is_guessed = options.all_columns and not is_said  # what is to be known is still looked for
    if is_guessed or used.all() or not used.any():
        return UsedRows({}, {}, used)
    found, seldom = {}, {}
    for name, column in raw.columns.items():
        known = ~column.missing
        n_values, n_used = int(known.sum()), int(known[used].sum())
        if name != target and n_values and n_used <= _PARTLY * used.sum():
            seldom[name] = column
            if not n_used:
                found[name] = n_values
    return UsedRows(found, seldom, used)


def _rows_used(raw: RawTable, options: ReadOptions, target: str | None) -> NDArray[np.bool_]:
    """Return which rows have an outcome, as the target is written."""
    column = raw.columns.get(target or "")
    if column is None or target is None:
        return np.ones(raw.n_rows, dtype=np.bool_)
    is_cut = options.bin_target is not None or options.cut_target is not None
    is_marked = not is_cut and "blanks" not in options.as_written and mark_of(column)
    if target in options.empty_no or is_marked:
        return np.ones(raw.n_rows, dtype=np.bool_)
    texts = options.missing_for(target)
    if isinstance(column, Texts) and not options.keeps_words(target):
        texts += column.not_stated
    return ~column.without(texts).missing


def take_from_same(
    raw: RawTable, options: ReadOptions, target: str | None
) -> tuple[dict[str, str], tuple[Finding, ...]]:
    """Fill columns from other rows of the same person, as somebody said.

    Returns
    -------
    the columns that were filled, with the one that says whose row it is; and what to say of it
    """
    taken: dict[str, str] = {}
    findings: tuple[Finding, ...] = ()
    for whose in options.fill_from_same:
        if raw.is_summary or whose not in raw.columns:
            continue
        used, persons = _rows_used(raw, options, target), numbered(raw.columns[whose])
        asked = [n for n in raw.columns if options.roles.get(n, "feature") == "feature"]
        asked = [n for n in asked if n not in (target, *options.fill_from_same, *taken)]
        asked = [n for n in asked if not _is_of_redcap(n, raw)]
        names = [n for n in asked if _can_be_taken(raw.columns[n], persons, used)]
        differ = np.zeros(raw.n_rows, dtype=np.bool_)
        for name in names:
            differ |= used & said_of_same(raw.columns[name], persons).differ
            raw.columns[name] = filled_from_same(raw.columns[name], persons)
        taken |= dict.fromkeys(names, whose)
        findings += (_told(names, whose, int(differ.sum())),)
    return taken, findings


def _can_be_taken(column: RawColumn, persons: IntArray, used: NDArray[np.bool_]) -> bool:
    """Whether other rows of a person have, and agree upon, what the rows used mostly lack."""
    known = ~column.missing
    if not known.any() or not used.any():
        return False
    share = known[used].mean()
    if share > _PARTLY:
        return False
    said = said_of_same(column, persons)
    enough = _THEN_HALF if share <= _HARDLY else _THEN_MOST
    is_alike = said.n_said - said.n_differ >= _ALIKE * said.n_said
    return bool(is_alike and (said.rows >= 0)[used].mean() >= enough)


def _told(names: Sequence[str], whose: str, n_differ: int) -> Finding:
    sentence = (
        f"No column is taken from other rows of the same {quoted(whose)}: none that the rows used "
        "lack is the same in them."
    )
    if names:
        are = "is" if len(names) == 1 else "are"
        sentence = f"{_few(names)} {are} taken from other rows of the same {quoted(whose)}"
        differ = f", but not in {rows_text(n_differ)} where those differ" if n_differ else ""
        sentence += f"{differ}."
    back = Fix("Take it back", "take back", f"fill_from_same {whose}")
    return Finding(None, "said", sentence, fixes=(back,))


def remember_taken(plan: ColumnPlan, taken: Mapping[str, str]) -> ColumnPlan:
    """Let a model remember from whose rows a column was filled."""
    if plan.name not in taken:
        return plan
    whose = taken[plan.name]
    columns = (replace(c, spelling=replace(c.spelling, filled_by=whose)) for c in plan.columns)
    return replace(plan, columns=tuple(columns))


def take_as_trained(raw: RawTable, schema: Schema) -> tuple[Finding, ...]:
    """Fill the columns of a table to predict that were filled from other rows in training."""
    pairs = {(c.spelling.filled_by, c.source_name) for c in schema.columns if c.spelling.filled_by}
    findings = []
    for whose in sorted({whose for whose, _ in pairs}):
        names = [n for n in raw.columns if (whose, n) in pairs and raw.columns[n].missing.any()]
        if names and whose not in raw.columns:
            sentence = f"{_few(names)}: empty cells stay so, since there is no column {whose!r}."
            remedy = "In training they were taken from other rows of the same one."
            findings.append(Finding(None, "not taken", sentence, remedy))
            continue
        n_before = sum(int(raw.columns[n].missing.sum()) for n in names)
        for name in names:
            raw.columns[name] = filled_from_same(raw.columns[name], numbered(raw.columns[whose]))
        if n_before > sum(int(raw.columns[n].missing.sum()) for n in names):
            findings.append(replace(_told(names, whose, 0), kind="taken", fixes=()))
    return tuple(findings)


def leave_out_empty(
    plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions, used: UsedRows
) -> tuple[list[ColumnPlan], tuple[Finding, ...]]:
    """Leave columns out that the rows used lack, and tell so in one line, instead of all else."""
    classes = [column for p in plans if p.role == "target" for column in p.columns]
    if not classes or classes[0].spelling.empty:
        return list(plans), ()  # no row is used, or all of them: empty is a class
    aside = {p.name for p in plans if p.name in used.empty and _is_free(p, raw, options)}
    whose, offered = _offered(plans, raw, options, used)
    made = [
        replace(p, type="constant", role="ignore", columns=(), findings=())
        if p.name in aside
        else p
        for p in plans
    ]
    names = [p.name for p in plans if p.name in aside or p.name in offered]
    if not names:
        return made, ()
    n_rows = max(raw.n_rows, 1)
    least = max(_FEW_VALUES, _FEW_SHARE * n_rows)
    is_seen = bool(offered) or any(used.empty[name] >= least for name in aside)
    are = "is" if len(names) == 1 else "are"
    every = "every row that is used" if aside.issuperset(names) else "most rows that are used"
    sentence = f"{_few(names)} {are} empty in {every}"
    if not offered:
        remedy = f"Only rows without {quoted(_target(plans))} have values there."
        them = "it is" if len(names) == 1 else "they are"
        words = f"{sentence}; {them} left out."
        severity: Severity = "warning" if is_seen else "note"
        return made, (Finding(None, EMPTY_WHERE_USED, words, remedy, severity, done=True),)
    return made, (_offer(sentence, names, offered, whose, used, raw),)


def _is_free(plan: ColumnPlan, raw: RawTable, options: ReadOptions) -> bool:
    """Whether nobody set a column aside or said what else it is for, and it is not REDCap's own."""
    is_said = options.roles.get(plan.name, "feature") != "feature"
    can_be = plan.role in ("feature", "ignore") and not is_said
    return can_be and not _is_of_redcap(plan.name, raw)


def _is_of_redcap(name: str, raw: RawTable) -> bool:
    """Whether a column only says when or how a form of REDCap was filled in."""
    return is_from_redcap(raw.names) and is_added_by_redcap(name)


def _target(plans: Sequence[ColumnPlan]) -> str:
    return next((plan.name for plan in plans if plan.role == "target"), "")


def _offered(
    plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions, used: UsedRows
) -> tuple[str, list[str]]:
    """Return the column that says whose rows they are, and those to be taken from such rows."""
    naming = [
        p.name
        for p in plans
        if p.name in raw.columns and p.name not in options.fill_from_same and _names_rows(p)
    ]
    free = [p.name for p in plans if p.name in used.seldom and _is_free(p, raw, options)]
    best: tuple[str, list[str]] = ("", [])
    for whose in naming if used.seldom else ():
        persons = numbered(raw.columns[whose])
        columns = {n: used.seldom[n] for n in free if n != whose}
        found = [n for n, c in columns.items() if _can_be_taken(c, persons, used.rows)]
        best = (whose, found) if len(found) > len(best[1]) else best
    return best


def _names_rows(plan: ColumnPlan) -> bool:
    return plan.role == "group" or any(found.kind == REPEATED for found in plan.findings)


def _offer(
    sentence: str,
    names: Sequence[str],
    offered: Sequence[str],
    whose: str,
    used: UsedRows,
    raw: RawTable,
) -> Finding:
    """Offer to take columns from other rows of the same person."""
    them = "it" if len(offered) == 1 else "them"
    have = them if len(offered) == len(names) else f"{len(offered)} of them"
    sentence += f"; other rows of the same {quoted(whose)} have {have}."
    persons = numbered(raw.columns[whose])
    if any(_stand_below(used.seldom[name], persons, used.rows) for name in offered):
        sentence += " Some stand in rows further down: were they known before the outcome?"
    return Finding(
        None,
        EMPTY_WHERE_USED,
        sentence,
        f"Take {them} from there if known before the outcome "
        f"(--fill-from-same {shlex.quote(whose)}).",
        "warning",
        (Fix(f"Take {them} from the other rows of the same {whose}", "fill_from_same", whose),),
    )


def _stand_below(column: RawColumn, persons: IntArray, used: NDArray[np.bool_]) -> bool:
    """Whether what is taken mostly stands further down, and is younger if rows are in order."""
    rows = said_of_same(column, persons).rows
    taken = used & column.missing & (rows >= 0)
    return bool((rows > np.arange(len(rows)))[taken].mean() > _PARTLY) if taken.any() else False


def offers_to_fill(note: str) -> bool:
    """Whether a note offers to take columns from other rows of the same person."""
    return "(--fill-from-same " in note


def _few(names: Sequence[str]) -> str:
    """List columns; of many the first, and how many more.

    >>> _few(["dob", "sex", "smoker", "height"])
    "'dob', 'sex' and 2 more"
    """
    if len(names) <= _SHOWN + 1:
        return listed([*map(quoted, names)])
    return f"{', '.join(map(quoted, names[:_SHOWN]))} and {len(names) - _SHOWN} more"
