"""Powers of five to 128 bits, with which decimal numbers become floats.

For a power q, 5**q is scaled by a power of two so that its highest bit is the 128th, and cut off
there (negative powers: rounded up). Lemire (2021), Number parsing at a gigabyte per second,
section 5, shows that this is enough to find the nearest float.
"""

from __future__ import annotations

import numpy as np

_LARGEST_POWER = 60
_WORD = 1 << 64


def _scaled(power: int) -> int:
    if power >= 0:
        value = int(5**power)
        surplus = value.bit_length() - 128
        return value >> surplus if surplus > 0 else value << -surplus
    divisor = int(5**-power)
    quotient = (1 << (2 * divisor.bit_length() + 128)) // divisor + 1
    return quotient >> (quotient.bit_length() - 128)


POWERS_OF_FIVE = np.array(
    [
        word
        for power in range(-_LARGEST_POWER, _LARGEST_POWER + 1)
        for word in divmod(_scaled(power), _WORD)
    ],
    dtype=np.uint64,
)
"""High and low word of every power from -60 to 60 in turn."""
