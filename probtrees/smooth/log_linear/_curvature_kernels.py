"""Compiled second derivatives of a logit between features, and their Cholesky factors.

The face is :mod:`probtrees.smooth.log_linear.curvature`. A factor has a line for every feature that
is measured together with others, and a last one for the intercept. Nodes of different branches
seldom meet in a row, so most entries of a line are 0 and only the others are kept: ``first`` says
where those of every line begin, ``column`` where they stand. Several factors may have these places
in common, a value side by side for each.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

ROUNDING = 1e-10
"""Less curvature than this share is taken for none: a factor stays finite without a penalty."""


@njit(cache=True, nogil=True)
def met_features(rows, n_met):
    """Count for every sparse feature how many of its kind it meets in rows, itself among them."""
    first, index, _, feature_first, row_of, _, _, _ = rows
    seen = np.full(n_met.shape[0], -1)
    for feature in range(n_met.shape[0]):
        for place in range(feature_first[feature], feature_first[feature + 1]):
            row = row_of[place]
            for at in range(first[row], first[row + 1]):
                other = index[at]
                n_met[feature] += seen[other] != feature
                seen[other] = feature


@njit(cache=True, nogil=True)
def find_places(rows, features, place, n_full, first, column):
    """Find where lines of a factor have entries, or count them where ``column`` has no room.

    Lines come in the order of ``features``; ``place`` has the line of every feature, -1 for those
    that have none. From ``n_full`` on lines are full. A line's columns come in an order in which
    they can be solved for.
    """
    row_first, index, _, feature_first, row_of, _, _, _ = rows
    n_lines = first.shape[0] - 1
    parent = np.full(n_lines, -1)  # the next line that an entry in this column spreads to
    seen = np.full(n_lines, -1)
    path, found = np.empty(n_lines, dtype=np.int64), np.empty(n_lines, dtype=np.int64)
    filled = column.shape[0] > 0
    for line in range(n_lines):
        start = n_lines
        if line < n_full:
            feature = features[line]
            for at_feature in range(feature_first[feature], feature_first[feature + 1]):
                row = row_of[at_feature]
                for at_row in range(row_first[row], row_first[row + 1]):
                    at = place[index[at_row]]
                    n_path = 0
                    while 0 <= at < line and seen[at] != line:
                        seen[at] = line
                        path[n_path] = at
                        n_path += 1
                        if parent[at] < 0:
                            parent[at] = line
                        at = parent[at]
                    while n_path > 0:
                        n_path -= 1
                        start -= 1
                        found[start] = path[n_path]
        else:
            start = n_lines - line
            for at in range(line):
                found[start + at] = at
        first[line + 1] = first[line] + n_lines - start
        if filled:
            column[first[line] : first[line + 1]] = found[start:]


@njit(cache=True, nogil=True)
def count_products(first, column):
    """Return how many products a factor is made of."""
    total = 0
    for line in range(first.shape[0] - 1):
        for at in range(first[line], first[line + 1]):
            total += 1 + first[column[at] + 1] - first[column[at]]
    return total


@njit(cache=True, nogil=True)
def add_dense_products(rows, weights, place, sums):
    """Add up products of dense features with all others, and of the intercept, which is last.

    ``sums`` has a line for every line of the factor and a column for every dense feature, then one
    for the intercept.
    """
    first, index, value, _, _, _, dense, _ = rows
    n_dense = dense.shape[1]
    n_sparse = place.shape[0] - n_dense
    last = sums.shape[0] - 1
    for row in range(weights.shape[0]):
        weight, own = weights[row], dense[row]
        for at in range(first[row], first[row + 1]):
            where = place[np.uint32(index[at])]
            if where >= 0:
                x, line = weight * value[at], sums[np.uint32(where)]
                for other in range(n_dense):
                    line[other] += x * own[other]
                line[n_dense] += x
        for at in range(n_dense):
            where = place[n_sparse + at]
            if where >= 0:
                x, line = weight * own[at], sums[np.uint32(where)]
                for other in range(at, n_dense):
                    line[other] += x * own[other]
                line[n_dense] += x
        sums[last, n_dense] += weight


@njit(cache=True, nogil=True)
def add_sparse_products(rows, weights, place, feature, line, sums):
    """Add up a line of the second derivatives: products of its feature with those before it."""
    first, index, value, feature_first, row_of, value_of, _, _ = rows
    for at_feature in range(feature_first[feature], feature_first[feature + 1]):
        row = np.uint32(row_of[at_feature])
        x = value_of[at_feature] * weights[row]
        for at in range(first[row], first[row + 1]):
            where = place[np.uint32(index[at])]
            if 0 <= where <= line:
                sums[np.uint32(where)] += x * value[at]


@njit(cache=True, nogil=True)
def add_all_products(rows, weights, place, sums):
    """Add up products of all features at once, in the lower triangle of the sums.

    Every row is written out, as most of its features are not 0 where lines are full.
    """
    first, index, value, _, _, _, dense, _ = rows
    n_dense, last = dense.shape[1], sums.shape[0] - 1
    n_sparse = place.shape[0] - n_dense
    written = np.zeros(last + 1)
    for row in range(weights.shape[0]):
        written[:last] = 0.0
        for at in range(first[row], first[row + 1]):
            where = place[np.uint32(index[at])]
            if where >= 0:
                written[where] += value[at]
        for at in range(n_dense):
            where = place[n_sparse + at]
            if where >= 0:
                written[where] = dense[row, at]
        written[last] = 1.0
        for line in range(last + 1):
            x, own = weights[row] * written[line], sums[line]
            if x != 0.0:
                for other in range(line + 1):
                    own[other] += x * written[other]


@njit(cache=True, nogil=True, inline="always")
def look_up_entries(column, values, start, end, sums):
    """Add up entries times the sums of their columns; two at once, as one would wait."""
    s0 = s1 = 0.0
    at = start
    while at + 1 < end:
        s0 += values[at] * sums[np.uint32(column[at])]
        s1 += values[at + 1] * sums[np.uint32(column[at + 1])]
        at += 2
    if at < end:
        s0 += values[at] * sums[np.uint32(column[at])]
    return s0 + s1


@njit(cache=True, nogil=True, inline="always")
def dot_entries(values, start, size, sums):
    """Do the same for a full line, whose columns come in their order."""
    s0 = s1 = s2 = s3 = 0.0
    at = 0
    while at + 3 < size:
        s0 += values[start + at] * sums[at]
        s1 += values[start + at + 1] * sums[at + 1]
        s2 += values[start + at + 2] * sums[at + 2]
        s3 += values[start + at + 3] * sums[at + 3]
        at += 4
    while at < size:
        s0 += values[start + at] * sums[at]
        at += 1
    return (s0 + s1) + (s2 + s3)


@njit(cache=True, nogil=True)
def factorise(rows, weights, penalties, places, n_full, values, roots):
    """Fill in the factor of second derivatives, penalties on the diagonal included.

    Parameters
    ----------
    weights : float64[n_rows], how heavy every row is
    penalties : float64[n_lines]
    places : features of the lines, lines of the features, first, column
    n_full : from which line on lines are full
    values, roots : float64[n_entries] off and float64[n_lines] on the diagonal
    """
    features, place, first, column = places
    n_lines, n_dense = roots.shape[0], rows[6].shape[1]
    n_sparse = place.shape[0] - n_dense
    sums = np.zeros(n_lines)
    # All products are added up before where lines are full, else those of dense features.
    products = np.zeros((n_lines, n_dense + 1 if n_full > 0 else n_lines))
    if n_full > 0:
        add_dense_products(rows, weights, place, products)
    else:
        add_all_products(rows, weights, place, products)
    for line in range(n_lines):
        feature = features[line] if line < features.shape[0] else n_sparse + n_dense
        if n_full == 0:
            sums[: line + 1] = products[line, : line + 1]
        elif feature < n_sparse:
            add_sparse_products(rows, weights, place, feature, line, sums)
        else:
            for at in range(line + 1):
                sums[at] = products[at, feature - n_sparse]
        left = own = sums[line]
        for entry in range(first[line], first[line + 1]):
            at = column[entry]
            start, end = first[at], first[at + 1]
            if at < n_full:
                known = look_up_entries(column, values, start, end, sums)
            else:
                known = dot_entries(values, start, at, sums)
            x = (sums[at] - known) / roots[at]
            sums[at] = x
            values[entry] = x
            left -= x * x
        # Of features that say the same nothing is left but rounding.
        roots[line] = math.sqrt(max(left, ROUNDING * own) + max(penalties[line], ROUNDING))
        sums[line] = 0.0
        for entry in range(first[line], first[line + 1]):
            sums[np.uint32(column[entry])] = 0.0


@njit(cache=True, nogil=True)
def turn_places(first, column, back):
    """List the entries of a factor by column: where each begins, the lines, and their numbers."""
    back_first, back_column, number = back
    for entry in range(column.shape[0]):
        back_first[column[entry] + 1] += 1
    for line in range(1, back_first.shape[0]):
        back_first[line] += back_first[line - 1]
    ends = back_first[:-1].copy()
    for line in range(first.shape[0] - 1):
        for entry in range(first[line], first[line + 1]):
            at = ends[column[entry]]
            back_column[at] = line
            number[at] = entry
            ends[column[entry]] += 1
