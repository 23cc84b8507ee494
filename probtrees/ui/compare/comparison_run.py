"""The comparison as a job: what is finished is shown while others are at work."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from probtrees.draw.charts.comparison_charts import BASE_RATE
from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation import verdict as verdicts
from probtrees.experiment.evaluation.cross_validate import Result, compare
from probtrees.experiment.evaluation.outside_models import OUTSIDE, measure_outside
from probtrees.experiment.registry import LEARNERS, NO_SMOOTHER, SMOOTHERS
from probtrees.score.differences import PairedDifferences
from probtrees.score.measures import Scores
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.ui.compare.compare_page import DEFAULT_SMOOTHERS, STARTED
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.shared import permalink
from probtrees.ui.shared.growing_proposal import proposal_job
from probtrees.ui.shared.session.jobs import Job, Report, jobs, show_progress
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import TreeBench

SECONDS_BETWEEN_PARTS, _PARTS_OF_TIME = 0.8, 5
"""How long partial results are left as they are, and how many times as long as measuring them."""

ASKED = "compare.asked"
"""The key of the table and the plan that were compared last."""
_STOPPED, _BY_LINK, _UNASKED = "compare.stopped", "compare.by link", "compare.unasked"
SECONDS_UNASKED = 5.0
"""A comparison that is expected to take less starts by itself."""


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
    _differences: verdicts.Differences | None = field(default=None, init=False)

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
            return OUTSIDE[result.learner].label
        model = LEARNERS[result.learner].label + self.plan.how_set(result.learner)
        if result.smoother == NO_SMOOTHER:
            return model
        smoother = SMOOTHERS[result.smoother].label + self.plan.how_set(result.smoother)
        return smoother if len(self.plan.models) == 1 else f"{model} · {smoother}"

    def by_name(self) -> dict[str, Result]:
        """Return the results by the names of their methods."""
        return {self.name_of(result): result for result in self.results}

    def scores(self) -> dict[str, Scores]:
        """Return the figures of every method and, last, those of the base rate."""
        found = {name: result.scores for name, result in self.by_name().items()}
        return found | ({BASE_RATE: self.results[0].base_rate} if self.results else {})

    def differences(self, measure: str, reference: int) -> PairedDifferences | None:
        """Return the differences to one of the results, as soon as all is measured."""
        if self._differences is None:
            self._differences = verdicts.differences_of(self.results, self.data, self.folds)
        return self._differences(measure, reference)

    def verdict(self, margin: float = verdicts.MARGIN) -> verdicts.Verdict:
        """Say what may be concluded, once all is measured."""
        return verdicts.find_verdict(self.by_name(), self.differences, margin=margin)

    def best_first(self) -> list[str]:
        """Name the methods in the order of their Brier scores."""
        known = self.by_name()
        return sorted(known, key=lambda name: verdicts.cost_of(known[name].scores, "brier"))


def asked_plan(bench: TreeBench) -> ComparisonPlan | None:
    """Return what was compared last on this table; None before the first comparison."""
    key, plan = st.session_state.get(ASKED, (None, None))
    return plan if key == bench.key[0] else None


def starts_itself(bench: TreeBench, plan: ComparisonPlan) -> bool:
    """Whether a comparison needs no click: the usual one, of a small table, not by a link."""
    table = current_source().file_key  # a link, as of a reload, is of one table, not of the next
    by_link = st.session_state.setdefault(_BY_LINK, table if permalink.asked() else "") == table
    # Settings of other pages may be anybody's; what is chosen here must be the usual.
    usual = replace(plan, models=("c45",), smoothers=DEFAULT_SMOOTHERS, n_folds=10, scheme="folds")
    usual = replace(usual, n_repeats=1, outside=(), calibrate="none", as_published=False, seed=0)
    asked = asked_plan(bench)  # what started by itself follows the settings by itself
    is_due = asked is None or asked == st.session_state.get(_UNASKED) != plan
    if by_link or plan != usual or not is_due or plan.seconds(bench.data) >= SECONDS_UNASKED:
        return False
    st.session_state[_UNASKED] = plan
    if bench.looks and bench.whole is not None:  # the app may yet show a smaller tree
        job = proposal_job(current_source(), bench.whole)
        show_progress(job, "Looking at the tree")
        return job.is_ready
    return True


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
    job = jobs().ask(("compare", bench.key[0], plan), partial(measure_all, so_far))
    if job.partial is None:
        job.partial = so_far
    return job


def measure_all(so_far: ComparisonRun, report: Report) -> ComparisonRun:
    """Measure one model of the plan after the other."""
    began, measured = time.monotonic(), so_far.plan.measured
    for n_done, name in enumerate(measured):

        def progress(share: float, words: str, done: int = n_done, name: str = name) -> None:
            report((done + share) / len(measured), f"{_label(name)}, {words}")

        _measure(so_far, name, progress)
    so_far.seconds = time.monotonic() - began
    so_far.is_whole = True
    return so_far


def _label(name: str) -> str:
    return OUTSIDE[name].label if name in OUTSIDE else LEARNERS[name].label


def _measure(so_far: ComparisonRun, name: str, progress: Report) -> None:
    """Measure a model with all smoothers, or a method of others; show folds as they are done."""
    plan, data, folds = so_far.plan, so_far.data, so_far.folds
    last = time.monotonic() + SECONDS_BETWEEN_PARTS

    def watch(measure: Callable[[], list[Result]]) -> None:
        nonlocal last
        began = time.monotonic()
        if began >= last:
            so_far.renew(name, measure())
            took = time.monotonic() - began
            last = time.monotonic() + max(SECONDS_BETWEEN_PARTS, _PARTS_OF_TIME * took)

    try:
        if name in OUTSIDE:
            found = [measure_outside(data, name, folds, seed=plan.seed, progress=progress)]
        else:
            spec, methods = plan.spec(name), plan.methods()
            found = compare(data, spec, methods, folds=folds, progress=progress, watch=watch)
        so_far.renew(name, found)
    except ProbTreesError as problem:
        so_far.problems.append(f"{_label(name)}: {problem}")
