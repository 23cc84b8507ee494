"""A results file of ``probtrees benchmark``, looked at in the app."""

from __future__ import annotations

import base64
import csv
import io
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from probtrees.draw.charts.critical_difference import critical_difference_svg
from probtrees.errors import DataError
from probtrees.experiment.evaluation.benchmark import FEWEST_COLUMNS, result_columns
from probtrees.experiment.evaluation.benchmark_results import Summary, summarise
from probtrees.score.measures import MEASURES, Measure
from probtrees.score.significance import MethodTests, compare_methods
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import content_of
from probtrees.ui.shared.show_table import show_table
from probtrees.words import p_text, plural


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
    """Ask for a results file, and show every method, who beats whom, and every data set."""
    file = st.file_uploader(
        "Results of 'probtrees benchmark'",
        type=["csv"],
        key="benchmark.file",
        help="The file that --out names: one row per data set, model and smoother.",
    )
    if file is None:
        st.info("Upload a results file to see who beats whom over many data sets.")
        return
    summary = read_results(content_of(file))
    name = st.selectbox(
        "Sorted by",
        summary.measures,
        format_func=lambda name: MEASURES[name].label,
        key="benchmark.measure",
        width=260,
    )
    measure, table = MEASURES[name], summary.table(name)
    found = None
    if len(table) > 1 and len(summary.methods) > 1:
        found = compare_methods(
            summary.methods,
            table.to_numpy(),
            decimals=4,
            lower_is_better=not measure.larger_is_better,
        )
        _draw_ranks(found)
    methods = method_table(summary, measure, found)
    formats: dict[str, Any] = {f"mean {measure.label}": ("%.4f", measure.help)}
    formats["average rank"] = ("%.2f", "1 is the best on every data set.")
    show_table(methods, "benchmark.methods", "Every method, the best average rank first", formats)
    st.caption(
        f"Over {plural(len(table), 'data sets')} on which {measure.label} is defined for every "
        "method. ★ has the best average rank, ● cannot be distinguished from it by Wilcoxon's "
        "test, Holm-corrected at 5 %."
    )
    sets = table.reset_index()
    sets.insert(1, "rows", summary.sizes(table.index))
    alt = f"{measure.label} of every method on every data set"
    show_table(sets, "benchmark.sets", alt, dict.fromkeys(table.columns, "%.4f"))


def method_table(summary: Summary, measure: Measure, found: MethodTests | None) -> pd.DataFrame:
    """List every method with its mean and rank, and p against the one of the best rank."""
    rows = []
    for place, name in enumerate(summary.methods):
        row: dict[str, Any] = {
            "": "",
            "method": name,
            f"mean {measure.label}": summary.mean(name, measure.name),
            "average rank": summary.mean_rank(name, measure.name),
        }
        if found is not None and place == found.leading.best:
            row[""] = "★"
        elif found is not None:
            row[""] = "●" if place in found.leading.members else ""
            row["p"] = p_text(float(found.leading.adjusted_p[place]))
        rows.append(row)
    rows.sort(key=lambda row: np.inf if row["average rank"] is None else row["average rank"])
    return pd.DataFrame(rows)


def _draw_ranks(found: MethodTests) -> None:
    """Draw the average ranks with the critical difference."""
    picture = critical_difference_svg(
        found.names, found.ranks.average_ranks, found.critical_difference, theme=state.theme()
    )
    # Streamlit takes a bare SVG out of HTML; as the source of an image it stays.
    encoded = base64.b64encode(picture.encode("utf-8")).decode("ascii")
    st.html(
        '<img style="max-width:100%" alt="Average ranks of the methods; bars join those that '
        "Nemenyi's test cannot tell apart\" "
        f'src="data:image/svg+xml;base64,{encoded}">'
    )
