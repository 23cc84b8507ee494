"""Compiled counting of combinations of values and of single codes.

The faces are :mod:`.cell_counts`, and for single codes :mod:`.chunked_table` and
:mod:`.column_summary`. A combination is a number in a mixed base: the values of its columns are
the digits, the last column is the fastest, so that combinations that differ only in the class are
neighbours.
"""

from __future__ import annotations

from numba import njit


@njit(cache=True, nogil=True)
def number_cells(codes, columns, n_values, keys):
    """Give a number to the combination of values that every row has in some columns."""
    for row in range(keys.shape[0]):
        key = 0
        for place in range(columns.shape[0]):
            key = key * n_values[place] + codes[columns[place], row]
        keys[row] = key


@njit(cache=True, nogil=True)
def count_cells(codes, weights, columns, n_values, counts):
    """Add the weight of every row to the cell of its combination of values."""
    for row in range(weights.shape[0]):
        key = 0
        for place in range(columns.shape[0]):
            key = key * n_values[place] + codes[columns[place], row]
        counts[key] += weights[row]


@njit(cache=True, nogil=True)
def find_cells(codes, columns, n_values, number_of, places):
    """Write the number under which every row's combination of values is listed."""
    # ``number_of`` has a cell for every combination there could be; all rows meet listed ones.
    for row in range(places.shape[0]):
        key = 0
        for place in range(columns.shape[0]):
            key = key * n_values[place] + codes[columns[place], row]
        places[row] = number_of[key]


@njit(cache=True, nogil=True)
def translate(codes, of_code, translated):
    """Write what every code stands for; the first entry belongs to code -1."""
    for row in range(codes.shape[0]):
        translated[row] = of_code[codes[row] + 1]


@njit(cache=True, nogil=True)
def count_codes(codes, counts):
    """Count every code; the first entry belongs to code -1."""
    for row in range(codes.shape[0]):
        counts[codes[row] + 1] += 1
