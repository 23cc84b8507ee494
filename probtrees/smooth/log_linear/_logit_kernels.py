"""Compiled loss of a multinomial logit, and the descent to its minimum.

The face is :mod:`probtrees.smooth.log_linear.logit`. Rows come as a tuple: first, index and value
of the rare features by row; first, row and value of the same by feature; the numbers of the common
features, a table of them by row, the same by feature; counts. With both orders scores and gradient
are sums of whole lines of common features, and of what is looked up of rare ones, and no library
that starts threads of its own is needed.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

AT_HAND = 256
"""Numbers of a line that are worked on at a time: four lines of them fit into the first cache."""

ENOUGH = 1e-4
"""The share of the gain that the slope promises which a step must bring."""


@njit(cache=True, nogil=True, inline="always")
def dot(a, b, size):
    """Return the scalar product of two lines; four sums, since one would wait for itself."""
    s0 = s1 = s2 = s3 = 0.0
    at = 0
    while at + 3 < size:
        s0 += a[at] * b[at]
        s1 += a[at + 1] * b[at + 1]
        s2 += a[at + 2] * b[at + 2]
        s3 += a[at + 3] * b[at + 3]
        at += 4
    while at < size:
        s0 += a[at] * b[at]
        at += 1
    return (s0 + s1) + (s2 + s3)


@njit(cache=True, nogil=True, inline="always")
def look_up(value, index, start, end, table, k):
    """Add up values times the entries of a column of a table that they point to."""
    s0 = s1 = s2 = s3 = 0.0
    at = start
    while at + 3 < end:
        s0 += value[at] * table[index[at], k]
        s1 += value[at + 1] * table[index[at + 1], k]
        s2 += value[at + 2] * table[index[at + 2], k]
        s3 += value[at + 3] * table[index[at + 3], k]
        at += 4
    while at < end:
        s0 += value[at] * table[index[at], k]
        at += 1
    return (s0 + s1) + (s2 + s3)


@njit(cache=True, nogil=True)
def add_sparse(first, index, value, table, added):
    """Add to every line what the sparse entries of that line look up in a table.

    Of several columns whole lines are added, four at a time.
    """
    n_columns = table.shape[1]
    for line in range(added.shape[0]):
        start, end = first[line], first[line + 1]
        if n_columns == 1:
            added[line, 0] += look_up(value, index, start, end, table, 0)
            continue
        sums = added[line]
        n_whole = start + (end - start) // 4 * 4
        for at in range(start, n_whole, 4):
            # A number without sign: nothing has to find out whether it counts from the end.
            a, b = table[np.uint32(index[at])], table[np.uint32(index[at + 1])]
            c, d = table[np.uint32(index[at + 2])], table[np.uint32(index[at + 3])]
            xa, xb, xc, xd = value[at], value[at + 1], value[at + 2], value[at + 3]
            for k in range(n_columns):
                sums[k] += (xa * a[k] + xb * b[k]) + (xc * c[k] + xd * d[k])
        for at in range(n_whole, end):
            x, a = value[at], table[np.uint32(index[at])]
            for k in range(n_columns):
                sums[k] += x * a[k]


@njit(cache=True, nogil=True)
def add_products(lines, factors, sums):
    """Add to every sum, one for each column of factors, the lines times their factors.

    Four lines at a time, and of these as much as stays close at hand.
    """
    n_lines, size = lines.shape
    n_whole = n_lines - n_lines % 4
    for start in range(0, size, AT_HAND):
        end = min(size, start + AT_HAND)
        for at in range(0, n_whole, 4):
            a, b = lines[at, start:end], lines[at + 1, start:end]
            c, d = lines[at + 2, start:end], lines[at + 3, start:end]
            for k in range(sums.shape[0]):
                xa, xb = factors[at, k], factors[at + 1, k]
                xc, xd = factors[at + 2, k], factors[at + 3, k]
                own = sums[k, start:end]
                for i in range(end - start):
                    own[i] += (a[i] * xa + b[i] * xb) + (c[i] * xc + d[i] * xd)
        for at in range(n_whole, n_lines):
            a = lines[at, start:end]
            for k in range(sums.shape[0]):
                x, own = factors[at, k], sums[k, start:end]
                for i in range(end - start):
                    own[i] += a[i] * x


@njit(cache=True, nogil=True)
def score_rows(rows, means, weights, scores):
    """Fill in the scores of all rows."""
    first, index, value, _, _, _, common, _, turned, _ = rows
    n_scores = weights.shape[1]
    offsets = weights[0].copy()
    for at in range(means.shape[0]):
        for k in range(n_scores):
            offsets[k] -= means[at] * weights[at + 1, k]
    sums = np.zeros((n_scores, scores.shape[0]))
    add_products(turned, weights[common + 1], sums)
    for row in range(scores.shape[0]):
        for k in range(n_scores):
            scores[row, k] = offsets[k] + sums[k, row]
    add_sparse(first, index, value, weights[1:], scores)


@njit(cache=True, nogil=True)
def row_loss(scores, counts):
    """Return the log loss of one row, and turn its scores into counts expected minus counted.

    Scores are those of all outcomes but the first, whose score is 0.
    """
    largest, n = 0.0, counts[0]
    for k in range(scores.shape[0]):
        largest = max(largest, scores[k])
    loss = counts[0] * largest
    total = math.exp(-largest)
    for k in range(scores.shape[0]):
        n += counts[k + 1]
        # Impossible by now or not: the loss is taken before the score is overwritten.
        loss -= counts[k + 1] * (scores[k] - largest)
        scores[k] = math.exp(scores[k] - largest)
        total += scores[k]
    for k in range(scores.shape[0]):
        scores[k] = n * scores[k] / total - counts[k + 1]
    return loss + n * math.log(total)


@njit(cache=True, nogil=True)
def add_coded(rows, starts, steps, design, weights, loss, slopes, bends, moments):
    """Add up the loss of coded rows, its slopes and, where there is room, second derivatives.

    A row has the intercept, which is feature 0, shares of the nodes it passes, and the features of
    a cell of every column: its code beyond where the column starts. Its last code is its outcome.

    Parameters
    ----------
    steps, design : first, feature and value; of the nodes by row, of the rest by cell
    weights, slopes : float64[n_features, n_outcomes]
    bends : float64[n_features, n_features, n_pairs], of the last outcomes two by two; of two
        features only one place is filled
    moments : float64[n_features, 2] or empty, of the features and their squares
    """
    of_row, node, share = steps
    of_cell, feature, value = design
    n_columns, n_outcomes = starts.shape[0], weights.shape[1]
    index, held = np.zeros(weights.shape[0], dtype=np.int64), np.ones(weights.shape[0])
    proba, between = np.empty(n_outcomes), np.empty(bends.shape[2])
    first_bent = n_outcomes - int(math.sqrt(2.0 * between.shape[0]))
    for row in range(rows.shape[0]):
        n_held = 1
        for at in range(of_row[row], of_row[row + 1]):
            index[n_held], held[n_held] = 1 + node[at], share[at]
            n_held += 1
        for column in range(n_columns):
            cell = starts[column] + rows[row, column]
            for at in range(of_cell[cell], of_cell[cell + 1]):
                index[n_held], held[n_held] = feature[at], value[at]
                n_held += 1
        proba[:] = 0.0
        for at in range(n_held):
            for k in range(n_outcomes):
                proba[k] += held[at] * weights[index[at], k]
        outcome, largest, total = rows[row, n_columns], proba.max(), 0.0
        loss[0] += largest - proba[outcome]
        for k in range(n_outcomes):
            proba[k] = math.exp(proba[k] - largest)
            total += proba[k]
        loss[0] += math.log(total)
        for k in range(n_outcomes):
            proba[k] /= total
        if bends.shape[0] > 0:
            pair = 0
            for k in range(first_bent, n_outcomes):
                for other in range(first_bent, k + 1):
                    between[pair] = proba[k] * ((1.0 if other == k else 0.0) - proba[other])
                    pair += 1
            for i in range(n_held):
                line = bends[index[i]]
                for j in range(i + 1):
                    both, place = held[i] * held[j], line[index[j]]
                    for pair in range(between.shape[0]):
                        place[pair] += both * between[pair]
        if moments.shape[0] > 0:
            for at in range(n_held):
                moments[index[at], 0] += held[at]
                moments[index[at], 1] += held[at] * held[at]
        proba[outcome] -= 1.0
        for at in range(n_held):
            for k in range(n_outcomes):
                slopes[index[at], k] += held[at] * proba[k]


@njit(cache=True, nogil=True)
def against_first(weights, n_outcomes):
    """Return what weights add to the scores of all outcomes but the first, beyond the first's.

    Nothing else matters, and it is one column less. Of two outcomes that is given.
    """
    if weights.shape[1] < n_outcomes:
        return weights.copy()
    beyond = np.empty((weights.shape[0], n_outcomes - 1))
    for at in range(weights.shape[0]):
        for k in range(n_outcomes - 1):
            beyond[at, k] = weights[at, k + 1] - weights[at, 0]
    return beyond


@njit(cache=True, nogil=True)
def data_slopes(rows, means, residuals, slopes):
    """Fill in the slopes of the rows' loss: features times residuals, the intercept first."""
    _, _, _, feature_first, row_of, value_of, common, table, _, _ = rows
    n_scores = slopes.shape[1]
    steep = np.zeros((n_scores, common.shape[0]))
    add_products(table, residuals, steep)
    slopes[:] = 0.0
    for row in range(residuals.shape[0]):
        for k in range(n_scores):
            slopes[0, k] += residuals[row, k]
    for at in range(common.shape[0]):
        for k in range(n_scores):
            slopes[common[at] + 1, k] = steep[k, at]
    add_sparse(feature_first, row_of, value_of, residuals, slopes[1 : feature_first.shape[0]])
    for at in range(means.shape[0]):
        for k in range(n_scores):
            slopes[at + 1, k] -= means[at] * slopes[0, k]


