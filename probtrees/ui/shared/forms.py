"""Widgets made from what is declared: options of algorithms, things with names; typed numbers.

Numbers are typed as people write them: with a point or a comma, and empty where nothing is
recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.errors import OptionError, ProbTreesError
from probtrees.options import OptionField
from probtrees.table.dataset import MISSING, Column
from probtrees.table.encode import cell_value
from probtrees.table.number_text import number_text
from probtrees.ui.shared.session.bounded_cache import Upload, content_of


def option_widgets(
    fields: Iterable[OptionField],
    *,
    key: str,
    defaults: Mapping[str, Any] | None = None,
    proposed: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Show a widget for every option; what the person changes is kept under ``key``.

    Returns what :func:`chosen_options` does, and nothing where a text makes no sense, which is
    said below it.

    Parameters
    ----------
    defaults : what options of this table start with, if not with their own defaults
    proposed : what the app takes where the person chose nothing
    """
    fields = tuple(field for field in fields if field.reader is None)  # others are made elsewhere
    for field in fields:
        usual = (defaults or {}).get(field.name, field.default)
        shown = (proposed or {}).get(field.name, usual)
        _widget(field, f"{key}.{field.name}", shown)
    try:
        return chosen_options(fields, key=key, defaults=defaults)
    except OptionError:
        return {}


def chosen_options(
    fields: Iterable[OptionField], *, key: str, defaults: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Collect from the session what :func:`option_widgets` holds, also while it is not shown.

    Raises OptionError for a text that makes no sense.
    """
    chosen: dict[str, Any] = {}
    for field in fields:
        start = (defaults or {}).get(field.name, field.default)
        value = st.session_state.get(f"{key}.{field.name}", start)
        if value is None and not field.optional:
            value = start  # a field that was emptied
        if isinstance(value, str) and field.kinds:
            value = field.parse(value)
        if value != field.default:
            chosen[field.name] = value
    return chosen


def keep_choice(key: str, chosen: Any, usual: Any) -> None:
    """Keep what a person chose; what would be shown anyway is no choice."""
    if chosen == usual:
        st.session_state.pop(key, None)
    else:
        st.session_state[key] = chosen


def keeping(key: str, chosen: Any, usual: Any, name: str = "field") -> dict[str, Any]:
    """Let a widget show what is chosen, and keep under ``key`` what a person chooses in it.

    The widget has a key of its own: drawing it chooses nothing, and others may choose too.
    """
    widget = f"{key} {name}"
    st.session_state[widget] = chosen

    def remember() -> None:
        if widget in st.session_state:  # a page that is gone sends its fields once more
            keep_choice(key, st.session_state[widget], usual)

    return {"key": widget, "on_change": remember}


def _widget(field: OptionField, key: str, shown: Any) -> None:
    """Show one option in the widget its type asks for."""
    kind, chosen = _kind(field), _held(field, st.session_state.get(key, shown))
    words: dict[str, Any] = {"label": field.label, "help": markdown_text(field.help)}
    words |= keeping(key, chosen, _held(field, shown))
    if kind is None:
        st.selectbox(options=([None] if field.optional else []) + list(field.choices), **words)
    elif kind is bool:
        st.toggle(**words)
    elif kind is str:
        typed = st.text_input(**words)
        try:
            field.parse(typed) if field.kinds else None
        except OptionError as problem:
            st.error(markdown_text(str(problem)))
    else:
        _number(field, kind, words)


def _kind(field: OptionField) -> Any:
    """Return what an option's widget holds; None: one of its choices.

    A number that may also be a word such as "auto" is given as text.
    """
    if field.choices and not field.kinds:
        return None
    if bool in field.kinds:
        return bool
    if field.choices or not {int, float} & {*field.kinds}:
        return str
    return float if float in field.kinds else int


def _held(field: OptionField, value: Any) -> Any:
    """Return a value as the option's widget holds it."""
    kind = _kind(field)
    if kind is None or kind is bool:
        return value if kind is None else bool(value)
    if kind is str:
        return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
    return kind(value) if isinstance(value, int | float) else None


def _number(field: OptionField, kind: Any, words: dict[str, Any]) -> None:
    """Show a number within its bounds; left empty where the option may be none."""
    low = field.minimum if field.above is None else field.above
    st.number_input(
        min_value=None if low is None else kind(low),
        max_value=None if field.maximum is None else kind(field.maximum),
        format="%d" if kind is int else "%g",
        placeholder="none" if field.optional else None,
        **words,
    )


def named_choice(
    label: str,
    options: Sequence[int],
    name_of: Callable[[int], str],
    *,
    key: str,
    table: Hashable,
    help: str,
    proposed: int | None = None,
) -> int:
    """Ask for one of several things that have a name; the number chosen is kept under ``key``.

    The widget belongs to one table: the browser would go on showing the old name of a number
    that means something else in another table.

    Parameters
    ----------
    proposed : what is shown, and kept nowhere, until somebody chooses; else it is the first
    """
    usual, chosen = options[0] if proposed is None else proposed, st.session_state.get(key)
    kept = keeping(key, chosen if chosen in options else usual, usual, f"of {table}")
    shown: int = st.selectbox(label, options, format_func=name_of, help=help, **kept)
    return shown


def file_field(
    label: str, key: str, take: Callable[[Upload], None], place: Any = st, **options: Any
) -> None:
    """Ask for a file and take it, once; what is wrong with it is said as long as it lies there.

    Parameters
    ----------
    take : may draw the page again
    place : where the field stands, if not here
    options : of ``st.file_uploader``
    """
    file, taken = place.file_uploader(label, key=key, **options), f"{key} taken"
    if file is None:
        st.session_state.pop(taken, None)
        return
    try:
        upload = Upload(file.name, content_of(file))
        if st.session_state.get(taken) != upload.digest:
            st.session_state[taken] = upload.digest
            take(upload)
    except ProbTreesError as problem:
        st.session_state.pop(taken, None)
        st.error(markdown_text(str(problem)))


def value_of(text: str, column: Column, seen: tuple[float, float] | None = None) -> float:
    """Read what is typed for a column of numbers: as the table writes it, or with either mark.

    Nothing is not recorded. A mark before exactly three digits could be either, where the table has
    decimal commas or the mark is one. Then the reading that lies within what was seen counts; else
    it is not guessed.

    Parameters
    ----------
    seen : the smallest and the largest number of the column

    >>> dose = Column("dose")
    >>> [value_of(text, dose) for text in ("700,5", "700.5", "1.234,5", "1,234,567", " ")]
    [700.5, 700.5, 1234.5, 1234567.0, nan]
    """
    plain, reading = text.strip(), column.reading
    if not plain:
        return MISSING
    if reading.name or column.date_part is not None:
        as_written = cell_value(plain, column)
        if not math.isnan(as_written):
            return as_written
    by_mark = {
        mark: replace(column, reading=replace(reading, name="amount", decimal=mark), date_part=None)
        for mark in ".,"
    }
    readings = {mark: cell_value(plain, either) for mark, either in by_mark.items()}
    found = sorted({value for value in readings.values() if math.isfinite(value)}, key=abs)
    if not found:
        raise OptionError(f"{text!r} must be a number. Write it like 700.5, or leave it out.")
    if reading.decimal == "." and "," not in plain and readings["."] in found:
        return readings["."]
    fitting = [one for one in found if seen is not None and seen[0] <= one <= seen[1]]
    if len(found) > 1 and len(fitting) != 1:
        raise OptionError(
            f"number={text!r} must be clear. Write {number_text(found[1])} or {found[0]!r}0."
        )
    return (fitting or found)[0]
