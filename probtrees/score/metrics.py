"""What each measure of probabilities computes; :mod:`probtrees.score.measures` lists them.

Every measure is computed once over all the rows it is given. Cross-validation pools the
out-of-fold rows first and then measures; averaging per-fold measures is another number.

The functions take ``p`` float64[n, K], a probability for every declared class, ``y`` int64[n],
the classes that occurred, and ``w`` float64[n], how much each row counts.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probtrees.errors import DataError
from probtrees.types import FloatArray, IntArray


class Figures:
    """Figures that belong together: the base of dataclasses that are written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, with the verdict where there is one."""
        record: dict[str, Any] = asdict(self)  # type: ignore[call-overload]
        return record | ({"verdict": self.verdict} if hasattr(self, "verdict") else {})


ECE_BINS = 15
"""Equal-width bins of the expected calibration error."""

SMALLEST_PROBABILITY = float(np.finfo(np.float64).eps)
"""What the log loss takes a smaller probability of the true class to be."""


def base_rates(labels: IntArray, n_classes: int, weights: FloatArray | None = None) -> FloatArray:
    """Return the class frequencies of training rows: the forecast that ignores the row.

    Without any weight to go by, the classes are equally likely.
    """
    totals = np.bincount(labels, weights=weights, minlength=n_classes).astype(np.float64)
    if totals.sum() <= 0:
        return np.full(n_classes, 1.0 / n_classes)
    rates: FloatArray = totals / totals.sum()
    return rates


def brier_losses(p: FloatArray, y: IntArray) -> FloatArray:
    """Return sum_k (1[y=k] - p_k)^2 of every row."""
    miss = p.copy()
    miss[np.arange(len(y)), y] -= 1.0
    return np.asarray((miss**2).sum(axis=1))


def brier_score(p: FloatArray, y: IntArray, w: FloatArray) -> float:
    """Mean over rows of sum_k (1[y=k] - p_k)^2."""
    return float(np.average(brier_losses(p, y), weights=w))


def root_mean_squared_error(p: FloatArray, y: IntArray, w: FloatArray) -> float:
    """Root of the mean over rows of (1/K) sum_k (1[y=k] - p_k)^2, K = declared classes."""
    return float(np.sqrt(brier_score(p, y, w) / p.shape[1]))


def log_loss(p: FloatArray, y: IntArray, w: FloatArray) -> float:
    """Mean of -ln p(true class) in nats, clipped at the float64 epsilon."""
    true = np.maximum(p[np.arange(len(y)), y], SMALLEST_PROBABILITY)
    return float(np.average(-np.log(true), weights=w))


def conditional_log_likelihood(p: FloatArray, y: IntArray, w: FloatArray) -> float | None:
    """Sum of ln p(true class); None where that is minus infinity."""
    counted = w > 0
    true = p[np.arange(len(y)), y][counted]
    return float((w[counted] * np.log(true)).sum()) if (true > 0).all() else None


def error_rate(p: FloatArray, y: IntArray, w: FloatArray) -> float:
    """Share of rows whose most probable class, the first among equals, is wrong."""
    return float(np.average(p.argmax(axis=1) != y, weights=w))


def calibration_error(p: FloatArray, y: IntArray, w: FloatArray) -> float:
    """Weighted mean over bins of |share correct - mean confidence| of the top class.

    The bins are (0, 1/B], (1/B, 2/B], ...
    """
    confidence = p.max(axis=1)
    correct = (p.argmax(axis=1) == y).astype(np.float64)
    bins = bin_numbers(confidence, np.linspace(0.0, 1.0, ECE_BINS + 1))
    gap = np.bincount(bins, weights=w * (correct - confidence), minlength=ECE_BINS)
    return float(np.abs(gap).sum() / w.sum())


def bin_numbers(scores: FloatArray, edges: FloatArray) -> IntArray:
    """Find the bin of every score; a bin holds its upper edge, the first also its lower one."""
    return np.clip(np.searchsorted(edges, scores, side="left") - 1, 0, len(edges) - 2)


def area_under_curve(p: FloatArray, y: IntArray, w: FloatArray) -> float | None:
    r"""Area under the ROC curve; for more than two declared classes the M measure.

    .. math:: M = \frac{2}{c(c-1)} \sum_{i<j} \frac{A(i|j) + A(j|i)}{2}

    c = classes with rows, A(i|j) = the chance that a row of class i is given a higher p_i
    than a row of class j, ties counting half.  Hand and Till (2001), eq. 7.
    """
    n_classes = p.shape[1]
    present = np.bincount(y, weights=w, minlength=n_classes) > 0
    if present.sum() < 2:
        return None
    if n_classes == 2:
        return float(_chance_of_higher(p[:, 1], y, w, 1, 2)[0])
    classes = np.flatnonzero(present)
    against = np.stack([_chance_of_higher(p[:, i], y, w, i, n_classes) for i in classes.tolist()])
    pairs = against[:, classes]
    off_diagonal = ~np.eye(len(classes), dtype=bool)
    return float(pairs[off_diagonal].mean())


def _chance_of_higher(
    score: FloatArray, y: IntArray, w: FloatArray, positive: int, n_classes: int
) -> FloatArray:
    """For every class j, the chance that a positive row scores above a row of j."""
    mine = y == positive
    higher = 1.0 - shares_below(score, score[mine], w[mine])
    totals = np.bincount(y, weights=w, minlength=n_classes)
    sums = np.bincount(y, weights=w * higher, minlength=n_classes)
    chance: FloatArray = np.divide(sums, totals, out=np.zeros(n_classes), where=totals > 0)
    return chance


def shares_below(scores: FloatArray, others: FloatArray, weights: FloatArray) -> FloatArray:
    """Give, for every score, the share of the others that it is ranked above; ties count half.

    >>> shares_below(np.array([0.5, 0.9]), np.array([0.1, 0.5]), np.ones(2)).tolist()
    [0.75, 1.0]
    """
    order = np.argsort(others, kind="stable")
    ranked = others[order]
    heaped = np.concatenate([[0.0], np.cumsum(weights[order])])
    low = heaped[np.searchsorted(ranked, scores, side="left")]
    high = heaped[np.searchsorted(ranked, scores, side="right")]
    return np.asarray((low + high) / (2 * heaped[-1]))


def skill(loss: float | None, base_loss: float | None) -> float | None:
    """Give the share of the base rate's loss that a forecast saves; None if that loss is 0.

    1 is perfect, 0 no better than always saying the base rate, below 0 worse than that.

    >>> skill(0.5, 1.0), skill(0.1, 0.0)
    (0.5, None)
    """
    if loss is None or not base_loss:
        return None
    return 1 - loss / base_loss


def checked(
    proba: ArrayLike, labels: ArrayLike, weights: ArrayLike | None
) -> tuple[FloatArray, IntArray, FloatArray]:
    """Bring the three inputs into their types, or raise what does not fit."""
    p = np.asarray(proba, dtype=np.float64)
    given: NDArray[Any] = np.asarray(labels)
    if p.ndim != 2 or p.shape[1] < 1:
        raise DataError(f"proba.shape={p.shape} must be (rows, classes). Give one row per row.")
    y = given.astype(np.int64)
    w = np.ones(len(y)) if weights is None else np.asarray(weights, dtype=np.float64)
    if y.shape != (p.shape[0],) or w.shape != y.shape:
        raise DataError(f"labels.shape={y.shape} must match the {p.shape[0]} rows of proba.")
    if y.size and (y.min() < 0 or y.max() >= p.shape[1] or (given != y).any()):
        raise DataError(f"labels must be class codes from 0 to {p.shape[1] - 1}.")
    if not np.isfinite(p).all() or not np.isfinite(w).all() or (w < 0).any():
        raise DataError("proba and weights must be finite, and weights not negative.")
    return p, y, w


def rescale(proba: ArrayLike, old_rates: ArrayLike, new_rates: ArrayLike) -> FloatArray:
    """Adjust probabilities to other class rates (Saerens et al. 2002, eq. 4).

    p_k is multiplied by new rate / old rate and the row is normalised: right where rows of
    one class look alike in both populations and only the classes' shares differ.

    Parameters
    ----------
    proba : float[n, K]; old_rates, new_rates : float[K], rates in training and in use

    Examples
    --------
    >>> rescale([[0.5, 0.5]], [0.5, 0.5], [0.98, 0.02]).round(2).tolist()
    [[0.98, 0.02]]
    """
    p = np.asarray(proba, dtype=np.float64)
    old = _rates(old_rates, "old_rates", p.shape[1])
    new = _rates(new_rates, "new_rates", p.shape[1])
    if ((old == 0) & (new > 0)).any():
        raise DataError("new_rates must be 0 for a class that had no rows. Nothing is known of it.")
    factor = np.divide(new, old, out=np.zeros_like(new), where=old > 0)
    scaled = p * factor
    total = scaled.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(scaled, total, out=np.tile(new, (p.shape[0], 1)), where=total > 0))


def _rates(rates: ArrayLike, what: str, n_classes: int) -> FloatArray:
    """Check that rates are a distribution over the classes, and make their sum exactly 1."""
    values = np.asarray(rates, dtype=np.float64)
    ok = values.shape == (n_classes,) and (values >= 0).all() and abs(values.sum() - 1) < 1e-6
    if not ok:
        raise DataError(f"{what} must be {n_classes} numbers from 0 to 1 that sum to 1.")
    return np.asarray(values / values.sum())


def rarest_outcome(counts: FloatArray) -> int:
    """Find the rarest outcome that occurs, the last among equals.

    >>> rarest_outcome(np.array([5.0, 2.0, 0.0]))
    1
    """
    if not (counts > 0).any():
        return len(counts) - 1
    known = np.where(counts > 0, counts, np.inf)
    return int(len(counts) - 1 - np.argmin(known[::-1]))
