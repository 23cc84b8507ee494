"""What is to be compared, and how the rows are held out for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.outside_models import installed, outside_words
from probtrees.experiment.model_spec import (
    ModelSpec,
    make_spec,
    named_discretizer,
    named_smoother,
)
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    DISCRETIZERS,
    LEARNERS,
    SMOOTHERS,
)
from probtrees.options import OptionField
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.fold_plan import FoldPlan, read_plan
from probtrees.table.folds import FOLD_COLUMNS, Folds, read_cuts
from probtrees.ui.compare.compare_page import (
    CALIBRATE,
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
from probtrees.ui.compare.unfollowed_columns import unfollowed_columns
from probtrees.ui.network.network_page import DISCRETIZER
from probtrees.ui.shared import forms
from probtrees.ui.shared.session.given_files import Upload, content_of
from probtrees.ui.shared.smoother_options import (
    CALIBRATIONS,
    Settings,
    option_key,
    settings,
    smoother_fields,
    smoother_settings,
)
from probtrees.ui.shared.workbench import TreeBench, growing_options

_WORK = {
    "tree": 1.0,
    "network": 3.0,
    "forest": 8.0,
    "ensemble": 8.0,
    "shaped": 20.0,
    "council": 40.0,
}
"""Work of a model as a multiple of one tree's, rather too much: then the time left shrinks."""


_GIVEN = "compare.given"
"""The file of folds that was given last."""


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
    discretizer, cutting : how networks cut numbers, and the options of that
    scheme : how rows are held out: "folds", or another of ``SCHEMES``
    share : the share of rows that a hold-out tests, in percent
    seed : decides which rows go together
    outside : methods of others that are measured too
    given : a file of folds, where rows are held out as it says
    calibrate : how all answers are calibrated inside every fold, "none" if they are not
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
    given: Upload | None = None
    calibrate: str = "none"
    cutting: Settings = ()

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
    def held_out(self) -> str:
        """How rows are held out, in a few words."""
        if self.given is not None:
            return f"folds of {self.given.name}"
        return f"{self.cv} folds" if self.scheme == "folds" else self.cv

    @property
    def n_splits(self) -> int:
        """How many models of a kind are learnt."""
        return self.n_folds * (5 if self.scheme == "5x2" else self.n_repeats)

    def cut(self, data: Dataset) -> tuple[Dataset, list[Folds]]:
        """Cut the rows as the command line does; given folds are of the rows as they are."""
        if self.given is not None:
            return data, read_cuts((self.given.name, self.given.content), data)
        data = data.copies_apart()
        return data, self.fold_plan.cut(data, self.seed)

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
        return make_spec(
            model,
            self.options(model),
            discretizer=named_discretizer(self.discretizer, dict(self.cutting), self.seed),
            calibrate=self.calibrate,
            seed=self.seed,
        )

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
        discretizer=(method := st.session_state.get(DISCRETIZER, DEFAULT_DISCRETIZER)),
        cutting=settings(
            forms.chosen_options(_cutting_fields(method), key=f"{DISCRETIZER}.{method}")
        ),
        calibrate=_choose_calibration(),
    )


def _cutting_fields(method: str) -> list[OptionField]:
    """Return the options of a way to cut numbers that the Network page asks for."""
    return [field for field in DISCRETIZERS[method].options if field.name != "seed"]


