"""How good a model is on rows it has not seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import (
    ModelSpec,
    make_spec,
    smoother_as_published,
    smoothers_for,
)
from probtrees.experiment.registry import DEFAULT_LEARNER, SMOOTHERS
from probtrees.machine.worker_processes import call_in_processes
from probtrees.model.predict import predict_proba
from probtrees.score.measures import Scores, detail_measures, evaluate, mean_scores, score_record
from probtrees.score.metrics import base_rates
from probtrees.smooth.hdp import HDP
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds, read_plan
from probtrees.types import FloatArray, IntArray, Progress, tell

AUC_OF_SINGLE_ROWS = (
    "AUC is too low where rows are left out one by one: without a row its class is a little rarer, "
    "so of rows that look alike those of a class rank below the others. Read AUC from 10 folds."
)


@dataclass(frozen=True)
class Result:
    """What cross-validation found for one model and smoother.

    Attributes
    ----------
    dataset, n_rows, n_classes : what was predicted
    learner, smoother : registry names
    n_folds, n_repeats : how the rows were cut
    scores : measured over all out-of-fold rows of a repeat, averaged over repeats
    base_rate : the same for "always the base rate" of the training rows. It cannot rank rows:
        its AUC is a half, where pooling folds would put it a little below.
    details : the measures that are shown as details, averaged over repeats
    seconds : total time to grow, smooth and predict
    nodes, leaves, depth : means over folds
    proba : per repeat float64[n_rows, n_classes], out of fold; NaN where never tested
    calibrate : how answers were calibrated inside every fold; "none": not at all
    base_proba : as ``proba``, of "always the base rate"; empty where only figures are known
    """

    dataset: str
    n_rows: int
    n_classes: int
    learner: str
    smoother: str
    n_folds: int
    n_repeats: int
    scores: Scores
    base_rate: Scores
    details: Scores
    seconds: Mapping[str, float]
    nodes: float
    leaves: float
    depth: float
    proba: tuple[FloatArray, ...] = field(repr=False)
    calibrate: str = "none"
    base_proba: tuple[FloatArray, ...] = field(default=(), repr=False)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What must be known to read the figures, in sentences; where rows are left out singly."""
        singly = self.n_folds > self.n_rows / 2 and self.scores["auc"] is not None
        return (AUC_OF_SINGLE_ROWS,) if singly else ()

    def to_dict(self) -> dict[str, Any]:
        """Return what the command line prints as JSON."""
        return {
            "dataset": self.dataset,
            "rows": self.n_rows,
            "classes": self.n_classes,
            "model": self.learner,
            "smoother": self.smoother,
            "folds": self.n_folds,
            **({} if self.calibrate == "none" else {"calibrate": self.calibrate}),
            **score_record(self.scores, self.n_classes),
            "base_rate": score_record(self.base_rate, self.n_classes),
            "seconds": dict(self.seconds),
            "nodes": self.nodes,
            "leaves": self.leaves,
            "depth": self.depth,
            **({"remarks": list(self.remarks)} if self.remarks else {}),
        }


def compare(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    smoothers: Sequence[Any] | None = None,
    *,
    folds: int | str | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    n_jobs: int = 1,
    progress: Progress | None = None,
    watch: Callable[[Callable[[], list[Result]]], None] | None = None,
    **settings: Any,
) -> list[Result]:
    """Measure smoothers on rows that did not train them; every fold's trees are grown once.

    Copies of a row that are one observation are held out together. Where they are to be apart,
    a row of weight 3 is dealt out as three rows, unless the folds themselves are given; the
    answers are then those of ``data.copies_apart()``.

    Parameters
    ----------
    learner, settings : as in :func:`~probtrees.experiment.fit.fit`
    smoothers : registry names or smoothers; all that are registered if None. A model that takes
        no smoother gives one result.
    folds : how many, or another plan such as "5x2", "loo" or "holdout=0.3", or the folds
        themselves, one for every repeat
    repeats : how often to cut the rows, each time differently
    n_jobs : how many folds to work on at a time, each in a process of its own
    progress : called before every fold; may raise to cancel
    watch : given, after every fold, a way to measure the rows that are answered so far
    """
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    named = smoothers_for(spec, smoothers or SMOOTHERS)
    if spec.as_published:
        named = [(name, smoother_as_published(method)) for name, method in named]
    if isinstance(folds, int | str):
        data = data.copies_apart()
    cuts = cut_rows(data, folds, repeats, spec.seed)
    board = Board(data, cuts, [name for name, _ in named])
    results = partial(board.results, spec.learner_name, spec.calibrate)
    for _ in board.fill(FoldWork(data, spec, tuple(named)), n_jobs, progress):
        if watch is not None:
            watch(results)
    return results()


class FoldAnswer(NamedTuple):
    """What one fold gave: per smoother its answers and times, and what they share."""

    base_rates: FloatArray
    size: tuple[int, int, int]
    proba: list[FloatArray]
    seconds: list[dict[str, float]]


