"""The training rows of a node, and where rows of the table end in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from probtrees.explain.rule import NOT_RECORDED_TEXT
from probtrees.grow.count_tree import CountTree
from probtrees.model.routing import LeafShares, find_leaves
from probtrees.table.dataset import Dataset
from probtrees.table.number_text import spell
from probtrees.table.read_table import WrittenRows
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.words import rows_text

if TYPE_CHECKING:  # slow to import, and the front page waits
    from pandas.io.formats.style import Styler

_SHOWN = 1000

NO_ROWS = (
    "This model was loaded from a file, which holds its counts but not the rows it was grown "
    "from. Upload the table to see them."
)


@kept()
def landing(key: Any, _tree: CountTree, _data: Dataset) -> LeafShares:
    """Drop all rows of the table into the tree."""
    return find_leaves(_tree, _data.values, _data.schema.n_values)


def rows_in(tree: CountTree, landed: LeafShares, node: int) -> NDArray[np.int64]:
    """List the rows that pass through a node, wholly or in part."""
    below = np.zeros(tree.n_nodes, dtype=bool)
    below[node] = True
    parent = tree.arrays.parent
    for at in range(node + 1, tree.n_nodes):
        below[at] = below[parent[at]]
    of_row = np.repeat(np.arange(len(landed.first) - 1), np.diff(landed.first))
    return np.unique(of_row[below[landed.nodes]])


@kept()
def observations_at(key: Any, node: int, _bench: TreeBench) -> Dataset:
    """Return the rows of a node as the tree was grown from them, those that belong together one."""
    data = _bench.counts.grown.data
    return data.take(rows_in(_bench.tree, landing((key, "observations"), _bench.tree, data), node))


def show_rows(bench: Workbench, node: int) -> None:
    """Show the rows of the selected node as they were written, whose they are first."""
    if bench.rows is None:
        st.info(NO_ROWS)
        return
    landed = landing(bench.key, bench.tree, bench.rows)
    rows = rows_in(bench.tree, landed, node)
    written = current_source().written_rows()
    words = f"{rows_text(len(rows))} of the table pass through the selected node"
    more = f"; the first {_SHOWN:,} are shown." if len(rows) > _SHOWN else "."
    st.caption(words + more)
    st.dataframe(
        as_written(bench.rows, rows[:_SHOWN], written),
        hide_index=True,
        height=380,
        alt="Training rows of the selected node",
    )


def as_written(data: Dataset, rows: NDArray[np.int64], written: WrittenRows) -> Styler:
    """List rows as they stand in the file: numbers counted from 1, what is missing in words."""
    others = [name for name in written.columns if name not in written.identifiers]
    numbers = data.row_numbers[rows]
    frame = written.frame([*written.identifiers, *others], numbers)
    name = "row" if "row" not in frame else "row number"
    if name not in frame:
        frame.insert(0, name, numbers + 1)
    return frame.style.format(
        lambda cell: spell(cell) if isinstance(cell, float) else str(cell), na_rep=NOT_RECORDED_TEXT
    )
