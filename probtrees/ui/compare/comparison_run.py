"""The comparison as a job: what is finished is shown while others are at work."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import streamlit as st

from probtrees.errors import DataError, ProbTreesError
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.evaluation.leading_methods import Over, base_against, leading_results
from probtrees.experiment.evaluation.outside_models import NOT_EXPLAINED, OUTSIDE, measure_outside
from probtrees.experiment.registry import LEARNERS, NO_SMOOTHER, SMOOTHERS
from probtrees.score.measures import MEASURES
from probtrees.score.paired_test import PairedTest
from probtrees.score.significance import LeadingSet
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.ui.compare.compare_page import DEFAULT_MEASURE, STARTED
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.workbench import TreeBench

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
            given = (self.results, self.data, self.folds)
            try:
                self._leading[measure, over] = leading_results(*given, measure=measure, over=over)
            except DataError:  # no fold has a figure for every method
                self._leading[measure, over] = None
        return self._leading[measure, over]

    def base_test(self, measure: str = DEFAULT_MEASURE, over: Over = "rows") -> PairedTest | None:
        """Test the base rate against the best method; None while not all is measured."""
        if not self.is_whole:
            return None
        leading = self.leading(measure, over)
        best = self.results[0 if leading is None else leading.best]
        return base_against(best, self.data, self.folds, measure=measure, over=over)

    def best_first(self, measure: str = DEFAULT_MEASURE) -> list[str]:
        """Name the methods in the order of their figures; those without one come last."""
        sign = -1.0 if MEASURES[measure].larger_is_better else 1.0

        def place(pair: tuple[str, Result]) -> float:
            value = pair[1].scores[measure]
            return math.inf if value is None else sign * value

        return [name for name, _ in sorted(self.by_name().items(), key=place)]


def is_asked(bench: TreeBench) -> bool:
    """Whether a comparison of this table was asked for, so that there are results or will be."""
    return bool(st.session_state.get(ASKED, (None,))[0] == bench.key[0])


def current_run(bench: TreeBench, plan: ComparisonPlan, *, start: bool) -> ComparisonRun | None:
    """Return what is known of the comparison asked for last; None before the first.

    Shows its progress while it is at work. A cancelled one keeps what was finished.
    """
    # A link shows what was found, as long as that is known; it starts nothing.
    by_link = st.session_state.get(STARTED) and ASKED not in st.session_state
    if start or (by_link and jobs().knows(("compare", bench.key[0], plan))):
        st.session_state[ASKED] = (bench.key[0], plan)
        st.session_state.pop(_STOPPED, None)
        st.rerun()  # so that what to compare is folded away
    key, asked = st.session_state.get(ASKED, (None, None))
    if asked is not None:
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

    def work(report: Report) -> ComparisonRun:
        began = time.monotonic()
        for n_done, name in enumerate(plan.measured):

            def progress(share: float, words: str, done: int = n_done, name: str = name) -> None:
                report((done + share) / len(plan.measured), f"{_label(name)}, {words}")

            _measure(so_far, name, progress)
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
