"""Look at a table before using it: what every column holds, and what to know about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from probtrees.table.cells.number_text import number_text, without_endless
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.spelled_numbers import CLOCK, spell
from probtrees.table.dataset import Dataset, DatePart
from probtrees.table.describe_repeats import copies_left_out, describe_repeats
from probtrees.table.formats.open_table import open_table
from probtrees.table.infer.columns_together.said_twice import said_twice
from probtrees.table.infer.dates.date_spans import offer_spans
from probtrees.table.infer.infer_schema import plan_table
from probtrees.table.infer.leaks import (
    SUSPICIOUS,
    class_told,
    errors_avoided,
    far_best,
    filled_for_one_class,
    leak_finding,
    standing_out,
    standing_out_of_two,
    tells_rows,
    tells_some,
)
from probtrees.table.infer.marked_cells import MISSING_CLASS, missing_class
from probtrees.table.infer.outcomes.joined_outcomes import once_joined
from probtrees.table.infer.outcomes.known_afterwards import known_afterwards
from probtrees.table.infer.outcomes.measured_later import measured_later
from probtrees.table.infer.outcomes.rows_of_class import rows_of_one_class
from probtrees.table.infer.outcomes.worked_out import WORKED_OUT
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.repeated_rows import ask_repeated_rows
from probtrees.table.infer.row_weights import MAYBE_COUNTS, ROW_COUNTS
from probtrees.table.infer.table_plan import ColumnPlan, TablePlan
from probtrees.table.infer.text_habits import said_findings
from probtrees.table.read_fields import USUAL_DATE_PARTS, DateOrder, Habit
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import encode_planned
from probtrees.table.repeats import RESCALED, ReadRepeats, are_copies
from probtrees.table.row_roles import COPIES
from probtrees.table.table_report import ColumnReport, ColumnType, Finding, Fix, Role, TableReport
from probtrees.types import FloatArray, IntArray

RARE_CLASS = 100
"""A class with fewer rows than this is called rare."""
SEPARATE_ROWS = Fix("Use separate rows", "separate_rows", 1)
"""What is offered then."""
_ENOUGH_TO_HALVE = 30
"""A class with fewer rows than this is warned of being halved."""

_N_BARS = 20
_N_FIRST_ROWS = 20


def inspect_table(  # noqa: PLR0913  each option of reading is an argument
    source: Any,
    target: str | None = None,
    *,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    bin_target: int | None = None,
    date_parts: Sequence[DatePart] = USUAL_DATE_PARTS,
    missing_spellings: Sequence[str] = (),
    repeats: ReadRepeats = "auto",
    sheet: str | int | None = None,
    missing_in: Mapping[str, Sequence[str]] | None = None,
    join_values: Sequence[str] = (),
    as_written: Sequence[Habit] = (),
    cut_target: float | None = None,
    table: int | None = None,
    header_lines: int = 1,
    date_order: DateOrder | None = None,
    group_values: Sequence[str] = (),
    empty_no: Sequence[str] = (),
    split_choices: Sequence[str] = (),
    one_scale: Sequence[str] = (),
    encoding: str | None = None,
    odd_lines: str | None = None,
    numbers_in: Sequence[str] = (),
    split_numbers: Sequence[str] = (),
    ages: Sequence[str] = (),
    fill_down: Sequence[str] = (),
    fill_from_same: Sequence[str] = (),
    keep_words: Sequence[str] = (),
    none_is_zero: Sequence[str] = (),
    days_to: Mapping[str, str] | None = None,
    turn_marks: Sequence[str] = (),
    join_outcomes: Sequence[str] = (),
) -> TableReport:
    """Describe a table as :func:`~probtrees.table.read_table.read_table` would read it.

    The arguments are those of ``read_table``. What would stop it is reported as a finding of
    severity "error" with settings that answer it; only a file that is no table at all raises.
    """
    options = ReadOptions(
        target,
        roles or {},
        types or {},
        bin_target,
        tuple(date_parts),
        tuple(missing_spellings),
        None,
        repeats,
        {name: tuple(texts) for name, texts in (missing_in or {}).items()},
        tuple(join_values),
        tuple(as_written),
        all_columns=True,
        sheet=None if sheet is None else str(sheet),
        cut_target=cut_target,
        table=table,
        header_lines=header_lines,
        date_order=date_order,
        group_values=tuple(group_values),
        empty_no=tuple(empty_no),
        split_choices=tuple(split_choices),
        one_scale=tuple(one_scale),
        encoding=encoding,
        odd_lines=odd_lines,
        numbers_in=tuple(numbers_in),
        split_numbers=tuple(split_numbers),
        ages=tuple(ages),
        fill_down=tuple(fill_down),
        fill_from_same=tuple(fill_from_same),
        keep_words=tuple(keep_words),
        none_is_zero=tuple(none_is_zero),
        days_to=days_to or {},
        turn_marks=tuple(turn_marks),
        join_outcomes=tuple(join_outcomes),
    )
    opened = open_table(source, options)
    first_rows = _first_rows(opened.raw)
    said = said_findings(options, dict(opened.raw.columns))
    plan = plan_table(opened.raw, options, opened.where)
    classes = _classes(opened.raw, plan)
    counts = _class_counts(classes, _numbers_of_cases(opened.raw, plan))
    leaks = _leaks(opened.raw, plan, classes)
    columns = tuple(
        _describe(column, opened.raw, leaks.get(column.name)) for column in plan.columns
    )
    findings = (
        *plan.findings,
        *(Finding(None, "reading", sentence) for sentence in opened.raw.notes),
        *_not_told(said, columns),
        *(missing_class(classes) if classes is not None and not _is_asked(plan) else ()),
        *_class_findings(once_joined(counts, classes, plan.target_findings)),
        *offer_spans(plan.columns, opened.raw, classes, options),
        *(finding for column in columns for finding in column.findings),
        *said_twice(plan.columns, opened.raw),
    )
    if not any(finding.severity == "error" for finding in findings):
        findings += ask_repeated_rows(opened.raw, plan, options)
        findings += _row_findings(encode_planned(opened, plan, options))
    written = bool(opened.raw.first_cells)
    n_rows = opened.raw.n_rows
    return TableReport(opened.name, n_rows, columns, findings, counts, first_rows, written)


def _is_asked(plan: TablePlan) -> bool:
    """Whether it is asked already what it means that rows have no class."""
    return any(found.kind == MISSING_CLASS for found in plan.all_findings)


def _not_told(said: Sequence[Finding], columns: Sequence[ColumnReport]) -> list[Finding]:
    """Leave out what was said where a finding about it has the same way back."""
    told = {fix for column in columns for found in column.findings for fix in found.fixes}
    return [found for found in said if not told.intersection(found.fixes)]


def _row_findings(data: Dataset) -> tuple[Finding, ...]:
    """Report what becomes of weights and of copies of rows."""
    findings = [
        Finding(None, "weights", sentence)
        for sentence in data.provenance.notes
        if sentence == RESCALED
    ]
    if n_copies := data.provenance.rows_dropped.get(COPIES):
        back = Fix("Take them back in", "repeats", "auto")
        findings.append(Finding(None, "repeats", copies_left_out(n_copies), fixes=(back,)))
    if sentence := describe_repeats(data):
        together = data.repeats_rule == "together" and data.n_repeated > 0
        other = (
            Fix("Take copies as different cases", "repeats", "apart")
            if together
            else Fix("Keep copies together", "repeats", "together")
        )
        findings.append(Finding(None, "repeats", sentence, fixes=(other,)))
    return tuple(findings)


def _first_rows(raw: RawTable) -> tuple[tuple[str, ...], ...]:
    """Return the first rows; of a text its own cells, 'k.A.' and '1.', which say what was read."""
    n_rows = min(raw.n_rows, _N_FIRST_ROWS)
    columns = []
    for name in raw.names:
        if name in raw.columns:
            cells = raw.first_cells.get(name, ())[:n_rows]
            read = map(raw.columns[name].cell, range(n_rows))
            columns.append(cells if len(cells) == n_rows else tuple(read))
    return tuple(zip(*columns, strict=True))


def _classes(raw: RawTable, plan: TablePlan) -> Texts | None:
    """Return the target as texts, if it can be used as a class."""
    for column in plan.columns:
        if column.role == "target" and column.columns:
            found = raw.columns[column.name].as_texts()
            declared = column.columns[0].categories or ()
            return found if found.declared else _in_order(found, declared)
    return None


def _in_order(found: Texts, categories: Sequence[str]) -> Texts:
    code = {category: number for number, category in enumerate(categories)}
    codes = np.array([*(code[text] for text in found.texts), -1], dtype=np.int32)
    return Texts.of(codes[found.codes], categories)


def _numbers_of_cases(raw: RawTable, plan: TablePlan) -> FloatArray | None:
    """Return for how many cases each row stands, where one column says so."""
    named = (column.name for column in plan.columns if column.role == "weight")
    found = (raw.columns[name].as_numbers().values for name in named)
    weights = next((np.where(values > 0, values, 0.0) for values in found), None)
    return weights if are_copies(weights) else None


def _class_counts(classes: Texts | None, cases: FloatArray | None) -> tuple[tuple[str, int], ...]:
    """Count the rows of each class, or the cases that they stand for."""
    if classes is None:
        return ()
    counts = classes.rows_of
    if cases is not None:
        known = classes.codes >= 0
        counts = np.bincount(classes.codes[known], cases[known], len(counts)).astype(np.int64)
    return tuple(zip(classes.texts, counts.tolist(), strict=True))


def _class_findings(counts: Mapping[str, int]) -> tuple[Finding, ...]:
    """Report which classes are rare among the rows that have one."""
    findings: tuple[Finding, ...] = ()
    rare = [(text, n) for text, n in counts.items() if 0 < n < RARE_CLASS]
    n_all = sum(counts.values())
    if rare and n_all >= 10 * RARE_CLASS:
        text, n_rows = min(rare, key=lambda entry: entry[1])
        sentence = (
            f"Only {n_rows} of {n_all:,} rows are of class {text!r}: chances counted "
            "on the rows that shaped the tree would look more extreme than they are."
        )
        sentence += f" {few_shape(n_rows)}" if few_shape(n_rows) else ""
        remedy = "Use separate rows for the shape of the tree and for its numbers."
        findings += (Finding(None, "rare class", sentence, remedy, "warning", (SEPARATE_ROWS,)),)
    return findings


def few_shape(n_rows: int) -> str:
    """Warn of separate rows where too few of the rarest class would shape the tree.

    >>> few_shape(6), few_shape(60)
    ('With separate rows only about 3 of them shape the tree, which may leave it one leaf.', '')
    """
    if n_rows >= _ENOUGH_TO_HALVE:
        return ""
    half = f"only about {max(n_rows // 2, 1)} of them"
    return f"With separate rows {half} shape the tree, which may leave it one leaf."


def _leaks(raw: RawTable, plan: TablePlan, classes: Texts | None) -> dict[str, Finding | None]:
    """Look at every column that may be used: whether it predicts the class suspiciously well."""
    if classes is None:
        return {}
    classes, _ = classes.joined()  # Y, Yes and yes are one answer, until somebody says otherwise
    asked = [column for column in plan.columns if column.role in ("feature", "ignore")]
    shares = {column.name: errors_avoided(raw.columns[column.name], classes) for column in asked}
    used = {column.name for column in asked if column.role == "feature"}
    known = {name: shares[name] for name in used if shares[name] < SUSPICIOUS}
    far = {name for name, share in shares.items() if standing_out({**known, name: share}) == name}
    two_valued = standing_out_of_two(known, raw.columns) if classes.n_distinct == 2 else None
    found = {
        name: leak_finding(
            name,
            share,
            is_used=name in used,
            stands_out=name in far,
            rows_tell=tells_rows(raw.columns[name], classes),
            for_one_class=filled_for_one_class(raw.columns[name], classes),
            all_of_class=rows_of_one_class(raw.columns[name], classes)
            or (far_best(share) if name == two_valued else ""),
            told_class=class_told(raw.columns[name], classes),
            tells_some=tells_some(raw.columns[name], classes),
        )
        for name, share in shares.items()
    }
    target = next((column.name for column in plan.columns if column.role == "target"), "")
    later = measured_later(column.name for column in plan.columns)
    return {
        name: leak
        or (
            (known_afterwards(name, target, classes.texts) or later.get(name))
            if name in used
            else None
        )
        for name, leak in found.items()
    }


def _describe(plan: ColumnPlan, raw: RawTable, leak: Finding | None) -> ColumnReport:
    column = raw.columns[plan.name]
    n_missing = int(column.missing.sum())
    n_rows = len(column.missing)
    is_told = any(found.kind in (ROW_COUNTS, MAYBE_COUNTS, WORKED_OUT) for found in plan.findings)
    findings = plan.findings + ((leak,) if leak is not None and not is_told else ())
    parts = {column.date_part for column in plan.columns} - {None, "age", "span"}
    if plan.role == "feature" and parts:
        findings += (_date_finding(plan),)
    unit = plan.columns[0].unit if plan.columns else ""
    examples, n_distinct = _examples(column, unit)
    return ColumnReport(
        plan.name,
        plan.type,
        plan.role,
        n_missing,
        n_missing / max(n_rows, 1),
        n_distinct,
        examples,
        _bars(column, unit),
        findings,
        plan.label,
        _written(column, raw.first_cells.get(plan.name, ()), unit),
    )


def _written(column: RawColumn, cells: tuple[str, ...], unit: str) -> str:
    """Return a cell and the number it was read as, where a reader would write it otherwise.

    A comma taken for a point, or thousands taken for decimals, is seen at a glance like this. Rows
    may have been left out between the first ones, so the two must have the same digits.
    """
    if not isinstance(column, Numbers):
        return ""
    for cell, value in zip(map(str.strip, cells), column.values.tolist(), strict=False):
        if not np.isfinite(value):
            continue
        shown = _show(column, value, unit)
        looks_alike = cell.replace(" ", "") == shown.replace(" ", "") or _is_plain(cell, value)
        if not looks_alike and _digits(cell) == _digits(shown) != "":
            return f"{cell} → {shown}"
    return ""


def _is_plain(cell: str, value: float) -> bool:
    """Whether a cell is the number as everybody reads it, perhaps with zeros more than needed."""
    try:
        return float(cell) == value
    except ValueError:
        return False


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text)).strip("0")


def _date_finding(plan: ColumnPlan) -> Finding:
    """Report what a date becomes, and ask whether the past is to predict the future."""
    parts = ", ".join(column.name.removeprefix(plan.name).strip(" ()") for column in plan.columns)
    return Finding(
        plan.name,
        "date",
        f"Column {plan.name!r} holds dates and is used as: {parts}.",
        "Dates are used where there are few other columns, or if somebody says so. If new rows are "
        "to be predicted from older ones, give it the role 'time': folds then train on the past "
        "only.",
        "note",
        (Fix("Use it as time", "role", "time"), _parts_fix(plan), IGNORE),
    )


def _parts_fix(plan: ColumnPlan) -> Fix:
    """Offer the parts of a date that are not used, or the days alone."""
    if any(column.date_part != "days" for column in plan.columns):
        return Fix("Use days only", "date_parts", "days")
    return Fix("Use month and weekday too", "date_parts", "days, month, weekday")


def _examples(column: RawColumn, unit: str) -> tuple[tuple[str, ...], int]:
    """Return examples of the values, and how many different ones there are."""
    if isinstance(column, Texts):
        rows_of = column.rows_of
        frequent = np.argsort(-rows_of, kind="stable")[:3]
        found = tuple(column.texts[code] for code in frequent if rows_of[code])
        return found, int((rows_of > 0).sum())
    values = column.values if isinstance(column, Numbers) else column.days
    distinct = np.unique(values[~np.isnan(values)])
    if not len(distinct):
        return (), 0
    chosen = np.unique(distinct[[0, len(distinct) // 2, -1]])
    return tuple(_show(column, value, unit) for value in chosen.tolist()), len(distinct)


def _show(column: RawColumn, value: float, unit: str) -> str:
    """Write a number as its column is written; endless ones, 29.3333333333, with a few digits."""
    if isinstance(column, Dates):
        return Dates.of(np.array([value])).cell(0)
    value = value if unit == CLOCK else without_endless(value)
    return number_text(value, unit) if unit in ("%", CLOCK) else spell(value)


def _bars(column: RawColumn, unit: str) -> tuple[tuple[str, int], ...]:
    """Count values (the most frequent ones) or ranges of numbers and dates."""
    if isinstance(column, Texts):
        rows_of = column.rows_of
        frequent = np.argsort(-rows_of, kind="stable")[:_N_BARS]
        return tuple((column.texts[code], int(rows_of[code])) for code in frequent)
    values = column.values if isinstance(column, Numbers) else column.days
    known = values[np.isfinite(values)]
    if not len(known):
        return ()
    n_bars = min(_N_BARS, len(np.unique(known[:10_000])))
    counts, edges = _histogram(known, n_bars)
    labels = [_show(column, float(f"{low:.4g}"), unit) for low in edges[:-1]]
    if isinstance(column, Dates):
        labels = [_show(column, float(np.floor(low)), unit) for low in edges[:-1]]
    return tuple(zip(labels, counts.tolist(), strict=True))


def _histogram(values: FloatArray, n_bars: int) -> tuple[IntArray, FloatArray]:
    """Count values in ranges of equal width.

    numpy refuses numbers that are too close together or too far apart for that.
    """
    scale = 2.0**-600 if np.abs(values).max() > 1e300 else 1.0
    scaled = values * scale
    low, high = float(scaled.min()), float(scaled.max())
    if low == high:
        return np.array([len(values)]), np.array([low, high]) / scale
    bar = np.minimum((scaled - low) / (high - low) * n_bars, n_bars - 1).astype(np.int64)
    return np.bincount(bar, minlength=n_bars), np.linspace(low, high, n_bars + 1) / scale
