"""The comparisons of a session: kept, named, held beside each other, taken away, opened again.

Only figures are kept, not the forecasts behind them; who opens a comparison again finds those in
the jobs of the server, or they are computed once more. Where the server keeps a visitor's table
over a reload, it keeps these figures as well, and forgets both together.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text, markdown_text
from probtrees.report.comparison_report import BASE_RATE
from probtrees.score.measures import MEASURES, main_measures
from probtrees.table.describe_folds import folds_follow
from probtrees.ui.compare.compare_page import COMPARE, DEFAULT_MEASURE, MEASURE, STARTED, TAB, TABS
from probtrees.ui.compare.comparison_plan import take_over
from probtrees.ui.compare.comparison_run import ComparisonRun, ask_again
from probtrees.ui.compare.kept_run import KeptRun
from probtrees.ui.shared import kept_session, permalink
from probtrees.ui.shared.exports import Export, offer
from probtrees.ui.shared.session import state
from probtrees.ui.shared.smoother_options import settings
from probtrees.ui.shared.table_source import current_source, use_source
from probtrees.ui.shared.workbench import TreeBench, note_compared
from probtrees.words import plural

MOST_RUNS = 200
"""Comparisons that are kept; the oldest go first."""

LONGEST_NAME = 80

_HISTORY = "compare.history"
_RECORD = "comparisons"
_LARGEST_FOLDS = 1 << 20
"""Bytes of a file of folds that is kept with its comparison."""


def kept_runs() -> list[KeptRun]:
    """Return the comparisons of this session, the oldest first; those before a reload too."""
    if _HISTORY not in st.session_state:
        found = map(KeptRun.from_dict, kept_session.load_record(_RECORD))
        st.session_state[_HISTORY] = [run for run in found if run is not None]
    runs: list[KeptRun] = st.session_state[_HISTORY]
    return runs


def _save(runs: list[KeptRun]) -> None:
    """Keep the figures as long as the tables they are of; what was forgotten stays so."""
    kept = [run for run in runs if run.is_whole and _may_be_kept(run)]
    kept_session.save_record(_RECORD, [run.to_dict() for run in kept])


def _may_be_kept(run: KeptRun) -> bool:
    given = run.plan.given
    if given is not None and len(given.content) > _LARGEST_FOLDS:
        return False
    return not run.digest or kept_session.is_table_kept(run.digest)


def note_run(run: ComparisonRun, bench: TreeBench) -> None:
    """Keep a comparison, or renew what is known of it."""
    runs = kept_runs()
    kept = next((one for one in runs if one.key == bench.key and one.plan == run.plan), None)
    if kept is None:
        kept = _new(run, bench, len(runs) + 1)
        runs.append(kept)
        del runs[:-MOST_RUNS]
        note_compared(bench, map(str, kept.tried))
    if st.session_state.get(STARTED):
        kept.link = permalink.view(COMPARE)
    kept.scores = {name: result.scores for name, result in run.by_name().items()}
    if run.results:
        kept.scores[BASE_RATE] = run.results[0].base_rate
    kept.seconds, kept.is_whole = run.seconds, run.is_whole
    if run.is_whole:
        _save(runs)


def _new(run: ComparisonRun, bench: TreeBench, number: int) -> KeptRun:
    source, plan = current_source(), run.plan
    tried: set[Hashable] = {
        (model, settings(plan.options(model)), smoother, settings(plan.options(smoother)))
        for model in plan.models
        for smoother in plan.smoothers
    }
    return KeptRun(
        name=f"{number}: {source.name}",
        began=time.strftime("%Y-%m-%d %H:%M:%S"),
        source=source if source.upload is None else None,
        table=source.name,
        key=bench.key,
        plan=plan,
        tried=frozenset(tried | set(plan.outside)),
        follows=folds_follow(run.data) if plan.given is None else "",
        digest="" if source.upload is None else source.upload.digest,
    )


def n_tried(bench: TreeBench) -> int:
    """Count the settings that this session has compared on this table."""
    on_table = [run.tried for run in kept_runs() if run.key[0] == bench.key[0]]
    return len(frozenset().union(*on_table))


def history() -> None:
    """Show the comparisons of this session, and those chosen of them beside each other."""
    latest = list(reversed(kept_runs()))
    runs = [run for of_table in by_table(latest) for run in of_table]
    if not runs:
        st.info("Comparisons of this session are kept here. There are none yet.")
        return
    measure = st.session_state.get(MEASURE, DEFAULT_MEASURE)
    n_settings = sum(run.plan.n_settings for run in runs)
    st.caption(
        f"{plural(len(runs), 'comparisons')} of {plural(n_settings, 'settings')} in this session, "
        "table by table, the last one first. Choose one to name it or to open it again, several to "
        "see them beside each other."
    )
    picked = st.dataframe(
        _overview(runs, measure),
        hide_index=True,
        on_select="rerun",
        selection_mode="multi-row",
        column_config={
            "best": st.column_config.TextColumn(help=f"By {MEASURES[measure].label}."),
            "figure": st.column_config.NumberColumn(MEASURES[measure].label, format="%.4f"),
            "seconds": st.column_config.NumberColumn(format="%.1f"),
        },
        key="compare.runs kept",
        alt="Comparisons of this session",
    )
    chosen = [runs[row] for row in picked.selection.rows if row < len(runs)]
    if len(chosen) == 1:
        _one(chosen[0])
    if chosen:
        _beside(chosen, measure)
    offer(HISTORY_EXPORTS, latest)


def by_table(runs: list[KeptRun]) -> list[list[KeptRun]]:
    """Put together what is of one table, read in one way: only that can be compared."""
    tables: dict[Hashable, list[KeptRun]] = {}
    for run in runs:
        tables.setdefault(run.key[0], []).append(run)
    return list(tables.values())


def _overview(runs: list[KeptRun], measure: str) -> pd.DataFrame:
    lines = []
    for run in runs:
        best = run.best(measure)
        lines.append(
            {
                "table": run.table,
                "name": run.name,
                "began": run.began,
                "held out": run.held_out,
                "settings": run.plan.n_settings,
                "best": "" if best is None else best[0],
                "figure": None if best is None else best[1],
                "seconds": run.seconds if run.is_whole else None,
                "state": "whole" if run.is_whole else "not finished",
            }
        )
    return pd.DataFrame(lines)


def _one(run: KeptRun) -> None:
    """Let one comparison be named, and opened again."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(
            "Name", run.name, max_chars=LONGEST_NAME, key=f"compare.name {run.began} {run.key}"
        )
        if name.strip() and name != run.name:
            run.name = name.strip()
            _save(kept_runs())
            st.rerun()
        reachable = run.source is not None or run.key[0] == current_source().key
        st.button(
            "Open it again",
            icon=":material/restart_alt:",
            disabled=not reachable,
            on_click=_open,
            args=(run,),
            help="Its settings, table and results."
            if reachable
            else "Its table is not in use any more: give the file on the Data page again.",
        )
    if run.link:
        st.code(f"{st.context.url or ''}?{urlencode(run.link)}", language=None, wrap_lines=True)


