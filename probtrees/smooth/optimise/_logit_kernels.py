"""Compiled loss of a multinomial logit; the face is :mod:`probtrees.smooth.optimise.logit`."""

from __future__ import annotations

import math

from numba import njit


@njit(cache=True, nogil=True)
def add_sparse(first, index, value, weights, scores):
    """Add to every row's scores what its sparse features say."""
    if scores.shape[1] == 1:  # two outcomes: no inner loop, and the sum stays in a register
        for row in range(scores.shape[0]):
            total = 0.0
            for place in range(first[row], first[row + 1]):
                total += value[place] * weights[index[place], 0]
            scores[row, 0] += total
        return
    for row in range(scores.shape[0]):
        for place in range(first[row], first[row + 1]):
            feature, x = index[place], value[place]
            for k in range(scores.shape[1]):
                scores[row, k] += x * weights[feature, k]


@njit(cache=True, nogil=True)
def sparse_gradient(first, index, value, residuals, gradient):
    """Add to every sparse feature's gradient what the rows that have it leave unexplained."""
    if residuals.shape[1] == 1:
        for row in range(residuals.shape[0]):
            left = residuals[row, 0]
            for place in range(first[row], first[row + 1]):
                gradient[index[place], 0] += value[place] * left
        return
    for row in range(residuals.shape[0]):
        for place in range(first[row], first[row + 1]):
            feature, x = index[place], value[place]
            for k in range(residuals.shape[1]):
                gradient[feature, k] += x * residuals[row, k]


@njit(cache=True, nogil=True)
def logit_loss(scores, counts):
    """Return the summed log loss, and turn scores into rows minus counts expected.

    With one column of scores, it is the log-odds of the second of two outcomes.
    """
    loss = 0.0
    n_rows, n_scores = scores.shape
    if n_scores == 1:
        for row in range(n_rows):
            s = scores[row, 0]
            n = counts[row, 0] + counts[row, 1]
            # log(1 + exp(s)) without overflow on either side.
            small = math.exp(-abs(s))
            loss += n * (max(s, 0.0) + math.log1p(small)) - counts[row, 1] * s
            p = 1.0 / (1.0 + small) if s >= 0 else small / (1.0 + small)
            scores[row, 0] = n * p - counts[row, 1]
        return loss
    for row in range(n_rows):
        largest = scores[row, 0]
        for k in range(1, n_scores):
            largest = max(largest, scores[row, k])
        total = 0.0
        n = 0.0
        for k in range(n_scores):
            n += counts[row, k]
            # Impossible by now or not: the loss is taken before the score is overwritten.
            loss -= counts[row, k] * (scores[row, k] - largest)
            scores[row, k] = math.exp(scores[row, k] - largest)
            total += scores[row, k]
        loss += n * math.log(total)
        for k in range(n_scores):
            scores[row, k] = n * scores[row, k] / total - counts[row, k]
    return loss


@njit(cache=True, nogil=True)
def sparse_moments(first, index, value, weights, sums, squares):
    """Add up every sparse feature and its square over the rows, by their weights."""
    for row in range(first.shape[0] - 1):
        for place in range(first[row], first[row + 1]):
            sums[index[place]] += weights[row] * value[place]
            squares[index[place]] += weights[row] * value[place] * value[place]
