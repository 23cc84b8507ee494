"""Compiled second moments of features and their Cholesky factor.

The face is :mod:`probtrees.smooth.optimise.curvature`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

ROUNDING = 1e-10
"""Less curvature than this share is taken for none: a factor stays finite without a penalty."""


@njit(cache=True, nogil=True)
def second_moments(rows, means, weights, place, moments):
    """Fill in the lower triangle of the sums of products of features minus their means.

    ``place`` has the line of every feature, -1 for those left out; ``moments`` comes as zeros.
    Dense features keep their order and come last, so that whole stretches of lines are added.
    """
    first, index, value, _, _, _, dense, _ = rows
    n_dense = dense.shape[1]
    n_sparse = means.shape[0] - n_dense
    mixed = np.zeros((moments.shape[0], n_dense))
    sums = np.zeros(means.shape[0])
    total = 0.0
    for row in range(weights.shape[0]):
        weight = weights[row]
        total += weight
        for at in range(first[row], first[row + 1]):
            x = weight * value[at]
            sums[index[at]] += x
            line = place[index[at]]
            if line < 0:
                continue
            for other in range(first[row], at + 1):
                column = place[index[other]]
                if column >= 0:
                    moments[max(line, column), min(line, column)] += x * value[other]
            for other in range(n_dense):
                mixed[line, other] += x * dense[row, other]
        for at in range(n_dense):
            x = weight * dense[row, at]
            sums[n_sparse + at] += x
            line = place[n_sparse + at]
            if line < 0:
                continue
            for other in range(at + 1):
                mixed[line, other] += x * dense[row, other]
    for at in range(n_dense):
        column = place[n_sparse + at]
        if column < 0:
            continue
        for line in range(moments.shape[0]):
            moments[max(line, column), min(line, column)] += mixed[line, at]
    for a in range(means.shape[0]):
        for b in range(a + 1):
            if place[a] >= 0 and place[b] >= 0:
                line, column = max(place[a], place[b]), min(place[a], place[b])
                moments[line, column] += total * means[a] * means[b]
                moments[line, column] -= sums[a] * means[b] + means[a] * sums[b]


@njit(cache=True, nogil=True)
def factorise(moments, bend, penalties, factor):
    """Fill in the Cholesky factor of moments times a bend, plus penalties on the diagonal."""
    for i in range(moments.shape[0]):
        line = factor[i]
        for j in range(i + 1):
            other = factor[j]
            s0 = s1 = s2 = s3 = 0.0
            at = 0
            while at + 3 < j:
                s0 += line[at] * other[at]
                s1 += line[at + 1] * other[at + 1]
                s2 += line[at + 2] * other[at + 2]
                s3 += line[at + 3] * other[at + 3]
                at += 4
            while at < j:
                s0 += line[at] * other[at]
                at += 1
            left = bend * moments[i, j] - ((s0 + s1) + (s2 + s3))
            if i == j:
                # Of features that say the same nothing is left but rounding.
                least = ROUNDING * bend * moments[i, i]
                line[i] = math.sqrt(max(left, least) + max(penalties[i], ROUNDING))
            else:
                line[j] = left / other[j]