@njit(cache=True, nogil=True)
def logit_loss(rows, means, penalties, weights, gradient):
    """Return the penalised loss and fill in its gradient.

    ``weights`` and ``gradient`` have a line for the intercept, then one for every feature.
    """
    counts = rows[9]
    n_rows, n_outcomes = counts.shape
    size, n_scores = weights.shape
    beyond = against_first(weights, n_outcomes)
    scores = np.empty((n_rows, n_outcomes - 1))
    score_rows(rows, means, beyond, scores)
    # One more row: average in every feature, divided evenly over the outcomes.
    even = beyond[0].copy()
    loss = row_loss(even, np.full(n_outcomes, 1.0 / n_outcomes))
    for row in range(n_rows):
        loss += row_loss(scores[row], counts[row])
    slopes = beyond
    data_slopes(rows, means, scores, slopes)
    slopes[0] += even
    for at in range(size):
        first = 0.0
        for k in range(n_outcomes - 1):
            gradient[at, n_scores - n_outcomes + 1 + k] = slopes[at, k]
            first -= slopes[at, k]
        if n_scores == n_outcomes:
            gradient[at, 0] = first
        for k in range(n_scores):
            pull = penalties[at] * weights[at, k]
            loss += 0.5 * pull * weights[at, k]
            gradient[at, k] += pull
    return loss


