"""Numbers of one column in two scales: 1.72 among 172, and 0.05 among 5 %.

Some wrote metres and others centimetres, some shares of 1 and others percent: a hundredth of what
is meant, or °F among °C. Which numbers are, can be seen; that they are, a person must say. Two
heaps that are farther apart (creatinine of 0.9 and of 80) may be two units, which is asked. So is
whether 2.345 beside 12,5 is two thousand, where no number lies between.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from probtrees.table.cells.decimal_marks import BOTH_MARKS
from probtrees.table.cells.raw_table import Numbers, Texts
from probtrees.table.cells.special_numbers.one_scale import HOTTEST_F
from probtrees.table.cells.spelled_numbers import IN_GROUPS, all_are_numbers, spell
from probtrees.table.dataset import Column, Schema
from probtrees.table.infer.recognise_numbers import IGNORE, Recognised
from probtrees.table.read_options import SEVERAL
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import Finding, Fix
from probtrees.types import FloatArray
from probtrees.words import rows_text

FACTOR = 100.0
_APART = 20.0
"""The larger numbers begin at so many times the largest of the small ones."""
_FEWEST_ROWS = 2
_LEAST_SHARE = 0.005
_WIDEST = 10.0
"""Numbers that span more than this factor tell no scale."""
_BESIDE = 1.5
_PART_OF_HIGHEST = 50.0
"""Numbers up to this part of the highest in training may be a hundredth of what is meant."""

_COLDEST, _HOTTEST = 30.0, 45.0
_COLDEST_F = _COLDEST * 1.8 + 32
BODY_TEMPERATURES = {"C": (_COLDEST, _HOTTEST), "F": (_COLDEST_F, HOTTEST_F)}
"""Between these lie temperatures of bodies, in °C and in °F."""

_UNITS_APART = 20.0
"""The middle of the larger heap is more than so many times that of the smaller one."""
_EMPTY_BETWEEN = 5.0
"""The larger heap begins at so many times the end of the smaller one."""
_TEN, _GAP, _NARROW = (8.5, 11.8), 2.0, 4.0
"""Two narrow heaps about ten times apart are a decimal mark that is lost (72.5 and 725)."""
_MARK = re.compile(r"\d[.,]\d")
_HEAP_SHARE = 0.05
_HEAP_VALUES = 5
"""Fewer different numbers are codes such as 77 and 99, no heap."""


def find_heaps(values: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Part positive numbers into two heaps with nothing between, if they are in two.

    >>> creatinine = np.array([0.6, 0.7, 0.9, 1.1, 2.0, 50.0, 62.0, 80.0, 97.0, 180.0])
    >>> [len(heap) for heap in find_heaps(creatinine)]
    [5, 5]
    """
    known = np.sort(values[np.isfinite(values)])
    if len(known) < 2 * _HEAP_VALUES or known[0] <= 0:
        return None
    with np.errstate(over="ignore"):  # numbers next to 0 are endless times smaller
        place = int(np.argmax(known[1:] / known[:-1])) + 1
    small, large = known[:place], known[place:]
    if min(len(small), len(large)) <= _HEAP_SHARE * len(known):
        return None
    if min(len(np.unique(small)), len(np.unique(large))) < _HEAP_VALUES:
        return None
    times = float(np.median(large) / np.median(small))
    apart = large[0] >= _EMPTY_BETWEEN * small[-1] and times > _UNITS_APART
    narrow = small[-1] <= _NARROW * small[0] and large[-1] <= _NARROW * large[0]
    slipped = large[0] >= _GAP * small[-1] and narrow and _TEN[0] <= times <= _TEN[1]
    return (small, large) if apart or slipped else None


def find_small(values: FloatArray) -> float:
    """Return the largest of the numbers that are a hundredth of the others; 0 if none are.

    Both kinds must be narrow, and a hundred times the small ones must lie among the large ones.

    >>> find_small(np.array([1.65, 1.72, 165.0, 172.0, 181.0, 190.0]))
    1.72
    >>> find_small(np.array([2e-313, 1.0, 1.0, 1.0, 1.0, 1.0]))
    0.0
    """
    known = np.sort(values[np.isfinite(values)])
    if len(known) < 2 * _FEWEST_ROWS or known[0] <= 0:
        return 0.0
    with np.errstate(over="ignore"):  # numbers next to 0 are endless times smaller
        place = int(np.argmax(known[1:] / known[:-1])) + 1
    small, large = known[:place], known[place:]
    least = max(_FEWEST_ROWS, _LEAST_SHARE * len(known))
    if min(len(small), len(large)) < least or large[0] < _APART * small[-1]:
        return 0.0
    if small[-1] / _WIDEST > small[0] or large[-1] / _WIDEST > large[0]:
        return 0.0
    among = large[0] / _BESIDE <= FACTOR * small[0] and FACTOR * small[-1] <= large[-1] * _BESIDE
    return float(small[-1]) if among else 0.0


