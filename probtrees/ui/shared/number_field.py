"""A number as people type it: with a point or a comma, and empty where nothing is recorded."""

from __future__ import annotations

import math
import re

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import OptionError
from probtrees.explain.rule import NOT_RECORDED_TEXT, number_text
from probtrees.table.dataset import MISSING

UNREAD = math.inf
"""Stands for what cannot be read: no number that is typed is infinite."""
_GROUPED = re.compile(r"[+-]?\d{1,3}([.,' ])\d{3}(\1\d{3})*")
_SPACES = re.compile("[\\s\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}']")


def number_of(text: str) -> float:
    """Read a number with a decimal point or a decimal comma; nothing is not recorded.

    A comma before exactly three digits could be either, so it is not guessed.

    >>> number_of("700,5"), number_of("700.5"), number_of("1.234,5"), number_of("1,234,567")
    (700.5, 700.5, 1234.5, 1234567.0)
    >>> number_of(" ")
    nan
    """
    plain = _SPACES.sub("", text)
    if not plain:
        return MISSING
    marks = [mark for mark in plain if mark in ".,"]
    if len(set(marks)) == 2:
        decimal = marks[-1]
        whole, _, rest = plain.rpartition(decimal)
        if decimal not in whole and _GROUPED.fullmatch(whole):
            plain = re.sub("[.,]", "", whole) + "." + rest
    elif len(marks) > 1 and _GROUPED.fullmatch(plain):
        plain = re.sub("[.,]", "", plain)
    elif marks == [","]:
        if _GROUPED.fullmatch(plain) and not plain.lstrip("+-").startswith("0"):
            raise OptionError(
                f"number={text!r} must be clear. Write {plain.replace(',', '')} or "
                f"{plain.replace(',', '.')}."
            )
        plain = plain.replace(",", ".")
    try:
        number = float(plain)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(
            f"number={text!r} must be a number. Write it like 700.5, or leave it out."
        )
    return number


def number_field(
    label: str, value: float, *, key: str, seen: tuple[float, float] | None = None
) -> float:
    """Ask for a number; infinite where what is typed cannot be read, which is said.

    Parameters
    ----------
    label : may hold Markdown
    seen : the smallest and the largest number of the table; others are remarked on
    """
    text = st.text_input(
        label,
        value="" if math.isnan(value) else number_text(value),
        placeholder=NOT_RECORDED_TEXT,
        key=key,
        persist_state="session",
        help=None if seen is None else f"Seen: {number_text(seen[0])} to {number_text(seen[1])}.",
    )
    try:
        number = number_of(text or "")
    except OptionError as problem:
        st.caption(f":red[{markdown_text(str(problem))}]")
        return UNREAD
    if seen is not None and (number < seen[0] or number > seen[1]):
        st.caption(
            f":orange[Outside of what was seen, {number_text(seen[0])} to {number_text(seen[1])}: "
            "the answer is that of the nearest rows.]"
        )
    return number