@njit(cache=True, nogil=True)
def scaled_loss(rows, measures, point, weights, slope):
    """Return the loss at a point measured in units of curvature, and fill in its slope."""
    means, penalties, scale = measures
    weights[:] = point * scale
    loss = logit_loss(rows, means, penalties, weights, slope)
    slope *= scale
    return loss


@njit(cache=True, nogil=True)
def quasi_newton(slope, moves, changes, curvatures, n_kept, direction):
    """Fill in the direction of L-BFGS: the slope, turned by what the last steps have taught.

    ``moves``, ``changes`` and ``curvatures`` are rings of the last steps, of the changes of the
    slope along them, and of the scalar products of both; ``n_kept`` were made in all.
    """
    size, room = slope.shape[0], curvatures.shape[0]
    shares = np.empty(room)
    for at in range(size):
        direction[at] = -slope[at]
    oldest = max(0, n_kept - room)
    for number in range(n_kept - 1, oldest - 1, -1):
        ring = number % room
        shares[ring] = dot(moves[ring], direction, size) / curvatures[ring]
        for at in range(size):
            direction[at] -= shares[ring] * changes[ring, at]
    if n_kept > 0:
        last = (n_kept - 1) % room
        stretch = curvatures[last] / dot(changes[last], changes[last], size)
        for at in range(size):
            direction[at] *= stretch
    for number in range(oldest, n_kept):
        ring = number % room
        share = shares[ring] - dot(changes[ring], direction, size) / curvatures[ring]
        for at in range(size):
            direction[at] += share * moves[ring, at]


