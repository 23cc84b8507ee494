"""The stretch of probabilities that an axis shows: one for a tree, closer where all is at an end.

On an axis from 0 to 100 % a chance of 1.0 % and an overall rate of 0.6 % are one mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probtrees.words import percent

_OUTERMOST = 0.1
"""Marks that all lie in such a part of the axis, at its beginning or its end, are shown closer."""


@dataclass(frozen=True)
class Axis:
    """The stretch of probabilities that is shown."""

    low: float = 0.0
    high: float = 1.0

    def place(self, probability: float) -> float:
        """Say where a probability stands, in percent of the width."""
        return (probability - self.low) / max(self.high - self.low, 1e-12) * 100

    def closer(self, marks: Sequence[float]) -> Axis:
        """Go closer where all marks lie near 0 or near 1, to a round stretch that holds them.

        The overall rate is among the marks: one that is neither rare nor nearly certain keeps the
        axis as it is.

        >>> Axis().closer([0.006, 0.011]), Axis().closer([0.954, 0.99986])
        (Axis(low=0.0, high=0.02), Axis(low=0.95, high=1.0))
        >>> Axis().closer([0.5, 0.52]), Axis().closer([0.006, 0.3])
        (Axis(low=0.0, high=1.0), Axis(low=0.0, high=1.0))
        """
        part = _OUTERMOST * (self.high - self.low)
        if self.low == 0.0 and max(marks) <= part:
            return Axis(0.0, axis_reach(max(marks)))
        if self.high == 1.0 and min(marks) >= 1.0 - part:
            return Axis(round(1.0 - axis_reach(1.0 - min(marks)), 6), 1.0)
        return self

    @property
    def words(self) -> str:
        """Say from where to where it runs.

        >>> Axis(0.95, 1.0).words
        'axis from 95.0 % to 100 % only'
        """
        return f"axis from {percent(self.low)} to {percent(self.high)} only"


def axis_reach(largest: float) -> float:
    """Choose a round end for an axis that holds all answers of a tree.

    >>> axis_reach(0.031), axis_reach(0.5), axis_reach(0.93), axis_reach(0.0004)
    (0.05, 0.5, 1.0, 0.001)
    """
    rounds = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
    return next((end for end in rounds if largest <= end), 1.0)
