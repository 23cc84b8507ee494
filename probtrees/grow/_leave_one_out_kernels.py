"""Compiled leave-one-out of tables; the face is :mod:`.leave_one_out`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

SQUARED, LOGARITHMIC, ZERO_ONE = 0, 1, 2
"""The losses of a row whose class got probability p: (1 - p)^2, -ln p, wrong or not."""

NEGLIGIBLE = 1e-9
"""Weight that is left of a context when its only row is taken out, by rounding."""

HALF = 30
"""Losses are summed as whole multiples of 1 / scale, the upper and the lower bits apart:
``losses[..., 0]`` holds the sum of their multiples of 2^HALF, ``losses[..., 1]`` the rest. So
sums are exact, whatever the order, for up to 2^30 rows with losses below 2^60 / scale."""

SMALLEST = 1e-280
"""A class's share of a row never falls below this, so that it can still recover."""


@njit(cache=True, nogil=True)
def count_prefixes(labels, weights, numbers, first, counts):
    """Count classes by number, level by level; the numbers of level d start at ``first[d]``."""
    for level in range(numbers.shape[0]):
        for row in range(labels.shape[0]):
            counts[first[level] + numbers[level, row], labels[row]] += weights[row]


@njit(cache=True, nogil=True)
def _outcome_totals(prefixes, counts):
    """Return the weight of all rows, and of those with each value of the target."""
    totals = np.zeros(prefixes.first_cell[1])
    total = 0.0
    for k in range(counts.in_cells.shape[1]):
        total += counts.in_contexts[0, k]
        for cell in range(totals.shape[0]):
            totals[cell] += counts.in_cells[cell, k]
    return total, totals


@njit(cache=True, nogil=True)
def _left_out_shares(place, label, weight, prefixes, counts, strength, base, shares):
    """Write the probability of a row's value for every level and class, the row left out.

    ``place`` is where the row's contexts and cells are listed.

    ``shares[-1]`` must hold the probability among all rows: it answers for a class without
    other rows. A context that no other row of the class shares is answered by the level
    above it.
    """
    n_levels = prefixes.contexts.shape[0]
    for k in range(shares.shape[1]):
        own = weight if k == label else 0.0
        p = shares[n_levels, k]
        for level in range(n_levels):
            n = counts.in_contexts[
                prefixes.first_context[level] + prefixes.contexts[level, place], k
            ]
            n -= own
            if n > NEGLIGIBLE:
                cell = prefixes.first_cell[level] + prefixes.cells[level, place]
                p = (max(counts.in_cells[cell, k] - own, 0.0) + base) / (n + strength)
            shares[level, k] = p


@njit(cache=True, nogil=True)
def _loss(joint, label, kind):
    """Return the loss of one row and scale its joint probabilities to sum to 1."""
    n_classes = joint.shape[0]
    total = 0.0
    best = 0
    for k in range(n_classes):
        total += joint[k]
        if joint[k] > joint[best]:
            best = k
    scale = 1.0 / total
    for k in range(n_classes):
        joint[k] = max(joint[k] * scale, SMALLEST)
    if kind == ZERO_ONE:
        return 0.0 if best == label else 1.0
    if kind == LOGARITHMIC:
        return -math.log(joint[label])
    return (1.0 - joint[label]) ** 2


@njit(cache=True, nogil=True)
def _add_loss(loss, scale, losses):
    """Add a loss in fixed point, so that sums do not depend on the order of the rows."""
    fixed = np.int64(loss * scale + 0.5)
    losses[0] += fixed >> HALF
    losses[1] += fixed & ((1 << HALF) - 1)


@njit(cache=True, nogil=True)
def leave_out_of_prior(table, class_counts, total, strength, kind, scale, joint, losses):
    """Start every row's joint probabilities from a prior that does not count the row.

    Losses are added to ``losses``, see :data:`HALF`.
    """
    labels = table.codes[table.codes.shape[0] - 1]
    n_classes = class_counts.shape[0]
    for row in range(joint.shape[0]):
        weight = table.weights[row]
        for bound in range(joint.shape[1]):
            for k in range(n_classes):
                n = class_counts[k] - weight if k == labels[row] else class_counts[k]
                n = max(n, 0.0) + strength / n_classes
                joint[row, bound, k] = n / (max(total - weight, 0.0) + strength)
            loss = weight * _loss(joint[row, bound], labels[row], kind)
            _add_loss(loss, scale, losses[bound])


@njit(cache=True, nogil=True)
def leave_out_of_table(
    table,
    target,
    places,
    prefixes,
    counts,
    first_bound,
    strength,
    kind,
    scale,
    joint,
    losses,
):
    """Multiply by a table that does not count the row; add up the losses for every bound.

    The table conditions on the class and then on a path. Bound b stands for at most
    ``first_bound + b`` parents, so the level of that depth, or the deepest, answers. The
    contexts and cells of a row are listed under ``places[row]``.
    """
    n_levels = prefixes.contexts.shape[0]
    n_rows, n_bounds, n_classes = joint.shape
    labels = table.codes[table.codes.shape[0] - 1]
    base = strength / table.n_values[target]
    total, totals = _outcome_totals(prefixes, counts)
    shares = np.empty((n_levels + 1, n_classes))
    for row in range(n_rows):
        weight = table.weights[row]
        place = places[row]
        hits = max(totals[prefixes.cells[0, place]] - weight, 0.0)
        shares[n_levels] = (hits + base) / (max(total - weight, 0.0) + strength)
        _left_out_shares(place, labels[row], weight, prefixes, counts, strength, base, shares)
        for bound in range(n_bounds):
            level = min(first_bound + bound, n_levels - 1)
            for k in range(n_classes):
                joint[row, bound, k] *= shares[level, k]
            loss = weight * _loss(joint[row, bound], labels[row], kind)
            _add_loss(loss, scale, losses[bound])


@njit(cache=True, nogil=True)
def log_levels(table, target, prefixes, counts, strength, logs):
    """Write the log probability of every row's value by level and class, the row left out."""
    n_levels, n_rows = prefixes.contexts.shape
    labels = table.codes[table.codes.shape[0] - 1]
    base = strength / table.n_values[target]
    total, totals = _outcome_totals(prefixes, counts)
    shares = np.empty((n_levels + 1, logs.shape[2]))
    for row in range(n_rows):
        weight = table.weights[row]
        hits = max(totals[prefixes.cells[0, row]] - weight, 0.0)
        shares[n_levels] = (hits + base) / (max(total - weight, 0.0) + strength)
        _left_out_shares(row, labels[row], weight, prefixes, counts, strength, base, shares)
        for level in range(n_levels):
            for k in range(logs.shape[2]):
                logs[level, row, k] = math.log(shares[level, k])