def _choose_folds(bench: TreeBench) -> dict[str, Any]:
    """Ask how the rows are held out, and whether published habits are repeated."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        scheme = st.selectbox(
            "Held out",
            list(SCHEMES),
            format_func=lambda name: _scheme_label(name, bench),
            key=SCHEME,
            persist_state="session",
            width=200,
            help="How rows that did not train are had. Groups stay together and the past comes "
            "before the future where the Data page gives columns those roles.",
        )
        found: dict[str, Any] = {"scheme": scheme, "n_folds": 0}
        if scheme == "given":
            found["given"] = _given_folds()
            found["n_folds"] = _n_given(bench, found["given"])
        else:
            found["n_folds"] = _n_folds(bench, scheme)
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
    if "outside" in found:
        st.caption(f"Methods of others. {outside_words(found['outside'])}")
    if scheme != "given":
        unfollowed_columns(bench.data)
    return found


def _scheme_label(name: str, bench: TreeBench) -> str:
    """Name a way to hold rows out; where rows have groups, leaving one out leaves a group out."""
    if name == "loo" and bench.data.groups is not None:
        return "one group at a time"
    return SCHEMES[name]


def _given_folds() -> Upload | None:
    """Ask for a file of folds; the one given last stays when the page is left."""
    names = " or ".join(f"'{name}'" for name in FOLD_COLUMNS)
    file = st.file_uploader(
        "Folds",
        type=["csv", "tsv", "txt"],
        key="compare.folds file",
        help=f"A table with a row for every row of the data and a column {names}: rows with the "
        "same entry are held out together. Columns 'fold 1', 'fold 2', ... are "
        "repeats. The same file as for --folds on the command line. Where "
        "a column of the table itself says it, give it the role group on the Data page and hold "
        "out one group at a time.",
    )
    if file is not None:
        st.session_state[_GIVEN] = Upload(file.name, content_of(file))
    kept: Upload | None = st.session_state.get(_GIVEN)
    if kept is not None:
        st.caption(f"Folds of {markdown_text(kept.name)}.")
    return kept


def _n_given(bench: TreeBench, given: Upload | None) -> int:
    """Count the folds of all cuts of a file; one that does not fit is refused in a sentence."""
    if given is None:
        return 0
    return sum(cut.n_folds for cut in read_cuts((given.name, given.content), bench.data))


def _choose_calibration() -> str:
    """Ask for the last step that all models get, inside every fold."""
    return str(
        st.segmented_control(
            "Calibrate",
            list(CALIBRATIONS),
            default="none",
            required=True,
            format_func=lambda name: CALIBRATIONS[name],
            key=CALIBRATE,
            persist_state="session",
            help="A last step that bends all answers towards what happened to rows held out "
            "inside every fold. It needs inner trees, so it takes longer.",
        )
    )


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


def take_over(plan: ComparisonPlan, key: tuple[Any, ...]) -> None:
    """Choose on this page and the others what a plan says; runs before they are drawn.

    Parameters
    ----------
    key : of the tree on show when the plan was made: its table, and how it was grown
    """
    chosen: dict[str, Any] = {
        SMOOTHER_NAMES: list(plan.smoothers),
        REPEATS: plan.n_repeats,
        SCHEME: plan.scheme,
        SHARE: plan.share,
        SEED: plan.seed,
        OTHERS: bool(plan.outside),
        PUBLISHED: plan.as_published,
        DISCRETIZER: plan.discretizer,
        _GIVEN: plan.given,
        CALIBRATE: plan.calibrate,
    }
    if not plan.as_published:
        chosen[MODELS] = list(plan.models)
    if plan.scheme == "folds":
        chosen[FOLDS] = plan.n_folds
    st.session_state.update(chosen)
    _set_options(LEARNERS["c45"].options, "c45", dict(key[1]))
    for name in plan.smoothers:
        _set_options(smoother_fields(name), option_key(name), plan.options(name))
    cutting = _cutting_fields(plan.discretizer)
    _set_options(cutting, f"{DISCRETIZER}.{plan.discretizer}", dict(plan.cutting))
    for name in set(plan.models) - {"c45"}:
        _set_options(LEARNERS[name].options, f"network.{name}", plan.options(name))


def _set_options(fields: Iterable[OptionField], key: str, options: Mapping[str, Any]) -> None:
    """Put options into the session as their widgets would."""
    for field in fields:
        value = options.get(field.name, field.default)
        kept = forms.usual_value(field) if value == field.default else value
        if forms.is_typed(field):
            kept = str(kept)
        st.session_state[f"{key}.{field.name}"] = kept
