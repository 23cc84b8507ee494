"""The first tab of the Compare page: the answer, the differences it rests on, and closer looks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.charts.comparison_charts import BASE_RATE, forest_chart
from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.forecast_details import undefined_reasons
from probtrees.experiment.evaluation.verdict import MARGIN, margin_words, some_of
from probtrees.report.comparison_report import Compared
from probtrees.score.measures import MEASURES, Measure, main_measures, part_shown
from probtrees.table.folds import describe_folds
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare import comparison_exports as files
from probtrees.ui.compare import comparison_run as runs
from probtrees.ui.compare.acting_views import costs, thresholds
from probtrees.ui.compare.another_table import answer_there, run_there
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, LIT, MEASURE, VIEW, VIEWS
from probtrees.ui.compare.comparison_plan import ComparisonPlan, choose_plan
from probtrees.ui.compare.curve_views import curves
from probtrees.ui.compare.forecast_views import differ, reliability
from probtrees.ui.compare.run_history import n_tried, note_run
from probtrees.ui.compare.tested_rows import choose_method, lit_of, with_tested_outcome
from probtrees.ui.shared.exports import offer
from probtrees.ui.shared.page import go_to
from probtrees.ui.shared.session import state
from probtrees.ui.shared.show import show_table
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench

_FOREST = "compare.forest"
_ON_REQUEST = ("rmse", "cll")
"""Functions of the Brier score and the log loss, in the menu of the table's columns."""


def compare_here(bench: TreeBench) -> None:
    """Ask what to compare, do it, and show what is known so far.

    Once there are results what to compare is one line: they are what one looks at.
    """
    plan, start = _setup(bench)
    if plan is None:
        return
    run = runs.current_run(bench, plan, start=start or runs.starts_itself(bench, plan))
    if run is None:
        return
    note_run(run, bench)
    for sentence in run.problems:
        st.warning(markdown_text(sentence))
    if not run.results:
        return
    if run.plan != plan:
        st.caption("The results below are of the settings compared last; press Compare again.")
    asked, bench = bench.outcome, with_tested_outcome(run, bench)
    if run.is_whole:
        _answer(run, bench)
    else:
        _figures(run)
    if bench.outcome != asked:
        lacking, shown = (markdown_text(bench.outcomes[k]) for k in (asked, bench.outcome))
        st.caption(f"No row of {lacking} is tested; what follows is about {shown}.")
    shows = (differ, reliability, curves, thresholds, costs, _more)
    for tab, show in zip(st.tabs(list(VIEWS), on_change="rerun", key=VIEW), shows, strict=True):
        if tab.open:
            with tab:
                show(run, bench)


def _setup(bench: TreeBench) -> tuple[ComparisonPlan | None, bool]:
    """Ask what to compare; None where something lacks. Also whether to start."""
    last = runs.asked_plan(bench)
    words = "What to compare" if last is None else last.words(bench)
    # Under another key: what was drawn open stays so.
    key, icon = f"compare.setup {hash(last)}", ":material/tune:"
    with st.expander(markdown_text(words), icon=icon, expanded=last is None, key=key):
        plan = choose_plan(bench)
        if plan.lacking:
            st.info(plan.lacking)
            return None, False
        start = st.button("Compare", type="primary", icon=":material/play_arrow:")
    return plan, start


