"""A small table to match those values of a file that a model does not know with those it does."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.table.cells.recode import Recoded
from probtrees.table.infer.unmatched_values import UnmatchedColumn

_BESIDE = 4
"""Boxes in a line."""
_GUESSED = " Boxes that are filled in are guesses by the words: clear what is wrong."


def match_values(columns: Sequence[UnmatchedColumn], key: str) -> Recoded:
    """Ask what the values of columns stand for; nothing until somebody says to read them so.

    Parameters
    ----------
    key : what tells the widgets of one file from those of another
    """
    chosen: dict[str, tuple[tuple[str, str], ...]] = {}
    with st.container(border=True):
        st.markdown(
            "**Which values are which?** The file has other words than the training table. Until "
            "they are matched, these words tell the model nothing."
            + (_GUESSED if any(column.guess for column in columns) else "")
        )
        for column in columns:
            pairs = _match_column(column, key)
            if pairs:
                chosen[column.name] = pairs
        named = ", ".join(markdown_text(repr(name)) for name in chosen)
        reads = st.toggle(
            f"Read {named} so" if named else "Read the values so",
            key=f"{key} read",
            disabled=not chosen,
            help="What has no counterpart stays as it is, and is odd.",
        )
    return chosen if reads else {}


def _match_column(column: UnmatchedColumn, key: str) -> tuple[tuple[str, str], ...]:
    """Show a box for every value of a column, guessed where its words tell."""
    had = ", ".join(column.known[:_BESIDE]) + (", …" if len(column.known) > _BESIDE else "")
    name = markdown_text(column.name)
    said = f"{name} (in training: {markdown_text(had)})" if had else name
    st.markdown(markdown_text(column.sentence) if column.rows else said)
    pairs = []
    for first in range(0, len(column.texts), _BESIDE):
        texts = column.texts[first : first + _BESIDE]
        for place, text in zip(st.columns(_BESIDE), texts, strict=False):
            guess = column.guess.get(text)
            meant = place.selectbox(
                f"{markdown_text(repr(text))} is",
                column.known,
                index=None if guess is None else column.known.index(guess),
                placeholder="not known",
                accept_new_options=column.is_number,
                key=f"{key} {column.name} {text}",
            )
            if meant is not None:
                pairs.append((text, str(meant)))
    return tuple(pairs)
