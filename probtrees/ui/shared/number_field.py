"""A number as people type it: with a point or a comma, and empty where nothing is recorded."""

from __future__ import annotations

import math
import re

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import OptionError
from probtrees.explain.rule import NOT_RECORDED_TEXT
from probtrees.table.dataset import MISSING, Column
from probtrees.table.encode import cell_value
from probtrees.table.number_text import field_text, number_text, short_text

UNREAD = math.inf
"""Stands for what cannot be read: no number that is typed is infinite."""
_GROUPED = re.compile(r"[+-]?\d{1,3}([.,' ])\d{3}(\1\d{3})*")
_SPACES = re.compile("[\\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']")


def number_of(
    text: str, unit: str = "", decimal: str = ".", seen: tuple[float, float] | None = None
) -> float:
    """Read a number with a decimal point or a decimal comma; nothing is not recorded.

    A mark before exactly three digits could be either, where the table has decimal commas or the
    mark is one. Then the reading that lies within what was seen counts; else it is not guessed.

    Parameters
    ----------
    unit : of the column, which may be typed too
    decimal : the decimal mark of the table
    seen : the smallest and the largest number of the column

    >>> number_of("700,5"), number_of("700.5"), number_of("1.234,5"), number_of("1,234,567")
    (700.5, 700.5, 1234.5, 1234567.0)
    >>> number_of(" "), number_of("12.000,50 €", "€", ",")
    (nan, 12000.5)
    """
    plain = _SPACES.sub("", _without_unit(text, unit))
    if not plain:
        return MISSING
    marks = [mark for mark in plain if mark in ".,"]
    if len(set(marks)) == 2:
        last = marks[-1]
        whole, _, rest = plain.rpartition(last)
        if last not in whole and _GROUPED.fullmatch(whole):
            plain = re.sub("[.,]", "", whole) + "." + rest
    elif len(marks) > 1 and _GROUPED.fullmatch(plain):
        plain = re.sub("[.,]", "", plain)
    elif marks and (marks == [","] or decimal == ","):
        plain = _with_one_mark(text, plain, marks[0], seen)
    try:
        number = float(plain)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(f"{text!r} must be a number. Write it like 700.5, or leave it out.")
    return number


def value_of(text: str, column: Column, seen: tuple[float, float] | None = None) -> float:
    """Read what is typed for a column of numbers: as the table writes it, or as a plain number.

    >>> value_of("700,5", Column("dose"))
    700.5
    """
    reading = column.reading
    is_plain = not reading.name and column.date_part is None
    found = MISSING if is_plain else cell_value(text.strip(), column)
    return number_of(text, reading.unit, reading.decimal, seen) if math.isnan(found) else found


def _without_unit(text: str, unit: str) -> str:
    """Take away the unit of the column, which may stand on either side."""
    if not unit:
        return text
    mark = re.escape(unit)
    return re.sub(rf"^\s*{mark}|{mark}s?\.?\s*$", "", text, flags=re.IGNORECASE)


def _with_one_mark(text: str, plain: str, mark: str, seen: tuple[float, float] | None) -> str:
    """Write a number with one mark plainly; before three digits it may stand for thousands."""
    as_decimal, as_thousands = plain.replace(mark, "."), plain.replace(mark, "")
    if not _GROUPED.fullmatch(plain) or plain.lstrip("+-").startswith("0"):
        return as_decimal
    readings = [as_decimal, as_thousands]
    if seen is not None:
        fitting = [reading for reading in readings if seen[0] <= float(reading) <= seen[1]]
        if len(fitting) == 1:
            return fitting[0]
    other = number_text(float(as_decimal))
    other += "0" if _GROUPED.fullmatch(other) else ""
    raise OptionError(f"number={text!r} must be clear. Write {as_thousands} or {other}.")


def number_field(
    label: str,
    value: float,
    *,
    key: str,
    column: Column,
    seen: tuple[float, float] | None = None,
) -> float:
    """Ask for a number; infinite where what is typed cannot be read, which is said.

    Parameters
    ----------
    label : may hold Markdown
    column : how the table writes its numbers is understood too
    seen : the smallest and the largest number of the table; others are remarked on
    """
    start = "" if math.isnan(value) else field_text(value, column.unit)
    low, high = ("", "") if seen is None else (short_text(end, column.unit) for end in seen)
    text = st.text_input(
        label,
        value=start,
        placeholder=NOT_RECORDED_TEXT,
        key=key,
        persist_state="session",
        help=None if seen is None else f"Seen: {low} to {high}.",
    )
    try:
        number = value if text == start else value_of(text or "", column, seen)
    except OptionError as problem:
        st.caption(f":red[{markdown_text(str(problem))}]")
        return UNREAD
    if text != start and ("," in text or ("." in text and number.is_integer())):
        st.caption(f"Read as {number_text(number, column.unit)}.")
    if seen is not None and (number < seen[0] or number > seen[1]):
        st.caption(
            f":orange[Outside of what was seen, {low} to {high}: "
            "the answer is that of the nearest rows.]"
        )
    return number
