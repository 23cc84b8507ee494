"""Compiled twin of quick_delimited.py: find cells, read numbers, look up words.

Positions are unsigned, so that no index can mean "from the end". Nothing is raised here: what a
kernel does not understand it reports, and the caller reads the file another way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

NOT_UNDERSTOOD = -1

_0, _1, _2, _3 = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3)
_9, _10, _32, _52, _63 = np.uint64(9), np.uint64(10), np.uint64(32), np.uint64(52), np.uint64(63)
_ALL, _LOW_HALF, _LAST_BITS = np.uint64(2**64 - 1), np.uint64(2**32 - 1), np.uint64(0x1FF)
_EXACT, _HIDDEN_BIT = np.uint64(2**53), np.uint64(2**52)

_LINE_END, _RETURN, _BLANK, _TAB = 10, 13, 32, 9
_PLUS, _MINUS, _SMALL_E, _LARGE_E = 43, 45, 101, 69
_MAX_DIGITS = 19
_LARGEST_EXACT_POWER = 22
_LARGEST_POWER = 60


class Marks(NamedTuple):
    """Bytes with a meaning; ``stops`` tells of every byte whether it may end a cell."""

    delimiter: int
    quote: int
    decimal: int
    stops: NDArray[np.uint8]


class NumberTables(NamedTuple):
    """What is needed to read numbers.

    missing, missing_ends : spellings of missing numbers, one after the other, and where each ends
    powers : high and low word of every power of five from -60 to 60
    exact_powers : the powers of ten that a float holds exactly
    """

    missing: NDArray[np.uint8]
    missing_ends: NDArray[np.int64]
    powers: NDArray[np.uint64]
    exact_powers: NDArray[np.float64]


@njit(cache=True, nogil=True)
def find_cells(data, start, stop, marks, ends):
    """Cut lines into cells; return the number of lines, or NOT_UNDERSTOOD.

    Relative to start, cell c of line r begins after ends[c, r] and ends before ends[c + 1, r].
    """
    delimiter, quote, stops = marks.delimiter, marks.quote, marks.stops
    width = ends.shape[0] - 1
    base = np.uint64(start)
    end = np.uint64(stop)
    i = base
    row = _0
    while i < end:
        ends[0, row] = np.int64(i - base) - 1
        for column in range(1, width + 1):
            if data[i] == quote:
                i += _1
                while data[i] != quote:
                    if data[i] == _LINE_END or data[i] == 0:
                        return NOT_UNDERSTOOD
                    i += _1
                i += _1
                if not stops[data[i]]:
                    return NOT_UNDERSTOOD
            while not stops[data[i]]:
                i += _1
            ends[column, row] = i - base
            if column < width and data[i] != delimiter:
                return NOT_UNDERSTOOD
            i += _1
        if data[i - _1] == _RETURN:
            i += _1
        if data[i - _1] != _LINE_END:
            return NOT_UNDERSTOOD
        row += _1
    return np.int64(row)


@njit(cache=True, nogil=True)
def read_numbers(data, start, lefts, rights, marks, tables, numbers, bits, hard):
    """Read a column of numbers; return how many need more care, or NOT_UNDERSTOOD.

    ``numbers`` and ``bits`` are the same memory, as floats and as their bits. The entries that
    need more care are listed in ``hard``.
    """
    quote, decimal = marks.quote, marks.decimal
    powers, exact_powers = tables.powers, tables.exact_powers
    base = np.uint64(start)
    n_hard = 0
    for row in range(len(lefts)):
        i = base + np.uint64(lefts[row] + 1)
        end = base + np.uint64(rights[row])
        if i < end and data[i] == quote:
            i += _1
            end -= _1
        first = i
        while i < end and data[i] == _BLANK:
            i += _1
        while end > i and data[end - _1] == _BLANK:
            end -= _1
        negative = i < end and data[i] == _MINUS
        if negative or (i < end and data[i] == _PLUS):
            i += _1
        mantissa = _0
        n_digits = 0
        begin = i
        point = end
        while i < end:
            digit = np.uint64(data[i]) - np.uint64(48)
            if digit <= _9:
                mantissa = mantissa * _10 + digit
                n_digits += mantissa > _0
            elif data[i] == decimal and point == end:
                point = i
            else:
                break
            i += _1
        power = 0 if point == end else -np.int64(i - point - _1)
        is_number = i - begin > np.uint64(point != end)
        if is_number and i < end and (data[i] == _SMALL_E or data[i] == _LARGE_E):
            i, exponent = _exponent(data, i + _1, end)
            power += exponent
        if not is_number or i < end:
            if not _is_missing(data, first, end, tables.missing, tables.missing_ends):
                return NOT_UNDERSTOOD
            numbers[row] = np.nan
        elif n_digits <= _MAX_DIGITS and mantissa <= _EXACT and abs(power) <= _LARGEST_EXACT_POWER:
            value = np.float64(mantissa)
            value = value / exact_powers[-power] if power < 0 else value * exact_powers[power]
            numbers[row] = -value if negative else value
        else:
            found = _0
            if n_digits <= _MAX_DIGITS and abs(power) <= _LARGEST_POWER:
                number = 2 * (power + _LARGEST_POWER)
                found = _nearest_float(mantissa, power, powers[number], powers[number + 1])
            bits[row] = found | (np.uint64(negative) << _63)
            if found == _0:
                if n_hard == len(hard):
                    return NOT_UNDERSTOOD
                hard[n_hard] = row
                n_hard += 1
    return n_hard


@njit(cache=True, nogil=True)
def _exponent(data, i, end):
    """Read what follows an e; stay before it if there are no digits."""
    first = i
    down = i < end and data[i] == _MINUS
    if down or (i < end and data[i] == _PLUS):
        i += _1
    exponent = 0
    begin = i
    while i < end:
        digit = np.uint64(data[i]) - np.uint64(48)
        if digit > _9:
            break
        exponent = min(exponent * 10 + np.int64(digit), 1 << 20)
        i += _1
    if i == begin:
        return first - _1, 0
    return i, -exponent if down else exponent


@njit(cache=True, nogil=True)
def _nearest_float(mantissa, power, five_high, five_low):
    """Return the bits of the float nearest to mantissa * 10**power; 0 if they are not certain.

    Lemire (2021), Number parsing at a gigabyte per second, algorithm 1: the product with a
    truncated power of five decides unless the truncated part could matter.
    """
    if mantissa == _0:
        return _0
    zeros = 0
    while (mantissa >> _63) == _0:
        step = 8 if (mantissa >> np.uint64(56)) == _0 else 1
        mantissa <<= np.uint64(step)
        zeros += step
    high, low = _product(mantissa, five_high)
    if (high & _LAST_BITS) == _LAST_BITS:
        more, _ = _product(mantissa, five_low)
        low += more
        if low < more:
            high += _1
    if low == _ALL:
        return _0
    top = high >> _63
    shift = top + _9
    significand = high >> shift
    exponent = ((217706 * power) >> 16) + 63 + np.int64(top) - zeros + 1023
    is_tie = low <= _1 and (significand & _3) == _1 and -4 <= power <= 23
    if is_tie and (significand << shift) == high:
        significand &= ~_1
    significand += significand & _1
    significand >>= _1
    if significand >= _EXACT:
        significand = _HIDDEN_BIT
        exponent += 1
    return (significand & ~_HIDDEN_BIT) | (np.uint64(exponent) << _52)


@njit(cache=True, nogil=True)
def _product(a, b):
    """Multiply two words; return the high and the low word of the product."""
    a_high, a_low = a >> _32, a & _LOW_HALF
    b_high, b_low = b >> _32, b & _LOW_HALF
    low = a_low * b_low
    cross = a_high * b_low + (low >> _32)
    middle = a_low * b_high + (cross & _LOW_HALF)
    high = a_high * b_high + (cross >> _32) + (middle >> _32)
    return high, (middle << _32) | (low & _LOW_HALF)


@njit(cache=True, nogil=True)
def _is_missing(data, first, end, missing, missing_ends):
    """Whether a cell is one of the spellings of a missing value, blanks around it left out."""
    while first < end and (data[first] == _BLANK or data[first] == _TAB):
        first += _1
    while end > first and (data[end - _1] == _BLANK or data[end - _1] == _TAB):
        end -= _1
    length = np.int64(end - first)
    start = 0
    for number in range(len(missing_ends)):
        if missing_ends[number] - start == length:
            k = 0
            while k < length and missing[start + k] == data[first + np.uint64(k)]:
                k += 1
            if k == length:
                return True
        start = missing_ends[number]
    return False


@njit(cache=True, nogil=True)
def read_words(data, start, lefts, rights, quote, slots, pool, ends, codes):
    """Look up the code of every cell of a column; return NOT_UNDERSTOOD if words get too many.

    A new word gets the next code. ``pool`` holds the words one after the other; ``ends`` begins
    with how many there are, then 0, then where each ends; ``slots`` is a hash table of codes, -1
    where free. The hash looks at a few bytes only; words of equal hash are told apart by all.
    """
    base = np.uint64(start)
    mask = np.uint64(len(slots) - 1)
    for row in range(len(lefts)):
        first = base + np.uint64(lefts[row] + 1)
        end = base + np.uint64(rights[row])
        if first < end and data[first] == quote:
            first += _1
            end -= _1
        length = end - first
        mixed = np.uint32(length) * np.uint32(0x9E3779B1)
        if length > _0:
            mixed += np.uint32(data[first]) * np.uint32(0x85EBCA6B)
            mixed += np.uint32(data[end - _1]) * np.uint32(0xC2B2AE35)
            mixed += np.uint32(data[first + (length >> _1)]) * np.uint32(0x27D4EB2F)
            if length > _2:
                mixed += np.uint32(data[end - _2]) * np.uint32(0x165667B1)
                mixed += np.uint32(data[end - _3]) * np.uint32(0xD3A2646C)
        slot = np.uint64(mixed ^ (mixed >> np.uint32(15))) & mask
        code = slots[slot]
        while code >= 0:
            begin = np.uint64(ends[code + 1])
            if np.uint64(ends[code + 2]) - begin == length:
                k = _0
                while k < length and pool[begin + k] == data[first + k]:
                    k += _1
                if k == length:
                    break
            slot = (slot + _1) & mask
            code = slots[slot]
        if code < 0:
            code = ends[0]
            begin = np.uint64(ends[code + 1])
            if 2 * (code + 1) > len(slots) or begin + length > np.uint64(len(pool)):
                return NOT_UNDERSTOOD
            for k in range(np.int64(length)):
                pool[begin + np.uint64(k)] = data[first + np.uint64(k)]
            ends[code + 2] = begin + length
            ends[0] = code + 1
            slots[slot] = code
        codes[row] = code
    return 0


@njit(cache=True, nogil=True)
def gather_texts(data, starts, ends, out):
    """Copy texts one after the other; text k ends before ends[k + 1] in the output."""
    for k in range(len(starts)):
        first = np.uint64(starts[k])
        begin = np.uint64(ends[k])
        for j in range(ends[k + 1] - ends[k]):
            out[begin + np.uint64(j)] = data[first + np.uint64(j)]
