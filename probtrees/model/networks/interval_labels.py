"""Intervals in the value names of other programs: where a number is cut, read from its labels.

Recognised are ``(0.5, 1.7]`` and ``[0.5;1.7[`` (R, pyAgrum), ``(0.5-1.7]`` (Weka), ``0.5 to 1.7``,
``<= 3``, ``3+`` (Netica, spreadsheets) and ``s02_3_5`` (GeNIe), if the labels of a variable lie
side by side. Labels that only look alike, such as names of products, do not.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from probtrees.model.networks.dense_network import DenseNetwork, Variable

_NUMBER = r"[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|inf(?:inity)?|∞)"
_BRACKETS = re.compile(rf"([\[\](])\s*({_NUMBER})\s*[,;:-]\s*({_NUMBER})\s*([\])\[])", re.I)
_RANGE = re.compile(rf"(?:over |from )?({_NUMBER})\s*(?:-|–|\.\.|to)\s*({_NUMBER})", re.I)
_BELOW = re.compile(rf"(<=|≤|=<|up to|at most|<|below|under)\s*({_NUMBER})", re.I)
_ABOVE = re.compile(rf"(>=|≥|=>|at least|from|>|above|over)\s*({_NUMBER})", re.I)
_AND_MORE = re.compile(rf"({_NUMBER})\s*(?:\+|and (?:more|above|over))", re.I)
_GENIE = re.compile(r"s\d+_(below_)?(\d+(?:_\d+)*)(_up)?", re.I)
_MISSING = {"not recorded", "missing", "na", "n/a", "?", "unknown", "nan"}


class _Interval(NamedTuple):
    """Where an interval begins and ends; ``has_high``: whether its end is said to belong to it."""

    low: float
    high: float
    has_high: bool | None = None


def with_cuts(network: DenseNetwork) -> DenseNetwork:
    """Note where variables are cut whose values are called like intervals."""
    return replace(network, variables=tuple(_recognised(each) for each in network.variables))


def _recognised(variable: Variable) -> Variable:
    if variable.points is not None or variable.not_recorded:
        return variable
    values = variable.values
    missing = len(values) > 2 and values[-1].strip().lower() in _MISSING
    cuts = cuts_of_labels(values[:-1] if missing else values)
    if cuts is None:
        return variable
    return replace(variable, points=cuts, not_recorded=missing)


def cuts_of_labels(labels: Sequence[str]) -> tuple[float, ...] | None:
    """Read the cuts from the labels of intervals side by side; None if these are other names.

    A value equal to a cut lies below it. Where the end of an interval belongs to the next one,
    the cut is the number just before it.

    >>> cuts_of_labels(["(-inf, 2.5]", "(2.5, 4]", "(4, inf)"])
    (2.5, 4.0)
    >>> cuts_of_labels(["0-4", "5-9", "10+"])
    (4.0, 9.0)
    >>> cuts_of_labels(["a", "b"]) is None
    True
    """
    found = [_interval(label.strip().strip("'\"")) for label in labels]
    intervals = [interval for interval in found if interval is not None]
    if len(intervals) < 2 or len(intervals) < len(labels):
        return None
    cuts: list[float] = []
    for one, other in pairwise(intervals):
        end = one.high if math.isfinite(one.high) else other.low
        gap = (other.low if math.isfinite(other.low) else end) - end
        whole = one.has_high is None and end.is_integer() and gap == 1.0
        if not math.isfinite(end) or not (gap == 0 or whole) or (cuts and end <= cuts[-1]):
            return None
        cuts.append(end if whole or one.has_high is not False else math.nextafter(end, -math.inf))
    return tuple(cuts)


def _interval(label: str) -> _Interval | None:
    """Read one label by the first way of writing that it follows."""
    for pattern, read in _WAYS:
        if match := pattern.fullmatch(label):
            return read(match)
    return None


def _below(match: re.Match[str]) -> _Interval:
    is_strict = match[1].lower() in ("<", "below", "under")
    return _Interval(-math.inf, _number(match[2]), False if is_strict else None)


def _number(text: str) -> float:
    return float(text.replace("∞", "inf"))


def _of_genie(match: re.Match[str]) -> _Interval | None:
    """Read a label of GeNIe, which writes a decimal point as an underscore."""
    parts = match[2].split("_")
    if match[1] or match[3]:
        if len(parts) > 2 or (match[1] and match[3]):
            return None
        end = float(".".join(parts))
        return _Interval(-math.inf, end, False) if match[1] else _Interval(end, math.inf)
    if len(parts) not in (2, 4):
        return None
    half = len(parts) // 2
    return _Interval(float(".".join(parts[:half])), float(".".join(parts[half:])), False)


_WAYS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], _Interval | None]], ...] = (
    (_BRACKETS, lambda match: _Interval(_number(match[2]), _number(match[3]), match[4] == "]")),
    (_RANGE, lambda match: _Interval(_number(match[1]), _number(match[2]))),
    (_BELOW, _below),
    (_ABOVE, lambda match: _Interval(_number(match[2]), math.inf)),
    (_AND_MORE, lambda match: _Interval(_number(match[1]), math.inf)),
    (_GENIE, _of_genie),
)
