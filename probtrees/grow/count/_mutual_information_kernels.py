"""Compiled joint counts and mutual information; the face is :mod:`.mutual_information`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

BLOCK_ROWS = 8192
"""Rows that all pairs are counted over before the next ones are fetched."""


@njit(cache=True, nogil=True)
def count_with_class(table, first_cell, counts):
    """Count every attribute's values by class.

    Value v of column c under class k is counted in ``counts[first_cell[c] + v * K + k]``.
    """
    n_columns, n_rows = table.codes.shape
    n_classes = table.n_values[n_columns - 1]
    labels = table.codes[n_columns - 1]
    for column in range(n_columns - 1):
        first = first_cell[column]
        codes = table.codes[column]
        # One column at a time: its counts stay in the cache while the rows pass.
        for row in range(n_rows):
            counts[first + codes[row] * n_classes + labels[row]] += table.weights[row]


@njit(cache=True, nogil=True)
def class_information(n_values, first_cell, counts, class_counts, total, information):
    """Write MI(attribute; class) in nats from the counts; empty cells are skipped."""
    n_classes = class_counts.shape[0]
    for column in range(information.shape[0]):
        result = 0.0
        for value in range(n_values[column]):
            first = first_cell[column] + value * n_classes
            with_value = 0.0
            for k in range(n_classes):
                with_value += counts[first + k]
            for k in range(n_classes):
                n = counts[first + k]
                # x log x goes to 0 with x.
                if n > 0.0:
                    result += n * math.log(n * total / (with_value * class_counts[k]))
        # Information is never negative; rounding may make it so.
        information[column] = max(result / total, 0.0)


@njit(cache=True, nogil=True)
def _group_rows(key, n_keys, rows, ends):
    """List the rows key by key (counting sort); ``ends[g]`` is where group g ends."""
    ends[: n_keys + 1] = 0
    # Counted one key further on; after the second loop ends[g] has moved to the end of g.
    for row in range(key.shape[0]):
        ends[key[row] + 1] += 1
    for group in range(n_keys):
        ends[group + 1] += ends[group]
    for row in range(key.shape[0]):
        rows[ends[key[row]]] = row
        ends[key[row]] += 1


@njit(cache=True, nogil=True)
def _count_pair(key, codes, n_codes, weights, start, stop, cells):
    """Count the pairs (key, code) of some rows in ``cells[key * n_codes + code]``."""
    for row in range(start, stop):
        cells[key[row - start] * n_codes + codes[row]] += weights[row]


@njit(cache=True, nogil=True)
def _pair_term(n, group, value, own, other, class_counts):
    """Return what one cell of a pair adds to N * CMI."""
    n_classes = class_counts.shape[0]
    # The key is value of i * classes + class. The term is n ln(p(i,j|y) / (p(i|y) p(j|y))), all
    # counts: N * CMI is the sum of these over the cells.
    k = group % n_classes
    return n * math.log(n * class_counts[k] / (own[group] * other[value * n_classes + k]))


@njit(cache=True, nogil=True)
def _information_of_cells(own, other, class_counts, cells):
    """Return N * CMI of a pair counted with one cell for every combination.

    Cells come by (value of i, class), then by value of j; ``own`` and ``other`` hold the
    counts of i and j by class.
    """
    n_other = other.shape[0] // class_counts.shape[0]
    result = 0.0
    for group in range(own.shape[0]):
        for value in range(n_other):
            n = cells[group * n_other + value]
            if n > 0.0:
                result += _pair_term(n, group, value, own, other, class_counts)
    return result


@njit(cache=True, nogil=True)
def count_pairs(table, first_pair, cells):
    """Add the rows of a table to the counts of all pairs of attributes by class.

    The cells of pair (i, j) start at ``first_pair[i, j]``; a pair without a place (-1) is not
    counted. Rows are taken some at a time, so that all pairs find them in the cache.
    """
    n_columns, n_rows = table.codes.shape
    n_classes = table.n_values[n_columns - 1]
    labels = table.codes[n_columns - 1]
    key = np.empty(BLOCK_ROWS, dtype=np.int64)
    # Blocks outside, pairs inside: a block's codes are fetched once for all pairs.
    for start in range(0, n_rows, BLOCK_ROWS):
        stop = min(start + BLOCK_ROWS, n_rows)
        for i in range(n_columns - 1):
            for row in range(start, stop):
                key[row - start] = table.codes[i, row] * n_classes + labels[row]
            for j in range(i + 1, n_columns - 1):
                if first_pair[i, j] >= 0:
                    _count_pair(
                        key,
                        table.codes[j],
                        table.n_values[j],
                        table.weights,
                        start,
                        stop,
                        cells[first_pair[i, j] :],
                    )


@njit(cache=True, nogil=True)
def information_of_pairs(first_cell, counts, class_counts, total, first_pair, cells, information):
    """Write CMI(i; j | class) in nats for every pair that was counted cell by cell."""
    for i in range(information.shape[0]):
        own = counts[first_cell[i] : first_cell[i + 1]]
        for j in range(i + 1, information.shape[0]):
            if first_pair[i, j] >= 0:
                other = counts[first_cell[j] : first_cell[j + 1]]
                result = _information_of_cells(own, other, class_counts, cells[first_pair[i, j] :])
                information[i, j] = max(result / total, 0.0)
                information[j, i] = information[i, j]


@njit(cache=True, nogil=True)
def _grouped_information(rows, ends, codes, weights, own, other, class_counts, cells):
    """Return N * CMI of a pair, group by group: time and memory do not know the product."""
    n_classes = class_counts.shape[0]
    cells[: other.shape[0] // n_classes] = 0.0
    result = 0.0
    start = 0
    for group in range(own.shape[0]):
        # Count one group's values, use them, and clear only what was touched.
        for place in range(start, ends[group]):
            cells[codes[rows[place]]] += weights[rows[place]]
        for place in range(start, ends[group]):
            value = codes[rows[place]]
            n = cells[value]
            # The first row of a value uses its count and clears it; later ones find 0.
            if n > 0.0:
                result += _pair_term(n, group, value, own, other, class_counts)
                cells[value] = 0.0
        start = ends[group]
    return result


@njit(cache=True, nogil=True)
def pair_information(table, i, first_cell, counts, class_counts, total, cells, information):
    """Write CMI(i; j | class) in nats for an attribute and every later one.

    A pair whose combinations of values and class fit into ``cells`` is counted cell by
    cell, any other group by group, for which ``cells`` must have room for the values of any
    attribute; both take time linear in the rows.
    """
    n_columns, n_rows = table.codes.shape
    n_classes = class_counts.shape[0]
    labels = table.codes[n_columns - 1]
    key = np.empty(n_rows, dtype=np.int64)
    rows = np.empty(n_rows, dtype=np.int32)
    ends = np.empty(cells.shape[0] * n_classes + 1, dtype=np.int64)
    own = counts[first_cell[i] : first_cell[i + 1]]
    for row in range(n_rows):
        key[row] = table.codes[i, row] * n_classes + labels[row]
    is_grouped = False
    for j in range(i + 1, n_columns - 1):
        other = counts[first_cell[j] : first_cell[j + 1]]
        # Cells for every combination are quickest while they fit.
        if own.shape[0] * table.n_values[j] <= cells.shape[0]:
            n_cells = own.shape[0] * table.n_values[j]
            for cell in range(n_cells):
                cells[cell] = 0.0
            _count_pair(key, table.codes[j], table.n_values[j], table.weights, 0, n_rows, cells)
            result = _information_of_cells(own, other, class_counts, cells)
        else:
            # Grouping depends on i alone: once for all j that need it.
            if not is_grouped:
                _group_rows(key, own.shape[0], rows, ends)
                is_grouped = True
            result = _grouped_information(
                rows, ends, table.codes[j], table.weights, own, other, class_counts, cells
            )
        information[i, j] = max(result / total, 0.0)
        information[j, i] = information[i, j]
