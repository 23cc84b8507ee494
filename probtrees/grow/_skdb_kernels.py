"""Compiled leave-one-out of tables; the face is :mod:`.skdb`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

SQUARED, LOGARITHMIC, ZERO_ONE = 0, 1, 2
"""The losses of a row whose class got probability p: (1 - p)^2, -ln p, wrong or not."""

NEGLIGIBLE = 1e-9
"""Weight that is left of a context when its only row is taken out, by rounding."""

SMALLEST = 1e-280
"""A class's share of a row never falls below this, so that it can still recover."""


@njit(cache=True, nogil=True)
def count_prefixes(labels, weights, numbers, first, counts):
    """Count classes by number, level by level; the numbers of level d start at ``first[d]``."""
    for level in range(numbers.shape[0]):
        for row in range(labels.shape[0]):
            counts[first[level] + numbers[level, row], labels[row]] += weights[row]


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
def leave_out_of_prior(table, class_counts, strength, kind, joint, losses):
    """Start every row's joint probabilities from a prior that does not count the row."""
    labels = table.codes[table.codes.shape[0] - 1]
    n_classes = class_counts.shape[0]
    total = class_counts.sum()
    losses[:] = 0.0
    for row in range(joint.shape[0]):
        weight = table.weights[row]
        for bound in range(joint.shape[1]):
            for k in range(n_classes):
                n = class_counts[k] - weight if k == labels[row] else class_counts[k]
                n = max(n, 0.0) + strength / n_classes
                joint[row, bound, k] = n / (total - weight + strength)
            losses[bound] += weight * _loss(joint[row, bound], labels[row], kind)


@njit(cache=True, nogil=True)
def leave_out_of_table(table, target, prefixes, counts, first_bound, strength, kind, joint, losses):
    """Multiply by a table that does not count the row; add up the losses for every bound.

    The table conditions on the class and then on a path. Bound b stands for at most
    ``first_bound + b`` parents: the deepest of so many levels answers in which some other
    row of the class shares the context; a class without other rows is answered by all rows.
    ``counts`` holds the classes in contexts and in cells.
    """
    n_levels, n_rows = prefixes.contexts.shape
    n_bounds, n_classes = joint.shape[1:]
    labels = table.codes[table.codes.shape[0] - 1]
    in_contexts, in_cells = counts
    base = strength / table.n_values[target]
    total = in_contexts[0].sum()
    totals = np.empty(prefixes.first_cell[1])
    for cell in range(totals.shape[0]):
        totals[cell] = in_cells[cell].sum()
    losses[:] = 0.0
    for row in range(n_rows):
        weight = table.weights[row]
        hits = max(totals[prefixes.cells[0, row]] - weight, 0.0)
        anywhere = (hits + base) / (max(total - weight, 0.0) + strength)
        for k in range(n_classes):
            own = weight if k == labels[row] else 0.0
            p = anywhere
            for level in range(n_levels):
                context = prefixes.first_context[level] + prefixes.contexts[level, row]
                n = in_contexts[context, k] - own
                if n > NEGLIGIBLE:
                    cell = prefixes.first_cell[level] + prefixes.cells[level, row]
                    p = (max(in_cells[cell, k] - own, 0.0) + base) / (n + strength)
                if 0 <= level - first_bound < n_bounds:
                    joint[row, level - first_bound, k] *= p
            for bound in range(max(n_levels - first_bound, 0), n_bounds):
                joint[row, bound, k] *= p
        for bound in range(n_bounds):
            losses[bound] += weight * _loss(joint[row, bound], labels[row], kind)
