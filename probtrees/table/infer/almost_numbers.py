"""Columns that are numbers but for a few texts: limits, answers such as "none", and odd ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Texts
from probtrees.table.infer.recognise_numbers import Recognised, as_spelled, recognise_numbers
from probtrees.table.infer.text_habits import limits_finding, limits_read, odd_texts_finding
from probtrees.table.read_options import SEVERAL
from probtrees.table.table_report import Finding

MIXED = "mixed"
"""The kind of a finding about words among numbers."""

_MOST_TREATED = 50
_MOST_ODD = 0.1
"""Texts in more of the rows than this are categories like the numbers beside them."""
_MOST_NAMED = 0.6
"""Where more of the rows than this only name numbers, as "0-4" does, they are categories."""
_MOST_ANSWERS = 10
"""Where there are more different texts, "<5" is a measure among others and no answer of a few."""
_FEWEST_NUMBERS = 2
_LARGEST_SHARE = 0.5
_FEWEST_TOLD = 10
"""Beside more texts, or "none" in most rows, so many numbers make a column look like numbers."""


def almost_numbers(name: str, column: Texts, found: Recognised) -> Recognised:
    """Report the few texts that keep a column from being numbers; it is ignored if it is large."""
    told = any(f.severity == "error" or f.kind.startswith(MIXED) for f in found.findings)
    if found.type == "date" or told:
        return found
    ignored = found.type != "nominal" or any(f.kind == "many values" for f in found.findings)
    findings = () if ignored else found.findings
    if _name_numbers(column):
        if ignored or column.n_distinct > _MOST_ANSWERS:
            return _read_limits(name, column)
        return Recognised(column, "nominal", (*findings, limits_finding(name, column)))
    is_number = which_are_numbers(column)
    others = tuple(column.texts[code] for code in np.flatnonzero(~is_number))
    share = column.rows_with(others) / max(int(column.rows_of.sum()), 1)
    if len(others) > _MOST_TREATED or share > _LARGEST_SHARE:
        return found
    few = len(others) * 2 <= is_number.sum() and share <= _MOST_ODD
    if not few and (is_number.sum() < _FEWEST_TOLD or found.type != "nominal"):
        return found
    finding = odd_texts_finding(name, column, others, ignored=ignored)
    return Recognised(column, "nominal", (*findings, finding))


def _read_limits(name: str, column: Texts) -> Recognised:
    """Read a column as numbers, limits as the numbers that they name."""
    plain = column.without_limits()
    found = as_spelled(recognise_numbers(name, plain.as_numbers()), name, plain)
    spelling = replace(found.spelling, limits=True)
    asked = without_questions(found.findings, column)
    return replace(found, findings=(*asked, limits_read(name, column)), spelling=spelling)


def without_questions(findings: Sequence[Finding], column: Texts) -> tuple[Finding, ...]:
    """Leave out questions whether numbers mean missing that are limits, such as ">35000"."""
    limits = set(map(column.number_named, column.limits))
    asked = (found for found in findings if found.kind == "maybe missing" and found.fixes)
    needless = {f for f in asked if set(str(f.fixes[0].value).split(SEVERAL)) <= limits}
    return tuple(found for found in findings if found not in needless)


def _name_numbers(column: Texts) -> bool:
    """Whether all texts are numbers or name one ("<5", "5+", "none"), and many are numbers."""
    named = column.limits
    n_numbers = column.n_distinct - len(named)
    # Most may owe "nil" where the others owe many different amounts.
    nil = [text for text in named if n_numbers >= _FEWEST_TOLD and column.number_named(text) == "0"]
    others = tuple(text for text in named if text not in nil)
    if not named or column.rows_with(others) > _MOST_NAMED * column.rows_of.sum():
        return False
    if n_numbers < _FEWEST_NUMBERS:
        return False
    return not bool(np.isnan(column.without_limits().numbers.values).any())


def which_are_numbers(column: Texts) -> NDArray[np.bool_]:
    """Find which distinct texts are numbers; none, if none is among the first thousand."""
    if np.isnan(column.first_numbers.values).all():
        return np.zeros(column.n_distinct, dtype=np.bool_)
    return ~np.isnan(column.numbers.values)
