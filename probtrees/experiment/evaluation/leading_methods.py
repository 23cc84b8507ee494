"""Which results on one table cannot be told from the best, or are no better than the base rate.

The base rate is a yardstick and no candidate: it is tested against the best method by itself, and
the p-values of the methods are not adjusted for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from probtrees.errors import DataError
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.score.measures import MEASURES, Measure, evaluate
from probtrees.score.metrics import SMALLEST_PROBABILITY, brier_losses
from probtrees.score.paired_test import PairedTest
from probtrees.score.significance import LeadingSet, leading_over_folds
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds
from probtrees.types import FloatArray, IntArray

Over = Literal["folds", "rows"]
"""What a difference is tested over: rows, where a measure is a mean of them, or folds."""


def leading_results(
    results: Sequence[Result],
    data: Dataset,
    cuts: Sequence[Folds],
    *,
    measure: str = "brier",
    best: int | None = None,
    over: Over = "rows",
) -> LeadingSet:
    """Compare results by the corrected t-test, Holm-corrected: row by row, or fold by fold.

    The best is the one with the best figure over all rows, which is the one that tables show; the
    mean over folds of unequal size may put another first.

    Parameters
    ----------
    results : of :func:`~probtrees.experiment.evaluation.cross_validate.compare` on these folds
    cuts : the folds, one for every repeat
    measure : what is compared; folds in which it is undefined are left out. What is not a mean of
        rows (such as the AUC) is compared fold by fold
    best : which of them the others are compared with; None: find it
    over : "folds" compares the figures of the folds. "rows" compares rows one by one, each by its
        mean loss over the repeats, where the measure is a mean of rows and rows are cases of their
        own, corrected like folds for the training rows they share. What rows vary is known better
        than what a few folds do, so smaller differences are found
    """
    judged = MEASURES[measure]
    if best is None:
        best = _best(results, judged)
    if compares_rows(measure, data, cuts, over):
        return _leading_over_rows(results, data, cuts, measure, best)

    def score(result: Result, repeat: int, rows: IntArray) -> float:
        proba, weights = result.proba[repeat][rows], data.row_weights[rows]
        value = evaluate(proba, data.labels[rows], weights, measures=[judged])[measure]
        return np.nan if value is None else value

    splits = [(repeat, *rows) for repeat, cut in enumerate(cuts) for rows in cut.splits()]
    table = [[score(result, repeat, test) for result in results] for repeat, _, test in splits]
    share = float(np.mean([len(test) / len(train) for _, train, test in splits]))
    lower_is_better = not judged.larger_is_better
    return leading_over_folds(table, share, lower_is_better=lower_is_better, best=best)


def _best(results: Sequence[Result], judged: Measure) -> int | None:
    """Find the result with the best figure over all rows; None where none has one."""
    sign = -1.0 if judged.larger_is_better else 1.0
    figures = [{**result.details, **result.scores}[judged.name] for result in results]
    known = [(sign * figure, at) for at, figure in enumerate(figures) if figure is not None]
    return min(known)[1] if known else None


_ROW_LOSSES = ("brier", "log_loss", "error")
"""Measures that are means over rows."""


def compares_rows(measure: str, data: Dataset, cuts: Sequence[Folds], over: Over) -> bool:
    """Whether rows are compared one by one: as asked for, or because there is a single fold.

    Rows of one group, copies of one case and rows that follow each other in time are no cases of
    their own; folds of such rows are compared.
    """
    only = only_test(measure, data, cuts)
    return (over if only is None else only[0]) == "rows"


def only_test(measure: str, data: Dataset, cuts: Sequence[Folds]) -> tuple[Over, str] | None:
    """Return the one test there is, and why; None where rows and folds can be chosen between."""
    if measure not in _ROW_LOSSES:
        return "folds", f"{MEASURES[measure].label} is not a mean of rows"
    if len(cuts) == 1 and cuts[0].n_folds == 1:
        return "rows", "one part is held out once"
    if any(cut.ordered for cut in cuts):
        return "folds", "rows follow each other in time"
    if any(cut.groups is not None for cut in cuts):
        return "folds", "rows of a group are no cases of their own"
    if data.repeats_rule == "together" and data.n_repeated > 0:
        return "folds", f"{data.n_repeated:,} of the rows are copies of others"
    return None


def _leading_over_rows(
    results: Sequence[Result], data: Dataset, cuts: Sequence[Folds], measure: str, best: int | None
) -> LeadingSet:
    """Compare results row by row with a paired t-test, corrected for shared training rows."""
    tested = np.array([cut.test_fold >= 0 for cut in cuts])
    rows = np.flatnonzero(tested.any(axis=0))
    losses = np.column_stack([_mean_losses(result, data, rows, measure) for result in results])
    weights = data.row_weights[rows]
    if data.weights is not None:
        losses = losses * (weights / weights.mean())[:, None]
    return leading_over_folds(losses, test_share=_shared_training(cuts), best=best)


def _shared_training(cuts: Sequence[Folds]) -> float:
    """Return by how much more than independent rows the mean loss of rows varies.

    Models of folds share training rows. Nadeau and Bengio's term for that, test rows per training
    row, is of the variance of a fold's mean; that of a row is as many times larger as a fold has
    rows. Rows that are held out once are tested by one model: nothing is to be corrected.
    """
    sizes = [(len(test), len(train)) for cut in cuts for train, test in cut.splits()]
    if len(sizes) == 1:
        return 1e-12
    return float(np.mean([test / train for test, train in sizes]) / np.mean([t for t, _ in sizes]))


def _mean_losses(result: Result, data: Dataset, rows: IntArray, measure: str) -> FloatArray:
    """Return what every row adds to a measure, averaged over the repeats that tested it."""
    total, times = np.zeros(len(rows)), np.zeros(len(rows))
    for proba in result.proba:
        tested = ~np.isnan(proba[rows, 0])
        total[tested] += _row_losses(proba[rows[tested]], data.labels[rows[tested]], measure)
        times += tested
    return np.asarray(total / times)


def _row_losses(proba: FloatArray, labels: IntArray, measure: str) -> FloatArray:
    """Return what every row adds to a measure."""
    if measure == "error":
        return np.asarray(proba.argmax(axis=1) != labels, dtype=np.float64)
    if measure == "brier":
        return brier_losses(proba, labels)
    given = proba[np.arange(len(labels)), labels]
    return np.asarray(-np.log(np.maximum(given, SMALLEST_PROBABILITY)))


EXTREME = 2.0
"""A log loss of so many times the base rate's is worth a warning of its own."""


def is_yardstick(measure: Measure) -> bool:
    """Whether the base rate can be beaten by a measure: its calibration is right by design."""
    return measure.name != "ece"


def base_against(
    best: Result,
    data: Dataset,
    cuts: Sequence[Folds],
    *,
    measure: str = "brier",
    over: Over = "rows",
) -> PairedTest | None:
    """Test the base rate against a method on the same folds; None where it cannot be tested."""
    if not best.base_proba or not is_yardstick(MEASURES[measure]):
        return None
    base = replace(best, scores=best.base_rate, proba=best.base_proba)
    try:
        found = leading_results([best, base], data, cuts, measure=measure, best=0, over=over)
        return found.tests[1]
    except DataError:  # undefined in every fold
        return None


def no_better_than_base(results: Mapping[str, Result], measure: str) -> list[str]:
    """Name the methods whose figure is not better than the base rate's.

    Parameters
    ----------
    results : by the names of their methods
    """
    judged = MEASURES[measure]
    if not is_yardstick(judged):
        return []
    sign = -1.0 if judged.larger_is_better else 1.0
    found = []
    for name, result in results.items():
        own, base = result.scores[measure], result.base_rate[measure]
        if own is not None and base is not None and sign * own >= sign * base:
            found.append(name)
    return found


def base_rate_words(results: Mapping[str, Result], measure: str) -> list[str]:
    """Say in sentences which methods are no better than knowing nothing.

    By the measure that is asked about, and by the log loss, which finds certainty that was wrong
    where other measures forgive it.
    """
    sentences = []
    for name in dict.fromkeys((measure, "log_loss")):
        found, label = no_better_than_base(results, name), MEASURES[name].label
        if found and len(found) == len(results):
            sentences.append(
                f"By {label} no method does better than always telling the base rate: as far as "
                "these rows show, nothing was learnt that helps."
            )
        elif found:
            sentences.append(
                f"By {label} no better than always telling the base rate: {', '.join(found)}."
            )
    for name, result in results.items():
        own, base = result.scores.log_loss, result.base_rate.log_loss
        if own is not None and base is not None and own > EXTREME * base:
            sentences.append(
                f"{name} has a log loss of {own:.3f}, that of the base rate is {base:.3f}: it was "
                "sure of what then did not happen. Do not use its numbers as probabilities, "
                "whatever its other figures."
            )
    return sentences
