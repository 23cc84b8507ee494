"""Numbers scattered over all 64-bit numbers: chance that is the same everywhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def splitmix64(bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Let every bit depend on every other, no two numbers onto one.

    One step and the finish of SplitMix64 (Steele, Lea and Flood 2014).

    >>> len(set(splitmix64(np.arange(1000, dtype=np.uint64)).tolist()))
    1000
    """
    mixed = bits + np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed
