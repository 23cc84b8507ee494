"""Compiled shapes of numeric columns; the face is :mod:`probtrees.model.column_shape`."""

from __future__ import annotations

import math

from numba import njit


@njit(cache=True, nogil=True)
def numeric_scores(x, features, farthest, weights, offset, missing, scores):
    """Fill in what every number adds to the score of every outcome.

    ``features`` holds knots, width, centre and scale.
    """
    knots, width, centre, scale = features
    for row in range(x.shape[0]):
        value = x[row]
        if math.isnan(value):
            scores[row] = missing
            continue
        scores[row] = offset
        for feature in range(centre.shape[0]):
            raw = value
            if feature > 0:
                off = (knots[feature - 1] - value) / width
                # Beyond 700 the exponential overflows, and the step is 0.
                raw = 1.0 / (1.0 + math.exp(off)) if off < 700 else 0.0
            z = (raw - centre[feature]) / scale[feature]
            z = min(max(z, -farthest), farthest)
            for k in range(scores.shape[1]):
                scores[row, k] += z * weights[feature, k]
