"""How good a model is on rows it has not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from probtrees.experiment.evaluation.fold_work import FoldAnswer, FoldWork, answer_folds
from probtrees.experiment.evaluation.leave_one_out import (
    base_rates_without,
    can_take_rows_out,
    leaves_one_out,
    take_rows_out,
)
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import (
    ModelSpec,
    make_spec,
    smoother_as_published,
    smoothers_for,
)
from probtrees.experiment.registry import DEFAULT_LEARNER, DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.score.measures import Scores, detail_measures, evaluate, mean_scores
from probtrees.smooth.smoothed_tree import Smoother
from probtrees.table.dataset import Dataset
from probtrees.table.fold_plan import read_plan
from probtrees.table.folds import Folds
from probtrees.types import FloatArray, IntArray, Progress

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
            **self.scores,
            "base_rate": self.base_rate.to_dict(),
            "seconds": dict(self.seconds),
            "nodes": self.nodes,
            "leaves": self.leaves,
            "depth": self.depth,
            **({"remarks": list(self.remarks)} if self.remarks else {}),
        }


def cross_validate(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    folds: int | str | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """Measure one model and smoother on rows that did not train it.

    Copies of a row that are one observation are held out together. Where they are to be apart,
    a row of weight 3 is dealt out as three rows, unless the folds themselves are given; the
    answers are then those of ``data.copies_apart()``.

    Parameters
    ----------
    learner, smoother, settings : as in :func:`~probtrees.experiment.fit.fit`
    folds : how many, or another plan such as "5x2", "loo" or "holdout=0.3", or the folds
        themselves, one for every repeat. Leaving one out learns nothing again where the model
        can take a row back (naive Bayes of nominal columns).
    repeats : how often to cut the rows, each time differently
    progress : called before every fold; may raise to cancel
    """
    return compare(
        data, learner, [smoother], folds=folds, repeats=repeats, progress=progress, **settings
    )[0]


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
    """Measure many smoothers on the same folds; every fold's trees are grown once.

    Parameters
    ----------
    smoothers : registry names or smoothers; all that are registered if None. A model that takes
        no smoother gives one result.
    n_jobs : how many folds to work on at a time, each in a process of its own
    watch : given, after every fold, a way to measure the rows that are answered so far
    data, learner, folds, repeats, progress, settings : as in :func:`cross_validate`
    """
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    named = smoothers_for(spec, smoothers or SMOOTHERS)
    if spec.as_published:
        named = [(name, smoother_as_published(method)) for name, method in named]
    if isinstance(folds, int | str):
        data = data.copies_apart()
    cuts = cut_rows(data, folds, repeats, spec.seed)
    board = _Board(data, cuts, [name for name, _ in named])
    quick: list[int] = []
    if leaves_one_out(cuts, data):
        quick = [i for i, pair in enumerate(named) if can_take_rows_out(data, spec, pair[1])]
        board.leave_out(spec, {i: named[i][1] for i in quick}, progress)
    waiting = [i for i in range(len(named)) if i not in quick]
    if waiting:
        work = FoldWork(data, spec, tuple(named[i] for i in waiting))
        answers = answer_folds(work, board.splits, n_jobs, progress)
        for split, answer in zip(board.splits, answers, strict=True):
            board.add(split, waiting, answer)
            if watch is not None and not quick:
                watch(partial(board.results, spec))
    return board.results(spec)


class _Board:
    """Collects answers, and turns them into results when all rows are answered."""

    def __init__(self, data: Dataset, cuts: Sequence[Folds], names: Sequence[str]) -> None:
        self.data = data
        self.cuts = cuts
        self.names = names
        self.base = _unanswered(data, cuts)
        self.proba = [_unanswered(data, cuts) for _ in names]
        self.seconds: list[list[dict[str, float]]] = [[] for _ in names]
        self.sizes: list[tuple[int, int, int]] = []
        self.splits = [(repeat, *rows) for repeat, cut in enumerate(cuts) for rows in cut.splits()]

    def add(
        self, split: tuple[int, IntArray, IntArray], places: Sequence[int], answer: FoldAnswer
    ) -> None:
        """Note what one fold gave for the smoothers at these places."""
        repeat, _, test_rows = split
        self.base[repeat][test_rows] = answer.base_rates
        self.sizes.append(answer.size)
        for place, proba, seconds in zip(places, answer.proba, answer.seconds, strict=True):
            self.proba[place][repeat][test_rows] = proba
            self.seconds[place].append(seconds)

    def leave_out(
        self,
        spec: ModelSpec,
        smoothers: Mapping[int, Smoother],
        progress: Progress | None,
    ) -> None:
        """Answer every row by all others where nothing has to be learnt again."""
        if not smoothers:
            return
        grown = grow_model(replace(self.data, repeats=None), spec)  # row by row as given
        self.sizes.append((grown.n_nodes, grown.n_leaves, grown.max_depth))
        self.base[0][:] = base_rates_without(self.data)
        for place, method in smoothers.items():
            found = take_rows_out(self.data, grown, method, progress)
            self.proba[place][0][:] = found.proba
            self.seconds[place].append(found.seconds)

    def results(self, spec: ModelSpec) -> list[Result]:
        """Measure all answers; repeats that have none yet are left out."""
        data = self.data
        begun = [repeat for repeat, matrix in enumerate(self.base) if np.isfinite(matrix).any()]
        base = [cannot_rank(score_tested(self.base[repeat], data)) for repeat in begun]
        nodes, leaves, depth = (float(mean) for mean in np.mean(self.sizes, axis=0))
        given = [[proba[repeat] for repeat in begun] for proba in self.proba]
        return [
            Result(
                dataset=data.name,
                n_rows=data.n_rows,
                n_classes=data.n_classes,
                learner=spec.learner_name,
                smoother=name,
                n_folds=self.cuts[0].n_folds,
                n_repeats=len(self.cuts),
                scores=mean_scores([score_tested(matrix, data) for matrix in given[place]]),
                base_rate=mean_scores(base),
                details=mean_scores(
                    [
                        evaluate(
                            *forecasts_of(matrix, data),
                            measures=detail_measures(),
                            base=forecasts_of(self.base[repeat], data)[0],
                        )
                        for matrix, repeat in zip(given[place], begun, strict=True)
                    ]
                ),
                seconds=_added_up(self.seconds[place]),
                nodes=nodes,
                leaves=leaves,
                depth=depth,
                proba=tuple(given[place]),
                calibrate=spec.calibrate,
                base_proba=tuple(self.base[repeat] for repeat in begun),
            )
            for place, name in enumerate(self.names)
        ]


def _unanswered(data: Dataset, cuts: Sequence[Folds]) -> list[FloatArray]:
    """Make room for the answers of every repeat; NaN until a row was tested."""
    return [np.full((data.n_rows, data.n_classes), np.nan) for _ in cuts]


def _added_up(seconds: Sequence[Mapping[str, float]]) -> dict[str, float]:
    return {part: sum(times[part] for times in seconds) for part in seconds[0]}


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


def score_tested(proba: FloatArray, data: Dataset) -> Scores:
    """Measure the rows that were tested."""
    return evaluate(*forecasts_of(proba, data))


def cannot_rank(base: Scores) -> Scores:
    """Give a forecast that is the same for all rows of a fold the AUC of one that is."""
    return base if base.auc is None else Scores(base, auc=0.5)
