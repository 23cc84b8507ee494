"""Compiled search for the ends of rows in delimited text; the face is :mod:`.text_blocks`.

A row goes from state to state as it does in Arrow's parser: only a quote at the beginning of a
cell encloses it, two quotes inside stand for one, and rows end with either or both of CR and LF.
"""

from __future__ import annotations

from numba import njit

ROW_START, _CELL_START, _IN_CELL, QUOTED = 0, 1, 2, 3
_AFTER_QUOTE, _AFTER_RETURN = 4, 5
_LINE_END, _RETURN = 10, 13


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
        if state == QUOTED:
            if byte == quote:
                state = _AFTER_QUOTE
        # Two quotes in a row stand for one, and the cell goes on.
        elif state == _AFTER_QUOTE and byte == quote:
            state = QUOTED
        elif byte == _LINE_END:
            end = place + 1
            state = ROW_START
        elif byte == _RETURN:
            state = _AFTER_RETURN
        elif byte == delimiter:
            state = _CELL_START
        # Only at the beginning of a cell: 5" pipe is no quoted cell.
        elif byte == quote and state <= _CELL_START:
            state = QUOTED
        else:
            state = _IN_CELL
    return state, end
