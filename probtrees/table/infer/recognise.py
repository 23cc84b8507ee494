"""What a column holds: numbers, categories, dates, identifiers, free text, or nothing.

Nothing here depends on the order of the rows. Columns whose file declares what they hold (ARFF,
a pandas Categorical) are taken as they stand.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import flags
from probtrees.table.cells.convert import as_dates, as_numbers, as_texts, cell
from probtrees.table.cells.dates import parse_dates
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.table.infer.identifiers import (
    IGNORE,
    MIN_ROWS,
    counter_finding,
    counts_rows,
    identifier_finding,
    numbers_identify,
)
from probtrees.table.table_report import ColumnType, Finding, Fix, FoundCell, Severity
from probtrees.types import FloatArray

MAX_CATEGORIES = 10_000
"""A feature with more values than this is refused unless its type is set."""

IDENTIFIER_SHARE = 0.5
"""Texts that differ in at least this share of the rows are taken for identifiers."""

_FEW = 20
_MANY = 100
_MIXED_SHARE = 0.25
_LONG_TEXT = 40
_MANY_WORDS = 6
_BOOLEANS = ({"true", "false"}, {"yes", "no"}, {"t", "f"}, {"y", "n"})

AS_CATEGORIES = Fix("Treat as categories", "type", "nominal")


@dataclass(frozen=True)
class Recognised:
    """A column in the form its type needs, and what to know about it."""

    column: RawColumn
    type: ColumnType
    findings: tuple[Finding, ...] = ()


def recognise(name: str, column: RawColumn, decimal: str, forced: ColumnType | None) -> Recognised:
    """Decide what a column holds; ``forced`` is the type set by the user."""
    if forced is not None:
        return _as_forced(name, column, forced, decimal)
    if isinstance(column, Dates):
        return Recognised(column, "date")
    if isinstance(column, Numbers):
        return _numbers(name, column)
    if column.declared or column.boolean:
        return Recognised(column, "boolean" if column.boolean else "nominal")
    return _texts(name, column, decimal)


def _as_forced(name: str, column: RawColumn, forced: ColumnType, decimal: str) -> Recognised:
    if forced not in ("numeric", "date"):
        return Recognised(as_texts(column), forced)
    typed: RawColumn = as_numbers(column, decimal) if forced == "numeric" else as_dates(column)
    if isinstance(typed, Numbers) and np.isinf(typed.values).any():
        return Recognised(typed, forced, (_infinite(name, typed.values),))
    wrong = typed.missing & ~column.missing
    if not wrong.any():
        return Recognised(typed, forced)
    row = int(wrong.argmax())
    what = "number" if forced == "numeric" else "date"
    rule = f"must be a {what}, as the type set for the column says."
    finding = Finding.of_cell(
        name,
        "mixed",
        FoundCell(cell(column, row), row + 1, rule),
        "Correct or empty the cell, or leave the type to be recognised.",
        (AS_CATEGORIES, IGNORE),
    )
    return Recognised(typed, forced, (finding,))


def _numbers(name: str, column: Numbers) -> Recognised:
    lowest = np.fmin.reduce(column.values, initial=np.nan)
    highest = np.fmax.reduce(column.values, initial=np.nan)
    if np.isinf(lowest) or np.isinf(highest):
        return Recognised(column, "numeric", (_infinite(name, column.values),))
    if column.declared:
        return Recognised(column, "numeric")
    if not lowest < highest:
        return Recognised(column, "constant", (_constant(name, bool(np.isnan(lowest))),))
    if numbers_identify(name, column.values, lowest, highest):
        repeats = len(np.unique(column.values)) < len(column.values)
        return Recognised(column, "identifier", (identifier_finding(name, repeats=repeats),))
    if counts_rows(column.values, lowest, highest):
        return Recognised(column, "numeric", (counter_finding(name),))
    return Recognised(column, "numeric")


def _infinite(name: str, values: FloatArray) -> Finding:
    row = int(np.isinf(values).argmax())
    return Finding(
        name,
        "infinite",
        f"{name!r}={values[row]} in row {row + 1} must be a finite number.",
        "Correct the cell, or leave it empty if the value is not known.",
        "error",
        (IGNORE,),
    )


def _constant(name: str, empty: bool) -> Finding:
    found = "has no value in any row" if empty else "has the same value in every row"
    return Finding(name, "constant", f"Column {name!r} {found} and is ignored.", severity="note")


def _texts(name: str, column: Texts, decimal: str) -> Recognised:
    if column.n_distinct == 0:
        return Recognised(column, "constant", (_constant(name, True),))
    is_number = _which_are_numbers(column, decimal)
    if is_number.all():
        return _numbers(name, as_numbers(column, decimal))
    return _dates(name, column) or _mixed(name, column, is_number) or _categories(name, column)


def _which_are_numbers(column: Texts, decimal: str) -> NDArray[np.bool_]:
    """Find which distinct texts are numbers; none, if none is among the first thousand."""
    some = ~np.isnan(parse_numbers(column.distinct.slice(0, 1000), decimal))
    if not some.any():
        return np.zeros(column.n_distinct, dtype=np.bool_)
    return ~np.isnan(parse_numbers(column.distinct, decimal))


def _dates(name: str, column: Texts) -> Recognised | None:
    """Recognise a column of dates; a few cells that are none are an error, many mean no dates."""
    if np.isnan(parse_dates(column.distinct.slice(0, 50)).days).all():
        return None
    parsed = parse_dates(column.distinct)
    wrong = np.isnan(parsed.days)
    if wrong.mean() > _MIXED_SHARE:
        return None
    if wrong.any():
        finding = Finding.of_cell(
            name,
            "mixed",
            _first_cell(column, wrong, "must be a date like the other cells of the column."),
            "Correct the cell, or set the column's type to 'nominal'.",
            (AS_CATEGORIES, IGNORE),
        )
        return Recognised(column, "nominal", (finding,))
    findings: tuple[Finding, ...] = ()
    if parsed.assumed:
        order = "day" if parsed.day_first else "month"
        sentence = (
            f"Dates in column {name!r} are read with the {order} first; nothing in them says so."
        )
        remedy = "Write dates as 2020-12-31 to be sure."
        findings = (Finding(name, "date order", sentence, remedy, "warning"),)
    return Recognised(as_dates(column), "date", findings)


def _mixed(name: str, column: Texts, is_number: NDArray[np.bool_]) -> Recognised | None:
    """Find words among numbers; "3+" or "10-14" among numbers is a category, "unknown" is not."""
    if not is_number.any():
        return None
    rows_of = column.rows_of
    share = rows_of[is_number].sum() / rows_of.sum()
    has_digit = flags(pc.match_substring_regex(column.distinct, r"\d"))
    if share < _MIXED_SHARE or has_digit.all():
        return None
    rule = f"must be a number, since {share:.0%} of the column are numbers."
    finding = Finding.of_cell(
        name,
        "mixed",
        _first_cell(column, ~has_digit, rule),
        "Correct or empty the cell, or set the column's type to 'nominal'.",
        (AS_CATEGORIES, IGNORE),
    )
    return Recognised(column, "nominal", (finding,))


def _first_cell(column: Texts, among: NDArray[np.bool_], rule: str) -> FoundCell:
    """Return the first cell whose text is chosen."""
    row = int(np.append(among, False)[column.codes].argmax())
    return FoundCell(column.texts[column.codes[row]], row + 1, rule)


def _categories(name: str, column: Texts) -> Recognised:
    """Distinguish categories from identifiers and from free text by how often values repeat."""
    n_distinct, n_known = column.n_distinct, int(np.count_nonzero(column.codes >= 0))
    if not column.repeats:
        n_distinct = n_known
    if n_distinct == 1 and n_known == len(column.codes):
        return Recognised(column, "constant", (_constant(name, False),))
    if n_distinct == 2 and {text.lower() for text in column.texts} in _BOOLEANS:
        return Recognised(column, "boolean")
    all_differ = n_distinct == n_known >= MIN_ROWS
    if all_differ or (n_distinct > _FEW and n_distinct >= IDENTIFIER_SHARE * n_known):
        if _is_prose(column):
            return Recognised(column, "text", (_free_text(name, column),))
        return Recognised(
            column, "identifier", (identifier_finding(name, repeats=n_distinct < n_known),)
        )
    return Recognised(column, "nominal", _too_many(name, n_distinct, n_known))


def _is_prose(column: Texts) -> bool:
    some = column.distinct.slice(0, 1000)
    length = pc.mean(pc.utf8_length(some)).as_py()
    words = 1 + pc.mean(pc.count_substring(some, " ")).as_py()
    return bool(length >= _LONG_TEXT or words >= _MANY_WORDS)


def _free_text(name: str, column: Texts) -> Finding:
    sample = column.texts[0]
    shown = sample if len(sample) <= 30 else sample[:27] + "..."
    return Finding(
        name,
        "text",
        f"Column {name!r} must hold categories or numbers; it looks like free text ({shown!r}).",
        "Give it the role 'ignore', or replace it by columns that say what matters in the text.",
        "error",
        (IGNORE, AS_CATEGORIES),
    )


def _too_many(name: str, n_distinct: int, n_known: int) -> tuple[Finding, ...]:
    refused = n_distinct > MAX_CATEGORIES
    if not refused and (n_distinct <= _MANY or n_distinct <= n_known / 10):
        return ()
    of_how_many = ", which is too many for categories" if refused else f" in {n_known:,} rows"
    sentence = f"Column {name!r} has {n_distinct:,} different values{of_how_many}."
    remedy = "Group them, give it the role 'ignore', or set its type to 'nominal' to keep it."
    severity: Severity = "error" if refused else "warning"
    return (Finding(name, "many values", sentence, remedy, severity, (IGNORE, AS_CATEGORIES)),)
