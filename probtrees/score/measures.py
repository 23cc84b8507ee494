"""The measures of probabilities, declared once.

A measure is an entry of :data:`MEASURES`: what it is called, what it says, which way is better
and what computes it. The tables of the command line, the Compare page, the reports, the columns
of a benchmark's results and the table of docs/evaluation.md are made from this list, so adding a
measure is one entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from probtrees.score import metrics
from probtrees.score.reliability import perfect_calibration_error, sharpness
from probtrees.types import FloatArray, IntArray
from probtrees.words import score_text

Function = Callable[[FloatArray, IntArray, FloatArray], float | None]
"""Measures probabilities float64[n, K] by the classes that occurred, int64[n], and by how much each
row counts, float64[n]; the weights do not sum to 0."""

DRAWN_ROWS = 2_000_000
"""About how many outcomes are drawn to see what a perfect forecaster would score."""


@dataclass(frozen=True)
class Measure:
    """One measure of probabilities.

    Attributes
    ----------
    name : its key in JSON, its column in CSV files and in the tables of the command line
    label : what tables and pictures for people call it
    help : one sentence for someone who has never heard of it
    larger_is_better : which way is better
    function : computes it; None where it is undefined
    definition : exactly what is computed, for the documentation
    is_detail : shown only where details are asked for; costs time, or is of use to few
    in_summary : whether a benchmark averages it over data sets; a sum over rows cannot be
    is_relative : whether it is the share of the base rate's loss that is saved, see
        :func:`~probtrees.score.metrics.skill`; the function computes the loss
    undefined : why it may be None, as people are told: "only one class has rows"
    of_two : what people are shown of it where there are two classes, as a part of it
    """

    name: str
    label: str
    help: str
    larger_is_better: bool
    function: Function
    definition: str = ""
    is_detail: bool = False
    in_summary: bool = True
    is_relative: bool = False
    undefined: str = "these rows do not define it"
    of_two: float = 1.0


class Scores(dict[str, float | None]):
    """Measures by name, also to be read as attributes; None where a measure is undefined.

    >>> Scores(brier=0.2).brier
    0.2
    """

    def __getattr__(self, name: str) -> float | None:
        """Read one measure; one that was not computed is an error."""
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"scores have no measure {name!r}") from None

    def to_dict(self) -> dict[str, float | None]:
        """Return the measures by name."""
        return dict(self)


def _cross_entropy(proba: FloatArray, labels: IntArray, weights: FloatArray) -> float | None:
    """Measure the log loss without clipping."""
    summed = metrics.conditional_log_likelihood(proba, labels, weights)
    return None if summed is None else -summed / float(weights.sum())


def _perfect_calibration(proba: FloatArray, labels: IntArray, weights: FloatArray) -> float:
    draws = int(np.clip(DRAWN_ROWS // len(labels), 20, 200))
    return perfect_calibration_error(proba.max(axis=1), weights, draws=draws)


def _by_name(*measures: Measure) -> dict[str, Measure]:
    return {measure.name: measure for measure in measures}


_detail = partial(Measure, is_detail=True, in_summary=False)

MEASURES: dict[str, Measure] = _by_name(
    Measure(
        *("rmse", "RMSE"),
        "Root mean squared error of the probabilities.",
        False,
        metrics.root_mean_squared_error,
        "root of the mean over rows of 1/K Σ(1[y=k] - p_k)², K = declared classes: the papers' "
        "measure",
    ),
    Measure(
        *("brier", "Brier score"),
        "Mean squared error of the probabilities: of two outcomes that of one of them, as medical "
        "papers have it (a coin: .25), of more the sum over all.",
        False,
        metrics.brier_score,
        "the same without 1/K and root. Of two outcomes people are shown half of it, the score of "
        "one of them (`brier_binary` in JSON; .25 for a coin)",
        of_two=0.5,
    ),
    Measure(
        *("log_loss", "log loss"),
        "Mean of -log p of what happened; certainty that was wrong costs most. A chance "
        "of 0 would cost infinitely much and counts as 2.2e-16, which costs 36.",
        False,
        metrics.log_loss,
        "mean of -ln p(true class) in nats, p clipped at 2.2e-16",
    ),
    Measure(
        *("error", "0-1 loss"),
        "Share of rows whose most probable class did not happen.",
        False,
        metrics.error_rate,
        "share of rows whose most probable class is wrong; the first of equals counts",
    ),
    Measure(
        *("auc", "AUC"),
        "Chance that a row with the class is ranked above one without; of more than two classes "
        "the mean over all pairs of them. Larger is better.",
        True,
        metrics.area_under_curve,
        "area under the ROC curve; Hand and Till's M for more classes. Undefined unless two "
        'classes have rows. "Always the base rate" has 0.5: it cannot rank rows',
        undefined="only one class has rows",
    ),
    Measure(
        *("ece", "calibration error"),
        "Mean distance between the chance of the most probable class and how often it was right, "
        "in 15 bins of equal width; the reliability diagram shows one class in bins of its own. "
        "Never rank by it alone.",
        False,
        metrics.calibration_error,
        "expected calibration error of the top class, 15 bins of equal width",
    ),
    Measure(
        *("cll", "CLL"),
        "Log likelihood of what happened, summed over the rows; larger is better. Nothing "
        "is clipped: it is undefined where what happened was given 0.",
        True,
        metrics.conditional_log_likelihood,
        "sum of ln p(true class); undefined where one was given 0",
        in_summary=False,
        undefined="what then happened was given 0, which is infinitely bad. Its log loss is a "
        "number only because it counts such a 0 as 2.2e-16: do not read it as a size",
    ),
    Measure(
        *("brier_skill", "skill"),
        "Share of the base rate's Brier score saved.",
        True,
        metrics.brier_score,
        "share of the base rate's Brier score that is saved: 1 is perfect, 0 no better",
        is_detail=True,
        is_relative=True,
    ),
    _detail(
        *("log_loss_skill", "log loss skill"),
        "Share of its log loss saved.",
        True,
        metrics.log_loss,
        "share of the base rate's log loss that is saved",
        is_relative=True,
    ),
    _detail(
        *("cross_entropy", "cross entropy"),
        "Log loss without clipping.",
        False,
        _cross_entropy,
        "log loss without clipping",
    ),
    _detail(
        *("sharpness", "sharpness"),
        "How far forecasts dare to leave their mean.",
        True,
        lambda proba, _, weights: sharpness(proba, weights),
        "how far forecasts dare to leave their mean",
    ),
    _detail(
        *("ece_perfect", "calibration error by luck"),
        "Calibration error that true probabilities would score on as many rows.",
        False,
        _perfect_calibration,
        "the `ece` that true probabilities would score on as many rows, by luck alone",
    ),
)
"""All measures, in the order they are shown."""


def main_measures() -> list[Measure]:
    """List the measures that are always shown."""
    return [measure for measure in MEASURES.values() if not measure.is_detail]


def detail_measures() -> list[Measure]:
    """List the measures that are shown where details are asked for."""
    return [measure for measure in MEASURES.values() if measure.is_detail]


def better_when_larger(measures: Iterable[Measure]) -> str:
    """Name the measures of which more is better, for a caption.

    >>> better_when_larger(main_measures())
    'AUC and CLL'
    """
    labels = [measure.label for measure in measures if measure.larger_is_better]
    return " and ".join([", ".join(labels[:-1]), labels[-1]] if labels[1:] else labels)


def evaluate(
    proba: ArrayLike,
    labels: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    measures: Sequence[Measure] | None = None,
    base: ArrayLike | None = None,
) -> Scores:
    """Measure probabilities against the classes that occurred.

    Parameters
    ----------
    proba : float[n, K], one row per row of data, one column per declared class
    labels : int[n], the class codes that occurred
    weights : float[n], how much each row counts; None: once
    measures : what to compute; the measures that are always shown if None
    base : float[n, K], what "always the base rate" says, for measures that compare with it

    Examples
    --------
    >>> scores = evaluate([[0.8, 0.2], [0.4, 0.6]], [0, 0])
    >>> round(scores.brier, 3), scores.error, scores.auc
    (0.4, 0.5, None)
    """
    p, y, w = metrics.checked(proba, labels, weights)
    asked = main_measures() if measures is None else measures
    if w.sum() <= 0:
        return Scores({measure.name: None for measure in asked})
    scores = Scores({measure.name: measure.function(p, y, w) for measure in asked})
    for measure in asked:
        if measure.is_relative:
            no_skill = None if base is None else measure.function(np.asarray(base, float), y, w)
            scores[measure.name] = metrics.skill(scores[measure.name], no_skill)
    return scores


def mean_scores(scores: Sequence[Scores]) -> Scores:
    """Average the scores of repeats; a measure undefined in one of them stays undefined."""
    means = Scores()
    for name in scores[0]:
        values = [each[name] for each in scores]
        means[name] = None if None in values else float(np.mean(values))  # type: ignore[arg-type]
    return means


def shown(name: str, value: float | None, n_classes: int) -> float | None:
    """Return a measure, or a difference of two, as people are shown it.

    Of two outcomes that is the usual Brier score, which counts one of them. JSON, files and
    records hold the sum over the classes under "brier", and this under "brier_binary".

    >>> shown("brier", 0.5, 2), shown("brier", 0.5, 3), shown("log_loss", 0.5, 2)
    (0.25, 0.5, 0.5)
    """
    return None if value is None else value * part_shown(name, n_classes)


def part_shown(name: str, n_classes: int) -> float:
    """Return the part of a measure that people are shown: of two outcomes that of one of them."""
    return MEASURES[name].of_two if n_classes == 2 else 1.0


def score_record(scores: Scores, n_classes: int) -> dict[str, float | None]:
    """Return scores as JSON has them: beside "brier" the usual score of two outcomes."""
    record = scores.to_dict()
    if n_classes == 2 and "brier" in record:
        record["brier_binary"] = shown("brier", record["brier"], n_classes)
    return record


def shown_measures() -> list[Measure]:
    """List the measures of tables that people read: beside the Brier score the share it saves."""
    main = main_measures()
    place = main.index(MEASURES["brier"]) + 1
    return [*main[:place], MEASURES["brier_skill"], *main[place:]]


def shown_scores(scores: Scores, base: Scores, n_classes: int) -> list[str]:
    """Write the measures of :func:`shown_measures` for a table that people read.

    Parameters
    ----------
    base : the scores of "always the base rate", which the skill is measured by
    """
    known = {**scores, "brier_skill": metrics.skill(scores["brier"], base["brier"])}
    return [score_text(shown(one.name, known[one.name], n_classes)) for one in shown_measures()]