def _open(run: KeptRun) -> None:
    """Choose everything as it was, and show the comparison; runs before the page is drawn."""
    if run.source is not None and not run.source.is_in_use:
        use_source(run.source)
        state.forget_view()
    take_over(run.plan, run.key)
    ask_again(run.key, run.plan)
    st.session_state[TAB] = TABS[0]


def _beside(chosen: list[KeptRun], measure: str) -> None:
    """Show the figures of several comparisons, those of every table in a list of their own."""
    tables = by_table(chosen)
    for number, runs in enumerate(tables):
        if len(tables) > 1:
            st.markdown(f"**{markdown_text(runs[0].table)}**")
        _figures_of_table(runs, measure, f"compare.runs beside {number}")
    if len(tables) > 1:
        st.caption(
            "Figures of different tables, or of one that is read differently, say nothing about "
            "each other, so they are listed apart."
        )


def _figures_of_table(runs: list[KeptRun], measure: str, key: str) -> None:
    """List the methods of comparisons of one table, the best first."""
    table = figures(runs)
    sign = 1 if MEASURES[measure].larger_is_better else -1
    order = (sign * table[measure].astype(float)).sort_values(ascending=False, na_position="last")
    number = st.column_config.NumberColumn
    st.dataframe(
        table.loc[order.index, ["comparison", "method", *_names()]],
        hide_index=True,
        column_config={
            name: number(MEASURES[name].label, format="%.4f", help=MEASURES[name].help)
            for name in _names()
        },
        key=key,
        placeholder="–",
        alt="Figures of the comparisons chosen",
    )
    if len({run.held_out for run in runs}) > 1:
        st.caption(
            "These comparisons held out different rows, so part of the differences is that. "
            "Compare the methods together to have them tested."
        )


def _names() -> list[str]:
    return [measure.name for measure in main_measures()]


def figures(runs: list[KeptRun]) -> pd.DataFrame:
    """List every figure of comparisons, one line for each method."""
    return pd.DataFrame(
        [
            {
                "comparison": run.name,
                "began": run.began,
                "table": run.table,
                "held out": run.held_out,
                "method": method,
                **{name: scores[name] for name in _names()},
                "finished": run.is_whole,
                "seconds": run.seconds,
                "link": urlencode(run.link),
            }
            for run in runs
            for method, scores in run.scores.items()
        ],
        columns=[
            *("comparison", "began", "table", "held out", "method"),
            *_names(),
            *("finished", "seconds", "link"),
        ],
    )


def _csv(runs: list[KeptRun]) -> str:
    """Write all figures as CSV, text that a spreadsheet would run made harmless."""
    table = figures(list(reversed(runs)))
    return str(
        table.map(lambda cell: csv_text(cell) if isinstance(cell, str) else cell).to_csv(
            index=False
        )
    )


HISTORY_EXPORTS: tuple[Export[list[KeptRun]], ...] = (
    Export("comparisons.csv", "All figures as CSV", _csv, icon=":material/download:"),
)
