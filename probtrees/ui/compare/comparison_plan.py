"""What is to be compared, and how the rows are held out for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from probtrees.draw.escape import markdown_text
from probtrees.experiment.evaluation.outside_models import OUTSIDE, installed
from probtrees.experiment.model_spec import ModelSpec, make_spec, named_smoother
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    DISCRETIZERS,
    LEARNERS,
    SMOOTHERS,
    make_discretizer,
)
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.findings import Fix
from probtrees.table.folds import FOLD_COLUMNS, Folds, read_cuts, read_plan
from probtrees.ui.compare import compare_page as on_page
from probtrees.ui.compare.compare_page import SCHEMES
from probtrees.ui.network.network_page import DISCRETIZER
from probtrees.ui.shared import forms, smoother_options
from probtrees.ui.shared.kept_session import given_file
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.table_source import current_source, say_fix
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import plural

GIVEN = "compare.given"
"""The field of the file of folds."""
_FOLLOWS = {
    "group": "rows with the same value are held out together",
    "time": "rows are predicted from older ones only",
}
"""What folds do where a column has a role."""


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
    settings: tuple[tuple[str, smoother_options.Settings], ...] = ()
    discretizer: str = DEFAULT_DISCRETIZER
    scheme: str = "folds"
    share: int = 33
    seed: int = 0
    outside: tuple[str, ...] = ()
    given: Upload | None = None
    calibrate: str = "none"
    cutting: smoother_options.Settings = ()

    @property
    def cv(self) -> str:
        """How rows are held out, as the command line's ``--cv`` says it."""
        return {"folds": str(self.n_folds), "holdout": f"holdout={self.share / 100:g}"}.get(
            self.scheme, self.scheme
        )

    @property
    def lacking(self) -> str:
        """What must be chosen before anything can be compared, in a sentence; empty if nothing."""
        if not self.models or not self.smoothers:
            return "Choose at least one model and one smoother."
        if self.scheme == "given" and self.given is None:
            return "Give the file of folds: a column 'fold' with an entry for every row."
        return ""

    @property
    def held_out(self) -> str:
        """How rows are held out, in a few words."""
        words = f"{self.cv} folds" if self.scheme == "folds" else self.cv
        if self.given is not None:
            words = f"folds of {self.given.name}"
        return f"{words} x {self.n_repeats}" if self.n_repeats > 1 else words

    def words(self, bench: TreeBench) -> str:
        """Say in one line what is compared; a tree that the app proposes is called so."""
        proposed = dict(bench.proposal.options) if bench.proposal else {}
        is_proposed = bool(proposed) and proposed.items() <= self.options("c45").items()
        less = ": smoothing matters less" * ("min_leaf" in proposed)
        notes = [f"as proposed{less}"] * is_proposed
        models = ", ".join(
            LEARNERS[n].label + self.how_set(n, *notes * (n == "c45")) for n in self.models
        )
        models = models.replace("min_leaf=", "rows in a leaf at least ") if is_proposed else models
        others = f", {plural(len(self.outside), 'methods')} of others" if self.outside else ""
        how = "" if self.calibrate == "none" else f", calibrated ({self.calibrate})"
        ways = plural(len(self.smoothers), "smoothers")
        return f"{models} · {ways}{others} · {self.held_out}{how}"

    def seconds(self, data: Dataset) -> float:
        """Estimate how long it takes, as measured on the samples; a first tree may take longer."""
        cells = data.n_rows * data.schema.n_columns * math.log2(data.n_rows + 1)
        return self.n_folds * self.n_repeats * len(self.measured) * (0.1 + 1.6e-6 * cells)

    @property
    def measured(self) -> tuple[str, ...]:
        """The models and methods of others, in the order they are measured."""
        return (*self.models, *self.outside)

    @property
    def tried(self) -> frozenset[str]:
        """The settings that it compares, told apart by what they are."""
        return frozenset(self.outside) | {
            f"{model} {self.options(model)} {smoother} {self.options(smoother)}"
            for model in self.models
            for smoother in self.smoothers
        }

    def cut(self, data: Dataset) -> tuple[Dataset, list[Folds]]:
        """Cut the rows as the command line does; given folds are of the rows as they are."""
        if self.given is not None:
            return data, read_cuts((self.given.name, self.given.content), data)
        data = data.copies_apart()
        repeats = self.n_repeats if self.n_repeats > 1 else None
        return data, read_plan(self.cv, repeats).cut(data, self.seed)

    def options(self, name: str) -> dict[str, Any]:
        """Return the options of a model or smoother that differ from their defaults."""
        return dict(dict(self.settings).get(name, ()))

    def how_set(self, name: str, *notes: str) -> str:
        """Write the options of a model or smoother that are not the usual ones."""
        said = [f"{option}={value}" for option, value in self.options(name).items()]
        said = ["corrected" if words.startswith("edits=") else words for words in said]
        return f" ({', '.join([*said, *notes])})" if said else ""

    def spec(self, model: str) -> ModelSpec:
        """Make the spec of one model, set as on its own page."""
        if self.as_published:
            return make_spec(model, {}, as_published=True, seed=self.seed)
        return make_spec(
            model,
            self.options(model),
            discretizer=make_discretizer(self.discretizer, dict(self.cutting), self.seed),
            calibrate=self.calibrate,
            seed=self.seed,
        )

    def methods(self) -> list[tuple[str, Smoother]]:
        """Make the smoothers, set as on the other pages."""
        return [named_smoother(name, self.options(name), self.seed) for name in self.smoothers]


