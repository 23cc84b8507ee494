"""All leaves as a table, the tree in words, and the rows of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from probtrees.draw.escape import csv_text
from probtrees.draw.node_card import outline
from probtrees.draw.tables import (
    CHANCE_FROM,
    CHANCE_TO,
    LUCK,
    TRACK_RECORD,
    UNSEEN_ROWS,
    leaf_table,
)
from probtrees.experiment.registry import SMOOTHERS
from probtrees.explain.rule import NOT_RECORDED_TEXT
from probtrees.explain.tree_summary import tree_summary
from probtrees.grow.count_tree import CountTree
from probtrees.model.routing import LeafShares, find_leaves
from probtrees.model.track_record import TrackRecord
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.table.number_text import spell
from probtrees.table.read_table import WrittenRows
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.jobs import fill_in
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench, Workbench, ready_trees
from probtrees.ui.tree.leaf_panel import track_record_job
from probtrees.words import rows_text

if TYPE_CHECKING:  # slow to import, and the front page waits
    from pandas.io.formats.style import Styler


_LONGEST_RULE = 44
_INTERVAL_HELP = "90 of 100 such leaves lie between these rates, judged by rows not used to grow."
_PICKED = "leaf table picked"
_SHOWN = 1000
NO_ROWS = (
    "This model was loaded from a file, which holds its counts but not the rows it was grown "
    "from. Upload the table to see them."
)


def leaf_list(bench: Workbench, smoother: str) -> None:
    """Show the leaves: sortable, searchable, selectable."""
    table = current_leaves(bench, smoother)
    st.caption(LUCK)
    picked = show_table(
        table.assign(rule=table["rule"].map(rule_ending)),
        "leaf_table",
        "All leaves with their rows and every smoother's probability",
        _columns(table, smoother, bench.tree.rows_word),
        picks="single-row",
    )
    node = int(table["node"].iloc[picked[0]]) if picked else None
    if node is not None and node != st.session_state.get(_PICKED):
        st.session_state[_PICKED] = st.session_state[state.NODE] = node
        st.rerun()


def rule_ending(rule: str) -> str:
    """Shorten a rule for a narrow column: its beginning is that of its neighbours, its end is not.

    >>> rule_ending("sex is male and class is 1st")
    'sex is male and class is 1st'
    >>> rule_ending("age > 20 and " * 9 + "class is 1st")
    '… age > 20 and age > 20 and class is 1st'
    """
    ending = rule
    while len(ending) > _LONGEST_RULE and " and " in ending:
        ending = ending.partition(" and ")[2]
    return rule if ending == rule else f"… {ending}"


def current_leaves(bench: Workbench, smoother: str) -> pd.DataFrame:
    """List all leaves with the numbers that are ready by now."""
    ready = ready_trees(bench)
    smoothed = {SMOOTHERS[name].label: tree for name, tree in ready.items()}
    if not smoothed:
        smoothed = {smoother: bench.smooth(smoother)}
    track = None
    job = track_record_job(bench, smoother)
    if job.finished.is_set() and job.error is None and job.result.track_record is not None:
        track = (job.result.track_record, job.result.tree)
    variants = tuple(bench.variant(name) for name in ready)
    key = (bench.key, variants, bench.outcome, smoother, track is not None)
    return _leaves(key, smoothed, bench.schema, bench.outcome, track)


def leaves_csv(table: pd.DataFrame) -> str:
    """Write leaves as CSV that a spreadsheet can open without running anything."""
    harmless = table.assign(rule=table["rule"].map(csv_text)).rename(columns=csv_text)
    return str(harmless.to_csv(index=False))


def _columns(table: pd.DataFrame, smoother: str, rows_word: str) -> dict[str, Any]:
    """Say how the columns are printed."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    label = SMOOTHERS[smoother].label if smoother in SMOOTHERS else smoother
    helps = {
        "disagreement": "The highest of the smoothers' answers minus the lowest.",
        TRACK_RECORD: f"How often unseen rows given a similar number by {label} had the outcome.",
        CHANCE_FROM: _INTERVAL_HELP,
        CHANCE_TO: _INTERVAL_HELP,
    }
    shares = {name: number(format="percent", help=helps.get(str(name))) for name in table.columns}
    return {
        **shares,
        "node": number(width="small"),
        "rule": text(width="medium", help="Where it is long, its last conditions."),
        "rows": number(rows_word, format="localized"),
        "cases": number(format="localized"),
        UNSEEN_ROWS: ("%.0f", "Unseen rows that were given a similar number."),
    }


@kept()
def _leaves(
    key: Any,
    _smoothed: dict[str, SmoothedTree],
    _schema: Schema,
    _outcome: int,
    _track: tuple[TrackRecord, SmoothedTree] | None,
) -> pd.DataFrame:
    return leaf_table(_smoothed, _schema, _outcome, _track)


def tree_in_words(bench: Workbench, smoothed: SmoothedTree, smoother: str) -> None:
    """Show the tree in a few sentences and whole as text, to be read and copied.

    The sentences name only groups that the track record supports, so they wait for it.
    """
    asked = [] if bench.is_table else [track_record_job(bench, smoother)]

    def show() -> None:
        st.caption("To paste into a mail:")
        found = [job.result.track_record for job in asked if job.error is None]
        record = found[0] if found else None
        summary = tree_summary(smoothed, bench.schema, bench.outcome, record)
        st.code(summary, language=None, wrap_lines=True)

    fill_in(asked, show, "Which groups stand out? Asking trees that have not seen the rows …")
    st.caption("The whole tree as text:")
    st.code(outline(smoothed, bench.schema, outcome=bench.outcome), language=None, height=500)


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
    if bench.counts.rows is None:
        st.info(NO_ROWS)
        return
    landed = landing(bench.key, bench.tree, bench.counts.rows)
    rows = rows_in(bench.tree, landed, node)
    written = current_source().written_rows()
    words = f"{rows_text(len(rows))} of the table pass through the selected node"
    more = f"; the first {_SHOWN:,} are shown." if len(rows) > _SHOWN else "."
    st.caption(words + more)
    st.dataframe(
        as_written(bench.counts.rows, rows[:_SHOWN], written),
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