def _answer(run: runs.ComparisonRun, bench: TreeBench) -> None:
    """Say which method to use and draw the differences that this rests on."""
    margin = float(st.session_state.get(on_page.MARGIN, MARGIN))
    found, names = run.verdict(margin), list(run.by_name())
    st.subheader(markdown_text(found.headline), anchor=False)
    answers, said = [found.why], [describe_folds(run.data, run.folds)]
    if (there := run_there(bench)) is not None:  # the table given on the second tab
        answers.append(answer_there(run, there, margin, bench)[0])
    st.markdown("  \n".join(markdown_text(answer) for answer in answers))
    if (n_settings := n_tried(run)) > len(names):
        words = f"You have compared {n_settings:,} settings on one table"
        said.append(f"{words}: confirm the choice on new rows.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        columns, aside = _columns_used(run)
        st.caption(markdown_text(" ".join(filter(None, [*said, columns]))), width="content")
        if aside and st.button("Change columns", type="tertiary", icon=":material/table:"):
            go_to("data")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        judged = _choose_measure()
        reference = choose_method(run, "Differences to", on_page.REFERENCE, found.best, width=180)
        _choose_margin()
        differences = run.differences(judged.name, names.index(run.name_of(reference)))
        with st.popover("Export", icon=":material/download:"):
            # The page may be gone when files are written from it.
            known = (run.by_name(), run.data, run.folds, bench.outcome, n_settings)
            compared = Compared(*known, True, run.problems, files.command_lines(run), margin)
            table = files.with_differences(figures(run), compared, found, differences)
            offer(files.COMPARISON_EXPORTS, (table, compared))
    if differences is None:
        st.info(f"No {judged.label} to compare by: {judged.undefined}.")
        return
    how: dict[str, Any] = {"lit": lit_of(run), "theme": state.theme()}
    st.plotly_chart(
        forest_chart(run.by_name(), differences, found, margin, **how),
        key=_FOREST,
        on_select=_light_clicked,
        selection_mode="points",
        config={"displayModeBar": False},
        alt=f"{judged.label} of every method minus that of {run.name_of(reference)}",
    )


def _columns_used(run: runs.ComparisonRun) -> tuple[str, list[str]]:
    """Say which columns the answer is about; list those left out."""
    roles, why = run.data.provenance.roles, current_source().guess.aside
    used, aside = ([n for n in roles if roles[n] == role] for role in ("feature", "ignore"))
    words = f"Columns: {some_of(used, most=5) if used else 'none'}"
    told = [f"{name} ({why[name]})" if name in why else name for name in aside]
    return f"{words}; left out: {some_of(told, most=5)}." if aside else f"{words}.", aside


def _light_clicked() -> None:
    """Highlight the method whose line was clicked in all pictures; a second click ends that."""
    for point in st.session_state[_FOREST].selection.points[:1]:
        name = str(np.ravel(point["customdata"])[0])
        is_lit = st.session_state.get(LIT) == name or name == BASE_RATE
        st.session_state[LIT] = None if is_lit else name


def _choose_measure() -> Measure:
    asked = st.session_state.get(MEASURE)  # by an older link maybe one on request
    names = [m.name for m in main_measures() if m.name not in _ON_REQUEST or m.name == asked]
    name = st.selectbox(
        "Picture",
        names,
        index=names.index(DEFAULT_MEASURE),
        format_func=lambda name: MEASURES[name].label,
        **state.lasting(MEASURE),
        width=150,
        help="What is drawn. The answer above weighs Brier score, log loss and AUC at once.",
    )
    return MEASURES[name]


def _choose_margin() -> None:
    st.session_state.setdefault(on_page.MARGIN, MARGIN)
    st.slider(
        "Margin (Brier)",
        0.0,
        0.02,
        step=0.0005,
        format="%.4f",
        **state.lasting(on_page.MARGIN),
        width=220,
        help=f"{margin_words(MARGIN)} Five times as much of log loss and AUC.",
    )


def figures(run: runs.ComparisonRun) -> pd.DataFrame:
    """List every method and the base rate with all figures, the best by Brier score first."""
    judged = MEASURES[st.session_state.get(MEASURE, DEFAULT_MEASURE)]
    took = {name: sum(result.seconds.values()) for name, result in run.by_name().items()}
    scores = run.scores().items()
    frame = pd.DataFrame([{"method": n, **found, "seconds": took.get(n)} for n, found in scores])
    frame["brier"] *= part_shown("brier", run.data.n_classes)
    return frame.sort_values(judged.name, ascending=not judged.larger_is_better, kind="stable")


def _more(run: runs.ComparisonRun, _: TreeBench) -> None:
    if run.is_whole:
        _figures(run)
    with st.expander("The same on the command line", icon=":material/terminal:"):
        for line in files.command_lines(run):
            st.code(line, language="bash", wrap_lines=True)


def _figures(run: runs.ComparisonRun) -> None:
    """Show all figures as a table, and what has to be known to read them."""
    number = st.column_config.NumberColumn
    columns: dict[str, Any] = {
        one.name: number(one.label, format="%.4f", help=one.help) for one in main_measures()
    }
    columns |= dict.fromkeys(_ON_REQUEST)
    columns["seconds"] = ("%.1f", "To grow, smooth and predict, all folds together.")
    show_table(figures(run), "compare.table", "Every method's scores, the best first", columns)
    words = [] if run.is_whole else ["Not all is measured yet, so nothing is called best."]
    words += [*run.results[0].remarks, *undefined_reasons(run.by_name())]
    st.caption(markdown_text(" ".join(words)))
