"""Results beside "always the base rate": a method that does no better is of no use, and is named.

The base rate is a yardstick and no candidate: it is tested against the best method by itself, and
the p-values of the methods are not adjusted for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from probtrees.errors import DataError
from probtrees.experiment.evaluation.cross_validate import Result
from probtrees.experiment.evaluation.leading_methods import Over, leading_results
from probtrees.score.measures import MEASURES, Measure
from probtrees.score.paired_test import PairedTest
from probtrees.table.dataset import Dataset
from probtrees.table.folds import Folds

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
            continue
        if name == "log_loss":
            extreme = _extreme(results)
            found = [method for method in found if method not in extreme]
        if found:
            sentences.append(
                f"By {label} no better than always telling the base rate: {', '.join(found)}."
            )
    return sentences + _extreme_words(results)


def _extreme(results: Mapping[str, Result]) -> dict[str, tuple[float, float]]:
    """Return the log losses far above the base rate's, with that, by method."""
    found = {}
    for name, result in results.items():
        own, base = result.scores.log_loss, result.base_rate.log_loss
        if own is not None and base is not None and own > EXTREME * base:
            found[name] = (own, base)
    return found


def _extreme_words(results: Mapping[str, Result]) -> list[str]:
    """Warn of methods whose certainty was badly wrong."""
    return [
        f"{name} has a log loss of {own:.3f}, that of the base rate is {base:.3f}: it was sure of "
        "what then did not happen. Do not use its numbers as probabilities, whatever its other "
        "figures."
        for name, (own, base) in _extreme(results).items()
    ]
