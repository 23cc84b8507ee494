"""The comparisons of a session.

Only figures and links are kept, not the forecasts behind them; who opens a comparison
again finds those in the jobs of the server, or they are computed once more. Where the server keeps
a visitor's table over a reload, it keeps these figures as well, and forgets both together.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any
from urllib.parse import urlencode

import pandas as pd
import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.report.table_files import csv_bytes
from probtrees.score.measures import MEASURES, Scores, main_measures, score_record
from probtrees.table.folds import folds_follow
from probtrees.ui.compare.compare_page import COMPARE, DEFAULT_MEASURE, MEASURE, STARTED, TAB, TABS
from probtrees.ui.compare.comparison_plan import GIVEN
from probtrees.ui.compare.comparison_run import ASKED, ComparisonRun
from probtrees.ui.shared import kept_session, permalink
from probtrees.ui.shared.exports import Export, offer
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.table_source import (
    ChosenTable,
    current_source,
    say,
    settle_table,
    use_table,
)
from probtrees.ui.shared.workbench import TreeBench, settings_seen
from probtrees.words import plural

MOST_RUNS = 200
"""Comparisons that are kept; the oldest go first."""

_HISTORY = "compare.history"
_RECORD = "comparisons"
_CHOSEN = "compare.earlier"


@dataclass
class KeptRun:
    """One comparison of the session.

    Attributes
    ----------
    name : its number and its table
    began : when it was started, by the clock of the server
    table, table_key : the table's name, and what tells it from others, read in one way
    asked : what tells it from other comparisons
    held_out : how rows were held out, in a few words
    tried : the settings in it, told apart by what they are
    link : the parts of its address
    scores : by method, the figures; those of the base rate last
    seconds : how long it took
    is_whole : whether all of it was measured
    digest : the fingerprint of an uploaded table; empty for a sample
    source, given : the table, if it is a sample, and the file of folds; None for an upload and
        where there is none. A reload forgets the file.
    """

    name: str
    began: str
    table: str
    table_key: str
    asked: str
    held_out: str
    tried: list[str]
    link: dict[str, str] = field(default_factory=dict)
    scores: dict[str, Scores] = field(default_factory=dict)
    seconds: float = 0.0
    is_whole: bool = False
    digest: str = ""
    source: ChosenTable | None = None
    given: Upload | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, ready for JSON."""
        record = {part.name: getattr(self, part.name) for part in fields(self)} | {"given": None}
        if (source := record["source"]) is not None:
            record["source"] = [source.sample, permalink.write_record(source.said)]
        return record

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> KeptRun | None:
        """Read what :meth:`to_dict` gave; None for what this release does not know any more."""
        values = dict(record)
        try:
            if values["source"] is not None:
                sample, said = values["source"]
                values["source"] = ChosenTable(None, sample, permalink.read_record(said))
            values["scores"] = {
                name: Scores({m: scores[m] for m in (*MEASURES, "brier_binary") if m in scores})
                for name, scores in values["scores"].items()
            }
            return cls(**values)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None


def kept_runs() -> list[KeptRun]:
    """Return the comparisons of this session, the oldest first; those before a reload too."""
    if _HISTORY not in st.session_state:
        found = map(KeptRun.from_dict, kept_session.load_record(_RECORD))
        st.session_state[_HISTORY] = [run for run in found if run is not None]
    runs: list[KeptRun] = st.session_state[_HISTORY]
    return runs


def note_run(run: ComparisonRun, bench: TreeBench) -> None:
    """Keep a comparison, or renew what is known of it."""
    runs, asked = kept_runs(), f"{bench.key[0]} {run.plan}"
    kept_run = next((one for one in runs if one.asked == asked), None)
    if kept_run is None:
        kept_run = _new(run, asked, len(runs) + 1)
        runs.append(kept_run)
        del runs[:-MOST_RUNS]
        settings_seen(bench).update(kept_run.tried)
    if st.session_state.get(STARTED):
        kept_run.link = permalink.view(COMPARE)
    n_classes = run.data.n_classes
    kept_run.scores = {n: Scores(score_record(s, n_classes)) for n, s in run.scores().items()}
    kept_run.seconds, kept_run.is_whole = run.seconds, run.is_whole
    if run.is_whole:  # figures are kept as long as the tables they are of
        whole = [one for one in runs if one.is_whole]
        whole = [one for one in whole if not one.digest or kept_session.is_kept(one.digest)]
        kept_session.save_record(_RECORD, [one.to_dict() for one in whole])


