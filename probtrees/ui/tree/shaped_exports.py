"""A shaped tree or a council: how good it is on unseen rows, and what can be taken away of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import streamlit as st

from probtrees.draw.charts.quality_strip import (
    against_sentence,
    quality_html,
    quality_sentence,
    verdict_sentence,
)
from probtrees.draw.code.model_as_code import model_python, model_sql
from probtrees.experiment.fit import finish_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec
from probtrees.experiment.registry import DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.experiment.unseen_scores import UnseenScores, unseen_scores
from probtrees.explain.leaf_ranges import LeafRange, has_leaf_ranges, leaf_ranges
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.report.model_report import ReportRequest, model_report
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.ui.shared.exports import MODEL, Export, ExportTab
from probtrees.ui.shared.score_file import scores_tab
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report
from probtrees.ui.shared.workbench import TreeBench

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


_TREE_ALONE = f"the tree alone, smoothed by {SMOOTHERS[DEFAULT_SMOOTHER].label}"


@dataclass(frozen=True)
class ShapedOnShow:
    """A shaped tree or a council, and the rows it was fitted to where they are here."""

    model: Model
    rows: Dataset | None
    key: Any
    outcome: int
    quality: Quality | None = None


class Quality(NamedTuple):
    """How good a model is on rows it has not seen, beside the tree alone."""

    own: UnseenScores
    tree: UnseenScores | None


def fit_judged(bench: TreeBench, spec: ModelSpec, report: Report) -> tuple[Model, Quality | None]:
    """Fit a model, and ask inner models about rows they have not seen: its own, and the tree's."""
    grown = grow_model(bench.data, spec, progress=report)
    model = finish_model(grown, DEFAULT_SMOOTHER, progress=report, track_record=True)
    own = unseen_scores(grown, model, report)
    if own is None:
        return model, None
    alone = bench.counts.smooth(DEFAULT_SMOOTHER, (), "hard", report)
    with bench.counts.lock:
        tree = unseen_scores(bench.counts.grown, alone, report)
    return model, Quality(own, tree)


def show_quality(shown: ShapedOnShow) -> None:
    """Say how good the model is on unseen rows, and whether it is worth more than the tree."""
    if shown.quality is None:
        return
    own, tree = shown.quality
    said = [
        quality_sentence(own, shown.model.schema.classes, shown.outcome),
        verdict_sentence(own),
        "" if tree is None else against_sentence(own, tree, _TREE_ALONE),
    ]
    st.html(quality_html(said, own, shown.outcome, theme=state.theme()))
