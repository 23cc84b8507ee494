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
from probtrees.draw.escape import markdown_text
from probtrees.errors import DataError
from probtrees.experiment.evaluation.benchmark import FEWEST_COLUMNS, result_columns
from probtrees.experiment.evaluation.benchmark_results import SECONDS, Summary, summarise
from probtrees.score.measures import MEASURES, Measure
from probtrees.score.paired_test import mean_difference
from probtrees.score.significance import MethodTests, compare_methods
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import content_of
from probtrees.words import p_text, plural

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
        key="benchmark.file",
        help="The file that --out names: one row per data set, model and smoother.",
    )
    if file is None:
        st.info("Upload a results file to see who beats whom over many data sets.")
    else:
        show_results(read_results(content_of(file)))


def show_results(summary: Summary) -> None:
    """Show every method, who beats whom, the critical differences, and every data set."""
    name = st.selectbox(
        "Sorted by",
        summary.measures,
        format_func=lambda name: MEASURES[name].label,
        key="benchmark.measure",
        width=260,
    )
    measure, names = MEASURES[name], summary.methods
    found = None
    if summary.n_datasets > 1 and len(names) > 1 and len(summary.table(name)) > 1:
        found = compare_methods(
            names,
            summary.table(name).to_numpy(),
            decimals=DECIMALS,
            lower_is_better=not measure.larger_is_better,
        )
    _methods(summary, measure, found)
    if found is None:
        st.info("Tests need at least two data sets and two methods.")
    else:
        _who_beats_whom(found)
    _data_sets(summary, measure)


def _methods(summary: Summary, measure: Measure, found: MethodTests | None) -> None:
    """Show the table of methods, the best average rank first."""
    frame = method_table(summary, measure, found)
    number = st.column_config.NumberColumn
    bar = st.column_config.ProgressColumn(
        f"mean {measure.label}",
        format="%.4f",
        min_value=0.0,
        max_value=max(float(frame["mean"].max()), 1e-12),
        help=measure.help,
    )
    config: dict[str, Any] = {
        "": st.column_config.TextColumn(
            width=30, pinned=True, help="★ best average rank, ● cannot be distinguished from it."
        ),
        "mean": bar if frame["mean"].min() >= 0 else number(format="%.4f", help=measure.help),
        "rank": number("average rank", format="%.2f", help="1 is the best on every data set."),
        "difference": number("to the best", format="%+.4f", help="Mean over the data sets."),
        "interval": st.column_config.TextColumn("95 % interval", help="Of that mean difference."),
        "p": st.column_config.TextColumn(
            help="Of such ranks by chance, adjusted for all methods (Wilcoxon, Holm)."
        ),
    }
    st.dataframe(
        frame,
        hide_index=True,
        column_config=config,
        height=35 * (min(len(frame), 40) + 1) + 3,
        key="benchmark.methods",
        placeholder="–",
        alt="Every method over all data sets, the best first",
    )
    sets = plural(len(summary.table(measure.name)), "data sets")
    st.caption(
        f"Over {sets} on which {measure.label} is defined for every method. ★ has the best average "
        "rank, ● cannot be distinguished from it by Wilcoxon's test, Holm-corrected at 5 %."
    )


def method_table(summary: Summary, measure: Measure, found: MethodTests | None) -> pd.DataFrame:
    """List every method with mean, rank and the difference to the one of the best rank."""
    table, rows = summary.table(measure.name), []
    for place, name in enumerate(summary.methods):
        row: dict[str, Any] = {
            "": "",
            "method": name,
            "mean": summary.mean(name, measure.name),
            "rank": summary.mean_rank(name, measure.name),
        }
        if found is not None:
            best = found.leading.best
            row[""] = "★" if place == best else "●" if place in found.leading.members else ""
            test = mean_difference(table[name], table[summary.methods[best]])
            is_best = place == best
            row["difference"] = None if is_best else test.difference
            known = not is_best and test.lower is not None
            row["interval"] = f"{test.lower:+.4f} to {test.upper:+.4f}" if known else ""
            row["p"] = "" if is_best else p_text(float(found.leading.adjusted_p[place]))
        rows.append(row)
    rows.sort(key=lambda row: np.inf if row["rank"] is None else row["rank"])
    return pd.DataFrame(rows)


