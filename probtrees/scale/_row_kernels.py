"""Compiled loops over rows: combinations of values, rows in a growing tree, where rows of text end.

The faces are :mod:`.learn.network_counts`, :mod:`.learn.growing_tree` and
:mod:`.files.text_blocks`. A combination is a number in a mixed base: the values of its columns are
the digits, the last column is the fastest, so that combinations that differ only in the class are
neighbours. A row of text goes from state to state as it does in Arrow's parser: only a quote at the
beginning of a cell encloses it, two quotes inside stand for one, and rows end with either or both
of CR and LF.
"""

from __future__ import annotations

from numba import njit

ROW_START, _CELL_START, _IN_CELL, _QUOTED = 0, 1, 2, 3
_AFTER_QUOTE, _AFTER_RETURN = 4, 5
_LINE_END, _RETURN = 10, 13


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


@njit(cache=True, nogil=True)
def walk_rows(data, state, delimiter, quote):
    """Walk over bytes from a state on.

    Returns the state at the end, and the byte after the last row that ended (0: none did). A last
    CR ends no row yet: an LF may follow.
    """
    end = 0
    for place in range(data.shape[0]):
        byte = data[place]
        # A CR was seen: only now is it known whether an LF belongs to the same line end.
        if state == _AFTER_RETURN:
            end = place + 1 if byte == _LINE_END else place
            state = ROW_START
            if byte == _LINE_END:
                continue
        # Inside quotes nothing but a quote matters: neither line ends nor delimiters.
        if state == _QUOTED:
            if byte == quote:
                state = _AFTER_QUOTE
        # Two quotes in a row stand for one, and the cell goes on.
        elif state == _AFTER_QUOTE and byte == quote:
            state = _QUOTED
        elif byte == _LINE_END:
            end = place + 1
            state = ROW_START
        elif byte == _RETURN:
            state = _AFTER_RETURN
        elif byte == delimiter:
            state = _CELL_START
        # Only at the beginning of a cell: 5" pipe is no quoted cell.
        elif byte == quote and state <= _CELL_START:
            state = _QUOTED
        else:
            state = _IN_CELL
    return state, end
