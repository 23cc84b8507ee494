"""Columns that write some decimals with a point and others with a comma: 1.00 among 1,50."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import flags, mask_array
from probtrees.table.spelling import Spelling

_BEFORE, _BEHIND = r"^\D{0,3}", r"(?:[^\d.,].{0,8})?$"
_DECIMALS = {
    mark: rf"{_BEFORE}(?:(?:0|\d{{4,}})[{mark}]\d+|\d+[{mark}](?:\d{{1,2}}|\d{{4,}})){_BEHIND}"
    for mark in ".,"
}
"""A number whose mark cannot group thousands: below one, two decimals, or more than three."""
_EITHER = {mark: rf"{_BEFORE}[1-9]\d{{0,2}}[{mark}]\d{{3}}{_BEHIND}" for mark in ".,"}
"""A number whose mark may be either: 2.238."""
_THREE_DECIMALS = rf"{_BEFORE}\d+[.,]\d{{3}}{_BEHIND}"
_BELOW_ONE = rf"{_BEFORE}0[.,]\d"
_HUNDREDS = rf"{_BEFORE}\d{{3}}"
_SEVERAL_MARKS = r"\d[.,]\d+[.,]"
_NO_GROUP = r"^\D{0,3}(?:(?:0|\d{4,})\.\d+|\d+\.(?:\d{1,2}|\d{4,}))(?:\D.{0,8})?$"
"""A number whose point cannot group thousands: 0.957, 1252.125, 7.25."""
_MOST_ODD = 0.2
"""More texts than this with the other mark are another way of writing, not slips of the pen."""

_FEWEST_GROUPED = 10

_Flags: TypeAlias = Mapping[str, NDArray[np.bool_]]

BOTH_MARKS = "commas and points that are both decimal marks"
_SLIPS = "decimal points and commas mixed"
"""How it is said that all, or some, decimals have a comma or a point."""


class MixedMarks(NamedTuple):
    """What commas and points are in a column that has both, at most one of them in a cell.

    Attributes
    ----------
    texts : the texts of the column, with one mark where both are decimal marks
    habit : how it is said that some decimals were given the mark of the others
    either : texts whose mark groups thousands as they are read, but may be a decimal mark
    """

    texts: pa.StringArray
    habit: str = ""
    either: tuple[str, ...] = ()


def in_one_mark(texts: pa.StringArray, decimal: str, known: Spelling | None) -> MixedMarks:
    """Give decimals with another mark that of the file.

    A number below one (0,018) has a decimal mark for sure; so has one with two decimals. Where both
    marks stand in such numbers, or all have three decimals and some are below one, 2.238 has one
    too, unless larger numbers tell that it may group thousands.

    Parameters
    ----------
    decimal : the decimal mark of the file
    known : how a model's column is written

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> in_one_mark(text_array(["0,018", "0.035", "2.238"]), ",", None).texts.to_pylist()
    ['0,018', '0,035', '2,238']
    >>> in_one_mark(text_array(["1,234", "12,5", "2.345"]), ",", None).either
    ('2.345',)
    """
    if known is not None and known.both_marks:
        return MixedMarks(_with_mark(texts, decimal))
    if decimal == "." and not pc.any(pc.match_substring(texts, ","), min_count=0).as_py():
        return MixedMarks(texts)
    has = {mark: flags(pc.match_substring_regex(texts, _DECIMALS[mark])) for mark in ".,"}
    maybe = {mark: flags(pc.match_substring_regex(texts, _EITHER[mark])) for mark in ".,"}
    if not all((has[mark] | maybe[mark]).any() for mark in ".,"):
        alone = decimal == "," and has["."].any() and maybe["."].any()  # 0.641 and 1.577
        return MixedMarks(_with_mark(texts, decimal) if alone else texts)
    slips = _few_slips(texts, has, known)
    if pc.any(pc.match_substring_regex(texts, _SEVERAL_MARKS)).as_py():
        return slips
    return _told_by_others(slips, texts, decimal, has, maybe)


def _told_by_others(
    slips: MixedMarks, texts: pa.StringArray, decimal: str, has: _Flags, maybe: _Flags
) -> MixedMarks:
    """Tell what marks before three digits are in a column that has both marks.

    Parameters
    ----------
    slips : what is done if they group thousands
    has, maybe : by mark, which texts have it for a decimal mark, and which may
    """
    sure = [mark for mark in ".," if has[mark].any()]
    own = sure[0] if len(sure) == 1 else decimal
    either = maybe["." if own == "," else ","]
    small = not flags(pc.match_substring_regex(texts, _HUNDREDS))[~either].any()
    both = len(sure) == len(has) and (small or not either.any())
    if both or (small and _have_three_decimals(texts, (has, maybe))):
        return MixedMarks(_with_mark(texts, decimal), BOTH_MARKS)
    found = slips
    if own == "." and decimal == ",":
        found = MixedMarks(_swapped(texts))  # 1,250 beside 0.75 is a thousand in this column
    if not small and len(sure) < len(has):
        return found
    return found._replace(either=tuple(texts.filter(mask_array(either)).to_pylist()))


def _swapped(texts: pa.StringArray) -> pa.StringArray:
    """Write points as commas, and commas as points."""
    without = pc.replace_substring(texts, ",", "\0")
    return pc.replace_substring(pc.replace_substring(without, ".", ","), "\0", ".")


def _have_three_decimals(texts: pa.StringArray, marked: Iterable[_Flags]) -> bool:
    """Whether all numbers with a mark have three digits behind it, and some are below one."""
    with_mark = np.any([found for each in marked for found in each.values()], axis=0)
    below_one = flags(pc.match_substring_regex(texts, _BELOW_ONE))
    three = flags(pc.match_substring_regex(texts, _THREE_DECIMALS))
    return bool(below_one.any() and three[with_mark].all())


def _with_mark(texts: pa.StringArray, decimal: str) -> pa.StringArray:
    """Give every number with one mark this one."""
    other = "." if decimal == "," else ","
    pattern = rf"{_DECIMALS[other]}|{_EITHER[other]}"
    found = pc.match_substring_regex(texts, pattern)
    return pc.if_else(found, pc.replace_substring(texts, other, decimal, max_replacements=1), texts)


def _few_slips(texts: pa.StringArray, has: _Flags, known: Spelling | None) -> MixedMarks:
    """Give the few decimals with another mark that of the others."""
    n_with = {mark: int(found.sum()) for mark, found in has.items()}
    if not all(n_with.values()):
        return MixedMarks(texts)
    most, other = (",", ".") if n_with[","] > n_with["."] else (".", ",")
    if n_with[other] > _MOST_ODD * n_with[most]:
        if known is None:
            return MixedMarks(texts)
        most, other = (",", ".") if known.decimal == "," else (".", ",")
    slips = mask_array(has[other])
    return MixedMarks(pc.if_else(slips, pc.replace_substring(texts, other, most), texts), _SLIPS)


def has_decimal_points(texts: pa.StringArray) -> bool:
    """Whether points are decimal marks for sure: some cannot group thousands, and no comma is near.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> has_decimal_points(text_array(["599.125", "957.5"]))
    True
    >>> has_decimal_points(text_array(["599.125", "1.048.147", "12"]))
    False
    """
    points = pc.any(pc.match_substring_regex(texts, _NO_GROUP), min_count=0).as_py()
    return bool(points) and not pc.any(pc.match_substring(texts, ","), min_count=0).as_py()


def hundreds_lack_decimals(bodies: pa.StringArray, grouped: pa.StringArray) -> bool:
    """Whether 992, or 4725, stands beside 2.840, so that a point groups thousands.

    Who writes that zero would write 992.000 too. No number is below one.

    Parameters
    ----------
    bodies : the different numbers of a column
    grouped : those of them with three digits behind every point

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> grouped = text_array([f"{n}.840" for n in range(1, 11)])
    >>> [hundreds_lack_decimals(text_array([one]), grouped) for one in ("992", "99")]
    [True, False]
    """
    hundreds = pc.any(pc.match_substring_regex(bodies, r"^[1-9]\d{2,}$"), min_count=0).as_py()
    if not hundreds or len(grouped) < _FEWEST_GROUPED:
        return False
    ends_in_zero = pc.any(pc.match_substring_regex(grouped, "0$")).as_py()
    below_one = pc.any(pc.match_substring_regex(grouped, "^0")).as_py()
    return bool(ends_in_zero and not below_one)