def chosen_plan(bench: TreeBench) -> ComparisonPlan:
    """Return what is chosen to be compared, here and on the other pages; nothing is drawn."""
    chosen = st.session_state.get
    as_published, scheme = bool(chosen(on_page.PUBLISHED)), chosen(on_page.SCHEME, "folds")
    given = chosen(f"{GIVEN} held") if scheme == "given" else None
    smoothers = list(chosen(on_page.SMOOTHER_NAMES, on_page.DEFAULT_SMOOTHERS))
    plan = ComparisonPlan(
        ("c45",),
        tuple(smoothers),
        n_folds=_n_folds(bench, scheme, given),
        n_repeats=chosen(on_page.REPEATS, 1) if scheme in ("folds", "holdout") else 1,
        as_published=as_published,
        scheme=scheme,
        share=chosen(on_page.SHARE, 33) if scheme == "holdout" else 33,
        seed=chosen(on_page.SEED, 0),
        outside=tuple(installed()) if chosen(on_page.OTHERS) else (),
        given=given,
    )
    if as_published:
        return plan
    models = list(chosen(on_page.MODELS, ["c45"]))
    method = chosen(DISCRETIZER, DEFAULT_DISCRETIZER)
    fields = [field for field in DISCRETIZERS[method].options if field.name != "seed"]
    cutting = forms.chosen_options(fields, key=f"{DISCRETIZER}.{method}")
    return replace(
        plan,
        models=tuple(models),
        settings=_settings_of_pages(bench, models, smoothers),
        discretizer=method,
        cutting=smoother_options.settings(cutting),
        calibrate=chosen(on_page.CALIBRATE, "none"),
    )


def choose_plan(bench: TreeBench) -> ComparisonPlan:
    """Ask what to compare: models, smoothers and folds in sight, all else under Options."""
    as_published = bool(st.session_state.get(on_page.PUBLISHED))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            "Models",
            list(LEARNERS),
            default=["c45"],
            format_func=lambda name: LEARNERS[name].label,
            **state.lasting(on_page.MODELS),
            disabled=as_published,
            width=300,
            help="Every model is grown once per fold and smoothed in every way chosen beside. The "
            "C4.5 tree is grown as set under Growing, networks as set on the Network page.",
        )
        st.multiselect(
            "Smoothers",
            list(SMOOTHERS),
            default=list(on_page.DEFAULT_SMOOTHERS),
            format_func=lambda name: SMOOTHERS[name].label,
            **state.lasting(on_page.SMOOTHER_NAMES),
            help="How counts become probabilities, with the options set on the Tree page.",
        )
        with st.popover("Options", icon=":material/tune:", help="How rows are held out, and more"):
            _choose_folds(bench)
            if not as_published:
                st.selectbox(
                    "Calibrate",
                    list(smoother_options.CALIBRATIONS),
                    format_func=lambda name: smoother_options.CALIBRATIONS[name],
                    **state.lasting(on_page.CALIBRATE),
                    help="A last step that bends all answers towards what happened to rows held "
                    "out inside every fold. It needs inner trees, so it takes longer.",
                )
    return chosen_plan(bench)


def _settings_of_pages(
    bench: TreeBench, models: list[str], smoothers: list[str]
) -> tuple[tuple[str, smoother_options.Settings], ...]:
    """Collect how models and smoothers are set on the pages that show them."""
    found: dict[str, smoother_options.Settings] = {
        name: smoother_options.smoother_settings(name) for name in smoothers
    }
    for model in models:
        options = forms.chosen_options(LEARNERS[model].options, key=f"network.{model}")
        # The tree as it is shown, also where nobody chose it.
        found[model] = bench.key[1] if model == "c45" else smoother_options.settings(options)
    return tuple((name, options) for name, options in found.items() if options)


