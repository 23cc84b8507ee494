"""A small table to match those values of a file that a model does not know with those it does."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.table.cells.recode import Recoded
from probtrees.table.infer.unmatched_values import UnmatchedColumn

_BESIDE = 4
"""Boxes in a line."""
_MOST_PAIRS = 8
_GUESSED = " Boxes that are filled in are guesses by the words: clear what is wrong."
_AT_ONCE = " What you choose counts at once."


def match_values(columns: Sequence[UnmatchedColumn], key: str) -> Recoded:
    """Ask what the values of columns stand for; what somebody chooses counts at once.

    What is guessed by words counts if somebody says to read it so, or changes a box of its column.
    Where all are guessed, one line says how, and the boxes are folded away.

    Parameters
    ----------
    key : what tells the widgets of one file from those of another
    """
    guessed = [column for column in columns if set(column.texts) <= set(column.guess)]
    asked = [column for column in columns if column not in guessed]
    chosen: dict[str, tuple[tuple[str, str], ...]] = {}
    with st.container(border=True):
        st.markdown(
            "**Which values are which?** The file has other words than the training table. Until "
            "they are matched, these words tell the model nothing."
            + (_AT_ONCE if asked else "")
            + (_GUESSED if any(column.guess for column in asked) else "")
        )
        lines = st.container()
        for column in asked:
            chosen |= _match_column(column, key)
        place = st.container()
        if guessed:
            with st.expander("Match them otherwise", key=f"{key} otherwise"):
                for column in guessed:
                    chosen |= _match_column(column, key)
        for column in guessed:
            lines.markdown(_proposed(column, chosen.get(column.name, ())))
        proposed = [c.name for c in columns if c.guess and chosen.get(c.name) == _guessed(c)]
        named = ", ".join(markdown_text(repr(name)) for name in proposed)
        reads = bool(proposed) and place.toggle(
            f"Read {named} so",
            key=f"{key} read",
            help="What has no counterpart stays as it is, and is odd.",
        )
    counted = (c.name for c in columns if c.name in chosen and (reads or c.name not in proposed))
    return {name: chosen[name] for name in counted}


def _guessed(column: UnmatchedColumn) -> tuple[tuple[str, str], ...]:
    return tuple((text, column.guess[text]) for text in column.texts if text in column.guess)


def _proposed(column: UnmatchedColumn, pairs: Sequence[tuple[str, str]]) -> str:
    """Say in a line what the values of a column would be read as."""
    parts = [f"{text!r} as {value!r}" for text, value in pairs[:_MOST_PAIRS]]
    parts += [f"{len(pairs) - _MOST_PAIRS} more"] if len(pairs) > _MOST_PAIRS else []
    return f"{markdown_text(column.name)}: {markdown_text(', '.join(parts) or 'not matched')}"


def _match_column(column: UnmatchedColumn, key: str) -> Recoded:
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
    return {column.name: tuple(pairs)} if pairs else {}
