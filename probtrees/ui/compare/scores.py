"""The table of the Compare page: every method beside the base rate, no single winner."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from probtrees.report.comparison_report import BASE_RATE
from probtrees.score.measures import better_when_larger, main_measures
from probtrees.ui.compare.comparison_exports import COMPARISON_EXPORTS, comparison_files
from probtrees.ui.compare.comparison_run import ComparisonRun, n_tried
from probtrees.ui.shared.exports import offer
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import plural


def score_table(run: ComparisonRun, bench: TreeBench) -> None:
    """Show every measure of every method; mark the set that cannot be told from the best."""
    leading = run.leading()
    names = run.by_name()
    scores = {name: result.scores for name, result in names.items()}
    scores[BASE_RATE] = run.results[0].base_rate
    frame = pd.DataFrame(
        [
            {"": "●" if name in leading else "", "method": name, **score}
            | {"seconds": sum(names[name].seconds.values()) if name in names else None}
            for name, score in scores.items()
        ]
    )
    columns = {
        measure.name: st.column_config.NumberColumn(measure.label, format="%.4f", help=measure.help)
        for measure in main_measures()
    } | {
        "": st.column_config.TextColumn(width=30, help="Cannot be told from the best."),
        "method": st.column_config.TextColumn(width=230),
        "seconds": st.column_config.NumberColumn(
            format="%.1f", help="To grow, smooth and predict, all folds together."
        ),
    }
    st.dataframe(
        frame,
        hide_index=True,
        column_config=columns,
        key="compare.table",
        placeholder="",
        alt="Every method's scores",
    )
    st.caption(_words(run, bench))
    offer(COMPARISON_EXPORTS, comparison_files(run, bench, frame))


def _words(run: ComparisonRun, bench: TreeBench) -> str:
    n_settings = max(n_tried(bench), run.plan.n_settings)
    marked = (
        "● cannot be told from the smallest Brier score by a corrected paired t-test over the "
        "folds, Holm-corrected at 5 %. "
        if run.is_whole
        else "Not all is measured yet, so nothing is marked as best. "
    )
    return (
        f"{marked}Smaller is better, except for {better_when_larger(main_measures())}. "
        f"You have compared {plural(n_settings, 'settings')} on one data set; confirm the choice "
        "on new rows."
    )
