"""Compiled twin of :mod:`probtrees.smooth.hgs`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def smooth_with_weights(arrays, totals, weights, uniform, probs):
    """Give every node its own rows plus its ancestors' frequencies, each by its weight."""
    n_nodes, n_outcomes = arrays.counts.shape
    lent = np.zeros((n_nodes, n_outcomes))
    weight_above = np.zeros(n_nodes)
    for node in range(n_nodes):
        up = arrays.parent[node]
        if up >= 0:
            weight_above[node] = weight_above[up]
            # An ancestor without rows has no frequencies to lend, so it lends no weight either.
            if totals[up] > 0:
                weight_above[node] += weights[up]
            for k in range(n_outcomes):
                lent[node, k] = lent[up, k]
                if totals[up] > 0:
                    lent[node, k] += weights[up] * arrays.counts[up, k] / totals[up]
        if totals[node] > 0:
            # (n_k + sum_a w_a n_ak / n_a) / (n + sum_a w_a), Zhang et al. (2020), eq. 4; `uniform`
            # is the weight of one more ancestor above the root, who knows nothing.
            rows = totals[node] + weight_above[node] + uniform
            for k in range(n_outcomes):
                own = arrays.counts[node, k] + uniform / n_outcomes
                probs[node, k] = (own + lent[node, k]) / rows
        else:
            # An empty node repeats its parent, which comes before it.
            for k in range(n_outcomes):
                probs[node, k] = probs[up, k] if up >= 0 else 1.0 / n_outcomes


@njit(cache=True, nogil=True)
def loss_and_slope(p, log_loss):
    """Return the loss of giving the true outcome probability p, and its derivative."""
    if log_loss:
        return -math.log(p), -1.0 / p
    return (1.0 - p) ** 2, -2.0 * (1.0 - p)


@njit(cache=True, nogil=True)
def leave_one_out(arrays, totals, left_out, weights, uniform, log_loss, gradient):
    """Return the mean leave-one-out loss of the leaves and write its gradient by weight.

    A row of outcome k is taken out of its leaf and of every ancestor a, whose frequency
    becomes (n_ak - 1) / (n_a - 1); a row that counts more than once leaves with its weight,
    of which ``left_out`` has the mean of every cell. One pass down carries the sums over
    ancestors of the weights and of the weighted frequencies; one pass up collects, for every
    inner node, the slopes of the leaves below it.
    """
    n_nodes, n_outcomes = arrays.counts.shape
    lent = np.zeros((n_nodes, n_outcomes))
    weight_above = np.zeros(n_nodes)
    pull = np.zeros((n_nodes, n_outcomes))
    push = np.zeros(n_nodes)
    loss = 0.0
    for node in range(n_nodes):
        up = arrays.parent[node]
        if up >= 0:
            weight_above[node] = weight_above[up] + weights[up]
            for k in range(n_outcomes):
                lent[node, k] = lent[up, k]
                # The row leaves the ancestors too; what they lend therefore differs by its outcome.
                own = left_out[up, k]
                others = totals[up] - own
                if others > 0 and arrays.counts[up, k] > own:
                    lent[node, k] += weights[up] * (arrays.counts[up, k] - own) / others
        # Rows are judged where they end.
        if arrays.n_children[node] > 0 or totals[node] == 0:
            continue
        for k in range(n_outcomes):
            n = arrays.counts[node, k]
            own = left_out[node, k]
            rows = totals[node] - min(n, own) + weight_above[node] + uniform
            if n == 0 or rows <= 0:
                continue
            p = (max(n - own, 0.0) + lent[node, k] + uniform / n_outcomes) / rows
            # An outcome met once in all the data has p = 0 here: its log loss must stay a number.
            p = min(max(p, 1e-300), 1.0)
            of_row, slope = loss_and_slope(p, log_loss)
            loss += n * of_row
            # dp / dw_a = (rate_a - p) / rows. The first part differs by ancestor and outcome, the
            # second is the same for all ancestors: pull and push keep them apart.
            pull[node, k] += n * slope / rows
            push[node] += n * slope * p / rows
    _collect(arrays, totals, pull, push, left_out, gradient)
    # A mean, so that one tolerance serves small and large tables.
    for node in range(n_nodes):
        gradient[node] /= max(totals[0], 1.0)
    return loss / max(totals[0], 1.0)


@njit(cache=True, nogil=True)
def _collect(arrays, totals, pull, push, left_out, gradient):
    """Add the slopes of the nodes below every node into the gradient of its weight."""
    n_nodes, n_outcomes = pull.shape
    for node in range(n_nodes):
        gradient[node] = 0.0
    # Upwards: what has been collected at a node is handed on to its parent.
    for node in range(n_nodes - 1, 0, -1):
        up = arrays.parent[node]
        for k in range(n_outcomes):
            rows = totals[up] - left_out[up, k]
            rate = max(arrays.counts[up, k] - left_out[up, k], 0.0) / rows if rows > 0 else 0.0
            gradient[up] += rate * pull[node, k]
            pull[up, k] += pull[node, k]
        gradient[up] -= push[node]
        push[up] += push[node]
