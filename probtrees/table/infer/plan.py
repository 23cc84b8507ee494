"""What becomes of every column of a table: its role, its type, and the schema that follows.

Nothing here looks at rows: distinct values and how often they occur decide, so that a table that is
read in chunks is planned by the same rules from a summary of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.machine.checkpoint import passing
from probtrees.table.dataset import Column, Schema
from probtrees.table.findings import ROW_ROLES, Finding, Fix, listed
from probtrees.table.infer.identify import aside_finding, is_whole
from probtrees.table.infer.recognise import IDENTIFIER_SHARE, ColumnPlan, as_nominal, ask, recognise
from probtrees.table.number_text import spell
from probtrees.table.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.read_options import ReadOptions, SaidStep
from probtrees.table.readings.find_reading import READING_NAMES, find_reading
from probtrees.table.readings.reading import PLAIN, ColumnReading, Found
from probtrees.table.readings.spellings import name_says, spellings
from probtrees.table.readings.words import folded, is_missing_word
from probtrees.table.steps import apply_steps, carry_out, equal_frequency_cuts, find_step, offers
from probtrees.types import FloatArray, IntArray
from probtrees.words import rows_text

_LITTLE_ELSE, _AS_THEY_ARE = 3, ("nominal", "boolean")


@dataclass(frozen=True)
class TablePlan:
    """The columns, in the order of the file or of a schema, and findings about the whole table."""

    columns: tuple[ColumnPlan, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Everything found, the table first."""
        return (*self.findings, *(f for column in self.columns for f in column.findings))

    @property
    def schema(self) -> Schema:
        """The features in order, the target last."""
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
    options = replace(options, target=options.target_name(raw.names))
    day_first = None if options.date_order is None else options.date_order == "day"
    names = passing(raw.names, "looking at columns")
    plans = [_plan(name, raw, options, day_first) for name in names]
    orders = {plan.reading.day_first for plan in plans if not plan.asks_order} - {None}
    if len(orders) == 1:  # dates that do not say it are read as other dates of the table
        order = orders.pop()
        plans = [_plan(p.name, raw, options, order) if p.asks_order else p for p in plans]
    plans = _leave_out_dates(plans, options)
    return TablePlan(tuple(plans), (*raw.findings, *_table_findings(plans, raw.n_rows, where)))


def _plan(name: str, raw: RawTable, options: ReadOptions, day_first: bool | None) -> ColumnPlan:
    """Carry out the first steps of a column, recognise what it holds, and decide its role."""
    if name not in raw.columns:
        return ColumnPlan("text", name=name, role="ignore")
    base = _base(name, raw, options)
    steps = options.steps_for(name)
    later = [said for said in steps if not find_step(said).first]
    for said in (said for said in steps if said not in later):
        (base,) = carry_out(said, (base,), raw.columns[name], raw)
    cells = apply_steps(raw, base)
    assert cells is not None
    forced = options.types.get(name, "")
    if name == options.target:
        of_target = [said for said in options.steps if find_step(said).of_target]
        found = plan_target(base, cells, raw, forced, (*later, *of_target))
        return replace(found, name=name, role="target", label=base.label)
    found = recognise(base, cells, raw.decimal, forced, day_first)
    if found.aside and not found.columns and (later or options.roles.get(name) == "feature"):
        found = recognise(base, cells, raw.decimal, "nominal")
    return _with_role(replace(found, name=name, label=base.label), cells, raw, options, later)


def _with_role(
    plan: ColumnPlan, cells: RawColumn, raw: RawTable, options: ReadOptions, steps: list[SaidStep]
) -> ColumnPlan:
    """Decide the role of a column, and carry out the steps that come after its reading."""
    role, findings, columns = options.roles.get(plan.name), plan.findings, plan.columns
    changes = any(step["step"] in ("group", "split", "age") for step in steps)
    if role is None and plan.aside and not changes:
        several = offers(Column(plan.name), cells, "split")
        return replace(plan, role="ignore", findings=several or findings)
    for said in () if role in ("weight", "group", "ignore") else steps:
        columns = carry_out(said, columns, cells, raw)
    if role in ROW_ROLES or role == "ignore":
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
    # Numbers that a file labels as no answer are none; among labelled categories they may matter.
    are_none = all(is_missing_word(label) for _, label in labels)
    gone = [text for pair in labels for text in pair if are_none]
    reading = ColumnReading(missing=tuple(dict.fromkeys((*options.missing_for(name), *gone))))
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
    for number, plan in enumerate(plans):
        if plan.name in left:
            time = Fix("Use it as time", "role", "time", plan.name)
            told = aside_finding(plan.name, "date", "holds dates", time, question=None)
            plans[number] = replace(plan, role="ignore", findings=(*plan.findings, told))
    return plans


