"""Scores that become probabilities, and percentage points out of log-odds."""

from __future__ import annotations

import numpy as np

from probtrees.types import FloatArray

N_POINTS = 16
"""Points of the quadrature on every stretch of the way from the start to the answer."""


def normalise(scores: FloatArray) -> FloatArray:
    """Turn every row of scores into probabilities; the largest is subtracted first.

    >>> normalise(np.log([[3.0, 1.0]])).round(6).tolist()
    [[0.75, 0.25]]
    """
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def straight_line_parts(base: FloatArray, terms: FloatArray) -> FloatArray:
    r"""Split the change of probabilities over the terms whose scores cause it.

    .. math:: part_{jk} = \int_0^1 p_k(s) (t_{jk} - \sum_l p_l(s) t_{jl}) ds,
              p(s) = softmax(base + s \sum_j t_j)

    Parameters
    ----------
    base : float64[n_classes]
    terms : float64[n_terms, n_classes]

    Returns
    -------
    float64[n_terms, n_classes]; sums over terms are the changes, sums over classes are 0
    """
    total = terms.sum(axis=0)
    n_stretches = 1 + int(np.ptp(total)) if total.size else 1
    points, weights = np.polynomial.legendre.leggauss(N_POINTS)
    starts = np.arange(n_stretches)[:, None] / n_stretches
    way = (starts + (points + 1) / (2 * n_stretches)).ravel()
    proba = normalise(base + way[:, None] * total)
    steps = np.tile(weights / (2 * n_stretches), n_stretches)
    # The integrals of p_k and of p_k p_l are all that is needed of the way.
    single = steps @ proba
    double = np.einsum("s,sk,sl->kl", steps, proba, proba)
    parts = terms * single - terms @ double
    # The last digits of the quadrature go to the largest term, so that the ledger is exact.
    change = normalise((base + total)[None])[0] - normalise(base[None])[0]
    if len(terms):
        parts[np.abs(parts).argmax(axis=0), np.arange(parts.shape[1])] += change - parts.sum(axis=0)
    return np.asarray(parts)
