"""Tables on a page: how their numbers are written, what columns mean, which rows are picked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import pandas as pd
import streamlit as st


def show_table(
    rows: pd.DataFrame | Sequence[Mapping[str, Any]],
    key: str,
    alt: str,
    columns: Mapping[str, Any] | None = None,
    *,
    picks: Literal["single-row", "multi-row"] | None = None,
    **options: Any,
) -> list[int]:
    """Show a table; return the places of the rows that are picked in it.

    Parameters
    ----------
    columns : of columns that need it, the format of numbers ("%.4f"), that and a help text (an
        empty format for text), or a configuration of Streamlit's own
    picks : whether rows can be picked, one or several
    options : of ``st.dataframe``
    """
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    if picks is not None:
        options |= {"on_select": "rerun", "selection_mode": picks}
    shown: Any = st.dataframe(
        frame,
        hide_index=True,
        column_config={name: _column(how) for name, how in (columns or {}).items()},
        key=key,
        alt=alt,
        placeholder="–",
        **options,
    )
    return [] if picks is None else [row for row in shown.selection.rows if row < len(frame)]


def _column(how: Any) -> Any:
    if isinstance(how, str):
        return st.column_config.NumberColumn(format=how)
    if isinstance(how, tuple):
        format, help = how
        if not format:
            return st.column_config.TextColumn(help=help)
        return st.column_config.NumberColumn(format=format, help=help)
    return how
