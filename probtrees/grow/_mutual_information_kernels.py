"""Compiled joint counts and mutual information; the face is :mod:`.mutual_information`."""

from __future__ import annotations

import math

import numpy as np
from numba import njit


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
        for row in range(n_rows):
            counts[first + codes[row] * n_classes + labels[row]] += table.weights[row]


@njit(cache=True, nogil=True)
def class_information(table, first_cell, counts, class_counts, total, information):
    """Write MI(attribute; class) in nats from the counts; empty cells are skipped."""
    n_classes = class_counts.shape[0]
    for column in range(information.shape[0]):
        result = 0.0
        for value in range(table.n_values[column]):
            first = first_cell[column] + value * n_classes
            with_value = 0.0
            for k in range(n_classes):
                with_value += counts[first + k]
            for k in range(n_classes):
                n = counts[first + k]
                if n > 0.0:
                    result += n * math.log(n * total / (with_value * class_counts[k]))
        information[column] = max(result / total, 0.0)


@njit(cache=True, nogil=True)
def _group_rows(key, n_keys, rows, ends):
    """List the rows key by key (counting sort); ``ends[g]`` is where group g ends."""
    ends[: n_keys + 1] = 0
    for row in range(key.shape[0]):
        ends[key[row] + 1] += 1
    for group in range(n_keys):
        ends[group + 1] += ends[group]
    for row in range(key.shape[0]):
        rows[ends[key[row]]] = row
        ends[key[row]] += 1


@njit(cache=True, nogil=True)
def _dense_information(key, codes, weights, own, other, class_counts, cells):
    """Return N * CMI of a pair with one cell for every combination.

    ``key`` numbers (value of i, class); ``own`` and ``other`` hold the counts of i and j
    by class.
    """
    n_classes = class_counts.shape[0]
    n_other = other.shape[0] // n_classes
    cells[: own.shape[0] * n_other] = 0.0
    for row in range(key.shape[0]):
        cells[key[row] * n_other + codes[row]] += weights[row]
    result = 0.0
    for group in range(own.shape[0]):
        k = group % n_classes
        for value in range(n_other):
            n = cells[group * n_other + value]
            if n > 0.0:
                result += n * math.log(
                    n * class_counts[k] / (own[group] * other[value * n_classes + k])
                )
    return result


@njit(cache=True, nogil=True)
def _grouped_information(rows, ends, codes, weights, own, other, class_counts, cells):
    """Return N * CMI of a pair, group by group: time and memory do not know the product."""
    n_classes = class_counts.shape[0]
    cells[: other.shape[0] // n_classes] = 0.0
    result = 0.0
    start = 0
    for group in range(own.shape[0]):
        k = group % n_classes
        for place in range(start, ends[group]):
            cells[codes[rows[place]]] += weights[rows[place]]
        for place in range(start, ends[group]):
            value = codes[rows[place]]
            n = cells[value]
            if n > 0.0:
                result += n * math.log(
                    n * class_counts[k] / (own[group] * other[value * n_classes + k])
                )
                cells[value] = 0.0
        start = ends[group]
    return result


@njit(cache=True, nogil=True)
def pair_information(table, first_cell, counts, class_counts, total, cells, information):
    """Write CMI(i; j | class) in nats for every pair of attributes.

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
    for i in range(n_columns - 1):
        own = counts[first_cell[i] : first_cell[i + 1]]
        for row in range(n_rows):
            key[row] = table.codes[i, row] * n_classes + labels[row]
        is_grouped = False
        for j in range(i + 1, n_columns - 1):
            other = counts[first_cell[j] : first_cell[j + 1]]
            if own.shape[0] * table.n_values[j] <= cells.shape[0]:
                result = _dense_information(
                    key, table.codes[j], table.weights, own, other, class_counts, cells
                )
            else:
                if not is_grouped:
                    _group_rows(key, own.shape[0], rows, ends)
                    is_grouped = True
                result = _grouped_information(
                    rows, ends, table.codes[j], table.weights, own, other, class_counts, cells
                )
            information[i, j] = max(result / total, 0.0)
            information[j, i] = information[i, j]
