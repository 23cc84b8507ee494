"""The comparison as a job: finished models can be looked at while others are at work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from probtrees.dataset import Dataset
from probtrees.errors import ProbTreesError
from probtrees.experiment.cross_validate import Result, compare
from probtrees.experiment.leading import leading_results
from probtrees.experiment.recipe import Recipe, named_smoother
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.prepare.folds import Folds, make_folds
from probtrees.ui.comparison.plan import Plan
from probtrees.ui.jobs import Job, Report, jobs, show_progress
from probtrees.ui.workbench import Workbench


@dataclass
class Comparison:
    """What is known so far.

    Attributes
    ----------
    plan, data, folds : what is compared, on which rows, cut how
    results : one per model and smoother, in the order they were finished
    problems : sentences about models that could not be measured
    """

    plan: Plan
    data: Dataset
    folds: list[Folds]
    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def name_of(self, result: Result) -> str:
        """Name a method: its smoother, and its model where there are several."""
        smoother = SMOOTHERS[result.smoother].label
        if len(self.plan.models) == 1:
            return smoother
        return f"{LEARNERS[result.learner].label} · {smoother}"

    def by_name(self) -> dict[str, Result]:
        """Return the results by the names of their methods."""
        return {self.name_of(result): result for result in self.results}

    def leading(self) -> set[str]:
        """Name the methods that cannot be told from the one with the least Brier score."""
        names = [self.name_of(result) for result in self.results]
        if len(names) < 2:
            return set(names)
        found = leading_results(self.results, self.data, self.folds)
        return {names[i] for i in found.members}


_ASKED, _STOPPED = "compare.asked", "compare.stopped"


def current_run(bench: Workbench, plan: Plan, *, start: bool) -> Comparison | None:
    """Return what is known of the comparison asked for last; None before the first.

    Shows its progress while it is at work. A cancelled one keeps what was finished.
    """
    if start:
        st.session_state[_ASKED] = (bench.key, plan)
        st.session_state.pop(_STOPPED, None)
    key, asked = st.session_state.get(_ASKED, (None, None))
    if key != bench.key or asked is None:
        return None
    if _STOPPED in st.session_state:
        stopped: Comparison = st.session_state[_STOPPED]
        st.caption("Stopped before the end: only what was finished by then is shown.")
        return stopped
    recipes = {model: asked.recipe(model) for model in asked.models}
    job = _ask_for(asked, bench.data, bench.key, recipes)
    so_far: Comparison = job.partial

    def stop() -> None:
        st.session_state[_STOPPED] = so_far

    show_progress(job, "Comparing", stop)
    return so_far


def _ask_for(plan: Plan, data: Dataset, data_key: Any, recipes: dict[str, Recipe]) -> Job:
    """Start the comparison, or find it again."""
    folds = [make_folds(data, plan.n_folds, 0, repeat) for repeat in range(plan.n_repeats)]
    so_far = Comparison(plan, data, folds)

    def work(report: Report) -> Comparison:
        for number, (model, recipe) in enumerate(recipes.items()):

            def tell(share: float, words: str, done: int = number, name: str = model) -> None:
                report((done + share) / len(recipes), f"{LEARNERS[name].label}, {words}")

            smoothers = [named_smoother(name) for name in plan.smoothers]
            try:
                found = compare(data, recipe, smoothers, folds=folds, progress=tell)
            except ProbTreesError as problem:
                so_far.problems.append(f"{LEARNERS[model].label}: {problem}")
            else:
                so_far.results.extend(found)
        return so_far

    job = jobs().ask(("compare", data_key, plan), work)
    if job.partial is None:
        job.partial = so_far
    return job
