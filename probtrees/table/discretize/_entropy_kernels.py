"""Compiled: where entropy cuts one sorted column, for the methods that look at the class."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def table_of_logs(weights):
    """Return n log2(n) for n = 0, 1, ... rows, if every row weighs 1; else an empty table.

    Counts of such rows are whole, so all logarithms of a column are looked up here.
    """
    n_rows = weights.shape[0]
    if (weights != 1.0).any():
        return np.empty(0)
    table = np.zeros(n_rows + 1)
    for count in range(1, n_rows + 1):
        table[count] = count * math.log2(float(count))
    return table


@njit(cache=True, nogil=True)
def _n_log_n(count, logs):
    """Return n log2(n), looked up where counts are whole."""
    if logs.shape[0] > 0:
        return logs[int(count)]
    return count * math.log2(count) if count > 0.0 else 0.0


@njit(cache=True, nogil=True)
def _weighted_entropy(counts, logs):
    """Return N * entropy in bits of a vector of counts that sum to N, and how many are not 0."""
    total = 0.0
    for k in range(counts.shape[0]):
        total += counts[k]
    result = _n_log_n(total, logs)
    n_present = 0
    for k in range(counts.shape[0]):
        result -= _n_log_n(counts[k], logs)
        n_present += counts[k] > 0.0
    return result, n_present


@njit(cache=True, nogil=True)
def _log_of_splits(n_present):
    """Return log2(3^k - 2) for k classes, also where 3^k would overflow."""
    result = n_present * math.log2(3.0)
    if n_present < 40:
        result += math.log1p(-2.0 / 3.0**n_present) / math.log(2.0)
    return result


@njit(cache=True, nogil=True)
def score_cuts(column, start, stop, logs, gains, margins):
    """Write, for every place a segment can be cut, the information gain and the MDL margin.

    Place i cuts between rows i and i + 1 of the column. The margin is the gain minus what
    the cut costs to describe (Fayyad & Irani; thesis eq. 37 and 38). Between equal values
    both are -inf. ``logs`` is the column's table of logarithms. Returns the number of places.
    """
    if stop - start < 2:
        return 0
    left = np.zeros(column.n_classes)
    right = np.zeros(column.n_classes)
    total = 0.0
    for row in range(start, stop):
        right[column.labels[row]] += column.weights[row]
        total += column.weights[row]
    whole, n_whole = _weighted_entropy(right, logs)
    # What does not depend on the place is computed once: logarithms and powers are slow.
    place_cost = math.log2(max(total - 1.0, 1.0))
    classes_cost = _log_of_splits(n_whole) - n_whole * whole / total
    places = 0
    weight_below = 0.0
    for row in range(start, stop - 1):
        label = column.labels[row]
        weight_below += column.weights[row]
        left[label] += column.weights[row]
        right[label] -= column.weights[row]
        if right[label] < 1e-9:
            right[label] = 0.0
        gains[row] = -math.inf
        margins[row] = -math.inf
        if column.values[row] < column.values[row + 1]:
            places += 1
            below, n_below = _weighted_entropy(left, logs)
            above, n_above = _weighted_entropy(right, logs)
            weight_above = max(total - weight_below, column.weights[row + 1])
            gains[row] = (whole - below - above) / total
            delta = n_below * below / weight_below + n_above * above / weight_above
            margins[row] = gains[row] - (place_cost + classes_cost + delta) / total
    return places


@njit(cache=True, nogil=True)
def _largest(scores, start, stop):
    """Find the place with the highest score, the first of equals; -1 if there is none."""
    best = -1
    for row in range(start, stop - 1):
        if scores[row] > -math.inf and (best < 0 or scores[row] > scores[best] + 1e-12):
            best = row
    return best


@njit(cache=True, nogil=True)
def _draw(scores, start, stop, share):
    """Draw a place in proportion to positive scores; -1 if there is none."""
    total = 0.0
    for row in range(start, stop - 1):
        total += max(scores[row], 0.0)
    chosen = -1
    reached = 0.0
    for row in range(start, stop - 1):
        if scores[row] > 0.0:
            chosen = row
            reached += scores[row]
            if reached > share * total:
                break
    return chosen


@njit(cache=True, nogil=True)
def cut_by_mdl(column, draws, is_cut):
    """Mark where MDLP cuts a column; segments still to be cut wait on a stack.

    Without ``draws`` a segment is cut where the gain is largest, if that pays for its
    description. With them (numbers in [0, 1)) the place is drawn in proportion to the
    margin, and a column in which no cut pays is still cut once, in proportion to the gain.
    """
    n_rows = column.values.shape[0]
    logs = table_of_logs(column.weights)
    gains = np.empty(n_rows)
    margins = np.empty(n_rows)
    starts = np.empty(n_rows + 1, dtype=np.int64)
    stops = np.empty(n_rows + 1, dtype=np.int64)
    starts[0] = 0
    stops[0] = n_rows
    top = 1
    n_drawn = 0
    while top > 0:
        top -= 1
        start = starts[top]
        stop = stops[top]
        if score_cuts(column, start, stop, logs, gains, margins) == 0:
            continue
        if draws.shape[0] == 0:
            place = _largest(gains, start, stop)
            if margins[place] <= 0.0:
                continue
        else:
            place = _draw(margins, start, stop, draws[n_drawn])
            if place < 0:
                if stop - start == n_rows:
                    place = _draw(gains, start, stop, draws[n_drawn])
                    if place >= 0:
                        is_cut[place] = True
                continue
            n_drawn += 1
        is_cut[place] = True
        starts[top] = start
        stops[top] = place + 1
        starts[top + 1] = place + 1
        stops[top + 1] = stop
        top += 2