def _table_findings(plans: Sequence[ColumnPlan], n_rows: int, where: str) -> tuple[Finding, ...]:
    """Report what concerns the table as a whole."""
    roles, others = {plan.role for plan in plans}, [p for p in plans if p.role != "target"]
    if n_rows < 2:
        rule = f"at least two rows to learn from; it has {rows_text(n_rows)}. Add rows."
    elif "target" not in roles:
        rule = "a target; every column has another role. Give one column the role 'target'."
    elif "feature" in roles:
        return ()
    elif others:
        reasons = ", ".join(f"{plan.name!r} ({plan.type})" for plan in others[:5])
        rule = f"a column to predict from; others are left out: {reasons}. Give one of them the "
        rule += "role 'feature', or add columns."
    else:
        rule = f"at least two columns; only {plans[0].name!r} was found. Check that its cells are "
        rule += "separated by a comma, semicolon, tab or bar."
    return (Finding(None, None, f"{where} must have {rule}", "error"),)


# --- from the column to predict to its classes, or to the reason why it has none ------------------


MAX_CLASSES = 1_000
"""More classes than this are refused: every node counts every class."""

MAX_NUMERIC_CLASSES = 20
"""A numeric target with at most this many different values is a class."""


def is_undecided(text: str) -> bool:
    """Whether an outcome says that it is not known yet, or to nobody any more.

    >>> [is_undecided(text) for text in ("Under review", "noch offen", "closed")]
    [True, True, False]
    """
    return folded(text).strip(".…") in spellings("outcome")["undecided"]


def plan_target(
    base: Column, found: RawColumn, raw: RawTable, forced: str, steps: Iterable[SaidStep]
) -> ColumnPlan:
    """Make classes of the target, or say why it has none.

    ``steps`` are those about it that come after its reading: cut, join outcomes, group.
    """
    name, said = base.source_name, {step["step"]: step for step in steps}
    if isinstance(found, Dates) or forced == "date":
        return _refused(name, "date", "must be a class; it holds dates.")
    wrong = recognise(base, found, raw.decimal, forced) if forced else ColumnPlan("numeric")
    if any(told.severity == "error" for told in wrong.findings):
        return wrong
    forced = "nominal" if said.get("cut", {}).get("classes") == 0 else forced
    if "cut" in said and forced not in _AS_THEY_ARE:
        recognised = _cut(base, found, raw, forced, said["cut"])
    else:
        recognised = _classes(base, found, raw, forced)
    for kind in ("group", "join outcomes"):
        if kind in said:
            columns = carry_out(said[kind], recognised.columns, found, raw)
            recognised = replace(recognised, columns=columns)
    return recognised


def _cut(base: Column, found: RawColumn, raw: RawTable, forced: str, step: SaidStep) -> ColumnPlan:
    """Cut a numeric target as somebody says."""
    read = recognise(base, found, raw.decimal, forced or "numeric" * isinstance(found, Numbers))
    if not read.columns or read.type not in ("numeric", "identifier"):
        rule = "must be numbers to be cut into classes."
        return replace(_refused(base.name, "numeric target", rule), type="numeric")
    asked = tuple(each for each in read.findings if each.question == "missing")
    (column,) = carry_out(step, (replace(read.columns[0], two_values=()),), found, raw)
    if column.categories is None:
        return _classes(base, found, raw, "nominal")
    done = f"is cut into {column.n_values} classes: {', '.join(column.categories)}."
    told = Finding(base.name, None, f"Target {base.name!r} {done}", kind="cut")
    return ColumnPlan("numeric", (column,), (told, *asked))


def _classes(base: Column, found: RawColumn, raw: RawTable, forced: str) -> ColumnPlan:
    """Make a class of each value; numbers must be few, unless somebody wants each as it is."""
    name, texts = base.source_name, found.as_texts()
    read = read_target(found, texts, raw.decimal, forced)
    if len(numbers := read.values):
        n_distinct = int((~np.isnan(numbers)).sum())
        repeats = int(texts.rows_of.sum()) >= 2 * n_distinct
        are_few = n_distinct <= MAX_NUMERIC_CLASSES and (repeats or is_whole(numbers))
        if not (are_few or forced in _AS_THEY_ARE):
            return _numeric_target(name, numbers, texts.rows_of)
        is_plain = read.reading == PLAIN and not np.isnan(numbers).any()
        if is_plain and len(np.unique(numbers)) < len(numbers):  # 1 beside 1.0 is one class
            texts = texts.respelled(dict(zip(texts.texts, map(spell, numbers), strict=True)))
    (column,) = as_nominal(base, texts)
    asked = () if read.kind == "date" or forced in _AS_THEY_ARE else ask(name, texts, read)
    ways = tuple(fix for told in asked for fix in told.fixes if fix.value != "nominal")
    findings = _class_findings(name, texts, ways) or _outcome_questions(column, texts)
    return ColumnPlan("nominal", (column,), findings)


