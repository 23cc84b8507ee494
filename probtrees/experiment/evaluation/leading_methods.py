"""Which of several results on one table cannot be distinguished from the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probtrees.experiment.evaluation.cross_validate import Result, forecasts_of
from probtrees.score.measures import MEASURES, Measure, evaluate, mean_scores
from probtrees.score.metrics import SMALLEST_PROBABILITY
from probtrees.score.significance import LeadingSet, leading_over_folds
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.types import FloatArray, IntArray


def leading_results(
    results: Sequence[Result],
    data: Dataset,
    cuts: Sequence[Folds],
    *,
    measure: str = "brier",
    best: int | None = None,
) -> LeadingSet:
    """Compare results fold by fold with the corrected t-test, Holm-corrected.

    The best is the one with the best figure over all rows, which is the one that tables show; the
    mean over folds of unequal size may put another first.

    Parameters
    ----------
    results : of :func:`~probtrees.experiment.evaluation.cross_validate.compare` on these folds
    cuts : the folds, one for every repeat
    measure : what is compared in every fold; folds in which it is undefined are left out. Where
        rows are held out only once they are compared one by one, if the measure is a mean of rows
    best : which of them the others are compared with; None: find it
    """
    judged = MEASURES[measure]
    if best is None:
        best = _best(results, data, judged)

    def score(result: Result, repeat: int, rows: IntArray) -> float:
        proba, weights = result.proba[repeat][rows], data.row_weights[rows]
        value = evaluate(proba, data.labels[rows], weights, measures=[judged])[measure]
        return np.nan if value is None else value

    table, shares = [], []
    for repeat, cut in enumerate(cuts):
        for train, test in cut.splits():
            shares.append(len(test) / len(train))
            table.append([score(result, repeat, test) for result in results])
    if len(table) == 1 and measure in _ROW_LOSSES:
        return _leading_over_rows(results, data, cuts[0], measure, best)
    return leading_over_folds(
        table,
        float(np.mean(shares)),
        lower_is_better=not judged.larger_is_better,
        best=best,
    )


def _best(results: Sequence[Result], data: Dataset, judged: Measure) -> int | None:
    """Find the result with the best figure over all rows; None where none has one."""
    sign = -1.0 if judged.larger_is_better else 1.0
    known = []
    for place, result in enumerate(results):
        scores = [evaluate(*forecasts_of(proba, data), measures=[judged]) for proba in result.proba]
        value = mean_scores(scores)[judged.name]
        if value is not None:
            known.append((sign * value, place))
    return min(known)[1] if known else None


_ROW_LOSSES = ("brier", "log_loss", "error")
"""Measures that are means over rows."""


def _leading_over_rows(
    results: Sequence[Result], data: Dataset, cut: Folds, measure: str, best: int | None
) -> LeadingSet:
    """Compare results row by row with a paired t-test, since there is only one fold."""
    rows = np.flatnonzero(cut.test_fold >= 0)
    labels = data.labels[rows]
    losses = np.column_stack(
        [_row_losses(result.proba[0][rows], labels, measure) for result in results]
    )
    weights = data.row_weights[rows]
    if data.weights is not None:
        losses = losses * (weights / weights.mean())[:, None]
    # Every row is tested once by models that share no test rows: nothing is to be corrected.
    return leading_over_folds(losses, test_share=1e-12, best=best)


def _row_losses(proba: FloatArray, labels: IntArray, measure: str) -> FloatArray:
    """Return what every row adds to a measure."""
    if measure == "error":
        return np.asarray(proba.argmax(axis=1) != labels, dtype=np.float64)
    if measure == "brier":
        return np.asarray(((np.eye(proba.shape[1])[labels] - proba) ** 2).sum(axis=1))
    given = proba[np.arange(len(labels)), labels]
    return np.asarray(-np.log(np.maximum(given, SMALLEST_PROBABILITY)))
