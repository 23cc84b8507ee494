"""The training rows of a node, and where rows of the table end in the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.tables import rows_table
from probtrees.grow.count_tree import CountTree
from probtrees.model.predict import Landing, land
from probtrees.table.dataset import Dataset
from probtrees.ui.shared.workbench import Workbench
from probtrees.words import rows_text

_SHOWN = 1000

NO_ROWS = (
    "This model was loaded from a file, which holds its counts but not the rows it was grown "
    "from. Upload the table to see them."
)


@st.cache_resource(show_spinner=False, max_entries=16)
def landing(key: Any, _tree: CountTree, _data: Dataset) -> Landing:
    """Drop all rows of the table into the tree."""
    return land(_tree, _data.values, _data.schema.n_values)


def rows_in(tree: CountTree, landed: Landing, node: int) -> NDArray[np.int64]:
    """List the rows that pass through a node, wholly or in part."""
    below = np.zeros(tree.n_nodes, dtype=bool)
    below[node] = True
    parent = tree.arrays.parent
    for at in range(node + 1, tree.n_nodes):
        below[at] = below[parent[at]]
    of_row = np.repeat(np.arange(len(landed.first) - 1), np.diff(landed.first))
    return np.unique(of_row[below[landed.nodes]])


def show_rows(bench: Workbench, node: int) -> None:
    """Show the rows of the selected node."""
    if bench.rows is None:
        st.info(NO_ROWS)
        return
    landed = landing(bench.key, bench.tree, bench.rows)
    rows = rows_in(bench.tree, landed, node)
    words = f"{rows_text(len(rows))} of the table pass through the selected node"
    more = f"; the first {_SHOWN:,} are shown." if len(rows) > _SHOWN else "."
    st.caption(words + more)
    st.dataframe(
        rows_table(bench.rows, rows[:_SHOWN]),
        hide_index=True,
        height=380,
        alt="Training rows of the selected node",
    )
