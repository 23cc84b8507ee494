"""What is to be compared, and about how long that will take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from probtrees.experiment.evaluation.outside_models import installed
from probtrees.experiment.model_spec import ModelSpec, make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    LEARNERS,
    SMOOTHERS,
)
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.fold_plan import FoldPlan, read_plan
from probtrees.ui.compare.compare_page import (
    DEFAULT_SMOOTHERS,
    FOLDS,
    MODELS,
    MOST_FOLDS,
    MOST_REPEATS,
    MOST_SEEDS,
    OTHERS,
    PUBLISHED,
    PUBLISHED_SMOOTHERS,
    REPEATS,
    SCHEME,
    SCHEMES,
    SEED,
    SHARE,
    SMOOTHER_NAMES,
)
from probtrees.ui.network.network_page import DISCRETIZER
from probtrees.ui.shared import forms
from probtrees.ui.shared.smoother_options import Settings, settings, smoother_settings
from probtrees.ui.shared.workbench import TreeBench, growing_options

_EVIDENCE_COST = 4.5
"""Times growing a tree that gathering inner evidence takes, at most."""


_WORK = {"tree": 1.0, "network": 3.0, "forest": 8.0, "ensemble": 8.0}
"""Work of a model as a multiple of one tree's, rather too much: then the time left shrinks."""


def work_of(model: str) -> float:
    """Guess the work of a model as a multiple of one tree's."""
    return _WORK[LEARNERS[model].kind or "tree"]


@dataclass(frozen=True)
class ComparisonPlan:
    """Models x smoothers, and how the rows are cut.

    Attributes
    ----------
    models, smoothers : registry names
    settings : by name, the options of models and smoothers that differ from their defaults, as
        the other pages have them; none where the published habits are repeated
    discretizer : how networks cut numbers
    scheme : how rows are held out: "folds", or another of ``SCHEMES``
    share : the share of rows that a hold-out tests, in percent
    seed : decides which rows go together
    outside : methods of others that are measured too
    """

    models: tuple[str, ...]
    smoothers: tuple[str, ...]
    n_folds: int = 10
    n_repeats: int = 1
    as_published: bool = False
    settings: tuple[tuple[str, Settings], ...] = ()
    discretizer: str = DEFAULT_DISCRETIZER
    scheme: str = "folds"
    share: int = 33
    seed: int = 0
    outside: tuple[str, ...] = ()

    @property
    def cv(self) -> str:
        """How rows are held out, as the command line's ``--cv`` says it."""
        return {"folds": str(self.n_folds), "holdout": f"holdout={self.share / 100:g}"}.get(
            self.scheme, self.scheme
        )

    @property
    def fold_plan(self) -> FoldPlan:
        """How rows are held out."""
        return read_plan(self.cv, self.n_repeats if self.n_repeats > 1 else None)

    @property
    def n_settings(self) -> int:
        """How many settings it compares."""
        return len(self.models) * len(self.smoothers) + len(self.outside)

    def options(self, name: str) -> dict[str, Any]:
        """Return the options of a model or smoother that differ from their defaults."""
        return dict(dict(self.settings).get(name, ()))

    def spec(self, model: str) -> ModelSpec:
        """Make the spec of one model, set as on its own page."""
        if self.as_published:
            return make_spec(model, {}, as_published=True, seed=self.seed)
        return make_spec(model, self.options(model), discretizer=self.discretizer, seed=self.seed)

    def methods(self) -> list[tuple[str, Smoother]]:
        """Make the smoothers, set as on the other pages."""
        return [named_smoother(name, self.options(name), self.seed) for name in self.smoothers]


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
    held_out = _choose_folds(bench)
    as_published = bool(st.session_state.get(PUBLISHED))
    usual = ComparisonPlan(("c45",), tuple(smoothers), as_published=as_published, **held_out)
    if as_published:
        return usual
    return replace(
        usual,
        models=tuple(models),
        settings=_settings_of_pages(models, smoothers),
        discretizer=st.session_state.get(DISCRETIZER, DEFAULT_DISCRETIZER),
    )


