"""The first tab of the Compare page: what to compare on the table in use, and what came out."""

from __future__ import annotations

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.ui.compare import curve_views, forecast_views
from probtrees.ui.compare.compare_page import VIEW, VIEWS
from probtrees.ui.compare.comparison_plan import choose_plan
from probtrees.ui.compare.comparison_run import current_run
from probtrees.ui.compare.cost_view import costs
from probtrees.ui.compare.curve_and_time import more
from probtrees.ui.compare.run_estimate import show_estimate
from probtrees.ui.compare.run_history import note_run
from probtrees.ui.compare.scores import score_table
from probtrees.ui.compare.tested_rows import with_tested_outcome
from probtrees.ui.compare.threshold_view import thresholds
from probtrees.ui.shared.workbench import TreeBench


def compare_here(bench: TreeBench) -> None:
    """Ask what to compare, do it, and show what is known so far."""
    plan = choose_plan(bench)
    if not plan.models or not plan.smoothers:
        st.info("Choose at least one model and one smoother.")
        return
    if plan.scheme == "given" and plan.given is None:
        st.info("Give the file of folds: a column 'fold' with an entry for every row.")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        start = st.button("Compare", type="primary", icon=":material/play_arrow:")
        show_estimate(plan, bench)
    run = current_run(bench, plan, start=start)
    if run is None:
        st.info("Press Compare to measure these settings on rows that did not train them.")
        return
    note_run(run, bench)
    for sentence in run.problems:
        st.warning(markdown_text(sentence))
    if not run.results:
        return
    if run.plan != plan:
        st.caption("The results below are of the settings compared last; press Compare again.")
    asked, bench = bench.outcome, with_tested_outcome(run, bench)
    score_table(run, bench)
    if bench.outcome != asked:
        lacking, shown = (markdown_text(bench.outcomes[k]) for k in (asked, bench.outcome))
        st.caption(f"No row of {lacking} is tested; what follows is about {shown}.")
    shows = (
        forecast_views.reliability,
        curve_views.curves,
        thresholds,
        forecast_views.scatter,
        costs,
        more,
    )
    tabs = st.tabs(list(VIEWS), on_change="rerun", key=VIEW)
    for tab, show in zip(tabs, shows, strict=True):
        if tab.open:
            with tab:
                show(run, bench)
