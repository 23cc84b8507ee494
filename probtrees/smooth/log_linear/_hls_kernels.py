"""Compiled twin of :mod:`probtrees.smooth.log_linear.hls`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

CG_STEPS = 200
FORCING = 1e-2
"""How far each Newton step is solved for; the steps themselves then shrink a hundredfold."""


@njit(cache=True, nogil=True)
def fill_softmax(scores, probs):
    """Turn the scores of every node into probabilities."""
    for node in range(scores.shape[0]):
        largest = scores[node, 0]
        for k in range(1, scores.shape[1]):
            largest = max(largest, scores[node, k])
        total = 0.0
        for k in range(scores.shape[1]):
            probs[node, k] = math.exp(scores[node, k] - largest)
            total += probs[node, k]
        for k in range(scores.shape[1]):
            probs[node, k] /= total


@njit(cache=True, nogil=True)
def objective(parent, data, scores, penalty, root_penalty):
    """Return the log loss of all data plus the ridge on every node's delta."""
    total = 0.0
    n_outcomes = scores.shape[1]
    for node in range(scores.shape[0]):
        largest = scores[node, 0]
        for k in range(1, n_outcomes):
            largest = max(largest, scores[node, k])
        rows, spread, squares = 0.0, 0.0, 0.0
        for k in range(n_outcomes):
            rows += data[node, k]
            spread += math.exp(scores[node, k] - largest)
            total -= data[node, k] * (scores[node, k] - largest)
            delta = scores[node, k] - (scores[parent[node], k] if node > 0 else 0.0)
            squares += delta * delta
        total += rows * math.log(spread)
        total += 0.5 * squares * (penalty if node > 0 else root_penalty)
    return total


@njit(cache=True, nogil=True)
def add_springs(parent, x, penalty, root_penalty, sums):
    """Add the pull of the springs between nodes, and between the root and 0."""
    for k in range(x.shape[1]):
        sums[0, k] += root_penalty * x[0, k]
    for node in range(1, x.shape[0]):
        for k in range(x.shape[1]):
            pull = penalty * (x[node, k] - x[parent[node], k])
            sums[node, k] += pull
            sums[parent[node], k] -= pull


@njit(cache=True, nogil=True)
def fill_gradient(parent, data, scores, probs, penalty, root_penalty, gradient):
    """Write the slope of the objective by the score of every node."""
    n_outcomes = scores.shape[1]
    for node in range(scores.shape[0]):
        rows = 0.0
        for k in range(n_outcomes):
            rows += data[node, k]
        for k in range(n_outcomes):
            gradient[node, k] = rows * probs[node, k] - data[node, k]
    add_springs(parent, scores, penalty, root_penalty, gradient)


@njit(cache=True, nogil=True)
def times_curvature(parent, rows, probs, x, penalty, root_penalty, result):
    """Multiply with the second derivatives: n (diag p - p p') in a node, springs between nodes."""
    n_outcomes = x.shape[1]
    for node in range(x.shape[0]):
        mean = 0.0
        for k in range(n_outcomes):
            mean += probs[node, k] * x[node, k]
        for k in range(n_outcomes):
            result[node, k] = rows[node] * probs[node, k] * (x[node, k] - mean)
    add_springs(parent, x, penalty, root_penalty, result)


@njit(cache=True, nogil=True)
def fill_pivots(parent, rows, probs, penalty, root_penalty, pivots):
    """Eliminate the nodes from the leaves up, every outcome by itself.

    With two outcomes that is exact; with more, it leaves out how one outcome's probability moves
    the others'. A spring of strength ``penalty`` in line with a node of stiffness e is a spring of
    penalty * e / (penalty + e): no difference of large numbers is ever taken.
    """
    n_nodes, n_outcomes = probs.shape
    together = n_outcomes / (n_outcomes - 1.0)
    for node in range(n_nodes):
        for k in range(n_outcomes):
            pivots[node, k] = rows[node] * probs[node, k] * (1.0 - probs[node, k]) * together
    for node in range(n_nodes - 1, 0, -1):
        above = parent[node]
        for k in range(n_outcomes):
            stiffness = pivots[node, k]
            pivots[above, k] += penalty * stiffness / (penalty + stiffness)
            pivots[node, k] = stiffness + penalty
    for k in range(n_outcomes):
        pivots[0, k] = max(pivots[0, k] + root_penalty, 1e-300)


