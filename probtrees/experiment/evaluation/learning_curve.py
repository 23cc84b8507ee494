"""How much better a model gets with more rows to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import OptionError
from probtrees.experiment.evaluation.cross_validate import score_tested
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.model_spec import ModelSpec, smoothers_for
from probtrees.model.predict import predict_proba
from probtrees.score.measures import MEASURES, Scores
from probtrees.score.paired_test import corrected_t_test
from probtrees.table.dataset import Dataset
from probtrees.table.folds import make_folds, stratified_folds
from probtrees.types import Progress

FRACTIONS = (0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
"""Shares of the training rows that a curve tries by default."""

FEWEST_ROWS = 4
"""A model is not asked to learn from fewer rows than this."""


@dataclass(frozen=True)
class CurvePoint:
    """What one smoother scores after learning from so many rows.

    Attributes
    ----------
    smoother : its registry name
    n_rows : mean number of training rows over the folds
    scores : measured over all out-of-fold rows
    by_fold : the same measures, fold by fold
    test_share : test rows per row that the models of the folds learned from
    """

    smoother: str
    n_rows: float
    scores: Scores
    by_fold: tuple[Scores, ...] = ()
    test_share: float = 0.25

    def interval(self, measure: str) -> tuple[float, float] | None:
        """Bound a measure with 95 %, by how far the folds lie apart; None where that is unknown.

        Folds share training rows, which is allowed for (Nadeau and Bengio 2003).
        """
        middle = self.scores[measure]
        values = [value for fold in self.by_fold if (value := fold[measure]) is not None]
        is_sum = not MEASURES[measure].in_summary  # a fold's sum is no size of all rows' sum
        if middle is None or len(values) < 2 or is_sum:
            return None
        spread = corrected_t_test(values, np.zeros(len(values)), self.test_share)
        reach = ((spread.upper or 0.0) - (spread.lower or 0.0)) / 2
        return middle - reach, middle + reach


def learning_curve(
    data: Dataset,
    spec: ModelSpec,
    smoothers: Sequence[Any],
    *,
    fractions: Sequence[float] = FRACTIONS,
    n_folds: int = 5,
    progress: Progress | None = None,
) -> list[CurvePoint]:
    """Measure smoothers on models that learned from a growing share of the rows.

    The test rows of a fold are the same for every share, and a larger share contains the
    smaller ones, so that neighbouring points differ by the added rows alone.
    """
    for fraction in fractions:
        if not 0 < fraction <= 1:
            raise OptionError(f"fraction={fraction!r} must be above 0 and at most 1.")
    named = smoothers_for(spec, smoothers)
    data = data.copies_apart()
    folds = make_folds(data, n_folds, spec.seed)
    random = np.random.default_rng([spec.seed, n_folds])
    proba = np.full((len(fractions), len(named), data.n_rows, data.n_classes), np.nan)
    n_rows = np.zeros(len(fractions))
    for n_done, (train_rows, test_rows) in enumerate(folds.splits()):
        train, test = data.take(train_rows), data.take(test_rows)
        order = _stratified_order(train, random)
        for i, fraction in enumerate(fractions):
            if progress is not None:
                share = (n_done + i / len(fractions)) / folds.n_folds
                progress(share, f"{100 * fraction:.0f} % of the rows")
            n_taken = min(train.n_rows, max(FEWEST_ROWS, round(fraction * train.n_rows)))
            grown = grow_model(train.take(np.sort(order[:n_taken])), spec)
            n_rows[i] += n_taken / folds.n_folds
            for j, smoother in enumerate(named):
                proba[i, j, test_rows] = predict_proba(grown.smooth(smoother), test)
    tests = [test for _, test in folds.splits()]
    share = float(np.mean([len(test) / max(data.n_rows - len(test), 1) for test in tests]))
    points = []
    for (name, _), of_smoother in zip(named, proba.swapaxes(0, 1), strict=True):
        for size, said in zip(n_rows.tolist(), of_smoother, strict=True):
            by_fold = tuple(score_tested(said[test], data.take(test)) for test in tests)
            points.append(CurvePoint(name, size, score_tested(said, data), by_fold, share))
    return points


def _stratified_order(train: Dataset, random: np.random.Generator) -> NDArray[np.intp]:
    """Order rows so that every beginning holds its share of each class."""
    n_slices = max(2, train.n_rows // 10)
    slices = stratified_folds(train.labels, min(n_slices, train.n_rows), random)
    return np.argsort(slices, kind="stable")
