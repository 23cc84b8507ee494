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
def _outcome_totals(prefixes, counts):
    """Return the weight of all rows, and of those with each value of the target."""
    totals = np.zeros(prefixes.first_cell[1])
    total = 0.0
    # Level 0 has one context and one cell per value, so its cells are the values' totals.
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
        # The row is counted under its own class only; there it is taken out at every level.
        own = weight if k == label else 0.0
        p = shares[n_levels, k]
        for level in range(n_levels):
            n = counts.in_contexts[
                prefixes.first_context[level] + prefixes.contexts[level, place], k
            ]
            n -= own
            # Nobody else here: p stays that of the level above, as a prediction would back off.
            if n > NEGLIGIBLE:
                cell = prefixes.first_cell[level] + prefixes.cells[level, place]
                # m-estimate towards the uniform: strength * 1 / (number of values) is the base.
                p = (max(counts.in_cells[cell, k] - own, 0.0) + base) / (n + strength)
            shares[level, k] = p


@njit(cache=True, nogil=True)
def multiply_by_prior(labels, own, class_counts, total, strength, joint):
    """Start every row's joint probabilities from a prior that does not count the row.

    ``own`` is the weight with which each row was counted, 0 if it was not.
    """
    n_rows, n_bounds, n_classes = joint.shape
    for row in range(n_rows):
        for bound in range(n_bounds):
            for k in range(n_classes):
                n = class_counts[k] - own[row] if k == labels[row] else class_counts[k]
                # Subtracting weights can leave a little less than 0.
                n = max(n, 0.0) + strength / n_classes
                joint[row, bound, k] = n / (max(total - own[row], 0.0) + strength)


@njit(cache=True, nogil=True)
def multiply_by_table(table, own, target, places, prefixes, counts, first_bound, strength, joint):
    """Multiply by a table that does not count the row.

    The table conditions on the class and then on a path. Bound b stands for at most
    ``first_bound + b`` parents, so the level of that depth, or the deepest, answers. The
    contexts and cells of a row are listed under ``places[row]``. A row whose value of the target
    is unknown, a code beyond the declared ones, passes without a factor.
    """
    n_levels = prefixes.contexts.shape[0]
    n_rows, n_bounds, n_classes = joint.shape
    labels = table.codes[table.codes.shape[0] - 1]
    base = strength / table.n_values[target]
    total, totals = _outcome_totals(prefixes, counts)
    shares = np.empty((n_levels + 1, n_classes))
    for row in range(n_rows):
        if table.codes[target, row] >= table.n_values[target]:
            continue
        place = places[row]
        # The last resort, for a class without other rows: the value's share among all rows.
        hits = max(totals[prefixes.cells[0, place]] - own[row], 0.0)
        shares[n_levels] = (hits + base) / (max(total - own[row], 0.0) + strength)
        _left_out_shares(place, labels[row], own[row], prefixes, counts, strength, base, shares)
        for bound in range(n_bounds):
            # A table with fewer parents than the bound answers with all it has.
            level = min(first_bound + bound, n_levels - 1)
            for k in range(n_classes):
                # A running product: the row's joint probability grows by one column per call, so
                # every prefix of the order is judged on the way.
                joint[row, bound, k] *= shares[level, k]


@njit(cache=True, nogil=True)
def _loss(joint, row, bound, label, kind):
    """Let the joint probabilities of a row sum to 1, and return the loss of its own class."""
    # The first of equal classes is the answer, and that before scaling, whose rounding and floor
    # could make equals of two.
    best = 0
    total = 0.0
    for k in range(joint.shape[2]):
        total += joint[row, bound, k]
        if joint[row, bound, k] > joint[row, bound, best]:
            best = k
    scale = 1.0 / total
    for k in range(joint.shape[2]):
        # Without a floor a class that a long product has brought to 0 could never come back.
        joint[row, bound, k] = max(joint[row, bound, k] * scale, SMALLEST)
    miss = 1.0 - joint[row, bound, label]
    if kind == SQUARED:
        return miss * miss
    if kind == LOGARITHMIC:
        return -math.log(joint[row, bound, label])
    return 0.0 if best == label else 1.0


@njit(cache=True, nogil=True)
def add_losses(labels, weights, kind, scale, joint, losses):
    """Add up the losses of rows for every bound, see :data:`HALF`."""
    for row in range(joint.shape[0]):
        for bound in range(joint.shape[1]):
            loss = weights[row] * _loss(joint, row, bound, labels[row], kind)
            # Floats added in another order give other sums; whole numbers do not, so chunks of
            # rows, in any order, choose the same network.
            fixed = np.int64(loss * scale + 0.5)
            losses[bound, 0] += fixed >> HALF
            losses[bound, 1] += fixed & ((1 << HALF) - 1)


@njit(cache=True, nogil=True)
def add_bundled_losses(labels, weights, bundles, kind, joint, losses):
    """Add up the losses of rows for every bound, bundle by bundle."""
    for row in range(joint.shape[0]):
        for bound in range(joint.shape[1]):
            loss = _loss(joint, row, bound, labels[row], kind)
            losses[bundles[row], bound] += weights[row] * loss
