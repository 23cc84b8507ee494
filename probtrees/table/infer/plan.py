"""What becomes of every column of a table: its role, its type, and the schema that follows.

Nothing here looks at rows: distinct values and how often they occur decide, so that a table that is
read in chunks is planned by the same rules from a summary of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from probtrees.table.dataset import Column, Schema
from probtrees.table.findings import ColumnType, Finding, Fix, Role
from probtrees.table.infer.identify import aside_finding, count_finding, weight_finding
from probtrees.table.infer.recognise import Recognised, recognise
from probtrees.table.infer.target import plan_target
from probtrees.table.raw_table import RawColumn, RawTable
from probtrees.table.read_options import ReadOptions
from probtrees.table.readings.reading import PLAIN, ColumnReading
from probtrees.table.readings.spellings import name_says
from probtrees.table.readings.words import is_missing_word
from probtrees.table.steps import STEPS, apply_steps, find_step, offers
from probtrees.words import rows_text

_LITTLE_ELSE = 3
_ROW_ROLES = ("weight", "group", "time")


@dataclass(frozen=True)
class ColumnPlan:
    """One column of the table: role, type, the schema columns made from it, and its label.

    ``reading`` says how its cells are written, also if it is not used.
    """

    name: str
    type: ColumnType
    role: Role
    columns: tuple[Column, ...] = ()
    findings: tuple[Finding, ...] = ()
    label: str = ""
    reading: ColumnReading = PLAIN


@dataclass(frozen=True)
class TablePlan:
    """All columns in file order, and findings about the table as a whole.

    ``given`` is the schema that the table is read for, if there is one.
    """

    columns: tuple[ColumnPlan, ...]
    findings: tuple[Finding, ...] = ()
    given: Schema | None = None

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Everything found, the table first."""
        return (*self.findings, *(f for column in self.columns for f in column.findings))

    @property
    def schema(self) -> Schema:
        """The schema given; else the features in file order, the target last."""
        if self.given is not None:
            return self.given
        # The time of a row may be no feature while the days from it to another date are.
        used = ("feature", "time")
        features = [c for plan in self.columns if plan.role in used for c in plan.columns]
        target = [c for plan in self.columns if plan.role == "target" for c in plan.columns]
        return Schema((*features, *target))


@dataclass
class _Looked:
    """A column on its way to its plan: what was found, and what somebody said."""

    name: str
    found: RawColumn
    recognised: Recognised
    role: Role | None
    steps: tuple[dict[str, Any], ...] = ()


def plan_table(raw: RawTable, options: ReadOptions, where: str) -> TablePlan:
    """Look at every column and decide its role and type; the table itself is not changed."""
    options.check_columns(raw.names, where)
    target = options.target_name(raw.names)
    for step in options.steps:
        find_step(step)
    looked = {name: _look(name, raw, options, target) for name in raw.names if name in raw.columns}
    _settle_order(looked, raw, options, target)
    plans = [
        _plan_column(looked[name], raw, is_target=name == target)
        if name in looked
        else ColumnPlan(name, "text", "ignore")
        for name in raw.names
    ]
    plans = _ask_about_counts(_leave_out_dates(plans, options), raw, options)
    return TablePlan(tuple(plans), (*raw.findings, *_table_findings(plans, raw.n_rows, where)))


def _look(
    name: str,
    raw: RawTable,
    options: ReadOptions,
    target: str | None,
    day_first: bool | None = None,
) -> _Looked:
    """Carry out the first steps of a column, and recognise what it holds."""
    steps = [(find_step(said), said) for said in options.steps_for(name)]
    base = _base(name, raw, options)
    for step, said in steps:
        if step.first:
            (base,) = step.resolve(base, apply_steps(raw, base) or raw.columns[name], raw, said)
    found = apply_steps(raw, base)
    assert found is not None
    later = tuple(dict(said) for step, said in steps if not step.first)
    forced = options.types.get(name, "")
    if options.date_order is not None:
        day_first = options.date_order == "day"
    if name == target:
        of_target = [dict(said) for said in options.steps if STEPS[said["step"]].of_target]
        recognised = plan_target(base, found, raw, forced, (*later, *of_target))
    else:
        recognised = recognise(base, found, raw.decimal, forced, day_first)
        is_wanted = options.roles.get(name) == "feature" or bool(later)
        if recognised.aside and not recognised.columns and is_wanted:
            recognised = recognise(base, found, raw.decimal, "nominal")
    return _Looked(name, found, recognised, options.roles.get(name), later)


def _base(name: str, raw: RawTable, options: ReadOptions) -> Column:
    """Begin the column of a schema: its label, and what means missing in it."""
    labels = raw.value_labels.get(name, ())
    missing = dict.fromkeys((*options.missing_for(name), *raw.missing.get(name, ())))
    # Numbers that a file labels as no answer are none; among labelled categories they may matter.
    named = {code: label for code, label in labels if is_missing_word(label)}
    if labels and len(named) == len(labels):
        missing |= dict.fromkeys((*named, *named.values()))
    reading = ColumnReading(missing=tuple(missing))
    return Column(name, reading=reading, label=raw.labels.get(name, ""), value_labels=labels)


def _settle_order(
    looked: dict[str, _Looked], raw: RawTable, options: ReadOptions, target: str | None
) -> None:
    """Read dates that do not say if day or month come first as other dates of the table do."""
    open_ones = [name for name, each in looked.items() if each.recognised.asks_order]
    settled = [each.recognised for name, each in looked.items() if name not in open_ones]
    orders = {column.reading.day_first for found in settled for column in found.columns} - {None}
    if len(orders) == 1:
        order = orders.pop()
        for name in open_ones:
            looked[name] = _look(name, raw, options, target, order)


