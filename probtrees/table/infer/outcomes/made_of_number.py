"""Find columns that a number tells though the table lacks a part: counts of rates, and recodes.

A rate is a count by a whole number, such as days, that the table may lack. A recode has one value
for each range of the number, such as 'promoter' for 9 and 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray, IntArray

_FACTORS = (1.0, 100.0, 1000.0, 1e4, 1e5, 1e6)
_NEARLY_ALL, _FEWEST_ROWS, _FEWEST_KNOWN = 0.97, 20, 0.5
_EXACT, _FINE, _MOST_DIGITS = 0.1, 1e-9, 9
"""How far a quotient may be off for a row to tell whether it is whole; and numbers by computing."""
_MOST_CHANCE, _FEWEST_BITS, _N_DEALT = 0.5, 60.0, 5
_FEWEST_OF_SECOND, _FEWEST_NUMBERS = 10, 3
"""Rows of the second most frequent value of a recode, and different numbers that it is made of."""


def is_count_of_rate(number: FloatArray, column: FloatArray) -> bool:
    """Whether a column is the number times whole numbers that differ, or a power of ten less.

    Only rows tell it in which the number is written with digits enough; in all others both are 0,
    or neither is.
    """
    known = np.isfinite(number) & np.isfinite(column)
    number, column = number[known], column[known]
    if known.sum() < _FEWEST_KNOWN * len(known) or not _is_whole(column).all():
        return False
    if not len(number) or ((number == 0) == (column == 0)).mean() < _NEARLY_ALL:
        return False
    some = (number != 0) & (column != 0)
    number, column, digit = number[some], column[some], _half_digit(number)
    if len(np.unique(column)) <= 2:
        return False
    return any(_is_whole_times(number, factor * column, digit) for factor in _FACTORS)


def _is_whole_times(number: FloatArray, column: FloatArray, digit: float) -> bool:
    """Whether the column by the number is a whole number, and for numbers of other rows is not."""
    with np.errstate(all="ignore"):
        times = column / number
        off = np.abs(times) * (digit / np.abs(number) + _FINE)
    tells = np.isfinite(off) & (off <= _EXACT)
    if tells.sum() < max(_FEWEST_ROWS, _FEWEST_KNOWN * len(number)):
        return False
    times, off, number, column = times[tells], off[tells], number[tells], column[tells]
    whole = np.round(times)
    right = (np.abs(times - whole) <= off) & (whole != 0)
    if right.mean() < _NEARLY_ALL or len(np.unique(whole[right])) <= 2:
        return False
    random = np.random.default_rng(0)
    dealt = column / np.array([random.permutation(number) for _ in range(_N_DEALT)])
    allowed = np.abs(dealt) * (digit * np.abs(dealt) / np.abs(column) + _FINE)
    chance = max(float((np.abs(dealt - np.round(dealt)) <= allowed).mean()), 1.0 / len(number))
    return chance <= _MOST_CHANCE and -np.log2(chance) * len(number) >= _FEWEST_BITS


def is_recode(number: FloatArray, values: NDArray[np.integer[Any]]) -> bool:
    """Whether each of several values, codes from 0, has a range of the number to itself.

    Codes below 0 are missing. In tables of a few rows, or if nearly every row has a value of its
    own, that may be chance.
    """
    known = np.isfinite(number) & (values >= 0)
    if known.sum() < _FEWEST_KNOWN * np.isfinite(number).sum():
        return False
    different, places = np.unique(number[known], return_inverse=True)
    codes: IntArray = values[known].astype(np.int64)
    counts = np.bincount(codes)
    counts = np.sort(counts[counts > 0])
    if len(different) < _FEWEST_NUMBERS or len(counts) < 2 or counts[-2] < _FEWEST_OF_SECOND:
        return False
    least = np.full(len(different), codes.max(), dtype=np.int64)
    most = np.zeros(len(different), dtype=np.int64)
    np.minimum.at(least, places, codes)
    np.maximum.at(most, places, codes)
    if (least != most).any() or np.count_nonzero(np.diff(least)) != len(counts) - 1:
        return False
    orders = _log_factorial(int(counts.sum())) - sum(map(_log_factorial, counts.tolist()))
    return orders - _log_factorial(len(counts)) >= _FEWEST_BITS


def _log_factorial(n: int) -> float:
    return float(np.log2(np.arange(1, n + 1)).sum())


def _is_whole(values: FloatArray) -> NDArray[np.bool_]:
    return np.asarray(values == np.round(values), dtype=np.bool_)


def _half_digit(values: FloatArray) -> float:
    """Return half of the last digit that numbers are written with; 0 where they are not rounded."""
    for digits in range(_MOST_DIGITS + 1):
        scaled = values * 10.0**digits
        if (np.abs(scaled - np.round(scaled)) <= _FINE * np.maximum(np.abs(scaled), 1.0)).all():
            return 0.0 if digits == 0 else 0.5 * 10.0**-digits
    return 0.0
