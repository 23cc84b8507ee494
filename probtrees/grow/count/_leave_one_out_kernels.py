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
        # Levels outside: the numbers of a level lie side by side.
        for row in range(labels.shape[0]):
            counts[first[level] + numbers[level, row], labels[row]] += weights[row]


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
def _is_wrong(joint, row, bound, label):
    """Whether another class is more probable; the first of equal classes is the answer."""
    best = 0
    for k in range(joint.shape[2]):
        # Strictly more, so the first of equals wins.
        if joint[row, bound, k] > joint[row, bound, best]:
            best = k
    return best != label


@njit(cache=True, nogil=True)
def _scale_to_one(joint, row, bound):
    """Let the joint probabilities of a row sum to 1."""
    total = 0.0
    for k in range(joint.shape[2]):
        total += joint[row, bound, k]
    scale = 1.0 / total
    for k in range(joint.shape[2]):
        # Without a floor a class that a long product has brought to 0 could never come back.
        joint[row, bound, k] = max(joint[row, bound, k] * scale, SMALLEST)


@njit(cache=True, nogil=True)
def _add_loss(loss, scale, bound, losses):
    """Add a loss in fixed point, so that sums do not depend on the order of the rows."""
    # Floats added in another order give other sums; whole numbers do not, so chunks of rows, in any
    # order, choose the same network.
    fixed = np.int64(loss * scale + 0.5)
    losses[bound, 0] += fixed >> HALF
    losses[bound, 1] += fixed & ((1 << HALF) - 1)


@njit(cache=True, nogil=True)
def _add_losses(joint, row, label, weight, kind, scale, losses):
    """Scale a row's joint probabilities to sum to 1 and add its loss for every bound."""
    n_bounds = joint.shape[1]
    # Before scaling, whose rounding and floor could make equals of two classes.
    if kind == ZERO_ONE:
        for bound in range(n_bounds):
            if _is_wrong(joint, row, bound, label):
                _add_loss(weight, scale, bound, losses)
    for bound in range(n_bounds):
        _scale_to_one(joint, row, bound)
    if kind == SQUARED:
        for bound in range(n_bounds):
            miss = 1.0 - joint[row, bound, label]
            _add_loss(weight * (miss * miss), scale, bound, losses)
    elif kind == LOGARITHMIC:
        for bound in range(n_bounds):
            _add_loss(-weight * math.log(joint[row, bound, label]), scale, bound, losses)


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
                # Subtracting weights can leave a little less than 0.
                n = max(n, 0.0) + strength / n_classes
                joint[row, bound, k] = n / (max(total - weight, 0.0) + strength)
        _add_losses(joint, row, labels[row], weight, kind, scale, losses)


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
        # The last resort, for a class without other rows: the value's share among all rows.
        hits = max(totals[prefixes.cells[0, place]] - weight, 0.0)
        shares[n_levels] = (hits + base) / (max(total - weight, 0.0) + strength)
        _left_out_shares(place, labels[row], weight, prefixes, counts, strength, base, shares)
        for bound in range(n_bounds):
            # A table with fewer parents than the bound answers with all it has.
            level = min(first_bound + bound, n_levels - 1)
            for k in range(n_classes):
                # A running product: the row's joint probability grows by one column per call, so
                # every prefix of the order is judged on the way.
                joint[row, bound, k] *= shares[level, k]
        _add_losses(joint, row, labels[row], weight, kind, scale, losses)


@njit(cache=True, nogil=True)
def list_shares(n_values, prefixes, counts, strength, shares):
    """Write the probability of every place's value for a left-out row that counts once.

    ``shares[place, level, k, own]``: of class k, ``own`` being 1 if that is the row's class.
    """
    n_places, n_levels, n_classes, _ = shares.shape
    base = strength / n_values
    total, totals = _outcome_totals(prefixes, counts)
    found = np.empty((n_levels + 1, n_classes))
    for place in range(n_places):
        hits = max(totals[prefixes.cells[0, place]] - 1.0, 0.0)
        found[n_levels] = (hits + base) / (max(total - 1.0, 0.0) + strength)
        # -1 is no class: nothing is taken out.
        for label in range(-1, n_classes):
            _left_out_shares(place, label, 1.0, prefixes, counts, strength, base, found)
            for level in range(n_levels):
                for k in range(n_classes):
                    if label < 0:
                        shares[place, level, k, 0] = found[level, k]
                    elif label == k:
                        shares[place, level, k, 1] = found[level, k]


