"""Dates with something else among them; ranges and names that a spreadsheet has made dates of.

Dates beside days as Excel counts them (39046) are dates, all of them, if these days are about as
late; else that is offered. Beside other texts (302 DOY) they are categories, and a question says
so. Where 2-5 was typed into Excel it may have become 02-May, and the gene SEPT2 is 2-Sep: among
other ranges that is asked about, and among names told.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.other_dates.typed_ranges import (
    is_typed_date,
    plain_ranges,
    said_as,
    typed_ranges,
)
from probtrees.table.cells.periods import are_excel_days
from probtrees.table.cells.raw_table import RawColumn, Texts
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.table.infer.dates.excel_days import EXCEL_DAYS, read_excel_days
from probtrees.table.infer.recognise_numbers import Recognised
from probtrees.table.infer.text_habits import listed
from probtrees.table.infer.words_among_numbers import mixed_question
from probtrees.table.spelling import PLAIN
from probtrees.table.table_report import Finding, Fix
from probtrees.words import rows_text

_FEWEST = 10
_MOSTLY = 0.5
_FEWEST_DATES = 3
_A_YEAR = 366
_SHOWN, _MOST_RANGES = 3, 20
RANGES_AS_DATES = "ranges as dates"
"""The kind of the question whether dates are ranges that somebody typed."""
_APGAR = re.compile("apgar", re.I)
_SCORES = re.compile(r"(?:\d|10)(?: ?[/-] ?(?:\d|10)){1,2}", re.A)
_NAME = re.compile(r"(?=.*[^\W\d_])[\w.-]{2,20}")


def mixed_dates(
    name: str, column: Texts, wrong: NDArray[np.bool_], plain: Recognised
) -> Recognised:
    """Ask about dates in most cells with something else in the others; ``wrong`` are the others.

    ``plain`` is what the column is otherwise.
    """
    rows_of = column.rows_of
    share = float(rows_of[~wrong].sum() / max(rows_of.sum(), 1))
    if np.count_nonzero(~wrong) < _FEWEST or share < _MOSTLY:
        return plain
    others = [column.texts[code] for code in np.flatnonzero(wrong)]
    ignored = plain.type != "nominal" or any(f.kind == "many values" for f in plain.findings)
    question = mixed_question(name, others, share, "dates", ignored=ignored)
    fixes = (*as_excel_dates(column, wrong), *question.fixes)
    question = replace(question, fixes=fixes)
    return Recognised(column, "nominal", (question, *(() if ignored else plain.findings)))


def dates_beside_days(name: str, column: Texts, wrong: NDArray[np.bool_]) -> Recognised | None:
    """Read dates beside days as Excel counts them, as in sheets of several people, if both agree.

    The days lie between the dates, or less than a year from them; ``wrong`` are those days.
    """
    if np.count_nonzero(~wrong) < _FEWEST_DATES or not _counted(column, wrong):
        return None
    spelling = replace(PLAIN, serial=True)
    days = column.written(spelling).as_dates().distinct
    dates, counted = days[~wrong], days[wrong]
    if counted.min() < dates.min() - _A_YEAR or counted.max() > dates.max() + _A_YEAR:
        return None
    found = read_counted_days(name, column)
    return found and replace(found, findings=tuple(_with_way_back(f) for f in found.findings))


def _with_way_back(found: Finding) -> Finding:
    return replace(
        found,
        remedy="Set its type to 'nominal' to keep every spelling as a category.",
        fixes=(Fix("Treat as categories", "type", "nominal"),),
    )


def as_excel_dates(column: Texts, wrong: NDArray[np.bool_]) -> tuple[Fix, ...]:
    """Offer to read numbers among dates as days counted by Excel, if all may be some."""
    return (Fix("Read them as Excel dates", "type", "date"),) if _counted(column, wrong) else ()


def _counted(column: Texts, wrong: NDArray[np.bool_]) -> bool:
    """Whether all texts that are no dates may be days as Excel counts them."""
    numbers = parse_numbers(column.distinct, column.decimal)[wrong]
    one_alone = len(numbers) == 1 and are_excel_days(np.append(numbers, numbers + 1))
    return not np.isnan(numbers).any() and (one_alone or are_excel_days(numbers))


def read_counted_days(name: str, column: RawColumn) -> Recognised | None:
    """Read days counted by Excel as dates, alone or beside dates, as somebody said."""
    counted = read_excel_days(name, column)
    if counted is not None or not isinstance(column, Texts):
        return counted
    dates = column.dates
    wrong = np.isnan(dates.distinct) if dates is not None else np.array([], dtype=np.bool_)
    if not wrong.any() or not _counted(column, wrong):
        return None
    spelling = replace(PLAIN, serial=True, last_year=dates.last_year if dates else 0)
    n_rows = rows_text(int(column.rows_of[wrong].sum()))
    first = column.texts[int(wrong.argmax())]
    sentence = f"Column {name!r} is read as dates, in {n_rows} as days counted by Excel ({first})."
    note = Finding(name, EXCEL_DAYS, sentence, severity="note")
    return Recognised(column.written(spelling).as_dates(), "date", (note,), spelling)


def ranges_as_dates(name: str, column: Texts) -> tuple[Finding, ...]:
    """Ask about ranges that a spreadsheet has made dates of: 02-May among 0-2 % and 5-10 %."""
    found = typed_ranges(column.texts)
    if not found:
        return ()
    ranges = plain_ranges(column.categories)
    where = f"among ranges such as {ranges[0]!r}" if ranges else "which would be ranges in turn"
    meant = [f"{text!r} was {value}" for text, value in list(found.items())[:_SHOWN]]
    return (
        Finding(
            name,
            RANGES_AS_DATES,
            f"Column {name!r} holds {listed(list(map(repr, list(found)[:_SHOWN])))} in "
            f"{rows_text(column.rows_with(found))}, {where}: spreadsheets make dates of ranges. "
            f"Probably {listed(meant)}. It is a value like the others.",
            "Read it as the range (--join), here and in later tables; or correct the cells.",
            "warning",
            (Fix(f"Read {said_as(list(found.items()))}", "join", name),),
        ),
    )


def are_no_dates(name: str, column: Texts) -> bool:
    """Whether what looks like dates is something else: ranges that somebody typed, Apgar scores.

    So are a few ranges that return in many rows. 9/10/10 is how well a newborn was, three times.
    """
    if _APGAR.search(name) and all(map(_SCORES.fullmatch, column.texts)):
        return True
    few = column.n_distinct <= _MOST_RANGES and column.rows_of.sum() >= 5 * column.n_distinct
    return bool(few and plain_ranges(column.texts) and typed_ranges(column.texts))


def names_as_dates(name: str, column: Texts) -> tuple[Finding, ...]:
    """Tell of names that a spreadsheet has made dates of: 2-Sep among TP53 and BRCA1."""
    found = [text for text in column.texts if is_typed_date(text)]
    others = [text for text in column.texts if text not in found and _NAME.fullmatch(text)]
    if not found or len(others) < column.n_distinct / 2:
        return ()
    return (
        Finding(
            name,
            "names as dates",
            f"Column {name!r} holds {listed(list(map(repr, found[:_SHOWN])))} in "
            f"{rows_text(column.rows_with(found))}, among names such as {others[0]!r}: "
            "spreadsheets make dates of names such as SEPT2, MARCH1 and DEC1.",
            "Correct these cells where the file is made: what they were cannot be told for sure.",
            "warning",
        ),
    )