def find_fahrenheit(values: FloatArray) -> float:
    """Return the least of the numbers that are °F among temperatures of bodies in °C; 0 if none.

    >>> find_fahrenheit(np.array([36.8, 38.1, 39.4, 40.2, 98.2, 101.3, 104.0]))
    98.2
    """
    known = np.sort(values[np.isfinite(values)])
    place = int(np.searchsorted(known, _COLDEST_F))
    small, large = known[:place], known[place:]
    least = max(_FEWEST_ROWS, _LEAST_SHARE * len(known))
    if min(len(small), len(large)) < least or small[0] < _COLDEST or small[-1] > _HOTTEST:
        return 0.0
    return float(large[0]) if large[-1] <= HOTTEST_F else 0.0


def largest_small(edges: FloatArray) -> float:
    """Return up to which number those of a new table may be a hundredth of training's.

    >>> largest_small(np.array([3.0, 40.0, 100.0]))
    2.0
    """
    return float(np.abs(edges).max()) / _PART_OF_HIGHEST if len(edges) else 0.0


def in_one_scale(
    schema: Schema, names: Collection[str], edges: Mapping[str, FloatArray | None] | None = None
) -> Schema:
    """Let small numbers of these columns be a hundredth of what they were in training.

    In a column of percent these are the numbers without the sign, which are shares of 1.

    Parameters
    ----------
    edges : by column, between which numbers training lay; without them only percent are known
    """
    return Schema(
        tuple(
            replace(column, spelling=replace(column.spelling, small=small))
            if column.source_name in names and (small := _small_in(column, edges or {}))
            else column
            for column in schema.columns
        )
    )


def _small_in(column: Column, edges: Mapping[str, FloatArray | None]) -> float:
    """Return up to which number those of a new table are taken a hundred times."""
    known = edges.get(column.name)
    if column.spelling.unit == "%":  # shares may be above 1, as a load of 110 %
        return max(1.0, largest_small(known)) if known is not None else 1.0
    if known is None or column.spelling.small or column.date_part is not None:
        return column.spelling.small
    return largest_small(known)


def scales_of(found: Recognised, written: Texts | Numbers | None) -> Spelling | None:
    """Return how a column is written whose numbers are in two scales; None: they are not."""
    if not isinstance(found.column, Numbers):
        return None
    if either_marks(written):
        return replace(found.spelling, both_marks=True)
    small = _small_of(found, found.column, written)
    if small:
        return replace(found.spelling, small=small)
    least = 0.0 if found.spelling.unit else find_fahrenheit(_measured(found, found.column))
    return replace(found.spelling, fahrenheit=least) if least else None


def either_marks(written: Texts | Numbers | None) -> tuple[str, ...]:
    """Return cells that are read with groups of thousands, though theirs may be a decimal mark."""
    return written.numbers.either if isinstance(written, Texts) else ()


def _measured(found: Recognised, column: Numbers) -> FloatArray:
    """Return the numbers without those that may stand for a missing value: 999 hides two scales."""
    asked = [each for each in found.findings if each.kind == "maybe missing" and each.fixes]
    codes = [text for each in asked for text in str(each.fixes[0].value).split(SEVERAL)]
    numbers = [float(text) for text in codes if all_are_numbers([text])]
    return np.where(np.isin(column.values, numbers), np.nan, column.values)


def _small_of(found: Recognised, column: Numbers, written: Texts | Numbers | None) -> float:
    """Return up to which number those of a column are a hundredth of the others; 0: none are."""
    if found.spelling.unit != "%":
        return find_small(_measured(found, column))
    numbers = written.numbers if isinstance(written, Texts) else None
    if numbers is None or not numbers.bare:
        return 0.0
    bare = numbers.values[list(numbers.bare)]
    others = np.delete(numbers.values, list(numbers.bare))
    are_shares = bool((np.abs(bare) <= 1).all() and (bare % 1).any())
    return 1.0 if are_shares and bool((np.abs(others) > 1).any()) else 0.0


