"""How well probabilities rank the classes: the area under the ROC curve."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray


def hand_till(proba: FloatArray, labels: NDArray[np.int32], weights: FloatArray) -> float:
    """Return Hand & Till's M: the mean AUC over all pairs of classes that occur.

    A(i | j) is the chance that a random row of class i gets a higher probability of i than
    a random row of class j, ties counted half; a pair's AUC is the mean of A(i | j) and
    A(j | i). With fewer than two classes there is nothing to rank: 1.

    >>> hand_till(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 1]), np.ones(2))
    1.0
    """
    n_classes = proba.shape[1]
    weight_of = np.bincount(labels, weights=weights, minlength=n_classes)
    present = np.flatnonzero(weight_of > 0)
    if present.shape[0] < 2:
        return 1.0
    total = 0.0
    for k in present:
        higher = _weight_above(proba[:, k], labels == k, weights)
        pairs = np.bincount(labels, weights=weights * higher, minlength=n_classes)[present]
        total += float((pairs / (weight_of[k] * weight_of[present]))[present != k].sum())
    return total / (present.shape[0] * (present.shape[0] - 1))


def _weight_above(scores: FloatArray, is_own: NDArray[np.bool_], weights: FloatArray) -> FloatArray:
    """Return, for every row, the weight of our rows that score higher, equals counted half."""
    order = np.argsort(scores)
    ranked = scores[order]
    starts = np.flatnonzero(np.concatenate(([True], ranked[1:] > ranked[:-1])))
    ours = np.add.reduceat(np.where(is_own, weights, 0.0)[order], starts)
    higher = ours.sum() - np.cumsum(ours) + ours / 2
    result = np.empty_like(scores)
    result[order] = np.repeat(higher, np.diff(np.append(starts, scores.shape[0])))
    return result
