"""Numbers of a column in two scales, brought to one: 1,72 among 172, 101.3 °F among 38.5 °C."""

from __future__ import annotations

import numpy as np

from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray

HOTTEST_F = 113.0
"""No body is hotter in °F (45 °C): what is above stands for something else, as 999 does."""


def in_one_scale(values: FloatArray, spelling: Spelling) -> FloatArray:
    """Take small numbers a hundred times, or °F as °C.

    Codes for a missing value, 999 and -1, stay what they are, so that they can be asked about: of
    whole numbers below 0 only those of percent are multiplied.

    >>> in_one_scale(np.array([1.72, 180.0, -1.0, -0.5]), Spelling(small=2.5)).tolist()
    [172.0, 180.0, -1.0, -50.0]
    >>> in_one_scale(np.array([38.5, 101.3, 999.0]), Spelling(fahrenheit=98.0)).tolist()
    [38.5, 38.5, 999.0]
    """
    if spelling.fahrenheit:
        celsius = np.round((values - 32) / 1.8, 6)
        in_f = (values >= spelling.fahrenheit) & (values <= HOTTEST_F)
        return np.where(in_f, celsius, values)
    is_code = (values < 0) & (values % 1 == 0) & (spelling.unit != "%")
    is_small = (np.abs(values) <= spelling.small) & ~is_code
    return np.round(values * np.where(is_small, 100.0, 1.0), 12)
