"""How far a forecast is from known probabilities, or one forecast from another."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from probtrees.types import FloatArray


def cross_entropy(
    true: ArrayLike, proba: ArrayLike, weights: FloatArray | None = None
) -> float | None:
    """Mean over rows of -sum_k t_k ln p_k, in nats; None where that is infinite.

    With the classes that occurred as ``true`` (1 for the class, 0 elsewhere) it is the log
    loss, not clipped.

    >>> round(cross_entropy([[1, 0]], [[0.5, 0.5]]), 4), cross_entropy([[1, 0]], [[0, 1]])
    (0.6931, None)
    """
    t, p = np.asarray(true, dtype=np.float64), np.asarray(proba, dtype=np.float64)
    total = float(np.average(-_times_log(t, p).sum(axis=1), weights=weights))
    return total if math.isfinite(total) else None


def kl_divergence(
    true: ArrayLike, proba: ArrayLike, weights: FloatArray | None = None
) -> float | None:
    """Mean over rows of sum_k t_k ln(t_k / p_k), in nats; None where that is infinite."""
    t, p = np.asarray(true, dtype=np.float64), np.asarray(proba, dtype=np.float64)
    rows = (_times_log(t, t) - _times_log(t, p)).sum(axis=1)
    total = float(np.average(rows, weights=weights))
    return total if math.isfinite(total) else None


def _times_log(t: FloatArray, p: FloatArray) -> FloatArray:
    """Compute t ln p with 0 ln 0 = 0; minus infinity where only p is 0."""
    log = np.log(p, out=np.full(p.shape, -np.inf), where=p > 0)
    return np.multiply(t, log, out=np.zeros(t.shape), where=t > 0)
