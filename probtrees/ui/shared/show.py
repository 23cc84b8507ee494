"""Tables and pictures on a page, and how good the model on show is.

``assets/canvas_view.js`` has the class that zooms, moves, fits, fills the screen and draws the map
of a picture; a kind of picture extends it in scripts of its own.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal
from zlib import crc32

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from probtrees.draw.charts.quality_strip import quality_html, quality_sentence, unseen_verdict
from probtrees.experiment.inner_models import unseen_scores
from probtrees.experiment.warm_up import FIRST
from probtrees.score.unseen_scores import UnseenScores
from probtrees.ui.shared.counts import GrownCounts
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Job, Report, fill_when, jobs
from probtrees.ui.shared.workbench import Bench

_ASSETS = Path(__file__).parent / "assets"
_OF_MODEL = "of_model_"


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
    if not isinstance(how, str | tuple):
        return how
    format, help = (how, None) if isinstance(how, str) else how
    column = st.column_config
    return column.NumberColumn(format=format, help=help) if format else column.TextColumn(help=help)


def blank_others(key: Hashable) -> None:
    """Blank at once what a page says of another model than the one of this key.

    Streamlit leaves what was drawn before until something new is drawn in its place, and a number
    of the last model under the new one would be believed.
    """
    every = f'[class*="st-key-{_OF_MODEL}"]'
    st.html(f"<style>{every}:not([class*={_mark(key)}]) {{ visibility: hidden }}</style>")


def numbers_of(key: Hashable, name: str) -> DeltaGenerator:
    """Make the place of numbers of the model of this key; :func:`blank_others` knows it."""
    return st.container(key=f"{_mark(key)}_{name}")


def _mark(key: Hashable) -> str:
    return f"{_OF_MODEL}{crc32(repr(key).encode()):08x}"


def canvas_component(name: str, *, scripts: Sequence[str]) -> Any:
    """Declare a component that draws on a canvas.

    Parameters
    ----------
    name : its HTML and style in ``assets`` (``tree_view``); the HTML has ``{{buttons}}`` where the
        buttons to zoom belong and ``{{stage}}`` where the picture and the map below it do
    scripts : its scripts in ``assets``, in order; the last one exports the component
    """
    html = asset(f"{name}.html")
    for part in ("buttons", "stage"):
        html = html.replace(f"{{{{{part}}}}}", asset(f"canvas_{part}.html"))
    return st.components.v2.component(
        f"probtrees_{name}",
        html=html,
        css=asset("canvas_view.css") + asset(f"{name}.css"),
        js="\n".join(asset(f"{script}.js") for script in ("canvas_view", *scripts)),
    )


@cache
def asset(name: str) -> str:
    """Read a script, a style or a part of a page."""
    return (_ASSETS / name).read_text(encoding="utf-8")


def quality_strip(bench: Bench, smoother: str, *, is_marked: bool = False) -> None:
    """Show how good the model is, unless it is marked already; nothing of one without its rows."""
    if not isinstance(bench.counts, GrownCounts):
        return

    def find() -> tuple[UnseenScores | None] | None:
        job = scores_job(bench, smoother)
        return None if job is None or job.is_working else (job.result,)

    def show(found: tuple[UnseenScores | None]) -> None:
        (scores,) = found
        if scores is not None:
            said = [quality_sentence(scores, bench.outcomes, bench.outcome)]
            said += [] if is_marked else [unseen_verdict(scores)[0]]
            with numbers_of(bench.variant(smoother), "quality"):
                st.html(quality_html(said, scores, bench.outcome, theme=state.theme()))

    fill_when(find, show, "How good is it? Asking models that have not seen the rows …")


def known_scores(bench: Bench, smoother: str) -> UnseenScores | None:
    """Return how good the model is, if that is known by now."""
    job = scores_job(bench, smoother)
    return job.result if job else None


def scores_job(bench: Bench, name: str) -> Job | None:
    """Ask how good the model is, once it is smoothed; None until then, and without rows."""
    counts, smoothed = bench.counts, bench.smoothing(name)
    if smoothed.is_working or not isinstance(counts, GrownCounts):
        return None
    if not smoothed.is_ready:
        return smoothed  # it failed

    def work(report: Report) -> UnseenScores | None:
        with counts.lock:
            return unseen_scores(counts.grown, smoothed.result, report)

    return jobs().ask((*bench.variant(name), "unseen scores"), work, kernels={name, *FIRST})