def _plan_column(looked: _Looked, raw: RawTable, *, is_target: bool) -> ColumnPlan:
    """Decide the role of a column, and carry out the steps that come after its reading."""
    name, found, role = looked.name, looked.recognised, looked.role
    reading = found.columns[0].reading if found.columns else PLAIN
    plan = ColumnPlan(name, found.type, "feature", (), (), raw.labels.get(name, ""), reading)
    if is_target:
        return replace(plan, role="target", columns=found.columns, findings=found.findings)
    if role in _ROW_ROLES or role == "ignore":
        # A time may be no feature while the days from it to another date are.
        is_changed = role == "time" and bool(looked.steps)
        made = _with_steps(found.columns, looked, raw) if is_changed else ()
        kept = tuple(f for f in found.findings if f.question == "order" and role == "time")
        return replace(plan, role=role, columns=made, findings=kept)
    changes = any(step["step"] in ("group", "split", "age") for step in looked.steps)
    if found.aside and role is None and not changes:
        return replace(plan, role="ignore", findings=found.findings)
    findings = found.findings
    if role == "feature" or changes:
        beside = (f for f in findings if f.question not in ("aside", "rows"))
        findings = tuple(f for f in beside if f.kind != "constant")
    columns = _with_steps(found.columns, looked, raw)
    if role is None and not changes and found.type == "numeric":
        weight = weight_finding(name, looked.found, plan.label)
        findings += (weight,) if weight else ()
    if columns and columns == found.columns:
        findings += offers(columns[0], looked.found)
    kind = found.type if not changes or found.type == "date" else "nominal"
    return replace(plan, type=kind, columns=columns, findings=findings)


def _with_steps(columns: tuple[Column, ...], looked: _Looked, raw: RawTable) -> tuple[Column, ...]:
    """Carry out the steps of a column that come after its reading."""
    for said in looked.steps:
        step = STEPS[said["step"]]
        made: list[Column] = []
        for column in columns:
            made += step.resolve(column, apply_steps(raw, column) or looked.found, raw, said)
        columns = tuple(made)
    return columns


def _leave_out_dates(plans: list[ColumnPlan], options: ReadOptions) -> list[ColumnPlan]:
    """Ignore dates that nobody asked for, unless there is little else to predict from.

    When a row was written down often says more about how the data were gathered than about what
    is to be predicted. A date of birth tells how old somebody is.
    """
    used = [plan for plan in plans if plan.role == "feature"]
    if sum(plan.type != "date" for plan in used) < _LITTLE_ELSE:
        return plans
    asked = {*options.types, *options.roles, *(step.get("column") for step in options.steps)}
    left = {p.name for p in used if p.type == "date" and not name_says(p.name, "birth")} - asked
    return [
        replace(p, role="ignore", columns=(), findings=(*p.findings, _date_left_out(p.name)))
        if p.name in left
        else p
        for p in plans
    ]


def _date_left_out(name: str) -> Finding:
    sentence = f"Column {name!r} holds dates and is ignored."
    time = Fix("Use it as time", "role", "time", name)
    remedy = "Give it the role 'feature' to use it as a number of days, or 'time' if new rows are "
    remedy += "to be predicted from older ones."
    return replace(aside_finding(name, "date", sentence, time), remedy=remedy, question="rows")


def _ask_about_counts(
    plans: Sequence[ColumnPlan], raw: RawTable, options: ReadOptions
) -> list[ColumnPlan]:
    """Ask of a table of counts whether its rows stand for as many cases as a column says."""
    held = [p.name for p in plans if p.name in raw.columns and p.role in ("feature", "target")]
    counts = [name for name in held if name_says(name, "count") and name not in options.roles]
    if "weight" in options.roles.values() or len(counts) != 1:
        return list(plans)
    name = counts[0]
    others = [raw.columns[other] for other in held if other != name]
    finding = count_finding(name, raw.columns[name], others)
    found = () if finding is None else (finding,)
    return [replace(p, findings=(*found, *p.findings)) if p.name == name else p for p in plans]


def _table_findings(plans: Sequence[ColumnPlan], n_rows: int, where: str) -> tuple[Finding, ...]:
    """Report what concerns the table as a whole."""
    roles = {plan.role for plan in plans}
    if n_rows < 2:
        sentence = f"{where} must have at least two rows to learn from; it has {rows_text(n_rows)}."
        return (Finding(None, None, sentence, "Add rows.", "error", kind="rows"),)
    if "target" not in roles:
        sentence = f"{where} must have a target; every column has another role."
        remedy = "Give one column the role 'target'."
        return (Finding(None, "target", sentence, remedy, "error", kind="no target"),)
    if "feature" in roles:
        return ()
    others = [plan for plan in plans if plan.role != "target"]
    sentence = f"{where} must have at least two columns; only {plans[0].name!r} was found."
    remedy = "Check that its cells are separated by a comma, semicolon, tab or bar."
    if others:
        reasons = ", ".join(f"{plan.name!r} ({plan.type})" for plan in others[:5])
        sentence = f"{where} must have a column to predict from; others are left out: {reasons}."
        remedy = "Give one of them the role 'feature', or add columns."
    return (Finding(None, "aside", sentence, remedy, "error", kind="no feature"),)