def _choose_folds(bench: TreeBench) -> dict[str, Any]:
    """Ask how the rows are held out, and whether published habits are repeated."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scheme = st.selectbox(
            "Held out",
            list(SCHEMES),
            format_func=lambda name: SCHEMES[name],
            key=SCHEME,
            persist_state="session",
            width=200,
            help="How rows that did not train are had. Groups stay together and the past comes "
            "before the future where the Data page gives columns those roles.",
        )
        found: dict[str, Any] = {"scheme": scheme, "n_folds": _n_folds(bench, scheme)}
        if scheme == "holdout":
            found["share"] = _whole_number(
                "Share, in %", 5, 95, 33, SHARE, "How many of the rows are held out."
            )
        found["n_repeats"] = 1
        if scheme in ("folds", "holdout"):
            found["n_repeats"] = _whole_number(
                "Repeats", 1, MOST_REPEATS, 1, REPEATS, "How often to cut the rows again."
            )
        found["seed"] = _whole_number(
            "Seed", 0, MOST_SEEDS, 0, SEED, "Decides by chance which rows are held out together."
        )
        if st.toggle(
            "Methods of others",
            key=OTHERS,
            persist_state="session",
            help="Logistic regression, random forest, histogram boosting, and XGBoost where it is "
            "installed, on the same held-out rows. They are a yardstick, not explained here.",
        ):
            found["outside"] = tuple(installed())
        st.toggle(
            "As published",
            key=PUBLISHED,
            persist_state="session",
            on_change=_take_published_smoothers,
            help="Repeat every habit of the program behind the published tables of C4.5 trees, "
            "with the smoothers of those tables.",
        )
    return found


def _n_folds(bench: TreeBench, scheme: str) -> int:
    """Ask for the number of folds, where that is to be chosen."""
    copies = bench.data.n_repeated if bench.data.repeats_rule == "together" else 0
    most = max(2, min(MOST_FOLDS, bench.data.n_rows - copies))
    if scheme != "folds":
        return {"5x2": 2, "loo": bench.data.n_rows}.get(scheme, 1)
    st.session_state[FOLDS] = max(2, min(st.session_state.get(FOLDS, 10), most))
    help_text = "The rows are cut into this many parts; each is predicted from the others."
    return _whole_number("Folds", 2, most, None, FOLDS, help_text)


def _whole_number(
    label: str, least: int, most: int, usual: int | None, key: str, help_text: str
) -> int:
    start = st.session_state.get(key, usual)
    number = st.number_input(
        label, least, most, start, key=key, persist_state="session", width=120, help=help_text
    )
    return int(number)


def _take_published_smoothers() -> None:
    """Choose the smoothers of the published tables with the preset, the usual ones without."""
    chosen = PUBLISHED_SMOOTHERS if st.session_state[PUBLISHED] else DEFAULT_SMOOTHERS
    st.session_state[SMOOTHER_NAMES] = [name for name in chosen if name in SMOOTHERS]


def estimate_words(plan: ComparisonPlan, bench: TreeBench) -> str:
    """Say how long the comparison may take, going by how long the tree on show took."""
    n_trees = plan.n_folds * (5 if plan.scheme == "5x2" else plan.n_repeats)
    needs_evidence = any(method.needs_evidence for _, method in plan.methods())
    per_tree = bench.counts.grown.seconds * (1 + (_EVIDENCE_COST if needs_evidence else 0))
    seconds = max(1, round(1.5 * n_trees * per_tree * sum(map(work_of, plan.models))))
    words = f"{plan.n_settings} settings, {n_trees:,} folds: about {seconds:,} s"
    if set(plan.models) - {"c45"}:
        words += ", of which all but the tree's is a guess"
    if "hdp" in plan.smoothers:
        words += "; HDP samples every fold's tree 1,000 times"
    return words + "."
