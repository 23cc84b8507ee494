"""A results file of ``probtrees benchmark``, looked at in the app."""

from __future__ import annotations

import csv
import io

import pandas as pd
import streamlit as st

from probtrees.draw.charts.critical_difference import critical_difference_svg
from probtrees.errors import DataError
from probtrees.experiment.evaluation.benchmark import FEWEST_COLUMNS, result_columns
from probtrees.experiment.evaluation.benchmark_summary import Summary, summarise
from probtrees.score.measures import MEASURES
from probtrees.score.significance import MethodTests, compare_methods
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import content_of

DECIMALS = 4


def read_results(content: bytes) -> Summary:
    """Read a results file."""
    try:
        rows = list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
    except (UnicodeDecodeError, csv.Error):
        rows = []
    known = bool(rows) and set(FEWEST_COLUMNS) <= set(rows[0]) <= set(result_columns())
    if not known or any(None in row.values() for row in rows):
        raise DataError(
            "file must be a results file of 'probtrees benchmark'. Give the file named by --out."
        )
    try:
        return summarise(rows)
    except ValueError as problem:
        raise DataError("file must hold numbers as benchmark results.") from problem


def results_file() -> None:
    """Ask for a results file, and show who beats whom in it."""
    file = st.file_uploader(
        "Results of 'probtrees benchmark'",
        type=["csv"],
        help="The file that --out names: one row per data set, model and smoother.",
    )
    if file is None:
        st.info("Upload a results file to see who beats whom over many data sets.")
    else:
        show_results(read_results(content_of(file)))


def show_results(summary: Summary) -> None:
    """Show means, who beats whom, and the critical-difference diagram."""
    measure = st.selectbox("Measure", summary.measures, key="benchmark.measure")
    names = summary.methods
    means = {"method": list(names), "mean": [summary.mean(name, measure) for name in names]}
    means["average rank"] = [summary.mean_rank(name, measure) for name in names]
    st.dataframe(pd.DataFrame(means), hide_index=True)
    if summary.n_datasets < 2 or len(names) < 2:
        st.info("Tests need at least two data sets and two methods.")
        return
    scores = summary.table(measure).to_numpy()
    found = compare_methods(
        names, scores, decimals=DECIMALS, lower_is_better=not MEASURES[measure].larger_is_better
    )
    st.html(
        critical_difference_svg(
            names, found.ranks.average_ranks, found.critical_difference, theme=state.theme()
        )
    )
    leading = ", ".join(names[i] for i in found.leading.members)
    st.markdown(f"Not distinguishable from the best rank (Wilcoxon, Holm, 5 %): **{leading}**.")
    st.dataframe(_records(found), key="benchmark.records")
    st.caption("Win-draw-loss of the row against the column; p of a two-sided sign test.")


def _records(found: MethodTests) -> pd.DataFrame:
    cells = [
        [
            ""
            if i == j
            else f"{found.records[i, j].text} (p {found.records[i, j].p_two_sided:.3f})"
            for j in range(len(found.names))
        ]
        for i in range(len(found.names))
    ]
    return pd.DataFrame(cells, index=list(found.names), columns=list(found.names))
