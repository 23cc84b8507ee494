"""Numbers of a column in two scales, brought to one: 1,72 among 172, 101.3 °F among 38.5 °C."""

from __future__ import annotations

import numpy as np

from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray


def in_one_scale(values: FloatArray, spelling: Spelling) -> FloatArray:
    """Take small numbers a hundred times, or °F as °C.

    >>> in_one_scale(np.array([1.72, 180.0]), Spelling(small=2.5)).tolist()
    [172.0, 180.0]
    """
    if spelling.fahrenheit:
        celsius = np.round((values - 32) / 1.8, 6)
        return np.where(values >= spelling.fahrenheit, celsius, values)
    times = np.where(np.abs(values) <= spelling.small, 100.0, 1.0)
    return np.round(values * times, 12)
