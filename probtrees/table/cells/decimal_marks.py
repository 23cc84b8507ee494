"""Columns that write some decimals with a point and others with a comma: 1.00 among 1,50."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import flags
from probtrees.table.spelling import Spelling

_DECIMALS = {mark: rf"^\D{{0,3}}\d+[{mark}](?:\d{{1,2}}|\d{{4,}})(?:\D.{{0,8}})?$" for mark in ".,"}
"""A number whose mark cannot group thousands: two decimals, or more than three."""
_NO_GROUP = r"^\D{0,3}(?:(?:0|\d{4,})\.\d+|\d+\.(?:\d{1,2}|\d{4,}))(?:\D.{0,8})?$"
"""A number whose point cannot group thousands: 0.957, 1252.125, 7.25."""
_MOST_ODD = 0.2
"""More texts than this with the other mark are another way of writing, not slips of the pen."""

_FEWEST_GROUPED = 10


def in_one_mark(texts: pa.StringArray, known: Spelling | None) -> tuple[pa.StringArray, bool]:
    """Give the few decimals with another mark that of the others; return also whether some had one.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> in_one_mark(text_array(["1,50", "7,25", "12,5", "0,75", "8,5", "1.00"]), None)[0][5].as_py()
    '1,00'
    """
    has = {mark: pc.match_substring_regex(texts, pattern) for mark, pattern in _DECIMALS.items()}
    n_with = {mark: int(flags(found).sum()) for mark, found in has.items()}
    if not all(n_with.values()):
        return texts, False
    most, other = (",", ".") if n_with[","] > n_with["."] else (".", ",")
    if n_with[other] > _MOST_ODD * n_with[most]:
        if known is None:
            return texts, False
        most, other = (",", ".") if known.decimal == "," else (".", ",")
    return pc.if_else(has[other], pc.replace_substring(texts, other, most), texts), True


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
