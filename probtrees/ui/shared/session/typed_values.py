"""What was typed over a row of the table, so that a link can bring it back.

Written as ``3:54.0,5:``: the number of a column and its value, as a code where it is a category;
nothing where nothing is recorded. Links of one's own table never hold it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from probtrees.table.dataset import MISSING, Column, Schema
from probtrees.types import FloatArray
from probtrees.ui.shared.page import LinkChoice

_LONGEST = 4000
"""Letters of such a part of a link; browsers cut longer addresses off."""


def read_typed(text: str) -> dict[int, float]:
    """Read typed values from a link.

    >>> read_typed("3:54,5:")
    {3: 54.0, 5: nan}
    """
    if len(text) > _LONGEST:
        raise ValueError(text)
    found = {}
    for part in text.split(","):
        column, colon, value = part.partition(":")
        number = float(value) if value else MISSING
        if not colon or not column.isdecimal() or math.isinf(number):
            raise ValueError(text)
        found[int(column)] = number
    return found


def write_typed(typed: dict[int, float]) -> str:
    """Write what :func:`read_typed` reads.

    >>> write_typed({3: 54.0, 5: float("nan")})
    '3:54.0,5:'
    """
    return ",".join(
        f"{column}:{'' if math.isnan(value) else repr(float(value))}"
        for column, value in typed.items()
    )


def typed_choice(key: str) -> LinkChoice:
    """Declare that a link holds what was typed."""
    return LinkChoice(key, read_typed, write_typed, usual={}, of_sample=True)


@dataclass(frozen=True)
class TypedValues:
    """What was typed over one row, kept by the session under ``key``."""

    key: str

    def begin(self, start: tuple[str, int], row: FloatArray, schema: Schema) -> FloatArray:
        """Return what the fields of a row begin with: its values, or those that a link brought.

        Parameters
        ----------
        start : table and number of the row; another begins without what was typed over this one
        """
        kept = st.session_state.get(self._begun)
        if kept is None or kept[0] != start:
            brought = st.session_state.pop(self.key, None) if kept is None else None
            st.session_state[self.key] = {}
            kept = (start, brought or {}, row)
        st.session_state[self._begun] = (start, kept[1], row.copy())
        begun = row.copy()
        for column, value in kept[1].items():
            if column < len(row) - 1 and _is_possible(schema.columns[column], value):
                begun[column] = value
        return begun

    def note(self, row: FloatArray, columns: Iterable[int]) -> None:
        """Remember where some columns of a row differ from the row it began with."""
        _, _, begun = st.session_state[self._begun]
        typed = dict(st.session_state.get(self.key) or {})
        for column in columns:
            typed.pop(column, None)
            same = np.array_equal(row[column], begun[column], equal_nan=True)
            if not same and not np.isinf(row[column]):
                typed[column] = float(row[column])
        st.session_state[self.key] = dict(sorted(typed.items()))

    @property
    def _begun(self) -> str:
        return f"{self.key} begun"


def _is_possible(column: Column, value: float) -> bool:
    """Whether a column can have a value: a category must be one of its own."""
    if column.categories is None or math.isnan(value):
        return True
    return value == int(value) and 0 <= value < len(column.categories)
