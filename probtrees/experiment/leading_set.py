"""Which of several results on one data set cannot be told from the best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from probtrees.experiment.cross_validate import Result
from probtrees.score.metrics import evaluate
from probtrees.score.significance import LeadingSet, leading_over_folds
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds


def leading_results(
    results: Sequence[Result],
    data: Dataset,
    cuts: Sequence[Folds],
    *,
    measure: str = "brier",
    lower_is_better: bool = True,
) -> LeadingSet:
    """Compare results fold by fold with the corrected t-test, Holm-corrected.

    Parameters
    ----------
    results : of :func:`~probtrees.experiment.cross_validate.compare` on these folds
    cuts : the folds, one for every repeat
    measure : what is compared in every fold; folds in which it is undefined are left out
    """
    weights = data.row_weights
    table, shares = [], []
    for repeat, cut in enumerate(cuts):
        for train, test in cut.splits():
            shares.append(len(test) / len(train))
            table.append(
                [_score(result, repeat, data, test, weights, measure) for result in results]
            )
    return leading_over_folds(table, float(np.mean(shares)), lower_is_better=lower_is_better)


def _score(
    result: Result,
    repeat: int,
    data: Dataset,
    rows: np.ndarray,
    weights: np.ndarray,
    measure: str,
) -> float:
    """Measure the rows of one fold; NaN where the measure is undefined."""
    scores = evaluate(result.proba[repeat][rows], data.labels[rows], weights[rows]).to_dict()
    value = scores[measure]
    return np.nan if value is None else value
