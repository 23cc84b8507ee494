"""Errors split into what a method gets wrong on average and what varies with the sample."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import DataError
from probtrees.types import FloatArray


def bias_variance(
    runs: Sequence[ArrayLike], labels: ArrayLike, weights: ArrayLike | None = None
) -> dict[str, float]:
    """Split the losses of repeated forecasts for the same rows; bias + variance = loss.

    Parameters
    ----------
    runs : forecasts float[n, K], each by a model grown from another sample that did not
        contain the row; repeats of a cross-validation are such runs
    labels : int[n], the classes that occurred
    weights : float[n], how much each row counts; None: once

    Returns
    -------
    ``brier`` and ``error``, the mean losses; of the Brier score ``brier_bias``, the mean forecast's
    own score, and ``brier_variance``, how far forecasts scatter around it; ``error_bias`` and
    ``error_variance`` of the 0-1 loss (Kohavi and Wolpert 1996)
    """
    if len(runs) < 2:
        raise DataError(f"runs={len(runs)} must be at least 2. One run cannot vary.")
    forecasts: FloatArray = np.stack([np.asarray(run, dtype=np.float64) for run in runs])
    n_classes = forecasts.shape[2]
    true = np.eye(n_classes)[np.asarray(labels, dtype=np.int64)]
    mean = forecasts.mean(axis=0)
    votes = np.eye(n_classes)[forecasts.argmax(axis=2)].mean(axis=0)
    row_weights = None if weights is None else np.asarray(weights, dtype=np.float64)

    def over_rows(losses: FloatArray) -> float:
        return float(np.average(losses, weights=row_weights))

    return {
        "brier": over_rows(((forecasts - true) ** 2).sum(axis=2).mean(axis=0)),
        "brier_bias": over_rows(((mean - true) ** 2).sum(axis=1)),
        "brier_variance": over_rows(((forecasts - mean) ** 2).sum(axis=2).mean(axis=0)),
        "error": over_rows(1 - (votes * true).sum(axis=1)),
        "error_bias": over_rows(((true - votes) ** 2).sum(axis=1) / 2),
        "error_variance": over_rows((1 - (votes**2).sum(axis=1)) / 2),
    }
