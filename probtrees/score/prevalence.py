"""Probabilities carried over to a population in which outcomes are more or less common."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from probtrees.errors import DataError
from probtrees.types import FloatArray


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
