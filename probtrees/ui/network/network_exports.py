"""What can be taken away from the Network page: report, picture, tables, model, code."""

from __future__ import annotations

import json
import shlex

import pandas as pd
import streamlit as st

from probtrees.draw.escape import csv_text
from probtrees.draw.node_card import Mask
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, LEARNERS, SMOOTHERS
from probtrees.explain.rule import outcome_names, rule_text
from probtrees.model.model import Model
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.ui.network.network_bench import NetworkBench
from probtrees.ui.network.network_page import COLUMN
from probtrees.ui.network.network_picture import picture_dot
from probtrees.ui.shared.exports import picture_files
from probtrees.ui.shared.loaded_model import choose_model_file
from probtrees.ui.shared.recipe import (
    read_expression,
    reading_flags,
    smoother_expression,
    smoother_flags,
    table_file,
)
from probtrees.ui.shared.score_file import score_file
from probtrees.ui.shared.workbench import smooth_all
from probtrees.ui.tree.report_export import ask_mask


def export_drawer(bench: NetworkBench, member: int, smoother: str) -> None:
    """Offer the network on show as picture, tables, model and code."""
    model = bench.smooth(smoother)
    names = ["Report", "Picture", "Tables", "Model", "Code", "Score a file"]
    report, picture, tables, saved, code, scores = st.tabs(names)
    with report:
        _report(bench, member, smoother, model)
    with picture:
        _picture(bench, member)
    with tables:
        st.download_button(
            "Tables (CSV)",
            lambda: tables_csv(model, member),
            file_name="tables.csv",
            mime="text/csv",
            on_click="ignore",
            help="One line per table, context and value: counts, and the smoothed probability.",
        )
    with saved:
        st.download_button(
            "Model (JSON)",
            lambda: json.dumps(model.to_dict(), indent=1),
            file_name="model.json",
            mime="application/json",
            on_click="ignore",
        )
        st.caption(
            "It holds the counts of every table, not the rows. Use it with probtrees predict "
            "model.json NEW.csv, or probtrees.load_model."
        )
        choose_model_file("network.export.model", "network")
    with code:
        _code(bench, smoother)
    with scores:
        score_file(model)


def _code(bench: NetworkBench, smoother: str) -> None:
    """Show what makes the same network; a loaded one can only be used, not made again."""
    if not bench.has_rows:
        st.code("probtrees predict model.json NEW.csv --out probabilities.csv", language="bash")
        st.caption("What learns the network again would need the table, which is not here.")
        return
    st.code(command_line(bench, smoother), language="bash", wrap_lines=True)
    st.code(python_code(bench, smoother), language="python")
    if "part" in bench.key:
        st.caption("The code lets rows left out choose the attributes; you chose others.")


def _report(bench: NetworkBench, member: int, smoother: str, model: Model) -> None:
    """Offer one HTML file on the network, with the table on show explained."""
    st.caption(
        "One HTML file that works offline: the picture, the parents of every attribute, the table "
        "on show by every smoother, and where the numbers come from."
    )
    smallest = ask_mask("network.report.mask")
    column = st.session_state.get(COLUMN)
    dag = bench.dag(member)
    asked = {}
    if column in dag.columns:
        asked = smooth_all(bench.table(member, column))
    request = ReportRequest(column=column, mask=Mask(smallest), member=member)

    def make() -> str:
        others = {
            SMOOTHERS[name].label: job.result.tree
            for name, job in asked.items()
            if job.finished.wait(60) and job.error is None
        }
        return model_report(model, others, request)

    st.download_button(
        "Report (HTML)",
        make,
        file_name="report.html",
        mime="text/html",
        on_click="ignore",
        icon=":material/description:",
    )


def tables_csv(model: Model, member: int) -> str:
    """Write every table of one network as CSV, text that a spreadsheet would run made harmless."""
    found = model.members[member]
    schema = model.schema if found.cuts is None else found.cuts.apply_to_schema(model.schema)
    lines = []
    for smoothed in found.trees:
        tree = smoothed.tree
        column = csv_text(schema.columns[tree.target].name)
        values = [csv_text(name) for name in outcome_names(tree, schema)]
        for node in tree.leaves.tolist():
            context = csv_text(rule_text(tree, schema, node))
            for k, value in enumerate(values):
                count = float(tree.arrays.counts[node, k])
                lines.append((column, context, value, count, float(smoothed.probs[node, k])))
    names = ["column", "context", "value", "rows", "probability"]
    return str(pd.DataFrame(lines, columns=names).to_csv(index=False))


def command_line(bench: NetworkBench, smoother: str) -> str:
    """Write the command that learns the same network."""
    _, _, learner, options, method = bench.key[:5]
    parts = ["probtrees", "grow", table_file(bench.data)]
    parts += ["--target", bench.data.schema.target.name, *reading_flags()]
    parts += ["--model", learner, "--smoother", smoother]
    for name, value in options:
        parts += ["--set", f"model.{name}={value}"]
    parts += smoother_flags(smoother)
    if method != DEFAULT_DISCRETIZER:
        parts += ["--discretize", method]
    return " ".join(shlex.quote(part) for part in [*parts, "--out", "model.json"])


def python_code(bench: NetworkBench, smoother: str) -> str:
    """Write the Python lines that learn the same network."""
    _, _, learner, options, method = bench.key[:5]
    read = f"data = {read_expression(bench.data)}"
    imports, network = ["import probtrees"], repr(learner)
    if options:
        algorithm = LEARNERS[learner].algorithm
        imports.append(f"from {algorithm.__module__} import {algorithm.__name__}")
        given = ", ".join(f"{name}={value!r}" for name, value in options)
        network = f"{algorithm.__name__}({given})"
    cut = "" if method == DEFAULT_DISCRETIZER else f", discretizer={method!r}"
    more, how = smoother_expression(smoother)
    imports += more
    fit = f"model = probtrees.fit(data, {network}, {how}{cut})"
    return "\n".join([*imports, "", read, fit, 'model.save("model.json")'])


def _picture(bench: NetworkBench, member: int) -> None:
    picture_files(lambda: picture_dot(bench, member, None), "network", "network.export")
