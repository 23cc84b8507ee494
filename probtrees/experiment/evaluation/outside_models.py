"""The usual methods of others on the same folds, as a yardstick; nothing here explains them.

Numbers are scaled, categories become columns of zeros and ones; a missing category is zero in all
of them, a missing number its column's mean where a method cannot take gaps.
"""

from __future__ import annotations

import importlib
import importlib.util
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from probtrees.experiment.evaluation.cross_validate import Board, FoldAnswer, Result
from probtrees.score.metrics import base_rates
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.types import FloatArray, IntArray, Progress


@dataclass(frozen=True)
class OutsideModel:
    """A method of others.

    Attributes
    ----------
    label : what tables call it
    package : what must be installed
    make : makes the classifier for a seed
    settings : how it is set, in a few words
    takes_gaps : whether it takes missing numbers as they are
    """

    label: str
    package: str
    make: Callable[[int], Any]
    settings: str
    takes_gaps: bool = False


def _made_by(module: str, name: str, **settings: Any) -> Callable[[int], Any]:
    """Make a classifier for a seed; its package is imported when it is first asked for."""
    return lambda seed: getattr(importlib.import_module(module), name)(
        random_state=seed, **settings
    )


OUTSIDE: Mapping[str, OutsideModel] = {
    "logistic": OutsideModel(
        *("Logistic regression", "sklearn"),
        _made_by("sklearn.linear_model", "LogisticRegression", max_iter=500),
        "L2 penalty with C = 1, at most 500 steps",
    ),
    "random-forest": OutsideModel(
        *("Random forest", "sklearn"),
        _made_by("sklearn.ensemble", "RandomForestClassifier", n_estimators=100),
        "100 trees grown to the end",
    ),
    "boosting": OutsideModel(
        *("Histogram boosting", "sklearn"),
        _made_by("sklearn.ensemble", "HistGradientBoostingClassifier"),
        "at most 100 rounds at a learning rate of 0.1",
        takes_gaps=True,
    ),
    "xgboost": OutsideModel(
        *("XGBoost", "xgboost"),
        _made_by("xgboost", "XGBClassifier", n_jobs=1),
        "100 rounds at a learning rate of 0.3, 6 levels",
        takes_gaps=True,
    ),
}
"""The methods of others by name, in the order they are shown."""


def installed() -> list[str]:
    """Name the methods of others that can be used here."""
    return [name for name, model in OUTSIDE.items() if importlib.util.find_spec(model.package)]


def measure_outside(
    data: Dataset,
    name: str,
    cuts: Sequence[Folds],
    *,
    seed: int = 0,
    progress: Progress | None = None,
) -> Result:
    """Measure a method of others on given folds, as ``compare`` does with ours.

    Parameters
    ----------
    data, cuts : the rows, and how they are cut, once per repeat
    progress : called before every fold; may raise to cancel
    """
    board = Board(data, cuts, [""])
    list(board.fill(partial(_answer, OUTSIDE[name], data, seed), progress=progress))
    return board.results(name)[0]


def _answer(
    model: OutsideModel, data: Dataset, seed: int, train: IntArray, test: IntArray
) -> FoldAnswer:
    """Learn from some rows and answer others; classes that training lacks are given 0."""
    labels = data.labels[train]
    weights = None if data.weights is None else data.weights[train]
    met, codes = np.unique(labels, return_inverse=True)
    answers = np.zeros((len(test), data.n_classes))
    seconds = {"grow": 0.0, "predict": 0.0}
    found = FoldAnswer(base_rates(labels, data.n_classes, weights), (0, 0, 0), [answers], [seconds])
    if len(met) == 1:
        answers[:, met[0]] = 1.0
        return found
    learnt, asked = _coded(data, train, test, gaps=model.takes_gaps)
    start = time.perf_counter()
    # One thread: on a busy server many threads of one fit wait for each other, and others for them.
    one_thread = importlib.import_module("threadpoolctl").threadpool_limits(1)
    with one_thread, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such as one that more steps might fit better
        fitted = model.make(seed).fit(learnt, codes, sample_weight=weights)
        seconds["grow"] = time.perf_counter() - start
        answers[:, met] = fitted.predict_proba(asked)
    seconds["predict"] = time.perf_counter() - start - seconds["grow"]
    answers /= answers.sum(axis=1, keepdims=True)
    return found


def _coded(
    data: Dataset, train: IntArray, test: IntArray, *, gaps: bool
) -> tuple[FloatArray, FloatArray]:
    """Write both parts as numbers; what is learnt of a column is learnt from the training rows."""
    parts = []
    for number, column in enumerate(data.schema.features):
        values = data.values[:, number]
        if column.is_nominal:
            parts.append((values[:, None] == np.arange(column.n_values)).astype(np.float64))
            continue
        known = values[train][~np.isnan(values[train])]
        middle, spread = (known.mean(), known.std()) if len(known) else (0.0, 1.0)
        scaled = (values - middle) / (spread if spread > 0 else 1.0)
        parts.append((scaled if gaps else np.nan_to_num(scaled))[:, None])
    coded = np.hstack([np.zeros((data.n_rows, 1)), *parts])
    return coded[train], coded[test]
