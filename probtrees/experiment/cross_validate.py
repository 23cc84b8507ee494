"""How good a model is on rows it has not seen."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Dataset
from probtrees.experiment.grown import Grown, grow_model
from probtrees.experiment.recipe import Progress, Recipe, make_recipe, named_smoother
from probtrees.experiment.registry import DEFAULT_LEARNER, DEFAULT_SMOOTHER, SMOOTHERS
from probtrees.predict import predict_proba
from probtrees.prepare.folds import Folds, make_folds
from probtrees.score.metrics import Scores, base_rates, evaluate, mean_scores
from probtrees.smoothed_tree import Smoother

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Result:
    """What cross-validation found for one model and smoother.

    Attributes
    ----------
    dataset, n_rows, n_classes : what was predicted
    learner, smoother : registry names
    n_folds, n_repeats : how the rows were cut
    scores : measured over all out-of-fold rows of a repeat, averaged over repeats
    base_rate : the same for "always the base rate" of the training rows
    seconds : total time to grow, smooth and predict
    nodes, leaves, depth : means over folds
    proba : per repeat float64[n_rows, n_classes], out of fold; NaN where never tested
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
    seconds: Mapping[str, float]
    nodes: float
    leaves: float
    depth: float
    proba: tuple[FloatArray, ...] = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return what the command line prints as JSON."""
        return {
            "dataset": self.dataset,
            "rows": self.n_rows,
            "classes": self.n_classes,
            "model": self.learner,
            "smoother": self.smoother,
            "folds": self.n_folds,
            **self.scores.to_dict(),
            "base_rate": self.base_rate.to_dict(),
            "seconds": dict(self.seconds),
            "nodes": self.nodes,
            "leaves": self.leaves,
            "depth": self.depth,
        }


def cross_validate(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    folds: int | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> Result:
    """Measure one model and smoother on rows that did not train it.

    Parameters
    ----------
    learner, smoother, settings : as in :func:`~probtrees.experiment.fit.fit`
    folds : how many, or the folds themselves, one for every repeat
    repeats : how often to cut the rows anew
    progress : told after every fold
    """
    return compare(
        data, learner, [smoother], folds=folds, repeats=repeats, progress=progress, **settings
    )[0]


def compare(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    smoothers: Sequence[Any] | None = None,
    *,
    folds: int | Folds | Sequence[Folds] = 10,
    repeats: int = 1,
    progress: Progress | None = None,
    **settings: Any,
) -> list[Result]:
    """Measure many smoothers on the same folds; every fold's trees are grown once.

    Parameters
    ----------
    smoothers : registry names or smoothers; all that are registered if None
    others : as in :func:`cross_validate`
    """
    recipe = learner if isinstance(learner, Recipe) else make_recipe(learner, **settings)
    named = [named_smoother(smoother, None, recipe.seed) for smoother in smoothers or SMOOTHERS]
    cuts = _cuts(data, folds, repeats, recipe.seed)
    tallies = [_Tally(name, method, data, len(cuts)) for name, method in named]
    base = [np.full((data.n_rows, data.n_classes), np.nan) for _ in cuts]
    n_done, n_splits = 0, sum(cut.n_folds for cut in cuts)
    sizes: list[tuple[int, int, int]] = []
    for repeat, cut in enumerate(cuts):
        for train_rows, test_rows in cut.splits():
            if progress is not None:
                progress(n_done / n_splits, f"fold {n_done + 1} of {n_splits}")
            train, test = data.take(train_rows), data.take(test_rows)
            base[repeat][test_rows] = base_rates(train.labels, data.n_classes, train.weights)
            grown = grow_model(train, recipe)
            sizes.append((grown.n_nodes, grown.n_leaves, grown.max_depth))
            for tally in tallies:
                tally.add(repeat, grown, test, test_rows)
            n_done += 1
    base_scores = mean_scores([score_tested(proba, data) for proba in base])
    nodes, leaves, depth = (float(mean) for mean in np.mean(sizes, axis=0))
    return [
        Result(
            dataset=data.name,
            n_rows=data.n_rows,
            n_classes=data.n_classes,
            learner=recipe.learner_name,
            smoother=tally.name,
            n_folds=cuts[0].n_folds,
            n_repeats=len(cuts),
            scores=mean_scores([score_tested(proba, data) for proba in tally.proba]),
            base_rate=base_scores,
            seconds=tally.seconds,
            nodes=nodes,
            leaves=leaves,
            depth=depth,
            proba=tuple(tally.proba),
        )
        for tally in tallies
    ]


class _Tally:
    """Gathers the out-of-fold answers and the times of one smoother."""

    def __init__(self, name: str, smoother: Smoother, data: Dataset, n_repeats: int) -> None:
        self.name = name
        self.smoother = smoother
        self.proba = [np.full((data.n_rows, data.n_classes), np.nan) for _ in range(n_repeats)]
        self.seconds = {"grow": 0.0, "smooth": 0.0, "predict": 0.0}

    def add(self, repeat: int, grown: Grown, test: Dataset, test_rows: NDArray[np.int64]) -> None:
        """Smooth a fold's trees, ask them about the test rows, and keep the answers."""
        if self.smoother.needs_evidence:
            self.seconds["smooth"] += grown.evidence().seconds
        start = time.perf_counter()
        model = grown.smooth((self.name, self.smoother))
        smoothed = time.perf_counter()
        self.proba[repeat][test_rows] = predict_proba(model, test)
        predicted = time.perf_counter()
        self.seconds["grow"] += grown.seconds
        self.seconds["smooth"] += smoothed - start
        self.seconds["predict"] += predicted - smoothed


def _cuts(
    data: Dataset, folds: int | Folds | Sequence[Folds], repeats: int, seed: int
) -> list[Folds]:
    """Bring the ways to give folds into one form: one cut per repeat."""
    if isinstance(folds, Folds):
        return [folds]
    if isinstance(folds, int):
        return [make_folds(data, folds, seed, repeat) for repeat in range(max(repeats, 1))]
    return list(folds)


def score_tested(proba: FloatArray, data: Dataset) -> Scores:
    """Measure the rows that were tested."""
    tested = ~np.isnan(proba[:, 0])
    weights = None if data.weights is None else data.weights[tested]
    return evaluate(proba[tested], data.labels[tested], weights)
