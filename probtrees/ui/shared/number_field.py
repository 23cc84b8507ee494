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
_SPACES = re.compile("[\\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']")
_NUMBER = (
    r"[+-]?(?=[{mark}]?\d)(\d*|[1-9]\d{{0,2}}([{other}]\d{{3}})+)([{mark}]\d*)?(e[+-]?\d{{1,3}})?"
)
_MARKS = {
    mark: (other, re.compile(_NUMBER.format(mark=mark, other=other), re.IGNORECASE))
    for mark, other in ((".", ","), (",", "."))
}
"""By the decimal mark: the mark of thousands, and how such numbers are written."""


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
    mark = re.escape(unit)
    without_unit = re.sub(rf"^\s*{mark}|{mark}s?\.?\s*$", "", text, flags=re.IGNORECASE)
    plain = _SPACES.sub("", without_unit if unit else text)
    if not plain:
        return MISSING
    readings = {
        mark: float(plain.replace(other, "").replace(mark, "."))
        for mark, (other, pattern) in _MARKS.items()
        if pattern.fullmatch(plain)
    }
    if not readings:
        raise OptionError(f"{text!r} must be a number. Write it like 700.5, or leave it out.")
    if decimal == "." and "." in readings and "," not in plain:
        return readings["."]
    found = sorted(set(readings.values()), key=abs)
    fitting = [one for one in found if seen is not None and seen[0] <= one <= seen[1]]
    if len(found) > 1 and len(fitting) != 1:
        raise OptionError(
            f"number={text!r} must be clear. Write {number_text(found[1])} or {found[0]!r}0."
        )
    return (fitting or found)[0]


def value_of(text: str, column: Column, seen: tuple[float, float] | None = None) -> float:
    """Read what is typed for a column of numbers: as the table writes it, or as a plain number.

    >>> value_of("700,5", Column("dose"))
    700.5
    """
    reading = column.reading
    is_plain = not reading.name and column.date_part is None
    found = MISSING if is_plain else cell_value(text.strip(), column)
    return number_of(text, reading.unit, reading.decimal, seen) if math.isnan(found) else found


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
