"""What is to be compared, and about how long that will take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from probtrees.experiment.model_spec import ModelSpec, make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    LEARNERS,
    SMOOTHERS,
)
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.ui.compare.compare_page import (
    DEFAULT_SMOOTHERS,
    FOLDS,
    MODELS,
    MOST_FOLDS,
    MOST_REPEATS,
    PUBLISHED,
    PUBLISHED_SMOOTHERS,
    REPEATS,
    SMOOTHER_NAMES,
)
from probtrees.ui.network.network_page import DISCRETIZER
from probtrees.ui.shared import forms
from probtrees.ui.shared.smoother_options import Settings, settings, smoother_settings
from probtrees.ui.shared.workbench import TreeBench, growing_options

_EVIDENCE_COST = 4.5
"""Times growing a tree that gathering inner evidence takes, at most."""


@dataclass(frozen=True)
class ComparisonPlan:
    """Models x smoothers, and how the rows are cut.

    Attributes
    ----------
    models, smoothers : registry names
    settings : by name, the options of models and smoothers that differ from their defaults, as
        the other pages have them; none where the published habits are repeated
    discretizer : how networks cut numbers
    """

    models: tuple[str, ...]
    smoothers: tuple[str, ...]
    n_folds: int
    n_repeats: int
    as_published: bool
    settings: tuple[tuple[str, Settings], ...] = ()
    discretizer: str = DEFAULT_DISCRETIZER

    @property
    def n_settings(self) -> int:
        """How many settings it compares."""
        return len(self.models) * len(self.smoothers)

    def options(self, name: str) -> dict[str, Any]:
        """Return the options of a model or smoother that differ from their defaults."""
        return dict(dict(self.settings).get(name, ()))

    def spec(self, model: str) -> ModelSpec:
        """Make the spec of one model, set as on its own page."""
        if self.as_published:
            return make_spec(model, {}, as_published=True)
        return make_spec(model, self.options(model), discretizer=self.discretizer)

    def methods(self) -> list[tuple[str, Smoother]]:
        """Make the smoothers, set as on the other pages."""
        return [named_smoother(name, self.options(name)) for name in self.smoothers]


def _settings_of_pages(models: list[str], smoothers: list[str]) -> tuple[tuple[str, Settings], ...]:
    """Collect how models and smoothers are set on the pages that show them."""
    found: dict[str, Settings] = {name: smoother_settings(name) for name in smoothers}
    for model in models:
        if model == "c45":
            found[model] = settings(growing_options())
        else:
            options = forms.chosen_options(LEARNERS[model].options, key=f"network.{model}")
            found[model] = settings(options)
    return tuple((name, options) for name, options in found.items() if options)


def choose_plan(bench: TreeBench) -> ComparisonPlan:
    """Ask what to compare."""
    left, right = st.columns([1, 2], gap="medium")
    with left:
        models = st.multiselect(
            "Models",
            list(LEARNERS),
            default=["c45"],
            format_func=lambda name: LEARNERS[name].label,
            key=MODELS,
            persist_state="session",
            disabled=bool(st.session_state.get(PUBLISHED)),
            help="Every model is grown once per fold and smoothed in every way chosen beside. The "
            "C4.5 tree is grown as set under Growing, networks as set on the Network page.",
        )
    with right:
        smoothers = st.multiselect(
            "Smoothers",
            list(SMOOTHERS),
            default=[name for name in DEFAULT_SMOOTHERS if name in SMOOTHERS],
            format_func=lambda name: SMOOTHERS[name].label,
            key=SMOOTHER_NAMES,
            persist_state="session",
            help="How counts become probabilities, with the options set on the Tree page.",
        )
    n_folds, n_repeats, as_published = _choose_folds(bench)
    if as_published:
        return ComparisonPlan(("c45",), tuple(smoothers), n_folds, n_repeats, as_published)
    return ComparisonPlan(
        tuple(models),
        tuple(smoothers),
        n_folds,
        n_repeats,
        as_published,
        _settings_of_pages(models, smoothers),
        st.session_state.get(DISCRETIZER, DEFAULT_DISCRETIZER),
    )


def _choose_folds(bench: TreeBench) -> tuple[int, int, bool]:
    """Ask how the rows are cut, and whether published habits are repeated."""
    copies = bench.data.n_repeated if bench.data.repeats_rule == "together" else 0
    most = max(2, min(MOST_FOLDS, bench.data.n_rows - copies))
    st.session_state[FOLDS] = max(2, min(st.session_state.get(FOLDS, 10), most))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        n_folds = st.number_input(
            "Folds",
            2,
            most,
            key=FOLDS,
            persist_state="session",
            width=120,
            help="The rows are cut into this many parts; each is predicted from the others.",
        )
        n_repeats = st.number_input(
            "Repeats",
            1,
            MOST_REPEATS,
            1,
            key=REPEATS,
            persist_state="session",
            width=120,
            help="How often to cut the rows again.",
        )
        as_published = st.toggle(
            "As published",
            key=PUBLISHED,
            persist_state="session",
            on_change=_take_published_smoothers,
            help="Repeat every habit of the program behind the published tables of C4.5 trees, "
            "with the smoothers of those tables.",
        )
    return int(n_folds), int(n_repeats), bool(as_published)


def _take_published_smoothers() -> None:
    """Choose the smoothers of the published tables with the preset, the usual ones without."""
    chosen = PUBLISHED_SMOOTHERS if st.session_state[PUBLISHED] else DEFAULT_SMOOTHERS
    st.session_state[SMOOTHER_NAMES] = [name for name in chosen if name in SMOOTHERS]


def estimate_words(plan: ComparisonPlan, bench: TreeBench) -> str:
    """Say how long the comparison may take, going by how long the tree on show took."""
    n_trees = plan.n_folds * plan.n_repeats
    needs_evidence = any(method.needs_evidence for _, method in plan.methods())
    per_tree = bench.counts.grown.seconds * (1 + (_EVIDENCE_COST if needs_evidence else 0))
    seconds = max(1, round(1.5 * n_trees * per_tree))
    words = f"{plan.n_settings} settings, {n_trees} folds: about {seconds:,} s for the tree"
    if set(plan.models) - {"c45"}:
        words += "; networks and forests may take several times as long"
    if "hdp" in plan.smoothers:
        words += "; HDP samples every fold's tree 1,000 times"
    return words + "."
