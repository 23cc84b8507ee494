"""The table in use, its tree, and that tree smoothed: what every part of a page reads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from probtrees.draw.node_card import default_outcome
from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS, SMOOTHERS
from probtrees.explain.rule import outcome_names
from probtrees.grow.count_tree import CountTree
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset
from probtrees.ui.shared import cached, forms, state
from probtrees.ui.shared.cached import GrownTree, Settings, growing_job, settings, smoothing_job
from probtrees.ui.shared.jobs import Job, Work, jobs, result_of
from probtrees.ui.shared.smoother_options import current_routing, smoother_settings
from probtrees.ui.shared.table_source import current_reading

_VARIANTS = "variants looked at"

QUICK_SMOOTHER = "m-branch"
"""What is shown when smoothing was cancelled: it needs no held-out rows and no sampling."""


@dataclass(frozen=True)
class Workbench:
    """A grown tree, ready to be smoothed in any way.

    Attributes
    ----------
    key : what the tree was made from; its results are found again by it
    """

    data: Dataset
    grown_tree: GrownTree
    key: tuple[str, Settings]

    @property
    def tree(self) -> CountTree:
        """The tree of counts."""
        return self.grown_tree.grown.trees[0]

    @property
    def routing(self) -> Literal["hard", "soft"]:
        """How rows are routed; tables have no soft way."""
        return "hard" if self.grown_tree.grown.spec.is_network else current_routing()

    def variant(self, name: str) -> tuple[Any, ...]:
        """Return what the smoothed tree is found again by: the tree, the smoother as it is set."""
        return (*self.key, name, self._settings(name), self.routing)

    def _settings(self, name: str) -> Settings:
        return smoother_settings(name)

    def _work(self, name: str) -> Work:
        return smoothing_job(self.grown_tree, name, self._settings(name), self.routing)

    def smoothing(self, name: str) -> Job:
        """Ask for the tree smoothed by the smoother of that name, as it is set."""
        return jobs().ask(self.variant(name), self._work(name))

    def model(self, name: str) -> Model:
        """Return the smoothed model; while it is not there the page ends with its progress."""
        model: Model = result_of(
            self.variant(name),
            self._work(name),
            title=f"Smoothing ({SMOOTHERS[name].label})",
            on_cancel=_smooth_quickly,
        )
        return model

    def smooth(self, name: str) -> SmoothedTree:
        """Return the smoothed tree of :meth:`model`."""
        return self.model(name).tree

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes' names."""
        return outcome_names(self.tree, self.data.schema)

    @property
    def outcome(self) -> int:
        """The outcome of interest."""
        chosen = st.session_state.get(state.OUTCOME)
        if chosen is None or chosen >= len(self.outcomes):
            return default_outcome(self.tree)
        return int(chosen)

    @property
    def base_rate(self) -> float:
        """How often the outcome of interest occurs among all rows."""
        tree = self.tree
        return float(tree.arrays.counts[0, self.outcome] / max(float(tree.totals[0]), 1e-300))


def current_data() -> tuple[Dataset, str]:
    """Read the table in use; a broken upload falls back to the sample, saying why."""
    upload, reading = state.current_upload(), current_reading()
    if upload is not None:
        return cached.uploaded_data(upload, reading), f"{upload.digest} {reading}"
    name = state.current_sample()
    return cached.sample_data(name, reading), f"sample {name} {reading}"


def growing_options() -> dict[str, Any]:
    """Collect the growing options of the session that differ from their defaults."""
    start: dict[str, Any] = {}
    if state.current_upload() is None:
        start.update(state.SAMPLE_SETTINGS.get(state.current_sample(), {}))
    return forms.chosen_options(LEARNERS["c45"].options, key="c45", defaults=start)


def workbench() -> Workbench:
    """Grow the tree that the session asks for, or find it again."""
    data, data_key = current_data()
    options = settings(growing_options())
    key = ("grow", data_key, options)
    grown: GrownTree = result_of(
        key, growing_job(options, data), title="Growing the tree", on_cancel=take_back
    )
    state.remember_good(_growing_keys())
    return Workbench(data, grown, (data_key, options))


def _growing_keys() -> list[str]:
    return [f"c45.{field.name}" for field in LEARNERS["c45"].options]


def take_back() -> None:
    """Return to the choices that last led to a tree."""
    state.return_to_good(_growing_keys())


def _smooth_quickly() -> None:
    """Go back to a smoother that needs no time."""
    st.session_state[state.NEXT_SMOOTHER] = QUICK_SMOOTHER


def current_smoother() -> str:
    """Name the smoother in use."""
    chosen = st.session_state.get(state.SMOOTHER)
    return chosen if chosen in SMOOTHERS else DEFAULT_SMOOTHER


def smooth_all(bench: Workbench) -> dict[str, Job]:
    """Ask for every smoother at once; each job says when it is ready."""
    return {name: bench.smoothing(name) for name in SMOOTHERS}


def ready_models(bench: Workbench) -> dict[str, Model | None]:
    """Return the model of every smoother by name; None where it is not there (yet)."""
    return {
        name: job.result if job.finished.is_set() and job.error is None else None
        for name, job in smooth_all(bench).items()
    }


def ready_trees(bench: Workbench) -> dict[str, SmoothedTree | None]:
    """Return the smoothed tree of every smoother by name; None where it is not there (yet)."""
    return {
        name: None if model is None else model.tree for name, model in ready_models(bench).items()
    }


def note_variant(bench: Workbench, name: str) -> None:
    """Remember that a setting was looked at; who looks at many will find a good one by luck."""
    _seen(bench).add(str(bench.variant(name)))


def note_compared(bench: Workbench, settings_tried: Iterable[str]) -> None:
    """Remember settings that were compared, which are looked at as much as any other."""
    _seen(bench).update(settings_tried)


def n_variants(bench: Workbench) -> int:
    """Count the settings that were looked at on this table in this session."""
    return len(_seen(bench))


def _seen(bench: Workbench) -> set[str]:
    by_table: dict[str, set[str]] = st.session_state.setdefault(_VARIANTS, {})
    return by_table.setdefault(bench.data.provenance.sha256, set())