def _choose_folds(bench: TreeBench) -> None:
    """Ask how the rows are held out, and whether published habits are repeated."""
    names = dict(SCHEMES)
    if bench.data.groups is not None:
        names["loo"] = "one group at a time"
    scheme = st.selectbox(
        "Held out",
        list(names),
        format_func=lambda name: names[name],
        **state.lasting(on_page.SCHEME),
        help="How rows that did not train are had. Groups stay together and the past comes "
        "before the future where the Data page gives columns those roles.",
    )
    if scheme == "given":
        _ask_for_folds()
    if scheme == "folds":
        st.session_state[on_page.FOLDS] = _n_folds(bench, scheme)
        help_text = "The rows are cut into this many parts; each is predicted from the others."
        _whole_number("Folds", 2, max(2, _most_folds(bench)), on_page.FOLDS, help_text)
    if scheme == "holdout":
        _whole_number("Share, in %", 5, 95, on_page.SHARE, "How many of the rows are held out.")
    if scheme in ("folds", "holdout"):
        help_text = "How often to cut the rows again."
        _whole_number("Repeats", 1, on_page.MOST_REPEATS, on_page.REPEATS, help_text)
    help_text = "Decides by chance which rows are held out together."
    _whole_number("Seed", 0, on_page.MOST_SEEDS, on_page.SEED, help_text)
    if st.toggle(
        "Methods of others",
        **state.lasting(on_page.OTHERS),
        help="Logistic regression, random forest, histogram boosting, and XGBoost where it is "
        "installed, on the same held-out rows. They are a yardstick, not explained here.",
    ):
        st.caption(_outside_words(installed()))
    st.toggle(
        "As published",
        **state.lasting(on_page.PUBLISHED),
        on_change=_take_published_smoothers,
        help="Repeat every habit of the program behind the published tables of C4.5 trees, "
        "with the smoothers of those tables.",
    )
    if scheme != "given":
        _offer_columns(bench.data)


def _offer_columns(data: Dataset) -> None:
    """Name dates and repeated identifiers that the folds do not follow; one click follows them."""
    is_open = {"group": data.groups is None, "time": data.times is None}
    report = current_source().report
    offers = [(found.sentence, fix) for found in report.findings for fix in found.fixes]
    offers += [
        (f"Column {column.name!r} holds dates.", Fix("Use it as time", "role", "time", column.name))
        for column in report.columns
        if column.type == "date" and column.role == "feature"
    ]
    for sentence, fix in offers:
        if fix.option == "role" and is_open.pop(fix.value, False):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.caption(markdown_text(sentence), width="content")
                st.button(
                    markdown_text(fix.label),
                    type="tertiary",
                    key=f"compare.by {fix.value}",
                    on_click=partial(say_fix, fix),
                    help=f"It then predicts nothing; {_FOLLOWS[fix.value]}.",
                )


def _ask_for_folds() -> None:
    """Ask for a file of folds."""
    names = " or ".join(f"'{name}'" for name in FOLD_COLUMNS)
    given_file(
        "Folds",
        GIVEN,
        type=["csv", "tsv", "txt"],
        help=f"A table with a row for every row of the data and a column {names}: rows with the "
        "same entry are held out together. Columns 'fold 1', 'fold 2', ... are repeats. The same "
        "file as for --folds on the command line.",
    )


def _n_folds(bench: TreeBench, scheme: str, given: Upload | None = None) -> int:
    """Count the folds; a file of them that does not fit the rows is refused in a sentence."""
    if given is not None:
        return sum(cut.n_folds for cut in read_cuts((given.name, given.content), bench.data))
    if scheme == "folds":
        return max(2, min(int(st.session_state.get(on_page.FOLDS, 10)), _most_folds(bench)))
    return {"5x2": 2, "loo": bench.data.n_rows, "given": 0}.get(scheme, 1)


def _most_folds(bench: TreeBench) -> int:
    copies = bench.data.n_repeated if bench.data.repeats_rule == "together" else 0
    return min(on_page.MOST_FOLDS, bench.data.n_rows - copies)


def _whole_number(label: str, least: int, most: int, key: str, help_text: str) -> None:
    start = st.session_state.get(key, 33 if key == on_page.SHARE else least)
    how: dict[str, Any] = {"key": key, "persist_state": "session", "help": help_text}
    st.number_input(label, least, most, start, width=120, **how)


def _take_published_smoothers() -> None:
    """Choose the smoothers of the published tables with the preset, the usual ones without."""
    is_published = st.session_state[on_page.PUBLISHED]
    chosen = on_page.PUBLISHED_SMOOTHERS if is_published else on_page.DEFAULT_SMOOTHERS
    st.session_state[on_page.SMOOTHER_NAMES] = list(chosen)


def _outside_words(names: Sequence[str]) -> str:
    """Say how methods of others are set and what becomes of the columns for them."""
    ways = "; ".join(f"{OUTSIDE[name].label}: {OUTSIDE[name].settings}" for name in names)
    return (
        f"{ways}. All as their makers set them, nothing tuned: on few rows some are far too sure. "
        "Numbers are scaled, categories become columns of 0 and 1."
    )
