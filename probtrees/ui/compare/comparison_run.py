"""The comparison as a job: about how long it takes, and what is finished while others are at work.

For the estimate one fold of every model is worked on with some rows, then with more; the line
through both times is drawn to all rows. A first round, which is not timed, loads the kernels:
compiling them is no part of an estimate.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import streamlit as st

from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.evaluation.cross_validate import FoldWork, Result, compare
from probtrees.experiment.evaluation.leading_methods import Over, base_against, leading_results
from probtrees.experiment.evaluation.outside_models import NOT_EXPLAINED, OUTSIDE, measure_outside
from probtrees.experiment.model_spec import smoothers_for
from probtrees.experiment.registry import LEARNERS, NO_SMOOTHER, SMOOTHERS
from probtrees.score.measures import MEASURES
from probtrees.score.paired_test import PairedTest
from probtrees.score.significance import LeadingSet
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds
from probtrees.types import IntArray
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, STARTED
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.shared import permalink
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress, wait_for
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import plural

FEW, MORE = 150, 450
"""Rows of the two trials."""

SECONDS_BETWEEN_PARTS = 3.0
"""How long partial results are left as they are: measuring many rows takes its time too."""

ASKED = "compare.asked"
"""The key of the table and the plan that were compared last."""
_STOPPED = "compare.stopped"


@dataclass
class ComparisonRun:
    """What is known so far.

    Attributes
    ----------
    plan, data, folds : what is compared, on which rows, cut how
    results : one per model and smoother, in the order they were finished
    problems : sentences about models that could not be measured
    n_parts : how often results were added
    is_whole : whether nothing more will come
    seconds : how long it took
    """

    plan: ComparisonPlan
    data: Dataset
    folds: list[Folds]
    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    n_parts: int = 0
    is_whole: bool = False
    seconds: float = 0.0
    _leading: dict[tuple[str, Over], LeadingSet | None] = field(default_factory=dict, init=False)
    _base: dict[tuple[str, Over], PairedTest | None] = field(default_factory=dict, init=False)

    def renew(self, model: str, found: list[Result]) -> None:
        """Take over what is known of a model, in place of what was known before."""
        self.results = [result for result in self.results if result.learner != model] + found
        self.n_parts += 1

    def as_of_now(self) -> ComparisonRun:
        """Return what a page draws: what is finished meanwhile must not change half of it."""
        if self.is_whole:  # asked first: whole is said after the last results have come
            return self
        return replace(self, problems=list(self.problems), is_whole=False)

    def name_of(self, result: Result) -> str:
        """Name a method: its smoother, and its model where there are several."""
        if result.learner in OUTSIDE:
            return f"{OUTSIDE[result.learner].label} ({NOT_EXPLAINED})"
        if result.smoother == NO_SMOOTHER:
            return LEARNERS[result.learner].label + self._how_set(result.learner)
        smoother = SMOOTHERS[result.smoother].label + self._how_set(result.smoother)
        if len(self.plan.models) == 1:
            return smoother
        return f"{LEARNERS[result.learner].label}{self._how_set(result.learner)} · {smoother}"

    def _how_set(self, name: str) -> str:
        """Write the options of a model or smoother that are not the usual ones."""
        options = self.plan.options(name)
        words = ", ".join(f"{option}={value}" for option, value in options.items())
        return f" ({words})" if words else ""

    def by_name(self) -> dict[str, Result]:
        """Return the results by the names of their methods."""
        return {self.name_of(result): result for result in self.results}

    def leading(self, measure: str = DEFAULT_MEASURE, over: Over = "rows") -> LeadingSet | None:
        """Find the results that cannot be distinguished from the best by a measure.

        None as long as not all is measured, and where the measure is undefined in every fold.
        """
        if not self.is_whole or len(self.results) < 2:
            return None
        if (measure, over) not in self._leading:
            try:
                found = leading_results(
                    self.results, self.data, self.folds, measure=measure, over=over
                )
            except DataError:  # no fold has a figure for every method
                found = None
            self._leading[measure, over] = found
        return self._leading[measure, over]

    def base_test(self, measure: str = DEFAULT_MEASURE, over: Over = "rows") -> PairedTest | None:
        """Test the base rate against the best method; None while not all is measured."""
        if not self.is_whole:
            return None
        if (measure, over) not in self._base:
            leading = self.leading(measure, over)
            best = self.results[0 if leading is None else leading.best]
            self._base[measure, over] = base_against(
                best, self.data, self.folds, measure=measure, over=over
            )
        return self._base[measure, over]

    def best_first(self, measure: str = DEFAULT_MEASURE) -> list[str]:
        """Name the methods in the order of their figures; those without one come last."""
        sign = -1.0 if MEASURES[measure].larger_is_better else 1.0

        def place(pair: tuple[str, Result]) -> float:
            value = pair[1].scores[measure]
            return math.inf if value is None else sign * value

        return [name for name, _ in sorted(self.by_name().items(), key=place)]


def current_run(bench: TreeBench, plan: ComparisonPlan, *, start: bool) -> ComparisonRun | None:
    """Return what is known of the comparison asked for last; None before the first.

    Shows its progress while it is at work. A cancelled one keeps what was finished.
    """
    by_link = st.session_state.get(STARTED) and ASKED not in st.session_state
    if start or (by_link and not permalink.lacks_table()):
        st.session_state[ASKED] = (bench.key[0], plan)
        st.session_state.pop(_STOPPED, None)
    key, asked = st.session_state.get(ASKED, (None, None))
    st.session_state[STARTED] = key == bench.key[0] and asked == plan
    if key != bench.key[0] or asked is None:
        return None
    if _STOPPED in st.session_state:
        stopped: ComparisonRun = st.session_state[_STOPPED]
        st.caption("Stopped before the end: only what was finished by then is shown.")
        return stopped
    job = _ask_for(asked, bench)
    so_far: ComparisonRun = job.partial

    def stop() -> None:
        st.session_state[_STOPPED] = so_far.as_of_now()

    show_progress(job, "Comparing", stop)
    return so_far.as_of_now()


def _ask_for(plan: ComparisonPlan, bench: TreeBench) -> Job:
    """Start the comparison, or find it again."""
    data, folds = plan.cut(bench.data)
    so_far = ComparisonRun(plan, data, folds)
    # Shares of the work as they were tried out; what could not be tried counts like a second.
    tried = _fold_seconds(plan, bench)
    weights = {name: max(tried.get(name, 1.0), 1e-3) for name in plan.measured}

    def work(report: Report) -> ComparisonRun:
        began, before = time.monotonic(), 0.0
        for name in plan.measured:

            def progress(share: float, words: str, done: float = before, name: str = name) -> None:
                done += share * weights[name]
                report(done / sum(weights.values()), f"{_label(name)}, {words}")

            _measure(so_far, name, progress)
            before += weights[name]
        so_far.seconds = time.monotonic() - began
        so_far.is_whole = True
        return so_far

    job = jobs().ask(("compare", bench.key[0], plan), work)
    if job.partial is None:
        job.partial = so_far
    return job


def _label(name: str) -> str:
    return OUTSIDE[name].label if name in OUTSIDE else LEARNERS[name].label


def _measure(so_far: ComparisonRun, name: str, progress: Report) -> None:
    """Measure a model with all smoothers, or a method of others; show folds as they are done."""
    plan, data, folds = so_far.plan, so_far.data, so_far.folds
    last = time.monotonic()

    def watch(measure: Callable[[], list[Result]]) -> None:
        nonlocal last
        if time.monotonic() >= last + SECONDS_BETWEEN_PARTS:
            so_far.renew(name, measure())
            last = time.monotonic()

    try:
        if name in OUTSIDE:
            found = [measure_outside(data, name, folds, seed=plan.seed, progress=progress)]
        else:
            spec, methods = plan.spec(name), plan.methods()
            found = compare(data, spec, methods, folds=folds, progress=progress, watch=watch)
        so_far.renew(name, found)
    except ProbTreesError as problem:
        so_far.problems.append(f"{_label(name)}: {problem}")


def show_estimate(plan: ComparisonPlan, bench: TreeBench) -> None:
    """Say how long the comparison may take, as soon as that is known."""
    asked = _trials(plan, bench)
    words = f"{plural(len(plan.tried), 'settings')}, {plural(plan.n_splits, 'folds')}"
    if plan.n_splits and not wait_for(asked.values()):
        st.caption(f"{words}: how long is being found out.")
        _await_trials(tuple(asked.values()))
        return
    known = _fold_seconds(plan, bench)
    if known and plan.n_splits:
        words += f": about {max(1, round(plan.n_splits * sum(known.values()))):,} s"
        if len(known) < len(asked):
            words += ", without what cannot be learnt from a few rows"
    st.caption(f"{words}.")


@st.fragment(run_every=0.5)
def _await_trials(asked: tuple[Job, ...]) -> None:
    """Renew the page when the estimate is there."""
    if all(job.finished.is_set() for job in asked):
        st.rerun()


def _fold_seconds(plan: ComparisonPlan, bench: TreeBench) -> dict[str, float]:
    """Return what a fold of every model and method of others takes, as far as that is measured."""
    n_trained = round(bench.data.n_rows * (1 - 1 / max(plan.n_folds, 2)))
    return {
        name: job.result(n_trained)
        for name, job in _trials(plan, bench).items()
        if job.finished.is_set() and job.result is not None
    }


def _trials(plan: ComparisonPlan, bench: TreeBench) -> dict[str, Job]:
    """Measure one fold of everything beside the page, or find what was measured."""
    kind = replace(plan, models=(), n_folds=0, n_repeats=1, seed=0, outside=(), given=None)
    kind = replace(kind, scheme="")
    return {
        name: jobs().ask(
            ("estimate", bench.key[0], name, None if name in OUTSIDE else kind),
            partial(_time_fold, plan, bench.data, name),
        )
        for name in plan.measured
    }


def _time_fold(
    plan: ComparisonPlan, data: Dataset, name: str, _report: Report
) -> Callable[[int], float] | None:
    """Measure a fold with few rows and with more; return the line to any number of rows.

    The shorter of two times counts: a busy machine makes times longer, never shorter.
    """
    order = np.random.default_rng(0).permutation(data.n_rows)
    few, more = min(FEW, data.n_rows - 1), min(MORE, data.n_rows - 1)

    def seconds(n_trained: int) -> float:
        start = time.perf_counter()
        work(np.sort(order[:n_trained]), np.sort(order[-max(n_trained // 9, 1) :]))
        return time.perf_counter() - start

    try:
        work = partial(_outside_fold, data, name) if name in OUTSIDE else _fold(plan, data, name)
        seconds(few)  # kernels are loaded now
        first, second = (min(seconds(n), seconds(n)) for n in (few, more))
    except ProbTreesError:  # what is wrong with the model is said when it is compared
        return None
    per_row = max(second - first, 0.0) / max(more - few, 1)
    return lambda n_rows: second + per_row * max(n_rows - more, 0)


def _fold(plan: ComparisonPlan, data: Dataset, name: str) -> FoldWork:
    """Return what works on a fold of a model: on training rows, then on those tested."""
    spec = plan.spec(name)
    return FoldWork(data, spec, tuple(smoothers_for(spec, plan.methods())))


def _outside_fold(data: Dataset, name: str, trained: IntArray, tested: IntArray) -> None:
    """Work on a fold of a method of others."""
    test_fold = np.full(len(trained) + len(tested), NEVER_TESTED, dtype=np.int64)
    test_fold[len(trained) :] = 0
    measure_outside(data.take(np.concatenate([trained, tested])), name, [Folds(test_fold)])