@njit(cache=True, nogil=True)
def leave_out_by_shares(labels, places, shares, first_bound, kind, scale, joint, losses):
    """Do what :func:`leave_out_of_table` does, for rows that count once, from a list."""
    n_levels = shares.shape[1]
    n_rows, n_bounds, n_classes = joint.shape
    for row in range(n_rows):
        place = places[row]
        label = labels[row]
        for bound in range(n_bounds):
            level = min(first_bound + bound, n_levels - 1)
            for k in range(n_classes):
                # Places repeat from row to row, so the division has been done once for all of them.
                joint[row, bound, k] *= shares[place, level, k, 1 if k == label else 0]
        _add_losses(joint, row, label, 1.0, kind, scale, losses)


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
                # Laplace estimates (base is 1), so never 0.
                logs[level, row, k] = math.log(shares[level, k])


@njit(cache=True, nogil=True)
def _bundle_losses(joint, row, label, weight, kind, bundle, losses):
    """Scale a row's joint probabilities to sum to 1 and add its losses to those of its bundle."""
    for bound in range(joint.shape[1]):
        # Before scaling, as in _add_losses.
        wrong = _is_wrong(joint, row, bound, label)
        _scale_to_one(joint, row, bound)
        p = joint[row, bound, label]
        if kind == SQUARED:
            loss = (1.0 - p) * (1.0 - p)
        elif kind == LOGARITHMIC:
            loss = -math.log(p)
        else:
            loss = 1.0 if wrong else 0.0
        losses[bundle, bound] += weight * loss


@njit(cache=True, nogil=True)
def judge_by_prior(judges, bundles, class_counts, strength, kind, joint, losses):
    """Start the joint probabilities of rows that were not counted from the class counts."""
    n_rows, n_bounds, n_classes = joint.shape
    labels = judges.codes[judges.codes.shape[0] - 1]
    total = class_counts.sum()
    for row in range(n_rows):
        for bound in range(n_bounds):
            for k in range(n_classes):
                n = class_counts[k] + strength / n_classes
                joint[row, bound, k] = n / (total + strength)
        _bundle_losses(joint, row, labels[row], judges.weights[row], kind, bundles[row], losses)


@njit(cache=True, nogil=True)
def judge_by_table(
    judges,
    bundles,
    target,
    first_place,
    prefixes,
    counts,
    first_bound,
    strength,
    kind,
    joint,
    losses,
):
    """Multiply by a table that counts other rows; add up the losses for every bound.

    The contexts and cells of row i are listed under ``first_place + i``. A row whose value of
    the target is unknown, a code beyond the declared ones, passes without a factor. Bounds are
    as in :func:`leave_out_of_table`.
    """
    n_levels = prefixes.contexts.shape[0]
    n_rows, n_bounds, n_classes = joint.shape
    labels = judges.codes[judges.codes.shape[0] - 1]
    n_values = judges.n_values[target]
    base = strength / n_values
    total, totals = _outcome_totals(prefixes, counts)
    shares = np.empty((n_levels + 1, n_classes))
    for row in range(n_rows):
        place = first_place + row
        # A code beyond the declared values stands for a value the table has never seen.
        if judges.codes[target, row] < n_values:
            shares[n_levels] = (totals[prefixes.cells[0, place]] + base) / (total + strength)
            # No row is left out: weight 0, no class.
            _left_out_shares(place, -1, 0.0, prefixes, counts, strength, base, shares)
            for bound in range(n_bounds):
                level = min(first_bound + bound, n_levels - 1)
                for k in range(n_classes):
                    joint[row, bound, k] *= shares[level, k]
        _bundle_losses(joint, row, labels[row], judges.weights[row], kind, bundles[row], losses)