@dataclass(frozen=True)
class FoldWork:
    """What has to be done in every fold; sent to worker processes."""

    data: Dataset
    spec: ModelSpec
    named: tuple[tuple[str, Smoother], ...]

    def __call__(self, train_rows: IntArray, test_rows: IntArray) -> FoldAnswer:
        """Grow from the training rows, smooth in every way, ask about the test rows."""
        train, test = self.data.take(train_rows), self.data.take(test_rows)
        grown = grow_model(train, self.spec)
        answer = FoldAnswer(
            base_rates(train.labels, train.n_classes, train.weights),
            (grown.n_nodes, grown.n_leaves, max(tree.max_depth for tree in grown.trees)),
            [],
            [],
        )
        for name, method in self.named:
            gathering = grown.evidence().seconds if grown.needs_evidence(method) else 0.0
            start = time.perf_counter()
            # Only probabilities are compared: intervals would be worked out for nothing.
            spared = replace(method, has_intervals=False) if isinstance(method, HDP) else method
            model = grown.smooth((name, spared))
            smoothed = time.perf_counter()
            answer.proba.append(predict_proba(model, test))
            answer.seconds.append(
                {
                    "grow": grown.seconds,
                    "smooth": gathering + smoothed - start,
                    "predict": time.perf_counter() - smoothed,
                }
            )
        return answer


Work = Callable[[IntArray, IntArray], FoldAnswer]
"""Answers the rows that test by those that train."""


def _work_on(work: Work, train: IntArray, test: IntArray) -> FoldAnswer:
    """Call what cannot be called directly by a cluster, which hashes the functions it calls."""
    return work(train, test)


class Board:
    """Collects answers, and turns them into results when all rows are answered."""

    def __init__(self, data: Dataset, cuts: Sequence[Folds], names: Sequence[str]) -> None:
        self.data = data
        self.cuts = cuts
        self.names = names
        # NaN until a row was tested.
        nothing = np.full((data.n_rows, data.n_classes), np.nan)
        self.base = [nothing.copy() for _ in cuts]
        self.proba = [[nothing.copy() for _ in cuts] for _ in names]
        self.seconds: list[list[dict[str, float]]] = [[] for _ in names]
        self.sizes: list[tuple[int, int, int]] = []

    def fill(self, work: Work, n_jobs: int = 1, progress: Progress | None = None) -> Iterator[None]:
        """Work on the folds one after the other or side by side; what each gave is noted."""
        splits = [(repeat, *rows) for repeat, cut in enumerate(self.cuts) for rows in cut.splits()]
        answers = call_in_processes(_work_on, ((work, *rows) for _, *rows in splits), n_jobs)
        for number, (repeat, _, tested) in enumerate(splits):
            tell(progress, number / len(splits), f"fold {number + 1} of {len(splits)}")
            answer = next(answers)
            self.base[repeat][tested] = answer.base_rates
            self.sizes.append(answer.size)
            for place, proba in enumerate(answer.proba):
                self.proba[place][repeat][tested] = proba
                self.seconds[place].append(answer.seconds[place])
            yield

    def results(self, learner: str, calibrate: str = "none") -> list[Result]:
        """Measure all answers; repeats that have none yet are left out."""
        data = self.data
        begun = [repeat for repeat, matrix in enumerate(self.base) if np.isfinite(matrix).any()]
        base = tuple(self.base[repeat] for repeat in begun)
        nodes, leaves, depth = (float(mean) for mean in np.mean(self.sizes, axis=0))
        found = []
        for name, answers, seconds in zip(self.names, self.proba, self.seconds, strict=True):
            proba = tuple(answers[repeat] for repeat in begun)
            details = [
                score_tested(m, data, measures=detail_measures(), base=forecasts_of(b, data)[0])
                for m, b in zip(proba, base, strict=True)
            ]
            found.append(
                Result(
                    dataset=data.name,
                    n_rows=data.n_rows,
                    n_classes=data.n_classes,
                    learner=learner,
                    smoother=name,
                    n_folds=self.cuts[0].n_folds,
                    n_repeats=len(self.cuts),
                    scores=mean_scores([score_tested(m, data) for m in proba]),
                    base_rate=mean_scores([cannot_rank(score_tested(m, data)) for m in base]),
                    details=mean_scores(details),
                    seconds={part: sum(t[part] for t in seconds) for part in seconds[0]},
                    nodes=nodes,
                    leaves=leaves,
                    depth=depth,
                    proba=proba,
                    calibrate=calibrate,
                    base_proba=base,
                )
            )
        return found


def cut_rows(
    data: Dataset, folds: int | str | Folds | Sequence[Folds], repeats: int, seed: int
) -> list[Folds]:
    """Bring the ways to give folds into one form: one cut per repeat."""
    if isinstance(folds, Folds):
        return [folds]
    if isinstance(folds, int | str):
        return read_plan(folds, None if repeats == 1 else repeats).cut(data, seed)
    return list(folds)


def forecasts_of(
    proba: FloatArray, data: Dataset
) -> tuple[FloatArray, IntArray, FloatArray | None]:
    """Pick the rows that were tested: their probabilities, classes and weights."""
    rows = ~np.isnan(proba[:, 0])
    weights = None if data.weights is None else data.weights[rows]
    return proba[rows], data.labels[rows], weights


def score_tested(proba: FloatArray, data: Dataset, **how: Any) -> Scores:
    """Measure the rows that were tested; ``how`` is passed on to ``evaluate``."""
    return evaluate(*forecasts_of(proba, data), **how)


def cannot_rank(base: Scores) -> Scores:
    """Give a forecast that is the same for all rows of a fold the AUC of one that is."""
    return base if base.auc is None else Scores(base, auc=0.5)