def _who_beats_whom(found: MethodTests) -> None:
    """Draw the critical differences, and list the records of all pairs."""
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
    leading = ", ".join(found.names[i] for i in found.leading.members)
    words = f"Not distinguishable from the best rank (Wilcoxon, Holm, 5 %): **{leading}**."
    st.markdown(words)
    with st.expander("Wins, draws and losses of every pair", icon=":material/grid_on:"):
        st.dataframe(_records(found), key="benchmark.records")
        st.caption("Of the row against the column; p of a two-sided sign test.")


def _data_sets(summary: Summary, measure: Measure) -> None:
    """List the data sets with every method's figure; one of them opens with all its measures."""
    st.markdown("**Data set by data set**")
    table = summary.table(measure.name)
    frame = table.reset_index()
    best = table.idxmax(axis=1) if measure.larger_is_better else table.idxmin(axis=1)
    frame.insert(1, "rows", summary.sizes(table.index))
    frame.insert(2, "best", best.to_numpy())
    figure = st.column_config.NumberColumn(format="%.4f")
    picked = st.dataframe(
        frame,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        column_config={
            "dataset": st.column_config.TextColumn("data set", pinned=True),
            "rows": st.column_config.NumberColumn(format="localized"),
            **dict.fromkeys(table.columns, figure),
        },
        key="benchmark.sets",
        alt=f"{measure.label} of every method on every data set",
    )
    names = list(frame["dataset"])
    rows = picked.selection.rows
    clicked = names[rows[0]] if rows and rows[0] < len(names) else None
    if clicked is not None and clicked != st.session_state.get("benchmark.clicked"):
        st.session_state["benchmark.set"] = clicked
    st.session_state["benchmark.clicked"] = clicked
    if st.session_state.get("benchmark.set") not in (None, *names):
        del st.session_state["benchmark.set"]
    chosen = st.selectbox(
        "One data set", names, index=None, key="benchmark.set", placeholder="click one, or choose"
    )
    if chosen is not None:
        _one_set(summary, measure, chosen)


def _one_set(summary: Summary, measure: Measure, name: str) -> None:
    """Show every measure of every method on one data set, the best first."""
    found = summary.frame[summary.frame["dataset"] == name]
    first = found.iloc[0]
    about = ", ".join(
        f"{first[part]:g} {word}"
        for part, word in (
            ("rows", "rows"),
            ("classes", "classes"),
            ("numeric", "numeric columns"),
            ("nominal", "nominal columns"),
        )
        if pd.notna(first[part])
    )
    st.markdown(f"**{markdown_text(name)}**: {about}")
    known = [one for one in MEASURES if found[one].notna().any()]
    ordered = found.sort_values(measure.name, ascending=not measure.larger_is_better)
    seconds = [part for part in SECONDS if part in found]
    st.dataframe(
        ordered[["method", *known, *seconds]],
        hide_index=True,
        column_config={
            one: st.column_config.NumberColumn(
                MEASURES[one].label, format="%.4f", help=MEASURES[one].help
            )
            for one in known
        },
        key="benchmark.one set",
        placeholder="–",
        alt=f"Every measure of every method on {name}",
    )


def _records(found: MethodTests) -> pd.DataFrame:
    cells = [
        [
            ""
            if i == j
            else f"{found.records[i, j].text} (p {p_text(found.records[i, j].p_two_sided)})"
            for j in range(len(found.names))
        ]
        for i in range(len(found.names))
    ]
    return pd.DataFrame(cells, index=list(found.names), columns=list(found.names))
