"""A shaped tree or a council on show: how it is fitted, and how good it is on unseen rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import streamlit as st

from probtrees.draw.charts.quality_strip import (
    against_sentence,
    quality_html,
    quality_sentence,
    verdict_sentence,
)
from probtrees.experiment.fit import finish_model
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec
from probtrees.experiment.registry import DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.experiment.unseen_scores import UnseenScores, unseen_scores
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.jobs import Report
from probtrees.ui.shared.workbench import TreeBench

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
