"""What becomes of every column of a table: its role, its type, and the schema that follows.

Nothing here looks at rows: distinct values and how often they occur decide, so that a table that is
read in chunks is planned by the same rules from a summary of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from probtrees.machine.checkpoint import passing
from probtrees.table.dataset import Column, Schema
from probtrees.table.findings import Finding, Fix, Question
from probtrees.table.infer.identify import aside_finding
from probtrees.table.infer.recognise import ColumnPlan, recognise
from probtrees.table.infer.target import plan_target
from probtrees.table.raw_table import RawColumn, RawTable
from probtrees.table.read_options import ReadOptions, SaidStep
from probtrees.table.readings.reading import ColumnReading
from probtrees.table.readings.spellings import name_says
from probtrees.table.readings.words import is_missing_word
from probtrees.table.steps import STEPS, apply_steps, find_step, offers
from probtrees.words import rows_text

_LITTLE_ELSE = 3
_ROW_ROLES = ("weight", "group", "time")


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
        used = [(plan.role, column) for plan in self.columns for column in plan.columns]
        # The time of a row may be no feature while the days from it to another date are.
        made = ("age", "span")
        features = [c for r, c in used if r == "feature" or (r == "time" and c.date_part in made)]
        return Schema((*features, *(column for role, column in used if role == "target")))


def plan_table(raw: RawTable, options: ReadOptions, where: str) -> TablePlan:
    """Look at every column and decide its role and type; the table itself is not changed."""
    options.check_columns(raw.names, where)
    for step in options.steps:
        find_step(step)
    target = options.target_name(raw.names)
    day_first = None if options.date_order is None else options.date_order == "day"
    names = passing(raw.names, "looking at columns")
    plans = [_plan_column(name, raw, options, target, day_first) for name in names]
    orders = {plan.reading.day_first for plan in plans if not plan.asks_order} - {None}
    if len(orders) == 1:  # dates that do not say it are read as other dates of the table
        order = orders.pop()
        plans = [
            _plan_column(p.name, raw, options, target, order) if p.asks_order else p for p in plans
        ]
    plans = _leave_out_dates(plans, options)
    return TablePlan(tuple(plans), (*raw.findings, *_table_findings(plans, raw.n_rows, where)))


def _plan_column(
    name: str, raw: RawTable, options: ReadOptions, target: str | None, day_first: bool | None
) -> ColumnPlan:
    """Carry out the first steps of a column, recognise what it holds, and decide its role."""
    if name not in raw.columns:
        return ColumnPlan("text", name=name, role="ignore")
    base = _base(name, raw, options)
    steps, later = [(find_step(said), said) for said in options.steps_for(name)], []
    for step, said in steps:
        if step.first:
            (base,) = step.resolve(base, apply_steps(raw, base) or raw.columns[name], raw, said)
        else:
            later.append(said)
    cells = apply_steps(raw, base)
    assert cells is not None
    forced = options.types.get(name, "")
    if name == target:
        of_target = [said for said in options.steps if STEPS[said["step"]].of_target]
        found = plan_target(base, cells, raw, forced, (*later, *of_target))
        return replace(found, name=name, role="target", label=base.label)
    found = recognise(base, cells, raw.decimal, forced, day_first)
    if found.aside and not found.columns and (later or options.roles.get(name) == "feature"):
        found = recognise(base, cells, raw.decimal, "nominal")
    return _with_role(replace(found, name=name, label=base.label), cells, raw, options, later)


def _with_role(
    plan: ColumnPlan,
    cells: RawColumn,
    raw: RawTable,
    options: ReadOptions,
    steps: Sequence[SaidStep],
) -> ColumnPlan:
    """Decide the role of a column, and carry out the steps that come after its reading."""
    role, findings, columns = options.roles.get(plan.name), plan.findings, plan.columns
    changes = any(step["step"] in ("group", "split", "age") for step in steps)
    if role is None and plan.aside and not changes:
        return replace(plan, role="ignore")
    for said in () if role in ("weight", "group", "ignore") else steps:
        step = STEPS[said["step"]]
        made = (step.resolve(c, apply_steps(raw, c) or cells, raw, said) for c in columns)
        columns = tuple(chain.from_iterable(made))
    if role in _ROW_ROLES or role == "ignore":
        kept = tuple(f for f in findings if f.question == "order" and role == "time")
        return replace(plan, role=role, columns=columns, findings=kept)
    if role == "feature" or changes:
        beside = (f for f in findings if f.question not in ("aside", "rows"))
        findings = tuple(f for f in beside if f.kind != "constant")
    if columns and columns == plan.columns:
        findings += offers(columns[0], cells)
    kind = plan.type if not changes or plan.type == "date" else "nominal"
    return replace(plan, type=kind, role=role or "feature", columns=columns, findings=findings)


def _base(name: str, raw: RawTable, options: ReadOptions) -> Column:
    """Begin the column of a schema: its label, and what means missing in it."""
    labels = raw.value_labels.get(name, ())
    missing = dict.fromkeys(options.missing_for(name))
    # Numbers that a file labels as no answer are none; among labelled categories they may matter.
    named = {code: label for code, label in labels if is_missing_word(label)}
    if labels and len(named) == len(labels):
        missing |= dict.fromkeys((*named, *named.values()))
    reading = ColumnReading(missing=tuple(missing))
    return Column(name, reading=reading, label=raw.labels.get(name, ""), value_labels=labels)


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
        replace(p, role="ignore", findings=(*p.findings, _date_left_out(p.name)))
        if p.name in left
        else p
        for p in plans
    ]


def _date_left_out(name: str) -> Finding:
    sentence = f"Column {name!r} holds dates and is ignored."
    time = Fix("Use it as time", "role", "time", name)
    return aside_finding(name, "date", sentence, time, question="rows")


def _table_findings(plans: Sequence[ColumnPlan], n_rows: int, where: str) -> tuple[Finding, ...]:
    """Report what concerns the table as a whole."""
    roles, others = {plan.role for plan in plans}, [p for p in plans if p.role != "target"]
    if n_rows < 2:
        rule = f"at least two rows to learn from; it has {rows_text(n_rows)}. Add rows."
        kind: tuple[Question | None, str] = (None, "rows")
    elif "target" not in roles:
        rule = "a target; every column has another role. Give one column the role 'target'."
        kind = ("target", "no target")
    elif "feature" in roles:
        return ()
    elif others:
        reasons = ", ".join(f"{plan.name!r} ({plan.type})" for plan in others[:5])
        rule = f"a column to predict from; others are left out: {reasons}. Give one of them the "
        rule += "role 'feature', or add columns."
        kind = ("aside", "no feature")
    else:
        rule = f"at least two columns; only {plans[0].name!r} was found. Check that its cells are "
        rule += "separated by a comma, semicolon, tab or bar."
        kind = ("aside", "no feature")
    return (Finding(None, kind[0], f"{where} must have {rule}", "error", kind=kind[1]),)
