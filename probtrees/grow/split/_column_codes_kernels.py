"""Numbering the distinct values of a column in the order they are met."""

from __future__ import annotations

import numpy as np
from numba import njit

TOO_MANY = -1
"""Returned when a column has more distinct values than there is room for."""

MISSING_CODE = -1


@njit(cache=True, nogil=True, error_model="numpy")
def number_values(values, bits, codes, distinct, slots):
    """Write the number of each row's value into ``codes``; return how many values there are.

    A hash table with open addressing: ``slots`` (a power of two long, at least twice as long as
    ``distinct``) holds 1 + the number of a value. ``bits`` is ``values`` seen as int64.
    """
    mask = np.int64(slots.shape[0] - 1)
    for slot in range(slots.shape[0]):
        slots[slot] = 0
    n_distinct = 0
    for row in range(values.shape[0]):
        value = values[row]
        if np.isnan(value):
            codes[row] = MISSING_CODE
            continue
        # 0.0 and -0.0 are one value with two patterns of bits.
        pattern = np.int64(0) if value == 0.0 else bits[row]
        # The bits of small whole numbers differ in the upper half only: fold it down.
        folded = (pattern ^ (pattern >> 31)) & 0x7FFFFFFF
        # A multiplicative hash (Knuth); the middle bits of the product are mixed best.
        slot = ((folded * 1327217885) >> 16) & mask
        # Linear probing ends soon: at most half of the slots are taken.
        while slots[slot] > 0 and distinct[slots[slot] - 1] != value:
            slot = (slot + 1) & mask
        if slots[slot] == 0:
            if n_distinct == distinct.shape[0]:
                return TOO_MANY
            distinct[n_distinct] = value
            n_distinct += 1
            slots[slot] = n_distinct
        codes[row] = slots[slot] - 1
    return n_distinct
