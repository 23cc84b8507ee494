"""A smoother's formula with the numbers of one node filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class FilledFormula:
    """How one probability was computed, in plain text.

    Attributes
    ----------
    general : the formula with its symbols
    steps : the formula with this node's numbers, one line per node it walks through
    symbols : what each symbol is, in words
    value : the probability it ends with
    """

    general: str
    steps: tuple[str, ...]
    symbols: Mapping[str, str]
    value: float

    def to_dict(self) -> dict[str, Any]:
        """Return the formula as plain values, ready for JSON."""
        return {
            "general": self.general,
            "steps": list(self.steps),
            "symbols": dict(self.symbols),
            "value": self.value,
        }


def show_number(value: float, digits: int = 4) -> str:
    """Print a number with as many digits as help reading, whole numbers without a point.

    >>> show_number(1001), show_number(66.9567), show_number(0.19298), show_number(1e-7)
    ('1001', '66.96', '0.193', '1e-07')
    """
    value = float(value)
    if value.is_integer() and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.{digits}g}"
