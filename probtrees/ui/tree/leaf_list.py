"""All leaves as a table, with a way from a row of it to the panel; and the tree in words."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import streamlit as st

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
from probtrees.explain.tree_summary import tree_summary
from probtrees.model.track_record import TrackRecord
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import kept
from probtrees.ui.shared.session.jobs import wait_for
from probtrees.ui.shared.workbench import Workbench, ready_trees
from probtrees.ui.tree.leaf_panel import track_record_job

_SHARES = ("observed", "disagreement", TRACK_RECORD, CHANCE_FROM, CHANCE_TO)
_LONGEST_RULE = 44
_COUNTS = ("node", "rows", "cases", UNSEEN_ROWS)
_INTERVAL_HELP = "Bounds of the leaf's true rate, 9 in 10 times, judged by rows not used to grow."
_FILTER_HELP = (
    "Words of the rule, rows < 5, cases > 3, observed > 50 %, chance > 90 %, class = name, or a "
    "smoother's column such as HDP > 0.9; commas between several. The picture's search understands "
    "the same."
)
_COMPARISONS = {"<=": "le", ">=": "ge", "≤": "le", "≥": "ge", "<": "lt", ">": "gt", "=": "eq"}
_PARTS = re.compile(r"\s+(?:and|&&)\s+|,(?!\d)", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"([<>=≤≥]\s*[\d.,]+\s*%?)\s+(?=(?:n|rows|cases|p|chance|observed|class)\s*[<>=≤≥])",
    re.IGNORECASE,
)
"""Where a comma between two comparisons was left out."""
_NUMBER = re.compile(r"([0-9]*[.,]?[0-9]+)\s*(%?)")
_SHORT = {"n": "rows", "p": "chance"}


def leaf_list(bench: Workbench, smoother: str) -> None:
    """Show the leaves: sortable, filterable, selectable, downloadable."""
    table = current_leaves(bench, smoother)
    st.caption(LUCK)
    wanted = st.text_input(
        "Filter the leaves",
        key="leaf filter",
        persist_state="session",
        placeholder="Filter: age, rows < 5, chance > 90 %",
        label_visibility="collapsed",
        help=_FILTER_HELP,
    )
    label = SMOOTHERS[smoother].label if smoother in SMOOTHERS else smoother
    shown = filtered(table, wanted or "", label, _classes(bench, smoother, table))
    if len(shown) < len(table):
        st.caption(f"{len(shown):,} of {len(table):,} leaves.")
    chosen = st.dataframe(
        shown.assign(rule=shown["rule"].map(rule_ending)),
        hide_index=True,
        column_config=_columns(shown, smoother, bench.tree.rows_word),
        on_select="rerun",
        selection_mode="single-row",
        key="leaf_table",
        alt="All leaves with their rows and every smoother's probability",
    )
    picked = chosen["selection"]["rows"] if chosen else []
    if picked and picked[0] < len(shown):
        node = int(shown["node"].iloc[picked[0]])
        if node != st.session_state.get("leaf table picked"):
            st.session_state["leaf table picked"] = node
            st.session_state[state.NODE] = node
            st.rerun()
    st.download_button(
        "Download the leaves (CSV)",
        lambda: leaves_csv(shown),
        "leaves.csv",
        "text/csv",
        on_click="ignore",
        help="The leaves listed above; text that a spreadsheet would run is made harmless.",
    )


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
    ready = {name: tree for name, tree in ready_trees(bench).items() if tree is not None}
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


def _classes(bench: Workbench, smoother: str, table: pd.DataFrame) -> pd.Series[str]:
    """Return the most probable class of every leaf in the table."""
    best = bench.smooth(smoother).probs[table["node"].to_numpy()].argmax(axis=1)
    return pd.Series([bench.outcomes[k] for k in best], index=table.index, dtype=str)


def filtered(
    table: pd.DataFrame,
    wanted: str,
    chance: str = "",
    classes: pd.Series[str] | None = None,
) -> pd.DataFrame:
    """Keep the leaves that fit all conditions, in the words of the picture's search.

    Parameters
    ----------
    chance : the column that "chance" means
    classes : the most probable class of every leaf, which "class" means

    >>> table = pd.DataFrame({"rule": ["a = 1", "b = 2"], "rows": [3, 9], "HDP": [0.2, 0.9]})
    >>> filtered(table, "rows > 5, hdp >= 0,5")["rule"].tolist(), len(filtered(table, "a = 1"))
    (['b = 2'], 1)
    >>> filtered(table, "n < 5, chance < 50 %", "HDP")["rule"].tolist()
    ['a = 1']
    >>> filtered(table, "chance > 70", "HDP")["rule"].tolist()
    ['b = 2']
    >>> filtered(table, "rows>5 chance>70%", "HDP")["rule"].tolist()
    ['b = 2']
    """
    wanted = _LEFT_OUT.sub(r"\1, ", wanted)
    for condition in filter(None, (part.strip() for part in _PARTS.split(wanted))):
        table = table[_fits(table, condition, chance, classes)]
    return table


def _fits(
    table: pd.DataFrame, condition: str, chance: str, classes: pd.Series[str] | None
) -> pd.Series[bool]:
    """Mark the leaves that fit one condition: a comparison of a column, else words of the rule."""
    for sign, method in _COMPARISONS.items():
        left, found, right = condition.partition(sign)
        if not found:
            continue
        name = _SHORT.get(left.strip().lower(), left.strip().lower())
        if name == "class" and sign == "=" and classes is not None:
            return classes.loc[table.index].str.lower() == right.strip().lower()
        name = chance.lower() if name == "chance" else name
        column = next((c for c in table if str(c).lower() == name), None)
        number = _NUMBER.fullmatch(right.strip())
        if column is None or column == "rule" or number is None:
            continue
        limit = float(number[1].replace(",", "."))
        if number[2] or (limit > 1 and column not in _COUNTS):  # no share is above 1
            limit /= 100
        marked: pd.Series[bool] = getattr(table[column], method)(limit)
        return marked
    return table["rule"].str.contains(condition, case=False, regex=False)


def _columns(table: pd.DataFrame, smoother: str, rows_word: str) -> dict[str, Any]:
    """Say how the columns are printed."""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    columns: dict[str, Any] = {
        "node": number("node", width="small"),
        "rule": text("rule", width="medium", help="Where it is long, its last conditions."),
        "rows": number(rows_word, format="localized"),
        "cases": number("cases", format="localized"),
        UNSEEN_ROWS: number(
            UNSEEN_ROWS, format="%.0f", help="Unseen rows that were given a similar number."
        ),
    }
    label = SMOOTHERS[smoother].label if smoother in SMOOTHERS else smoother
    helps = {
        "disagreement": "The highest of the smoothers' answers minus the lowest.",
        TRACK_RECORD: f"How often unseen rows given a similar number by {label} had the outcome.",
        CHANCE_FROM: _INTERVAL_HELP,
        CHANCE_TO: _INTERVAL_HELP,
    }
    for name in table.columns:
        if name in _SHARES or name not in columns:
            columns[name] = number(name, format="percent", help=helps.get(name))
    return columns


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
    ready = bench.is_table or wait_for([track_record_job(bench, smoother)])
    st.fragment(_summary, run_every=None if ready else 0.7)(bench, smoothed, smoother, not ready)
    st.caption("The whole tree as text:")
    st.code(outline(smoothed, bench.schema, outcome=bench.outcome), language=None, height=500)


def _summary(bench: Workbench, smoothed: SmoothedTree, smoother: str, waiting: bool) -> None:
    record = None
    if not bench.is_table:
        job = track_record_job(bench, smoother)
        if not job.finished.is_set():
            st.caption("Which groups stand out? Asking trees that have not seen the rows …")
            return
        if waiting:
            st.rerun()
        record = None if job.error is not None else job.result.track_record
    st.caption("To paste into a mail:")
    summary = tree_summary(smoothed, bench.schema, bench.outcome, record)
    st.code(summary, language=None, wrap_lines=True)
