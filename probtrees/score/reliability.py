"""Whether 30 % means 30 %: forecasts against what happened, bin by bin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import OptionError
from probtrees.model.track_record import wilson_interval
from probtrees.score.curves import one_outcome
from probtrees.score.metrics import ECE_BINS, Figures, bin_numbers
from probtrees.score.paired_test import CONFIDENCE
from probtrees.types import FloatArray

BinMethod = Literal["width", "rows"]


@dataclass(frozen=True)
class ReliabilityBin(Figures):
    """Rows that were given similar probabilities.

    Attributes
    ----------
    low, high : the bin's range, ``low < p <= high`` (the first includes its lower end)
    rows : how many rows; cases : how many had the outcome, by weight
    predicted : their mean probability
    observed : the share that had the outcome
    lower, upper : Wilson interval of that share; wide where rows are few
    """

    low: float
    high: float
    rows: int
    cases: float
    predicted: float
    observed: float
    lower: float
    upper: float


def reliability_curve(
    scores: ArrayLike,
    cases: ArrayLike,
    weights: FloatArray | None = None,
    *,
    n_bins: int = 10,
    method: BinMethod = "width",
) -> list[ReliabilityBin]:
    """Compare probabilities of one outcome with how often it occurred; empty bins are left out.

    Parameters
    ----------
    scores, cases, weights : as in :func:`~probtrees.score.curves.ranking_curve`
    method : bins of equal "width", or with equally many "rows"

    Examples
    --------
    >>> [b.observed for b in reliability_curve([0.1, 0.1, 0.9], [False, True, True], n_bins=2)]
    [0.5, 1.0]
    """
    if n_bins < 1:
        raise OptionError(f"n_bins={n_bins} must be at least 1. Ten is usual.")
    rows = one_outcome(scores, cases, weights)
    if method == "width":
        edges = np.linspace(0.0, 1.0, n_bins + 1)
    else:
        edges = np.unique(np.quantile(rows.scores, np.linspace(0, 1, n_bins + 1)))
        edges = np.array([edges[0], edges[0]]) if len(edges) == 1 else edges
    places = bin_numbers(rows.scores, edges)
    bins = []
    for number in range(len(edges) - 1):
        inside = places == number
        if inside.any():
            w = rows.weights[inside]
            observed = float(np.average(rows.cases[inside], weights=w))
            effective = float(w.sum() ** 2 / (w**2).sum())
            lower, upper = wilson_interval(observed, effective, CONFIDENCE)
            bins.append(
                ReliabilityBin(
                    low=float(edges[number]),
                    high=float(edges[number + 1]),
                    rows=int(inside.sum()),
                    cases=float(w[rows.cases[inside]].sum()),
                    predicted=float(np.average(rows.scores[inside], weights=w)),
                    observed=observed,
                    lower=lower,
                    upper=upper,
                )
            )
    return bins


_NORMAL_VARIANCE = 10.0
"""Rows' worth of variance from which on the mean size of a sum is within 1 % of a normal one's."""


def perfect_calibration_error(
    confidence: ArrayLike, weights: FloatArray | None = None, *, draws: int = 200
) -> float:
    r"""Give the calibration error that a perfect forecaster would be expected to score.

    Luck alone makes observed shares differ from true probabilities, the more so the fewer
    rows there are. The gap of a bin with many rows is normal, so its mean size is
    :math:`\sqrt{2 v / \pi}` with its variance :math:`v = \sum w^2 p (1 - p)`; for the other bins
    outcomes are drawn from the given probabilities and scored like real ones.

    Parameters
    ----------
    confidence : float[n], the probability of every row's most probable class
    """
    p = np.asarray(confidence, dtype=np.float64)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, dtype=np.float64)
    bins = bin_numbers(p, np.linspace(0.0, 1.0, ECE_BINS + 1))
    variance = np.bincount(bins, weights=w**2 * p * (1 - p), minlength=ECE_BINS)
    # Heavy rows make a bin less normal: what counts is the variance in rows of the largest weight.
    heaviest = max(float(w.max(initial=0.0)), 1e-300)
    is_normal = variance >= _NORMAL_VARIANCE * heaviest**2
    total = float(np.sqrt(2 * variance[is_normal] / np.pi).sum())
    few = ~is_normal[bins]
    p, bins, weight = p[few], bins[few], w[few]
    random, drawn = np.random.default_rng(0), 0.0
    for _ in range(draws if len(p) else 0):
        hits = random.random(len(p)) < p
        gap = np.bincount(bins, weights=weight * (hits - p), minlength=ECE_BINS)
        drawn += float(np.abs(gap).sum())
    return (total + drawn / draws) / float(w.sum())


def sharpness(proba: ArrayLike, weights: FloatArray | None = None) -> float:
    """Measure how far forecasts dare to leave their own mean: mean of sum_k (p_k - mean p_k)^2.

    A constant forecast has 0. High sharpness is good only together with calibration.
    """
    p = np.asarray(proba, dtype=np.float64)
    mean = np.average(p, axis=0, weights=weights)
    return float(np.average(((p - mean) ** 2).sum(axis=1), weights=weights))


def class_rates(
    proba: ArrayLike, labels: ArrayLike, weights: FloatArray | None = None
) -> tuple[list[float], list[float]]:
    """Return, class by class, the mean probability and the observed rate.

    >>> class_rates([[0.75, 0.25], [0.5, 0.5]], [0, 1])
    ([0.625, 0.375], [0.5, 0.5])
    """
    p: FloatArray = np.asarray(proba, dtype=np.float64)
    occurred = np.asarray(labels)[:, None] == np.arange(p.shape[1])
    predicted, observed = (np.average(each, axis=0, weights=weights) for each in (p, occurred))
    return predicted.tolist(), observed.tolist()