def read_in_one_scale(
    found: Recognised, written: Texts | Numbers, spelling: Spelling
) -> Recognised:
    """Take the small numbers of a column a hundred times, or its °F as °C."""
    column = written.written(spelling).as_numbers()
    if spelling.both_marks:
        said = (IN_GROUPS, BOTH_MARKS)
        findings = (replace(each, sentence=each.sentence.replace(*said)) for each in found.findings)
        found = replace(found, findings=tuple(findings))
    return replace(found, column=replace(column, scaled=True), spelling=spelling)


def offer_one_scale(name: str, found: Recognised, written: Texts | Numbers | None) -> Recognised:
    """Add the offer to bring the numbers of a column to one scale, where they have two."""
    scales = scales_of(found, written)
    if scales is None or not isinstance(found.column, Numbers):
        return _ask_about_units(name, found)
    if isinstance(written, Texts) and scales.both_marks:
        return replace(found, findings=(*found.findings, _marks_finding(name, written)))
    values = _measured(found, found.column)
    if scales.fahrenheit:
        finding = _fahrenheit_finding(name, values, scales.fahrenheit)
        return replace(found, findings=(*found.findings, finding))
    small = scales.small
    n_small = int((values <= small).sum())
    shown, other = spell(small), spell(float(np.nanmax(values)))
    of_percent = found.spelling.unit == "%"
    what = f"{shown} beside {other}" if not of_percent else "shares of 1 beside percent"
    finding = Finding(
        name,
        "two scales",
        f"Column {name!r} seems to be written in two scales ({what}): in {rows_text(n_small)} it "
        "is a hundredth of what it is elsewhere.",
        "Multiply these by 100 if they mean the same (--one-scale).",
        "warning",
        (Fix("Multiply the small ones by 100", "one_scale", name),),
    )
    return replace(found, findings=(*found.findings, finding))


def _marks_finding(name: str, written: Texts) -> Finding:
    """Ask whether 2.345 is two thousand where other cells have commas."""
    either = written.numbers.either
    cell, mark = either[0], "." if "." in either[0] else ","
    other = next((text for text in written.texts if mark not in text and _MARK.search(text)), "")
    what = "points" if mark == "." else "commas"
    return Finding(
        name,
        "two scales",
        f"Column {name!r} has points and commas, {cell!r} and {other!r}: are both decimal marks? "
        f"Now {what} group thousands in {rows_text(written.rows_with(either))}, {cell!r} is "
        f"{cell.replace(mark, '')}.",
        "Read both as decimal marks if they are (--one-scale), or set the column's type to "
        "'numeric' to leave it.",
        "warning",
        (
            Fix(f"Decimal marks: {cell!r} is {cell.replace(',', '.')}", "one_scale", name),
            Fix(f"Thousands: {cell!r} is {cell.replace(mark, '')}", "type", "numeric"),
        ),
    )


def _fahrenheit_finding(name: str, values: FloatArray, least: float) -> Finding:
    n_rows = int((values >= least).sum())
    below = values[values < least]
    return Finding(
        name,
        "two scales",
        f"Column {name!r} seems to hold temperatures in °C ({spell(float(below.min()))} to "
        f"{spell(float(below.max()))}) and in °F ({spell(least)} to "
        f"{spell(float(np.nanmax(values)))}, in {rows_text(n_rows)}).",
        "Convert the °F to °C if that is so (--one-scale).",
        "warning",
        (Fix("Convert °F to °C", "one_scale", name),),
    )


def _ask_about_units(name: str, found: Recognised) -> Recognised:
    """Ask whether numbers in two heaps are in two units; how they convert is not known."""
    column = found.column
    heaps = find_heaps(_measured(found, column)) if isinstance(column, Numbers) else None
    if heaps is None or found.type != "numeric":
        return found
    small, large = (
        f"{spell(heap[0])} to {spell(heap[-1])} in {rows_text(len(heap))}" for heap in heaps
    )
    finding = Finding(
        name,
        "two units",
        f"Column {name!r} holds numbers in two heaps with nothing between: {small}, and {large}. "
        "Are they in two units?",
        "Convert them to one in the file if they are, or ignore the column.",
        "warning",
        (IGNORE,),
    )
    return replace(found, findings=(*found.findings, finding))