def _new(run: ComparisonRun, asked: str, number: int) -> KeptRun:
    source, plan = current_source(), run.plan
    follows = folds_follow(run.data) if plan.given is None else ""
    return KeptRun(
        name=f"{number}: {source.name}",
        began=time.strftime("%Y-%m-%d %H:%M:%S"),
        table=source.name,
        table_key=source.key,
        asked=asked,
        held_out=f"{' '.join(filter(None, [plan.held_out, follows]))}, seed {plan.seed}",
        tried=sorted(plan.tried),
        digest="" if source.upload is None else source.upload.digest,
        source=source if source.upload is None else None,
        given=plan.given,
    )


def n_tried(run: ComparisonRun) -> int:
    """Count the settings that this session has compared on this table."""
    key = current_source().key
    return len(run.plan.tried.union(*(one.tried for one in kept_runs() if one.table_key == key)))


def history() -> None:
    """Show the figures of this session's comparisons, table by table; let one be opened again."""
    latest = [run for run in reversed(kept_runs()) if run.scores]
    if not latest:
        st.info("Comparisons of this session are kept here. There are none yet.")
        return
    n_settings = plural(sum(len(run.tried) for run in latest), "settings")
    st.caption(f"{plural(len(latest), 'comparisons')} of {n_settings} in this session, by table.")
    for number, key in enumerate(dict.fromkeys(run.table_key for run in latest)):
        runs = [run for run in latest if run.table_key == key]  # of one table, read in one way
        _beside(runs, f"compare.runs beside {number}")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        run = st.selectbox("Comparison", latest, format_func=lambda run: run.name, key=_CHOSEN)
        reachable = run.source is not None or run.table_key == current_source().key
        st.button(
            "Open it again",
            icon=":material/restart_alt:",
            disabled=not (reachable and run.link),
            on_click=open_again,
            args=(run,),
            help="Its settings, table and results. A table that is not in use any more has to be "
            "given on the Data page again.",
        )
    st.code(f"{st.context.url or ''}?{urlencode(run.link)}", language=None, wrap_lines=True)
    offer(HISTORY_EXPORTS, latest)


def open_again(run: KeptRun) -> None:
    """Choose everything as its link says, and show the comparison; runs before the page is drawn.

    What a link made on an uploaded table leaves out stays as it is.
    """
    if run.source is not None and run.source.key != current_source().key:
        use_table(run.source)
        settle_table()
        say(run.source.said)
    for name, choice in COMPARE.choices().items():
        if name in run.link:
            st.session_state[choice.key] = choice.read(run.link[name])
        elif choice.usual is not None and choice.key in st.session_state and not choice.of_sample:
            st.session_state[choice.key] = choice.usual
    if run.given is not None:
        st.session_state[f"{GIVEN} held"] = run.given
    st.session_state.pop(ASKED, None)
    st.session_state.update({STARTED: True, TAB: TABS[0]})


def _beside(runs: list[KeptRun], key: str) -> None:
    """List the methods of comparisons of one table, the best first."""
    st.markdown(f"**{markdown_text(runs[0].table)}**")
    measure = MEASURES[st.session_state.get(MEASURE, DEFAULT_MEASURE)]
    shown = figures(runs).drop(columns=["table", "finished", "link"])
    shown["brier"] = shown.pop("brier_binary").fillna(shown["brier"])
    shown = shown.sort_values(measure.name, ascending=not measure.larger_is_better)
    columns = {one.name: ("%.3f", one.help) for one in main_measures()}
    show_table(shown, key, "Figures of the comparisons", columns | {"seconds": "%.1f"})
    if len({run.held_out for run in runs}) > 1:
        st.caption(
            "These comparisons held out different rows, so part of the differences is that. "
            "Compare the methods together to have them tested."
        )


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
                **{one.name: scores[one.name] for one in main_measures()},
                "brier_binary": scores.get("brier_binary"),
                "finished": run.is_whole,
                "seconds": run.seconds,
                "link": urlencode(run.link),
            }
            for run in runs
            for method, scores in run.scores.items()
        ]
    )


HISTORY_EXPORTS: tuple[Export[list[KeptRun]], ...] = (
    Export("comparisons.csv", "All figures as CSV", lambda runs: csv_bytes(figures(runs[::-1]))),
)
