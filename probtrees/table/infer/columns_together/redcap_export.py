"""Tables as REDCap exports them: events, forms that are complete or not, boxes to tick.

The first column says whose record it is, in as many rows as there are events. What REDCap adds says
how the data were entered: when a row was filled in, and whether a form was finished. Each box of a
question is a column of its own, symptoms___1, with 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.infer.identifying_numbers import is_called_identifier
from probtrees.table.infer.recognise_numbers import USE
from probtrees.table.infer.repeated_identifiers import REPEATED, repeated_finding
from probtrees.table.infer.table_plan import ColumnPlan
from probtrees.table.infer.text_habits import listed
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding
from probtrees.words import quoted

REDCAP_EVENT, REDCAP_FORM = "event of REDCap", "form of REDCap"
"""The kinds of findings about columns that REDCap adds."""
_EVENTS = (
    "redcap_event_name",
    "redcap_repeat_instrument",
    "redcap_repeat_instance",
    "redcap_survey_identifier",
)
_BOX = re.compile(r"[a-z]\w*?___\w+", re.I)
_FORM = re.compile(r"[a-z]\w*_complete", re.I)
_STATES = frozenset({"0", "1", "2", "Incomplete", "Unverified", "Complete"})
_RECORD = ("record_id", "study_id")
_SHOWN = 3
_BOX_LABELS = (("0", "no"), ("1", "yes"))


def is_from_redcap(names: Sequence[str]) -> bool:
    """Whether columns are called as in an export of REDCap.

    >>> is_from_redcap(["record_id", "age", "baseline_complete"]), is_from_redcap(["id", "age"])
    (True, False)
    """
    if any(name in _EVENTS or name == "redcap_data_access_group" for name in names):
        return True
    forms = any(map(_FORM.fullmatch, names))
    return forms and (names[0] in _RECORD or any(map(_BOX.fullmatch, names)))


def is_added_by_redcap(name: str) -> bool:
    """Whether a column of such an export is called as one that says how the data were entered.

    >>> is_added_by_redcap("baseline_complete"), is_added_by_redcap("redcap_event_name")
    (True, True)
    """
    return name.startswith("redcap_") or _FORM.fullmatch(name) is not None


def read_boxes(raw: RawTable, options: ReadOptions, target: str | None) -> RawTable:
    """Read boxes to tick as yes and no, unless somebody says what they are; a note says so."""
    boxes = [name for name in raw.names if _BOX.fullmatch(name) and _is_ticked(raw, name)]
    boxes = [name for name in boxes if name != target and name not in options.types]
    if not boxes:
        return raw
    for name in boxes:
        values = raw.columns[name].as_numbers().values
        codes = np.where(np.isnan(values), -1, values).astype(np.int32)
        raw.columns[name] = Texts.of(codes, ("no", "yes"), declared=True)
    shown = listed([*map(quoted, boxes[:_SHOWN])])
    more = f" and {len(boxes) - _SHOWN} more" if len(boxes) > _SHOWN else ""
    note = Finding(
        None,
        "boxes",
        f"Boxes to tick, {shown}{more}, are read as 'yes' for 1 and 'no' for 0.",
        "Set the type of one to 'numeric' to keep its numbers.",
    )
    labels = {**raw.value_labels, **dict.fromkeys(boxes, _BOX_LABELS)}
    return replace(raw, value_labels=labels, findings=(*raw.findings, note))


def _is_ticked(raw: RawTable, name: str) -> bool:
    """Whether a column holds 0 and 1 only, and both of them."""
    column = raw.columns.get(name)
    if column is None or isinstance(column, Dates) or name in raw.value_labels:
        return False
    is_told = column.declared or (isinstance(column, Texts) and column.boolean)
    return not is_told and _different(column) == {"0", "1"}


def _different(column: RawColumn) -> set[str]:
    """Return the different texts of a column, or some where there are many."""
    if isinstance(column, Numbers) and len(np.unique(column.values[:1000])) > len(_STATES):
        return set()
    texts = column.as_texts()
    pairs = zip(texts.texts, texts.rows_of.tolist(), strict=True)
    return {text.strip() for text, n_rows in pairs if n_rows}


def set_redcap_aside(
    plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions
) -> list[ColumnPlan]:
    """Leave out what REDCap adds to a table, and say whose the rows of a record are."""
    if not is_from_redcap(raw.names):
        return list(plans)
    made = [p if p.name in options.roles else _aside(p, raw) for p in plans]
    first = made[0]
    is_record = any(name in _EVENTS for name in raw.names) and is_called_identifier(first.name)
    if is_record and first.name not in options.roles and first.role in ("feature", "ignore"):
        made[0] = _as_record(first, raw)
    return made


def _aside(plan: ColumnPlan, raw: RawTable) -> ColumnPlan:
    if plan.role != "feature" or plan.name not in raw.columns:
        return plan
    kind = words = ""
    if plan.name in _EVENTS:
        kind, words = REDCAP_EVENT, "says when or on which form of REDCap a row was filled in"
    elif _FORM.fullmatch(plan.name) and _different(raw.columns[plan.name]) <= _STATES:
        kind, words = REDCAP_FORM, "says whether a form of REDCap is complete"
    if not kind:
        return plan
    found = Finding(plan.name, kind, f"Column {plan.name!r} {words}, and is ignored.", fixes=(USE,))
    return replace(plan, role="ignore", columns=(), findings=(found,))


def _as_record(plan: ColumnPlan, raw: RawTable) -> ColumnPlan:
    """Take the first column for the person that rows belong to, where it repeats."""
    column = raw.columns[plan.name]
    codes = column.as_texts().codes
    n_known = int((codes >= 0).sum())
    n_distinct = len(np.unique(codes[codes >= 0]))
    if not 1 < n_distinct < n_known:
        return plan
    found = repeated_finding(plan.name, n_distinct, n_known, called="person id")
    others = tuple(f for f in plan.findings if f.kind not in (REPEATED, "identifier", "codes"))
    return replace(plan, type="identifier", role="ignore", columns=(), findings=(*others, found))
