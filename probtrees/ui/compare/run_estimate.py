"""About how long a comparison will take, measured on a few of its rows before it starts.

One fold of every model is worked on with some rows, then with more; the line through both times
is drawn to all rows. A first round, which is not timed, loads the kernels: compiling them is no
part of an estimate.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import streamlit as st

from probtrees.errors import ProbTreesError
from probtrees.experiment.evaluation.cross_validate import FoldWork
from probtrees.experiment.evaluation.outside_models import measure_outside
from probtrees.experiment.model_spec import smoothers_for
from probtrees.table.dataset import Dataset
from probtrees.table.folds import NEVER_TESTED, Folds
from probtrees.types import IntArray
from probtrees.ui.compare.comparison_plan import ComparisonPlan
from probtrees.ui.shared.session.jobs import Job, Report, jobs, wait_for
from probtrees.ui.shared.workbench import TreeBench
from probtrees.words import plural

FEW, MORE = 150, 450
"""Rows of the two trials."""


def show_estimate(plan: ComparisonPlan, bench: TreeBench) -> None:
    """Say how long the comparison may take, as soon as that is known."""
    asked = _trials(plan, bench)
    head = f"{plural(plan.n_settings, 'settings')}, {plural(plan.n_splits, 'folds')}"
    if plan.n_splits and not wait_for(asked.values()):
        st.caption(f"{head}: how long is being found out.")
        _watch(tuple(asked.values()))
        return
    st.caption(f"{head}{_words(plan, bench, len(asked))}.")


@st.fragment(run_every=0.5)
def _watch(asked: tuple[Job, ...]) -> None:
    """Renew the page when the estimate is there."""
    if all(job.finished.is_set() for job in asked):
        st.rerun()


def fold_seconds(plan: ComparisonPlan, bench: TreeBench) -> dict[str, float]:
    """Return what a fold of every model and method of others takes, as far as that is measured."""
    n_trained = round(bench.data.n_rows * (1 - 1 / max(plan.n_folds, 2)))
    return {
        name: job.result.seconds_for(n_trained)
        for name, job in _trials(plan, bench).items()
        if job.finished.is_set() and job.result is not None
    }


def _words(plan: ComparisonPlan, bench: TreeBench, n_asked: int) -> str:
    known = fold_seconds(plan, bench)
    if not known or not plan.n_splits:
        return ""
    words = f": about {max(1, round(plan.n_splits * sum(known.values()))):,} s"
    if len(known) < n_asked:
        words += ", without what cannot be learnt from a few rows"
    return words


def _trials(plan: ComparisonPlan, bench: TreeBench) -> dict[str, Job]:
    """Measure one fold of everything beside the page, or find what was measured."""
    trials = {model: _trial(plan, bench, model) for model in plan.models}
    for name in plan.outside:
        trials[name] = jobs().ask(
            ("estimate", bench.key, name), partial(_time_outside, bench.data, name)
        )
    return trials


def _trial(plan: ComparisonPlan, bench: TreeBench, model: str) -> Job:
    """Measure one fold of a model."""
    kind = (
        *(model, plan.smoothers, plan.settings, plan.discretizer, plan.cutting),
        *(plan.as_published, plan.calibrate),
    )

    def work(_report: Report) -> FoldTime | None:
        spec = plan.spec(model)
        try:
            methods = smoothers_for(spec, plan.methods())
            return time_of_fold(FoldWork(bench.data, spec, tuple(methods)), bench.data.n_rows)
        except ProbTreesError:  # what is wrong with the model is said when it is compared
            return None

    return jobs().ask(("estimate", bench.key, kind), work)


def _time_outside(data: Dataset, name: str, _report: Report) -> FoldTime | None:
    """Measure one fold of a method of others."""

    def work(trained: IntArray, tested: IntArray) -> None:
        test_fold = np.full(len(trained) + len(tested), NEVER_TESTED, dtype=np.int64)
        test_fold[len(trained) :] = 0
        rows = data.take(np.concatenate([trained, tested]))
        measure_outside(rows, name, [Folds(test_fold)])

    try:
        return time_of_fold(work, data.n_rows)
    except ProbTreesError:
        return None


@dataclass(frozen=True)
class FoldTime:
    """How long a fold takes: so many seconds with some rows, and so many more with every row."""

    n_rows: int
    seconds: float
    per_row: float

    def seconds_for(self, n_rows: int) -> float:
        """Follow the line to another number of training rows."""
        return self.seconds + self.per_row * max(n_rows - self.n_rows, 0)


def time_of_fold(work: Callable[[IntArray, IntArray], object], n_rows: int) -> FoldTime:
    """Measure a fold with few rows and with more; smaller tables are measured once.

    The shorter of two times counts: a busy machine makes times longer, never shorter.
    """
    order = np.random.default_rng(0).permutation(n_rows)
    few, more = min(FEW, n_rows - 1), min(MORE, n_rows - 1)

    def seconds(n_trained: int) -> float:
        start = time.perf_counter()
        work(np.sort(order[:n_trained]), np.sort(order[-max(n_trained // 9, 1) :]))
        return time.perf_counter() - start

    seconds(few)  # kernels are loaded now
    first = min(seconds(few), seconds(few))
    if more == few:
        return FoldTime(few, first, 0.0)
    second = min(seconds(more), seconds(more))
    return FoldTime(more, second, max(second - first, 0.0) / (more - few))
