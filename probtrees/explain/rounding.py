"""Printed numbers that still add up: rounding by largest remainder."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np


def round_to_sum(values: Sequence[float], decimals: int) -> list[float]:
    """Round numbers so that they add up to their rounded sum.

    Every number is cut off; what is missing from the sum goes, one last digit each, to
    those that lost most.

    >>> round_to_sum([14.2857, 1.3846, 0.486], 1), round(14.2857 + 1.3846 + 0.486, 1)
    ([14.3, 1.4, 0.5], 16.2)
    >>> round_to_sum([33.4, 33.3, 33.3], 0)
    [34.0, 33.0, 33.0]
    """
    unit = 10.0**decimals
    scaled = np.asarray(values, dtype=np.float64) * unit
    units = np.floor(scaled)
    short = round(float(scaled.sum())) - int(units.sum())
    most_lost = np.argsort(units - scaled, kind="stable")[: max(short, 0)]
    units[most_lost] += 1
    return [round(float(number) / unit, decimals) for number in units]


def percent_decimals(probability: float) -> int:
    """Choose how many decimals a percentage needs so that it does not read 0 or 100.

    >>> percent_decimals(0.161), percent_decimals(0.0042), percent_decimals(0.99996)
    (1, 2, 4)
    """
    distance = min(probability, 1 - probability)
    if distance <= 1e-12:
        return 0
    return max(1, min(8, -math.floor(math.log10(distance)) - 1))


def percent(value: float, decimals: int) -> str:
    """Print a percentage that is already in percent.

    >>> percent(16.1, 1), percent(50.0, 1), percent(100, 0)
    ('16.1 %', '50.0 %', '100 %')
    """
    return f"{value:.{decimals}f} %"


def rows_text(number: float) -> str:
    """Print a number of rows: thousands apart, fractions of rows with few digits.

    >>> rows_text(2941), rows_text(7.25), rows_text(0.0004)
    ('2,941', '7.25', '0.0004')
    """
    if float(number).is_integer():
        return f"{number:,.0f}"
    return f"{number:,.2f}".rstrip("0").rstrip(".") if number >= 0.01 else f"{number:.1g}"