@njit(cache=True, nogil=True)
def solve(parent, pivots, penalty, right, x):
    """Solve the eliminated system: one pass up, one pass down."""
    n_nodes, n_outcomes = x.shape
    x[:] = right
    for node in range(n_nodes - 1, 0, -1):
        above = parent[node]
        for k in range(n_outcomes):
            x[above, k] += penalty * x[node, k] / pivots[node, k]
    for k in range(n_outcomes):
        x[0, k] /= pivots[0, k]
    for node in range(1, n_nodes):
        above = parent[node]
        for k in range(n_outcomes):
            x[node, k] = (x[node, k] + penalty * x[above, k]) / pivots[node, k]


@njit(cache=True, nogil=True)
def inner_product(a, b):
    """Add up the products of two tables of numbers."""
    total = 0.0
    for node in range(a.shape[0]):
        for k in range(a.shape[1]):
            total += a[node, k] * b[node, k]
    return total


@njit(cache=True, nogil=True)
def newton_step(parent, rows, probs, gradient, penalty, root_penalty, step):
    """Solve for the step against the gradient, by conjugate gradients."""
    shape = gradient.shape
    pivots = np.empty(shape)
    residual, better, along = np.empty(shape), np.empty(shape), np.empty(shape)
    curved = np.empty(shape)
    fill_pivots(parent, rows, probs, penalty, root_penalty, pivots)
    for node in range(shape[0]):
        for k in range(shape[1]):
            step[node, k] = 0.0
            residual[node, k] = -gradient[node, k]
    solve(parent, pivots, penalty, residual, better)
    along[:] = better
    left = inner_product(residual, better)
    enough = left * FORCING * FORCING
    for _ in range(CG_STEPS):
        if left <= enough or left <= 0.0:
            return
        times_curvature(parent, rows, probs, along, penalty, root_penalty, curved)
        curvature = inner_product(along, curved)
        if curvature <= 0.0:
            return
        length = left / curvature
        for node in range(shape[0]):
            for k in range(shape[1]):
                step[node, k] += length * along[node, k]
                residual[node, k] -= length * curved[node, k]
        solve(parent, pivots, penalty, residual, better)
        before, left = left, inner_product(residual, better)
        turn = left / before
        for node in range(shape[0]):
            for k in range(shape[1]):
                along[node, k] = better[node, k] + turn * along[node, k]


@njit(cache=True, nogil=True)
def fit_scores(parent, data, penalty, root_penalty, tolerance, most_steps, scores):
    """Move the scores of all nodes to where the penalised loss is least.

    Parameters
    ----------
    parent : int32[n_nodes], in level order
    data : float64[n_nodes, n_outcomes], what is counted in the leaves, and one row at the root
    tolerance : steps that move no score further end the search
    scores : float64[n_nodes, n_outcomes], where to begin; overwritten

    Returns
    -------
    The number of steps taken
    """
    shape = scores.shape
    probs, gradient = np.empty(shape), np.empty(shape)
    step, tried = np.empty(shape), np.empty(shape)
    rows = data.sum(axis=1)
    value = objective(parent, data, scores, penalty, root_penalty)
    for number in range(most_steps):
        fill_softmax(scores, probs)
        fill_gradient(parent, data, scores, probs, penalty, root_penalty, gradient)
        newton_step(parent, rows, probs, gradient, penalty, root_penalty, step)
        farthest = 0.0
        for node in range(shape[0]):
            for k in range(shape[1]):
                farthest = max(farthest, abs(step[node, k]))
        # The loss is convex: a step that overshoots is halved until it does not.
        length, fell = 1.0, False
        for _ in range(40):
            for node in range(shape[0]):
                for k in range(shape[1]):
                    tried[node, k] = scores[node, k] + length * step[node, k]
            at_tried = objective(parent, data, tried, penalty, root_penalty)
            if at_tried <= value + 1e-13 * abs(value):
                fell = True
                break
            length *= 0.5
        if fell:
            scores[:] = tried
            value = at_tried
        if not fell or farthest * length <= tolerance:
            return number + 1
    return most_steps
