"""Widgets made from the options an algorithm declares: one definition, three faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.options import OptionField


def option_widgets(
    fields: Iterable[OptionField], *, key: str, defaults: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Show a widget for every option and return the values that differ from its default."""
    chosen: dict[str, Any] = {}
    for field in fields:
        start = (defaults or {}).get(field.name, field.default)
        value = _widget(field, f"{key}.{field.name}", start)
        if value != field.default:
            chosen[field.name] = value
    return chosen


def _widget(field: OptionField, key: str, start: Any) -> Any:
    """Show one option in the widget its type asks for."""
    words: dict[str, Any] = {
        "label": field.label,
        "help": markdown_text(field.help),
        "key": key,
        "persist_state": "session",
    }
    if field.choices and not field.kinds:
        options = ([None] if field.optional else []) + list(field.choices)
        return st.selectbox(options=options, index=options.index(start), **words)
    if bool in field.kinds:
        return st.toggle(value=bool(start), **words)
    if int in field.kinds or float in field.kinds:
        return _number(field, start, words)
    return st.text_input(value="" if start is None else str(start), **words)


def _number(field: OptionField, start: Any, words: dict[str, Any]) -> Any:
    """Show a number within its bounds; left empty where the option may be none."""
    kind = int if int in field.kinds and float not in field.kinds else float
    low = field.minimum if field.above is None else field.above
    numbers: dict[str, Any] = {
        "min_value": None if low is None else kind(low),
        "max_value": None if field.maximum is None else kind(field.maximum),
        "value": kind(start) if isinstance(start, int | float) else None,
        "step": kind(1) if kind is int else 0.1,
        "placeholder": "none" if field.optional else None,
    }
    return st.number_input(**numbers, **words)
