"""What somebody who knows the subject wants of shapes: never to fall, never to rise, or none."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.ui.shared.workbench import TreeBench
from probtrees.ui.tree.tree_page import FALLING, NO_SHAPE, RISING

_OF_TABLE = "shaped.wishes of table"


def ask_wishes(bench: TreeBench) -> dict[str, str]:
    """Ask what shapes must do, and return it as options of a shaped tree.

    Wishes are about the outcome of interest, so that choosing another one asks for another fit.
    """
    _forget_other_table(str(bench.key[0]))
    features = bench.schema.features
    numbers = [at for at, column in enumerate(features) if not column.is_nominal]
    outcome = bench.outcomes[bench.outcome]
    asked = {
        RISING: (f"Must never fall for {outcome} as the number grows", numbers),
        FALLING: (f"Must never rise for {outcome} as the number grows", numbers),
        NO_SHAPE: ("Gets no curve", list(range(len(features)))),
    }
    wished = {key: _sensible(key, columns) for key, (_, columns) in asked.items()}
    n_wishes = sum(map(len, wished.values()))
    label = f"What curves must do ({n_wishes})" if n_wishes else "What curves must do"
    with st.popover(label, icon=":material/rule:"), st.form("shape wishes", border=False):
        for key, (words, columns) in asked.items():
            if columns:
                st.multiselect(
                    markdown_text(words),
                    columns,
                    format_func=lambda at: features[at].name,
                    key=key,
                    persist_state="session",
                )
        st.caption(
            "The curves are fitted again so that they obey; what that costs on rows held out is "
            "said below them. The tree may still split on a column: to have nothing of it, leave "
            "it out on the Data page."
        )
        st.form_submit_button("Fit again")
    options = {
        "increasing": _names(bench, wished[RISING]),
        "decreasing": _names(bench, wished[FALLING]),
        "banned": _names(bench, wished[NO_SHAPE]),
        "increasing_for": outcome if wished[RISING] or wished[FALLING] else "",
    }
    return {name: text for name, text in options.items() if text}


def _forget_other_table(table: str) -> None:
    """Forget what was wished of another table's columns; a link brings wishes of its own."""
    if st.session_state.get(_OF_TABLE) not in (None, table):
        for key in (RISING, FALLING, NO_SHAPE):
            st.session_state[key] = []
    st.session_state[_OF_TABLE] = table


def _sensible(key: str, columns: Sequence[int]) -> list[int]:
    """Return the columns of a wish, less those that the table does not have."""
    kept = [at for at in st.session_state.get(key) or [] if at in columns]
    st.session_state[key] = kept
    return kept


def _names(bench: TreeBench, columns: Sequence[int]) -> str:
    """Write columns as options take them: with commas between, quoted where they hold some."""
    if not columns:
        return ""
    text = io.StringIO()
    csv.writer(text).writerow([bench.schema.features[at].name for at in columns])
    return text.getvalue().strip("\r\n")
