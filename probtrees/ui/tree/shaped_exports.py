"""What can be taken away of a shaped tree or a council: model, code, report, scores."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from probtrees.draw.code.model_as_code import model_python, model_sql
from probtrees.explain.leaf_ranges import LeafRange, has_leaf_ranges, leaf_ranges
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.ui.shared.exports import MODEL, Export, ExportTab
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.tree.judged_fit import ShapedOnShow

_TEST_ROWS = 100
"""Rows that exported code checks itself on."""


def _test_rows(shown: ShapedOnShow) -> tuple[Dataset, FloatArray] | tuple[None, None]:
    """Pick rows that exported code checks itself on, and what they must get."""
    if shown.rows is None:
        return None, None
    n_rows = shown.rows.n_rows
    picked = np.linspace(0, n_rows - 1, min(n_rows, _TEST_ROWS)).astype(np.int64)
    rows = shown.rows.take(picked)
    return rows, predict_proba(shown.model, rows)


def _ask_model(shown: ShapedOnShow) -> ShapedOnShow:
    st.caption(
        "The model file is plain JSON for probtrees; the code files score rows without it and "
        "give the same numbers. On the command line:"
    )
    st.code(_command(shown.model), language="bash", wrap_lines=True)
    return shown


def _command(model: Model) -> str:
    """Write the command that fits the same shapes: what was wished of them, and nothing else."""
    set_to = model.options.get("learner", {})
    wishes = ("increasing", "decreasing", "increasing_for", "banned")
    asked = [
        f"--set {shlex.quote(f'model.{name}={set_to[name]}')}"
        for name in wishes
        if set_to.get(name)
    ]
    return " ".join(["probtrees grow DATA --model shaped-tree", *asked])


def _request(shown: ShapedOnShow) -> ReportRequest:
    """Ask for a report about the outcome on show, with what rows of every leaf are given."""
    ranges: Sequence[LeafRange] = ()
    if shown.rows is not None and has_leaf_ranges(shown.model):
        ranges = leaf_ranges(shown.model, shown.rows, shown.outcome)
    return ReportRequest(outcome=shown.outcome, ranges=ranges)


def fitted_exports(
    name: str,
    ask: Callable[[Any], Any],
    sql: Callable[[Model], str],
    python: Callable[..., str],
    report_help: str,
) -> tuple[ExportTab[Any], ...]:
    """List what can be taken away of a shaped tree or a council: model, code, report, scores.

    Parameters
    ----------
    name : of the files with code
    ask : writes what stands above the files
    sql, python : write a model, the second given rows to check itself on and their answers
    """
    code: tuple[Export[Any], ...] = (
        Export(MODEL.name, MODEL.label, lambda shown: MODEL.write(lambda: shown.model)),
        Export(f"{name}.sql", "SQL", lambda shown: sql(shown.model)),
        Export(
            f"{name}.py",
            "Python",
            lambda shown: python(shown.model, *_test_rows(shown)),
            help="One file without dependencies that checks itself on rows of the table.",
        ),
    )
    report = Export[Any](
        "report.html",
        "Report (HTML)",
        lambda shown: model_report(shown.model, None, _request(shown)),
        help=report_help,
    )
    return (
        ExportTab("Model and code", ask, code),
        ExportTab("Report", lambda shown: shown, (report,)),
        scores_tab(lambda shown: shown.model),
    )


SHAPED_EXPORTS = fitted_exports(
    "shaped_tree",
    _ask_model,
    model_sql,
    model_python,
    "Shapes, path, cautions and where the numbers come from, in one offline file.",
)
