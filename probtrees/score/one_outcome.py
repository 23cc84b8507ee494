"""The probabilities of one outcome against whether it occurred."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from probtrees.errors import DataError
from probtrees.types import FloatArray


class OneOutcome(NamedTuple):
    """Rows as measures of one outcome need them; rows of weight 0 are left out."""

    scores: FloatArray
    cases: NDArray[np.bool_]
    weights: FloatArray


def one_outcome(
    scores: ArrayLike, cases: ArrayLike, weights: ArrayLike | None = None
) -> OneOutcome:
    """Bring scores, cases and weights into their types, or say what does not fit."""
    p = np.asarray(scores, dtype=np.float64)
    y = np.asarray(cases).astype(np.bool_)
    w = np.ones(len(p)) if weights is None else np.asarray(weights, dtype=np.float64)
    if p.ndim != 1 or y.shape != p.shape or w.shape != p.shape:
        raise DataError(f"scores.shape={p.shape} must equal cases.shape={y.shape}, one per row.")
    if not np.isfinite(p).all() or not np.isfinite(w).all() or (w < 0).any():
        raise DataError("scores and weights must be finite, and weights not negative.")
    counted = w > 0
    if not counted.any():
        raise DataError("scores must have a row of positive weight. There is nothing to measure.")
    return OneOutcome(p[counted], y[counted], w[counted])
