"""Decide role and type of every column, and what schema follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.errors import did_you_mean
from probtrees.table.cells.arrow_arrays import codes, text_array
from probtrees.table.cells.dates import date_columns
from probtrees.table.cells.intervals import equal_frequency_intervals, interval_names
from probtrees.table.cells.raw_table import Dates, Numbers, RawTable, Texts
from probtrees.table.cells.spelled_numbers import spell
from probtrees.table.dataset import PLAIN, Column, Schema, Spelling
from probtrees.table.infer.recognise import (
    IDENTIFIER_SHARE,
    mixed_numbers,
    recognise,
    wrong_cell,
)
from probtrees.table.infer.recognise_numbers import USE, Recognised
from probtrees.table.infer.text_habits import text_findings
from probtrees.table.read_options import USUAL_DATE_PARTS, ReadOptions
from probtrees.table.table_report import (
    OFFERED,
    ColumnType,
    Finding,
    Fix,
    Role,
    UnreadableTableError,
)

MAX_CLASSES = 1_000
"""More classes than this are refused: every node counts every class."""

MAX_NUMERIC_CLASSES = 20
"""A numeric target with at most this many different values is a class."""

_LEFT_OUT: tuple[ColumnType, ...] = ("constant", "identifier", "text")
_ANSWERED = (
    "identifier",
    "counter",
    "constant",
    "many values",
    "text",
    "date order",
    "several units",
)
"""Findings that the role "feature" answers."""
_LITTLE_ELSE = 3
_DEFAULT_BINS = 5


@dataclass(frozen=True)
class ColumnPlan:
    """One column of the table: role, type, and the schema columns made from it."""

    name: str
    type: ColumnType
    role: Role
    columns: tuple[Column, ...] = ()
    findings: tuple[Finding, ...] = ()


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
        features = [c for plan in self.columns if plan.role == "feature" for c in plan.columns]
        target = [c for plan in self.columns if plan.role == "target" for c in plan.columns]
        return Schema((*features, *target))


def plan_table(raw: RawTable, options: ReadOptions, where: str) -> TablePlan:
    """Look at every column; the raw columns are brought into the form their type needs."""
    if options.schema is not None:
        return _plan_for(options.schema, raw, options, where)
    target = options.find_target(raw.names, where)
    raw.blank_out(options.missing_for)
    plans: list[ColumnPlan] = []
    for name in raw.names:
        if name not in raw.columns:
            plans.append(ColumnPlan(name, "text", "ignore"))
        elif name == target:
            plans.append(_plan_target(name, raw, options))
        else:
            plans.append(_plan_feature(name, raw, options))
    plans = [_with_lines(plan, raw) for plan in _leave_out_dates(plans, options)]
    return TablePlan(tuple(plans), (*raw.findings, *_table_findings(plans, raw.n_rows, where)))


def _with_lines(plan: ColumnPlan, raw: RawTable) -> ColumnPlan:
    """Say of cells that were found in which line of the sheet they stand."""
    placed = (f.in_line(raw.line_of(f.cell.row)) if f.cell else f for f in plan.findings)
    return replace(plan, findings=tuple(placed))


def _plan_for(schema: Schema, raw: RawTable, options: ReadOptions, where: str) -> TablePlan:
    """Find the columns of a schema that is already there; others are ignored."""
    features = {column.source_name: column for column in schema.features}
    absent = [name for name in features if name not in raw.columns]
    if absent:
        offers = tuple(found for found in raw.findings if found.kind in OFFERED)
        raise UnreadableTableError(_describe_absent(absent, raw.names, where), offers)
    raw.blank_out(options.missing_for)
    plans = []
    for name in raw.names:
        is_target = name == schema.target.source_name
        role: Role = "target" if is_target else "feature" if name in features else "ignore"
        if name in raw.columns:
            role = options.roles.get(name, role)
        plans.append(ColumnPlan(name, "text", role))
    return TablePlan(tuple(plans), given=schema)


def _describe_absent(absent: list[str], names: Sequence[str], where: str) -> str:
    shown = ", ".join(repr(name) for name in absent[:10]) + (", ..." if len(absent) > 10 else "")
    what, them = ("column", "it") if len(absent) == 1 else ("columns", "them")
    advice = "Add what is missing, or use the table the model was made for."
    suggestion = did_you_mean(absent[0], names)
    if suggestion.startswith("Did you mean"):
        advice = f"{suggestion} Rename it in the table."
    elif len(names) == 1:
        advice = "Check how the cells of the file are separated: only one column was found."
    return f"{what} {shown} must be in {where}, since the model needs {them}. {advice}"


def _plan_feature(name: str, raw: RawTable, options: ReadOptions) -> ColumnPlan:
    role = options.roles.get(name)
    keep_dashes = "dashes" in options.as_written
    found = recognise(name, raw.columns[name], options.types.get(name), keep_dashes=keep_dashes)
    if name in options.join_values and isinstance(found.column, Texts):
        joined = replace(found.spelling, joined=True)
        findings = tuple(f for f in found.findings if f.kind != "variants")
        found = replace(found, column=found.column.joined(), spelling=joined, findings=findings)
    if role in ("ignore", "weight", "group", "time"):
        if not (role == "group" and isinstance(raw.columns[name], Texts)):
            raw.columns[name] = found.column
        is_date = role == "ignore" and found.type == "date"
        return ColumnPlan(name, found.type, role, (), (_date_left_out(name),) if is_date else ())
    raw.columns[name] = found.column
    in_units = any(finding.kind == "several units" for finding in found.findings)
    if role is None and (found.type in _LEFT_OUT or in_units):
        return ColumnPlan(name, found.type, "ignore", findings=found.findings)
    findings = found.findings
    if role == "feature":
        findings = tuple(f for f in findings if f.kind not in _ANSWERED)
    if name in options.types:
        findings = tuple(f for f in findings if f.kind != "many values")
    return ColumnPlan(name, found.type, "feature", _columns(name, found, options), findings)


def _columns(name: str, found: Recognised, options: ReadOptions) -> tuple[Column, ...]:
    """List the schema columns that a feature becomes."""
    column = found.column
    missing = dict.fromkeys((*found.spelling.missing, *options.missing_for(name)))
    spelling = replace(found.spelling, missing=tuple(missing))
    if isinstance(column, Numbers):
        return (Column(name, spelling=spelling),)
    if isinstance(column, Texts):
        return (Column(name, column.categories, spelling=spelling),)
    parts = date_columns(name, column.distinct, column.day_first, options.date_parts)
    return tuple(replace(part, spelling=spelling) for part in parts)


def _leave_out_dates(plans: list[ColumnPlan], options: ReadOptions) -> list[ColumnPlan]:
    """Ignore dates that nobody asked for, unless there is little else to predict from.

    When a row was written down often says more about how the data were gathered than about what
    is to be predicted.
    """
    dates = [p for p in plans if p.type == "date" and p.role == "feature"]
    others = sum(plan.role == "feature" for plan in plans) - len(dates)
    if others < _LITTLE_ELSE or options.date_parts != USUAL_DATE_PARTS:
        return plans
    asked = {*options.types, *options.roles}
    return [
        replace(p, role="ignore", columns=(), findings=(*p.findings, _date_left_out(p.name)))
        if p in dates and p.name not in asked
        else p
        for p in plans
    ]


def _date_left_out(name: str) -> Finding:
    return Finding(
        name,
        "date",
        f"Column {name!r} holds dates and is ignored.",
        "Give it the role 'feature' to use it as a number of days, or 'time' if new rows are to be "
        "predicted from older ones.",
        "note",
        (USE, Fix("Use it as time", "role", "time")),
    )


def _plan_target(name: str, raw: RawTable, options: ReadOptions) -> ColumnPlan:
    """Make classes of the target, or say why it has none."""
    column = raw.columns[name]
    if isinstance(column, Dates) or options.types.get(name) == "date":
        finding = _target_error(
            name, "date", "must be a class; it holds dates.", "Choose another target."
        )
        return ColumnPlan(name, "date", "target", findings=(finding,))
    if options.bin_target is not None or options.cut_target is not None:
        return _bin_target(name, raw, options)
    spelling = Spelling(missing=options.missing_for(name))
    if isinstance(column, Texts) and column.declared:
        return _classes(name, column, "nominal", spelling)
    spelled = _one_spelling(column.as_texts())
    if name in options.join_values:
        spelled, spelling = spelled.joined(), replace(spelling, joined=True)
    raw.columns[name] = spelled
    forced = options.types.get(name) in ("nominal", "boolean")
    if not forced and (wrong := _words_among_numbers(name, spelled)):
        return ColumnPlan(name, "numeric", "target", findings=(wrong,))
    numbers = spelled.numbers.values
    if len(numbers) and not np.isnan(numbers).any() and not forced:
        too_many = _too_many_numbers(name, spelled)
        if too_many is not None:
            return ColumnPlan(name, "numeric", "target", findings=(too_many,))
    return _classes(name, spelled, "nominal", spelling)


def _words_among_numbers(name: str, column: Texts) -> Finding | None:
    """Refuse a numeric target some of whose cells are words, unless its numbers are classes too."""
    found = mixed_numbers(column)
    if found is None:
        return None
    is_word, share = found
    if np.count_nonzero(~is_word) <= MAX_NUMERIC_CLASSES:
        return None
    rule = f"must be a number, since {share:.0%} of the target are numbers."
    advice = "Correct or empty the cell, or choose another target."
    return wrong_cell(name, column, np.append(is_word, False)[column.codes], rule, advice)


def _classes(name: str, column: Texts, kind: ColumnType, spelling: Spelling = PLAIN) -> ColumnPlan:
    habits = (replace(found, severity="warning") for found in text_findings(name, column))
    findings = _class_findings(name, column) or tuple(habits)
    classes = Column(name, column.categories, spelling=spelling)
    return ColumnPlan(name, kind, "target", (classes,), findings)


def _one_spelling(column: Texts) -> Texts:
    """Let numbers spelled in several ways (1, 1.0) be one class."""
    numbers = column.numbers.values
    if np.isnan(numbers).any() or len(np.unique(numbers)) == len(numbers):
        return column
    short = text_array(map(spell, numbers.tolist())).dictionary_encode()
    recoded = np.append(codes(short.indices), np.int32(-1))[column.codes]
    return Texts(recoded, short.dictionary)


def _too_many_numbers(name: str, column: Texts) -> Finding | None:
    """Refuse a numeric target unless its few values can be classes."""
    numbers, rows_of = column.numbers.values, column.rows_of
    n_distinct = len(numbers)
    repeats = int(rows_of.sum()) >= 2 * n_distinct
    are_whole = bool((np.floor(numbers) == numbers).all())
    if n_distinct <= MAX_NUMERIC_CLASSES and (repeats or are_whole):
        return None
    order = np.argsort(numbers)
    reached = np.cumsum(rows_of[order])
    middle = float(numbers[order][np.searchsorted(reached, reached[-1] / 2)])
    return Finding(
        name,
        "numeric target",
        f"target={name!r} must be a class; it is numeric with {n_distinct:,} different values.",
        f"Cut it into classes with bin_target={_DEFAULT_BINS}, or choose another target.",
        "error",
        (
            Fix(f"Ask whether it is over {spell(middle)}", "cut_target", middle),
            Fix(f"Cut it into {_DEFAULT_BINS} classes", "bin_target", _DEFAULT_BINS),
        ),
    )


def _class_findings(name: str, column: Texts) -> tuple[Finding, ...]:
    rows_of = column.rows_of
    n_known, n_present = int(rows_of.sum()), int((rows_of > 0).sum())
    choose = "Choose another target."
    if n_present == 0:
        return (_target_error(name, "no class", "must have values; it has none.", choose),)
    if n_present == 1:
        only = column.texts[int(rows_of.argmax())]
        rule = f"must have at least two classes; every row has {only!r}."
        return (_target_error(name, "one class", rule, choose),)
    if column.n_distinct > MAX_CLASSES:
        rule = f"must have at most {MAX_CLASSES:,} classes; it has {column.n_distinct:,}."
        advice = "Choose another target, or merge classes."
        return (_target_error(name, "many classes", rule, advice),)
    identifies = n_present > MAX_NUMERIC_CLASSES and n_present >= IDENTIFIER_SHARE * n_known
    if identifies and not column.declared:
        rule = f"must be a class; it has {n_present:,} different values in {n_known:,} rows."
        return (_target_error(name, "many classes", rule, choose),)
    return ()


def _target_error(name: str, kind: str, rule: str, advice: str) -> Finding:
    return Finding(name, kind, f"target={name!r} {rule}", advice, "error")


def _bin_target(name: str, raw: RawTable, options: ReadOptions) -> ColumnPlan:
    """Cut a numeric target into classes of about equal size, or at a number."""
    column = raw.columns[name]
    numbers = column.as_numbers()
    wrong = (numbers.missing & ~column.missing) | np.isinf(numbers.values)
    if wrong.any():
        rule = f"must be a finite number to be cut into {options.bin_target or 2} classes."
        advice = "Correct or empty the cell, or leave bin_target and cut_target out."
        finding = wrong_cell(name, column, wrong, rule, advice)
        return ColumnPlan(name, "numeric", "target", findings=(finding,))
    if options.cut_target is not None:
        cuts = np.array([options.cut_target])
        names = interval_names(cuts)
    else:
        cuts, names = equal_frequency_intervals(numbers.values, options.bin_target or 2)
    if not len(cuts):
        return _classes(name, numbers.as_texts(), "numeric")
    codes = np.searchsorted(cuts, numbers.values, side="left").astype(np.int32)
    codes[numbers.missing] = -1
    binned = Texts.of(codes, names, declared=True)
    raw.columns[name] = binned
    sentence = f"Target {name!r} is cut into {len(names)} classes: {', '.join(names)}."
    plan = _classes(name, binned, "numeric")
    findings = (Finding(name, "binned", sentence), *plan.findings)
    return ColumnPlan(name, "numeric", "target", plan.columns, findings)


def _table_findings(plans: list[ColumnPlan], n_rows: int, where: str) -> tuple[Finding, ...]:
    """Report what concerns the table as a whole."""
    if n_rows < 2:
        rows = "no rows" if n_rows == 0 else "one row"
        sentence = f"{where} must have at least two rows to learn from; it has {rows}."
        return (Finding(None, "rows", sentence, "Add rows.", "error"),)
    if not any(plan.role == "target" for plan in plans):
        sentence = f"{where} must have a target; every column has another role."
        return (
            Finding(None, "no target", sentence, "Give one column the role 'target'.", "error"),
        )
    if not any(plan.role == "feature" for plan in plans):
        return (_no_feature(plans, where),)
    return ()


def _no_feature(plans: list[ColumnPlan], where: str) -> Finding:
    left_out = [plan for plan in plans if plan.role != "target"]
    if left_out:
        reasons = ", ".join(f"{plan.name!r} ({plan.type})" for plan in left_out[:5])
        sentence = (
            f"{where} must have a column to predict from; all others are left out: {reasons}."
        )
        remedy = "Give one of them the role 'feature', or add columns."
    else:
        sentence = f"{where} must have at least two columns; only {plans[0].name!r} was found."
        remedy = "Check that its cells are separated by a comma, semicolon, tab or bar."
    return Finding(None, "no feature", sentence, remedy, "error")
