"""About how long a comparison will take, measured on a few of its rows before it starts.

One fold of every model is worked on with some rows, then with more; the line through both times
is drawn to all rows. A first round, which is not timed, loads the kernels: compiling them is no
part of an estimate.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation.fold_work import FoldWork
from probtrees.experiment.model_spec import smoothers_for
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.workbench import TreeBench

FEW, MORE = 150, 450
"""Rows of the two trials."""


def show_estimate(plan: ComparisonPlan, bench: TreeBench) -> None:
    """Say how long the comparison may take, as soon as that is known."""
    asked = {model: _trial(plan, bench, model) for model in plan.models}
    head = f"{plan.n_settings} settings, {plan.n_splits:,} folds"
    if plan.n_splits and not wait_for(asked.values()):
        st.caption(f"{head}: how long is being found out.")
        _watch(tuple(asked.values()))
        return
    st.caption(f"{head}{_words(plan, asked, bench.data.n_rows)}.")


@st.fragment(run_every=0.5)
def _watch(asked: tuple[Job, ...]) -> None:
    """Renew the page when the estimate is there."""
    if all(job.finished.is_set() for job in asked):
        st.rerun()


def _words(plan: ComparisonPlan, asked: dict[str, Job], n_rows: int) -> str:
    known: list[FoldTime] = [job.result for job in asked.values() if job.result is not None]
    if not known or not plan.n_splits:
        return ""
    n_trained = round(n_rows * (1 - 1 / max(plan.n_folds, 2)))
    seconds = max(1, round(plan.n_splits * sum(fold.seconds_for(n_trained) for fold in known)))
    words = f": about {seconds:,} s"
    if len(known) < len(asked):
        words += ", without models that cannot be learnt from a few rows"
    if plan.outside:
        words += ", without the methods of others"
    return words


def _trial(plan: ComparisonPlan, bench: TreeBench, model: str) -> Job:
    """Measure one fold of a model beside the page, or find what was measured."""
    kind = (model, plan.smoothers, plan.settings, plan.discretizer, plan.as_published)

    def work(_report: Report) -> FoldTime | None:
        spec = plan.spec(model)
        try:
            methods = tuple(smoothers_for(spec, plan.methods()))
            return time_of_fold(FoldWork(bench.data, spec, methods))
        except ProbTreesError:  # what is wrong with the model is said when it is compared
            return None

    return jobs().ask(("estimate", bench.key, kind), work)


@dataclass(frozen=True)
class FoldTime:
    """How long a fold takes: so many seconds with some rows, and so many more with every row."""

    n_rows: int
    seconds: float
    per_row: float

    def seconds_for(self, n_rows: int) -> float:
        """Follow the line to another number of training rows."""
        return self.seconds + self.per_row * max(n_rows - self.n_rows, 0)


def time_of_fold(work: FoldWork) -> FoldTime:
    """Measure a fold with few rows and with more; smaller tables are measured once."""
    n_rows = work.data.n_rows
    order = np.random.default_rng(0).permutation(n_rows)
    few, more = min(FEW, n_rows - 1), min(MORE, n_rows - 1)

    def seconds(n_trained: int) -> float:
        start = time.perf_counter()
        work(np.sort(order[:n_trained]), np.sort(order[-max(n_trained // 9, 1) :]))
        return time.perf_counter() - start

    seconds(few)  # kernels are loaded now
    first = seconds(few)
    if more == few:
        return FoldTime(few, first, 0.0)
    second = seconds(more)
    return FoldTime(more, second, max(second - first, 0.0) / (more - few))
