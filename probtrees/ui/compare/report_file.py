"""The comparison as one HTML file, to be handed over."""

from __future__ import annotations

import streamlit as st

from probtrees.report.comparison_report import Compared, comparison_report
from probtrees.ui.compare.commands import command_lines
from probtrees.ui.compare.comparison_run import ComparisonRun, n_tried
from probtrees.ui.shared.workbench import Workbench


def report_button(run: ComparisonRun, bench: Workbench) -> None:
    """Offer the report; it is written when asked for, maybe when the page is long gone."""
    asked = Compared(
        results=run.by_name(),
        data=run.data,
        folds=run.folds,
        outcome=bench.outcome,
        n_settings=max(n_tried(bench), run.plan.n_settings),
        is_whole=run.is_whole,
        problems=tuple(run.problems),
        commands=command_lines(run),
    )
    st.download_button(
        "Report (HTML)",
        lambda: comparison_report(asked),
        file_name="comparison.html",
        mime="text/html",
        icon=":material/description:",
        on_click="ignore",
        help="One file that works offline: every measure, what may be concluded, reliability, "
        "order and time, where the numbers come from, and the command lines.",
    )