def read_target(found: RawColumn, texts: Texts, decimal: str, forced: str) -> Found:
    """Read each text of a target that holds nothing but numbers; others have no values."""
    if not texts.n_distinct or texts.declared:
        return Found()
    wanted = forced if forced in ("numeric", *READING_NAMES) else ""
    read = find_reading(texts, "." if isinstance(found, Numbers) else decimal, wanted)
    is_number = read.kind == "numeric" and read.reading is not None and not read.left_over
    return read if is_number else replace(read, values=np.empty(0))


def _numeric_target(name: str, numbers: FloatArray, rows_of: IntArray) -> ColumnPlan:
    """Ask whether a numeric target is over the middle one, or is to be cut into some classes."""
    cells = np.repeat(numbers, rows_of)
    (at,) = equal_frequency_cuts(cells, 2).tolist() or cells[:1].tolist()
    over = Fix(f"Ask whether it is over {spell(at)}", "step", {"step": "cut", "at": at})
    three = Fix("Cut it into 3 classes", "step", {"step": "cut", "classes": 3})
    rule = f"must be a class; it is numeric with {len(numbers):,} different values."
    return replace(_refused(name, "numeric target", rule, over, three), type="numeric")


def _class_findings(name: str, texts: Texts, ways: tuple[Fix, ...]) -> tuple[Finding, ...]:
    """Refuse a target without two classes, or with too many, which may be read in other ways."""
    n_known, n_present = int(texts.rows_of.sum()), int((texts.rows_of > 0).sum())
    least = max(MAX_NUMERIC_CLASSES + 1, 0 if ways else IDENTIFIER_SHARE * n_known)
    fixes: tuple[Fix, ...] = ()
    if n_present == 0:
        kind, rule = "no class", "must have values; it has none."
    elif n_present == 1:
        kind, only = "one class", texts.texts[int(texts.rows_of.argmax())]
        rule = f"must have at least two classes; {name} has only one value, {only!r}."
        if n_known < len(texts.codes):
            step = {"step": "recode", "column": name, "values": {"": "no"}}
            rule = f"must have at least two classes; it is {only!r} or empty."
            fixes = (Fix("Empty means no", "step", step, name),)
    elif texts.n_distinct > MAX_CLASSES or (n_present >= least and not texts.declared):
        kind, fixes = "many classes", ways
        rule = f"must be a class; it has {n_present:,} different values in {n_known:,} rows."
    else:
        return ()
    return _refused(name, kind, rule, *fixes).findings


def _outcome_questions(column: Column, texts: Texts) -> tuple[Finding, ...]:
    """Ask about outcomes that are not decided, and about those that are spelled in two ways."""
    name, findings = column.source_name, []
    there = [text for text, n in zip(texts.texts, texts.rows_of.tolist(), strict=True) if n]
    undecided = sorted(text for text in there if is_undecided(text))
    if undecided and len(there) - len(undecided) >= 2:
        step = {"step": "missing", "column": name, "texts": undecided}
        shown = listed([repr(text) for text in undecided[:4]])
        asked = "Is that not decided yet? Then these rows have no outcome to learn from."
        sentence = f"Target {name!r} is {shown} in {rows_text(texts.rows_with(undecided))}. {asked}"
        fixes = (Fix("Leave these rows out", "step", step, name),)
        findings.append(Finding(name, "missing", sentence, "warning", fixes, "undecided"))
    variants = (offer for offer in offers(column, texts) if offer.kind == "variants")
    return (*findings, *(replace(offer, question="target") for offer in variants))


def _refused(name: str, kind: str, rule: str, *fixes: Fix) -> ColumnPlan:
    """Say why a column cannot be the target; where nothing mends it, another one must be."""
    sentence = f"target={name!r} {rule}{'' if fixes else ' Choose another target.'}"
    finding = Finding(name, "target", sentence, "error", fixes, kind)
    return ColumnPlan("date" if kind == "date" else "nominal", (), (finding,))
