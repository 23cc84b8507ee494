"""The table in use, its tree, and that tree smoothed: what every part of a page reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from probtrees.dataset import Dataset
from probtrees.draw.node_card import default_outcome
from probtrees.errors import ProbTreesError
from probtrees.experiment.grown import Grown
from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS, SMOOTHERS
from probtrees.rule import outcome_names
from probtrees.smoothed_tree import SmoothedTree
from probtrees.ui import cached, state


@dataclass(frozen=True)
class Workbench:
    """A grown tree, ready to be smoothed in any way.

    Attributes
    ----------
    data_key : what cached results are found by
    growing : the growing options that differ from their defaults
    """

    data: Dataset
    grown: Grown
    data_key: str
    growing: cached.Settings

    def smooth(self, name: str) -> SmoothedTree:
        """Smooth the tree by the smoother of that name, at its default options."""
        return cached.smoothed_tree(self.data_key, self.growing, name, (), self.grown)

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes' names."""
        return outcome_names(self.grown.trees[0], self.data.schema)

    @property
    def outcome(self) -> int:
        """The outcome of interest."""
        chosen = st.session_state.get(state.OUTCOME)
        if chosen is None or chosen >= len(self.outcomes):
            return default_outcome(self.grown.trees[0])
        return int(chosen)

    @property
    def base_rate(self) -> float:
        """How often the outcome of interest occurs among all rows."""
        tree = self.grown.trees[0]
        return float(tree.arrays.counts[0, self.outcome] / max(float(tree.totals[0]), 1e-300))


def current_data() -> tuple[Dataset, str]:
    """Read the table in use; a broken upload falls back to the sample, saying why."""
    upload = state.current_upload()
    if upload is not None:
        return cached.uploaded_data(upload), upload.digest
    name = state.current_sample()
    return cached.sample_data(name), f"sample {name}"


def growing_options() -> dict[str, Any]:
    """Collect the growing options of the session that differ from their defaults."""
    start: dict[str, Any] = {}
    if state.current_upload() is None:
        start.update(state.SAMPLE_SETTINGS.get(state.current_sample(), {}))
    options = {}
    for field in LEARNERS["c45"].options:
        value = st.session_state.get(f"c45.{field.name}", start.get(field.name, field.default))
        if value != field.default:
            options[field.name] = value
    return options


def workbench() -> Workbench:
    """Grow the tree that the session asks for, or find it again."""
    data, data_key = current_data()
    options = cached.settings(growing_options())
    with st.spinner(
        "Growing the tree. The very first time this compiles the calculations: about 15 seconds."
    ):
        grown = cached.grown_tree(data_key, options, data)
    return Workbench(data, grown, data_key, options)


def ready_smoothers() -> list[str]:
    """List the smoothers by name, in the order of the registry."""
    return list(SMOOTHERS)


def current_smoother() -> str:
    """Name the smoother in use."""
    chosen = st.session_state.get(state.SMOOTHER)
    return chosen if chosen in SMOOTHERS else DEFAULT_SMOOTHER


def try_smooth(bench: Workbench, name: str) -> tuple[SmoothedTree | None, str]:
    """Smooth, or say in one sentence why not."""
    try:
        return bench.smooth(name), ""
    except ProbTreesError as problem:
        return None, str(problem)
