"""Compiled counting of combinations of values, and of rows in a growing tree.

The faces are :mod:`.cell_counts` and :mod:`.node_statistics`. A combination is a number in a mixed
base: the values of its columns are the digits, the last column is the fastest, so that combinations
that differ only in the class are neighbours.
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


@njit(cache=True, nogil=True, error_model="numpy")
def find_slots(rows, tree, slots, found):
    """Note for every row the slot of the node it arrives at; ``slots`` is per node, -1: none.

    A numeric split sends codes up to ``last_below`` left, the missing code to the third branch;
    in a nominal one (``last_below`` -1) the code is the branch.
    """
    for row in range(rows.shape[0]):
        # Every row starts at the root again: to remember nodes would take 8 bytes per row.
        node = 0
        while tree.first_child[node] >= 0:
            column = tree.column[node]
            code = rows[row, column]
            last_below = tree.last_below[node]
            # A missing category is the last code, so it has a branch like any other.
            if last_below < 0:
                branch = int(code)
            elif code <= last_below:
                branch = 0
            else:
                branch = 1 if code < tree.n_codes[column] else 2
            node = tree.first_child[node] + branch
        found[row] = slots[node]


@njit(cache=True, nogil=True, error_model="numpy")
def count_in_nodes(rows, found, starts, tables):
    """Add rows to the tables of their slots: one cell per column, by code and class."""
    n_features = starts.shape[0]
    # Row by row: a row lies together in memory, and columns with few codes come first, so that
    # their cells stay in the cache.
    for row in range(rows.shape[0]):
        slot = found[row]
        if slot >= 0:
            outcome = rows[row, n_features]
            for column in range(n_features):
                tables[slot, starts[column] + rows[row, column], outcome] += 1
