"""Decide role and type of every column, and what schema follows from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from probtrees.table.cells.choices import frequent_choices
from probtrees.table.cells.convert_numbers import convert, convert_by_names
from probtrees.table.cells.dates import DATE_CATEGORIES, date_part
from probtrees.table.cells.missing_as_trained import blank_as_trained
from probtrees.table.cells.numbers_within import FIRST, SECOND, THE_NUMBER
from probtrees.table.cells.other_spellings import read_as_trained
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.recode import recode
from probtrees.table.cells.same_words import folded
from probtrees.table.column_profile import ColumnProfile
from probtrees.table.dataset import Column, Schema
from probtrees.table.formats.absent_columns import (
    absent_columns,
    note_on_unused,
    notes_on_absent,
    unit_changes,
)
from probtrees.table.formats.same_columns import origin_left_out
from probtrees.table.infer.coded_missing import (
    ask_as_elsewhere,
    ask_labelled_codes,
    blank_labelled,
    missing_as_elsewhere,
    missing_as_in,
    tell_labelled,
    with_declared_codes,
    with_labelled_codes,
    words_among_amounts,
    words_read_as_none,
)
from probtrees.table.infer.columns_together.filled_elsewhere import (
    leave_out_empty,
    look_at_used,
    remember_taken,
    take_as_trained,
    take_from_same,
)
from probtrees.table.infer.columns_together.redcap_export import read_boxes, set_redcap_aside
from probtrees.table.infer.dates.birth_dates import are_birth_dates, lacking_dates, with_ages
from probtrees.table.infer.dates.counted_until import count_until
from probtrees.table.infer.dates.date_spans import with_spans
from probtrees.table.infer.dates.leave_out_dates import date_left_out, leave_out_dates
from probtrees.table.infer.dates.mixed_dates import RANGES_AS_DATES
from probtrees.table.infer.dates.settle_dates import settle_dates
from probtrees.table.infer.marked_cells import offer_empty_as_no, read_empty_as_no
from probtrees.table.infer.merged_columns import (
    as_filled,
    fill_as_trained,
    fill_down,
    naming_blocks,
)
from probtrees.table.infer.named_codes import with_value_labels
from probtrees.table.infer.numbers_in_texts import read_numbers_in
from probtrees.table.infer.outcomes.between_dates import ask_between_dates
from probtrees.table.infer.outcomes.worked_out import ask_worked_out, numbers_of_target
from probtrees.table.infer.padded_amounts import ask_padded_amounts
from probtrees.table.infer.points_out_of import read_points_as_trained
from probtrees.table.infer.recognise import group_values, recognise
from probtrees.table.infer.recognise_numbers import USE, Recognised, used_after_all
from probtrees.table.infer.repeated_identifiers import REPEATED, kept_together
from probtrees.table.infer.row_weights import offer_as_weight, weighted_by, with_counted_rows
from probtrees.table.infer.table_plan import ColumnPlan, TablePlan, table_findings
from probtrees.table.infer.target_classes import plan_target
from probtrees.table.infer.text_habits import VARIANTS, empty_lists
from probtrees.table.infer.turned_marks import turn_marks
from probtrees.table.infer.two_scales import (
    either_marks,
    in_one_scale,
    offer_one_scale,
    read_in_one_scale,
    scales_of,
)
from probtrees.table.infer.words_among_numbers import (
    FEW_WORDS,
    ask_about_accounts,
    dashes_as_zero,
    few_words,
)
from probtrees.table.read_options import ReadOptions
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import (
    OFFERED,
    SET_ASIDE,
    ColumnType,
    Finding,
    Role,
)

_LEFT_OUT: tuple[ColumnType, ...] = ("constant", "identifier", "text")
_ANSWERED = (
    "identifier",
    REPEATED,
    "counter",
    "constant",
    "many values",
    "text",
    *SET_ASIDE,
)
"""Findings that the role "feature" answers."""
_KEPT = {
    "time": ("date order", FEW_WORDS),
    "weight": (FEW_WORDS,),
    "ignore": ("date spelling",),
}
"""Findings that still matter where a column has such a role."""
_JOINED = (VARIANTS, RANGES_AS_DATES)
_GROUPED = ("many values", "identifier", REPEATED, "text")
"""Findings that joining spellings answers, and those that grouping the values does."""

_SPLIT = ("choices", "choices ignored", "many values", "identifier", REPEATED, "text")
"""Findings that a column for each answer settles."""


def plan_table(
    raw: RawTable,
    options: ReadOptions,
    where: str,
    profile: Sequence[ColumnProfile] | None = None,
    empty: Mapping[str, int] | None = None,
) -> TablePlan:
    """Look at every column; the raw columns are brought into the form their type needs.

    ``profile`` says what the columns held that the schema of the options was made from, ``empty``
    which columns the rows used lack where the rows are not here, and how many values they have.
    """
    if options.schema is not None:
        return _plan_for(options.schema, raw, options, where, profile)
    target = options.find_target(raw.names, where)
    naming = naming_blocks(raw, options)
    offers = fill_down(raw, options)
    taken, said = take_from_same(raw, options, target)
    n_blank = int(raw.columns[target].missing.sum()) if target in raw.columns else 0
    raw.blank_out(options.missing_for)
    raw = read_boxes(raw, options, target)
    offers += with_value_labels(raw, options, target)
    raw, by_labels = blank_labelled(raw, options, target)
    used = look_at_used(raw, options, target, empty)
    settle_dates(raw, options)
    number = numbers_of_target(target, raw, options)
    plans: list[ColumnPlan] = []
    for name in raw.names:
        if name not in raw.columns:
            plans.append(ColumnPlan(name, "text", "ignore"))
        elif name == target:
            plans.append(plan_target(name, raw, options, n_blank))
        else:
            plans.append(_plan_feature(name, raw, options))
    plans = tell_labelled(_read_as_elsewhere(plans, raw, options), by_labels)
    plans = set_redcap_aside(plans, raw, options)
    plans, lacking = leave_out_empty(plans, raw, options, used)
    offers += said + lacking
    plans = ask_as_elsewhere(ask_padded_amounts(plans, raw, options), raw)
    plans = with_ages(leave_out_dates(plans, raw, options), raw, options)
    plans = with_spans(plans, raw, options, where)
    plans = [_with_lines(plan, raw) for plan in with_counted_rows(plans, raw, options.roles)]
    if raw.origin not in options.roles:
        plans = [_without_origin(plan) if plan.name == raw.origin else plan for plan in plans]
    plans = ask_between_dates(ask_worked_out(plans, raw, number), raw, number)
    plans = [_with_labels(plan, raw) for plan in plans]
    plans = [remember_taken(as_filled(p, raw, options, naming), taken) for p in plans]
    findings = (*raw.findings, *offers, *table_findings(plans, raw.n_rows, where))
    return TablePlan(tuple(plans), findings)


def _read_as_elsewhere(
    plans: list[ColumnPlan], raw: RawTable, options: ReadOptions
) -> list[ColumnPlan]:
    """Read marks among numbers as missing that are read so in another column."""
    words = words_read_as_none(plans)
    for place, plan in enumerate(plans) if words else ():
        name, column = plan.name, raw.columns.get(plan.name)
        is_said = name in options.types or name in options.roles or options.keeps_words(name)
        marks = () if is_said or plan.role == "target" else missing_as_elsewhere(plan, raw, words)
        if not marks or not isinstance(column, Texts):
            continue
        raw.columns[name] = column.without(marks)
        read = _plan_feature(name, raw, options)
        if read.type != "numeric":
            raw.columns[name] = column
            continue
        columns = (
            replace(c, spelling=replace(c.spelling, missing=(*c.spelling.missing, *marks)))
            for c in read.columns
        )
        said = missing_as_in(name, column, marks, words[folded(marks[0])])
        plans[place] = replace(read, columns=tuple(columns), findings=(*read.findings, said))
    return plans


def _without_origin(plan: ColumnPlan) -> ColumnPlan:
    """Leave out the column that says which sheet a row is from, unless it is the target."""
    if plan.role != "feature":
        return plan
    return replace(plan, role="ignore", columns=(), findings=(origin_left_out(plan.name),))


def _with_lines(plan: ColumnPlan, raw: RawTable) -> ColumnPlan:
    """Say of cells that were found in which line of the sheet they stand."""
    placed = (f.in_line(raw.line_of(f.cell.row)) if f.cell else f for f in plan.findings)
    return replace(plan, findings=tuple(placed))


def _with_labels(plan: ColumnPlan, raw: RawTable) -> ColumnPlan:
    """Add what a file says about a column and its codes."""
    label, values = raw.labels.get(plan.name, ""), raw.value_labels.get(plan.name, ())
    missing = raw.declared_missing.get(plan.name, ())
    columns = (
        replace(
            c,
            label=label,
            value_labels=values if c.date_part is None else (),
            spelling=_with_missing(c, missing),
        )
        for c in plan.columns
    )
    findings = plan.findings
    if values and plan.role in ("target", "feature"):
        findings = ask_labelled_codes(plan.name, raw.columns[plan.name], values, findings)
    said = label or values or missing
    made = replace(plan, columns=tuple(columns), label=label, findings=findings)
    return made if said else plan


def _with_missing(column: Column, declared: Sequence[str]) -> Spelling:
    """Let a model remember which codes and labels the file declares to be no values."""
    texts = dict.fromkeys((*column.spelling.missing, *declared))
    return replace(column.spelling, missing=tuple(t for t in texts if t not in column.codes))


def _plan_for(
    schema: Schema,
    raw: RawTable,
    options: ReadOptions,
    where: str,
    profile: Sequence[ColumnProfile] | None,
) -> TablePlan:
    """Find the columns of a schema that is already there; others are ignored."""
    features = {column.source_name for column in schema.features}
    offers = tuple(found for found in raw.findings if found.kind in OFFERED)
    names = [n for n in raw.names if n in raw.columns or not options.keeps(n)]
    absent = absent_columns(schema, names, where, options.not_recorded, options.unused, offers)
    recoded = recode(raw, options.recoded, schema)
    fill_as_trained(raw, schema)
    taken = take_as_trained(raw, schema)
    raw.blank_out(options.missing_for)
    blanked = blank_as_trained(raw, schema, options.unused)
    by_names = unit_changes(schema, options.renamed)
    changes = {n: by_names[n].how for n in by_names if n not in options.converted}
    convert_by_names(raw, changes, schema)
    converted = convert(raw, options.converted, schema)
    plans = []
    for name in raw.names:
        is_target = name == schema.target.source_name
        role: Role = "target" if is_target else "feature" if name in features else "ignore"
        if name in raw.columns:
            role = options.roles.get(name, role)
        plans.append(ColumnPlan(name, "text", role))
    findings = tuple(
        Finding(None, "not recorded", note) for note in notes_on_absent(absent, options.unused)
    )
    edges = {p.name: p.edges for p in profile or ()}
    schema = in_one_scale(schema, options.one_scale, edges)
    respelled = read_points_as_trained(raw, schema, edges) + read_as_trained(raw, schema, edges)
    respelled = tuple(f for f in respelled if f.column not in options.unused)
    schema, counted = count_until(schema, raw, options.count_until)
    findings += (
        recoded + taken + blanked + converted + respelled + (counted or lacking_dates(schema, raw))
    )
    quiet = note_on_unused(absent, options.unused)
    findings += tuple(Finding(None, "never asked", note) for note in quiet)
    return TablePlan(tuple(plans), findings, given=schema)


def _plan_feature(name: str, raw: RawTable, options: ReadOptions) -> ColumnPlan:
    role = options.roles.get(name)
    kind = options.types.get(name) or _type_with_words(name, raw.columns[name], options)
    zeros: tuple[str, ...] = ()
    if name in options.none_is_zero:
        raw.columns[name], zeros = dashes_as_zero(raw.columns[name])
    found = recognise(
        name,
        raw.columns[name],
        kind,
        keep_dashes=options.keeps_words(name),
        keep_words=name in (*options.numbers_in, *options.split_numbers),
        label=raw.labels.get(name, ""),
    )
    found = replace(found, spelling=replace(found.spelling, zero=zeros)) if zeros else found
    found = ask_about_accounts(name, raw.columns[name], found)
    if role == "feature" and name not in options.types:
        found = used_after_all(name, found)
    labels = raw.value_labels.get(name, ())
    found = with_declared_codes(
        name, found, labels, kept=bool(labels) and options.keeps_words(name)
    )
    found = with_labelled_codes(name, found, labels, none_is_zero=name in options.none_is_zero)
    found = read_empty_as_no(found) if name in options.empty_no else offer_empty_as_no(name, found)
    found = _with_one_scale(name, found, raw.columns[name], options)
    if name in options.numbers_in or name in options.split_numbers:
        which = FIRST if name in options.split_numbers else THE_NUMBER
        found = read_numbers_in(name, raw.columns[name], found, which)
    found = turn_marks(raw.columns[name], found) if name in options.turn_marks else found
    if name in options.join_values and isinstance(found.column, Texts):
        column, meant = found.column.joined()
        findings = tuple(f for f in found.findings if f.kind not in _JOINED)
        found = replace(
            found, column=column, spelling=found.spelling.join(meant), findings=findings
        )
    if name in options.group_values and isinstance(found.column, Texts):
        column, rest = found.column.grouped()
        findings = tuple(f for f in found.findings if f.kind not in _GROUPED)
        found = Recognised(column, "nominal", findings, replace(found.spelling, rest=rest))
    if role in ("ignore", "weight", "group", "time"):
        if not (role == "group" and isinstance(raw.columns[name], Texts)):
            raw.columns[name] = found.column
        findings = tuple(f for f in found.findings if f.kind in _KEPT.get(role, ()))
        findings += _why_left_out(name, found) if role == "ignore" else ()
        findings += (kept_together(name),) if role == "group" else ()
        if role == "weight":
            as_written = "weights" in options.as_written
            findings += (weighted_by(name, found.column, as_written=as_written),)
        return ColumnPlan(name, found.type, role, (), findings)
    if name in options.split_choices and isinstance(found.column, Texts):
        left = tuple(f for f in found.findings if f.kind not in _SPLIT)
        left += empty_lists(name, found.column)
        found = replace(found, type="nominal", findings=left)
    raw.columns[name] = found.column
    if role is None and _is_left_out(found):
        return ColumnPlan(name, found.type, "ignore", findings=found.findings)
    label = raw.labels.get(name, "")
    findings = found.findings + (offer_as_weight(name, found.column, label) if not role else ())
    if role == "feature":
        findings = tuple(f for f in findings if f.kind not in _ANSWERED)
    if name in options.types:
        findings = tuple(f for f in findings if f.kind != "many values")
    return ColumnPlan(name, found.type, "feature", _columns(name, found, options), findings)


def _is_left_out(found: Recognised) -> bool:
    """Whether a column is left out unless somebody wants it, or says how to read it."""
    offered = any(f.kind in SET_ASIDE or USE in f.fixes for f in found.findings)
    return found.type in _LEFT_OUT or offered


def _type_with_words(name: str, column: RawColumn, options: ReadOptions) -> ColumnType | None:
    """Take a column of numbers for categories if words among them are to be kept as values."""
    if name not in options.keep_words or not isinstance(column, Texts):
        return None
    return "nominal" if words_among_amounts(column) or few_words(column) else None


def _with_one_scale(
    name: str, found: Recognised, written: RawColumn, options: ReadOptions
) -> Recognised:
    """Bring numbers of two scales to one, as somebody said, or offer it."""
    if isinstance(written, Dates):
        return found
    if isinstance(written, Texts):
        written = written.without(found.spelling.missing)
    scales = scales_of(found, written) if name in options.one_scale else None
    if scales is not None:
        return read_in_one_scale(found, written, scales)
    said = options.types.get(name) == "numeric" and bool(either_marks(written))
    return found if said else offer_one_scale(name, found, written)


def _two_columns(name: str, spelling: Spelling) -> tuple[Column, ...]:
    """List the columns of the two numbers in each cell."""
    return tuple(
        Column(f"{name} ({n})", None, name, spelling=replace(spelling, within=which))
        for n, which in enumerate((FIRST, SECOND), 1)
    )


def _choice_columns(name: str, column: Texts, spelling: Spelling) -> tuple[Column, ...]:
    """List a yes/no column for each of several answers in a cell."""
    return tuple(
        Column(f"{name}: {choice}", ("no", "yes"), name, spelling=replace(spelling, choice=choice))
        for choice in frequent_choices(column.texts, column.rows_of)
    )


def _columns(name: str, found: Recognised, options: ReadOptions) -> tuple[Column, ...]:
    """List the schema columns that a feature becomes; parts of dates that never change are none."""
    column = found.column
    if found.spelling.within == FIRST:
        return _two_columns(name, found.spelling)
    missing = dict.fromkeys((*found.spelling.missing, *options.missing_for(name)))
    spelling = replace(found.spelling, missing=tuple(missing))
    if isinstance(column, Numbers):
        return (Column(name, spelling=spelling, two_values=_two_values(column)),)
    if isinstance(column, Texts) and name in options.split_choices:
        return _choice_columns(name, column, spelling)
    if isinstance(column, Texts):
        return (Column(name, column.categories, spelling=spelling),)
    known = column.distinct[~np.isnan(column.distinct)]
    return tuple(
        Column(f"{name} ({part})", DATE_CATEGORIES[part], name, part, column.day_first, spelling)
        for part in options.date_parts
        if len(np.unique(date_part(known, part))) > 1
    )


def _two_values(column: Numbers) -> tuple[float, ...]:
    """Return the values of a column that has but two whole ones, as codes are; else nothing."""
    known = column.values[np.isfinite(column.values)]
    if not len(known):
        return ()
    low, high = float(known.min()), float(known.max())
    whole = low < high and low.is_integer() and high.is_integer()
    return (low, high) if whole and bool(((known == low) | (known == high)).all()) else ()


def _why_left_out(name: str, found: Recognised) -> tuple[Finding, ...]:
    """Say of a column that is set aside what it holds, if that is a reason."""
    if found.type == "date":
        born = isinstance(found.column, Dates) and are_birth_dates(name, found.column)
        return () if born else date_left_out(name, found.column)
    many = [finding for finding in found.findings if finding.kind == "many values"]
    if many:
        fixes, remedy = (group_values(name), USE), "It is not used."
        remedy = "" if USE in many[0].fixes else remedy
        return (replace(many[0], remedy=remedy, severity="note", fixes=fixes),)
    if any(finding.kind == "counter" for finding in found.findings):
        return (Finding(name, "counter", f"Column {name!r} counts the rows and is ignored."),)
    return ()