@njit(cache=True, nogil=True)
def go_along(rows, measures, state, direction, spare):
    """Step along a direction, shorter until it pays; return whether it did, and the loss there.

    ``spare`` receives the new point and slope; ``state`` is left as it is.
    """
    point, slope, before, n_kept = state
    new_point, new_slope, weights = spare
    size = direction.shape[0]
    promised = dot(slope.ravel(), direction, size)
    step = 1.0
    if n_kept == 0:  # nothing is known of the curvature along it
        step = min(1.0, 1.0 / math.sqrt(max(dot(direction, direction, size), 1e-300)))
    for _ in range(40):
        flat, old = new_point.ravel(), point.ravel()
        for at in range(size):
            flat[at] = old[at] + step * direction[at]
        loss = scaled_loss(rows, measures, new_point, weights, new_slope)
        if loss <= before + ENOUGH * step * promised:
            return True, loss
        # At the bottom the loss itself is rounded: there the slope says whether it was worth it.
        along = abs(dot(new_slope.ravel(), direction, size))
        if loss <= before + 1e-10 * abs(before) and along <= -0.5 * promised:
            return True, loss
        bend = loss - before - step * promised
        shorter = -promised * step * step / (2 * bend) if bend > 0 else 0.5 * step
        step = min(max(shorter, 0.1 * step), 0.5 * step)
    return False, before


@njit(cache=True, nogil=True)
def descend(rows, measures, point, slope, memory, known, tolerance, n_steps):
    """Go on with L-BFGS for some steps; return whether it has come to its end.

    Parameters
    ----------
    measures : means and penalties of the features, and the units of a point by feature
    memory : rings of moves, changes and curvatures, see :func:`quasi_newton`
    known : float64[2]: how many steps were kept, and the loss at the point
    """
    moves, changes, curvatures = memory
    size = point.size
    direction = np.empty(size)
    spare = (np.empty_like(point), np.empty_like(point), np.empty_like(point))
    if known[0] < 0:
        known[0] = 0
        known[1] = scaled_loss(rows, measures, point, spare[2], slope)
    for _ in range(n_steps):
        if np.abs(slope).max() <= tolerance:
            return True
        n_kept = int(known[0])
        quasi_newton(slope.ravel(), moves, changes, curvatures, n_kept, direction)
        state = (point, slope, known[1], n_kept)
        paid, loss = go_along(rows, measures, state, direction, spare)
        if not paid:
            return True
        ring = n_kept % curvatures.shape[0]
        old, old_slope = point.ravel(), slope.ravel()
        new, new_slope = spare[0].ravel(), spare[1].ravel()
        for at in range(size):
            moves[ring, at] = new[at] - old[at]
            changes[ring, at] = new_slope[at] - old_slope[at]
            old[at] = new[at]
            old_slope[at] = new_slope[at]
        curvatures[ring] = dot(moves[ring], changes[ring], size)
        # The loss is strictly convex: no curvature along a step is nothing but rounding.
        if not curvatures[ring] > 0:
            return True
        known[0] = n_kept + 1
        known[1] = loss
    return False
