"""Columns at a glance: which ones the tree uses, how much each matters, what codes mean."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from probtrees.draw.bars import TOO_FEW, column_bars_html
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.column_importance import ColumnImportance, column_importance
from probtrees.experiment.warm_up import FIRST
from probtrees.explain.shape_curves import MOST_CODES
from probtrees.table.dataset import Dataset
from probtrees.table.number_text import number_text
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, fill_in, jobs
from probtrees.ui.shared.table_source import current_source, say
from probtrees.ui.shared.workbench import TreeBench, Workbench
from probtrees.ui.tree.leaf_list import NO_ROWS
from probtrees.ui.tree.tree_page import COLUMN

_LONGEST_NAME = 40


def columns_panel(bench: Workbench, smoother: str) -> None:
    """Show the columns as bars, filling them in when they are known."""
    if not isinstance(bench.counts, GrownCounts):
        st.info(NO_ROWS)
        return
    job = importance_job(bench, bench.counts, smoother)
    waiting = "Asking trees that have not seen the rows what they lose without each column …"
    fill_in([job], partial(_show, job), waiting)
    if marked_column(bench) is None:
        st.session_state.pop(COLUMN, None)  # it was one of another table
    st.selectbox(
        "Mark the splits on a column, and name its codes",
        range(bench.schema.n_columns - 1),
        format_func=lambda number: bench.schema.titles[number],
        index=None,
        placeholder="none",
        **state.lasting(COLUMN),
    )
    if isinstance(bench, TreeBench):
        marked = marked_column(bench)
        name_values(bench.data, bench.schema.target_column if marked is None else marked)


def marked_column(bench: Workbench) -> int | None:
    """Return the column whose splits the picture marks, if one is chosen."""
    chosen = st.session_state.get(COLUMN)
    return None if chosen is None or chosen >= bench.schema.n_columns - 1 else int(chosen)


def _show(job: Job) -> None:
    found: tuple[ColumnImportance, ...] = () if job.error is not None else job.result
    if not found:
        st.caption(TOO_FEW)
        return
    st.markdown("**Columns at a glance**")
    st.html(column_bars_html(found, theme=state.theme()))


def importance_job(bench: Workbench, counts: GrownCounts, smoother: str) -> Job:
    """Ask how much every column matters; the report waits for the same job."""
    model = bench.model(smoother)

    def work(report: Report) -> tuple[ColumnImportance, ...]:
        with counts.lock:
            return column_importance(counts.grown, model, report)

    key = (*bench.variant(smoother), "column importance")
    return jobs().ask(key, work, kernels={smoother, *FIRST})


def name_values(data: Dataset, number: int) -> None:
    """Ask what the codes of a column mean: once, for every page."""
    column, codes = data.schema.columns[number], _codes(data, number)
    if not codes:
        return
    title = f"Name {', '.join(codes)} of {markdown_text(column.title)}"
    with st.popover(title, icon=":material/label:"), st.form(f"names {column.name}", border=False):
        said = {
            code: st.text_input(
                f"{code} is", key=f"{column.name} {code}", max_chars=_LONGEST_NAME
            ).strip()
            for code in codes
        }
        if st.form_submit_button("Use it everywhere") and any(said.values()):
            named = {code: words for code, words in said.items() if words}
            step = {"step": "recode", "values": named, "column": column.source_name}
            say(current_source().said.with_step(step))
            st.rerun()


def _codes(data: Dataset, number: int) -> list[str]:
    """List the values of a column that are whole numbers, where they are few."""
    found = np.unique(data.values[:, number][~np.isnan(data.values[:, number])])
    if len(found) > MOST_CODES:
        return []
    known = data.schema.columns[number].categories
    codes = known or [number_text(value) for value in found.tolist()]
    return list(codes) if all(code.lstrip("-").isdigit() for code in codes) else []
