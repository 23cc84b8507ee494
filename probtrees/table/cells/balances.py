"""Amounts with their side behind them: 4.625,38 S and H, 1,234.50 DR and CR, 120- and 120+.

Accounting writes no minus sign: debit (S for Soll, DR) is owed, credit (H for Haben, CR) is owned.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import flags, text_array
from probtrees.table.cells.clock_times import (
    are_four_digits,
    may_be_four_digits,
    read_four_digits,
    read_pointed,
)
from probtrees.table.cells.decimal_marks import BOTH_MARKS, in_one_mark
from probtrees.table.cells.flags_behind import read_flagged
from probtrees.table.cells.number_signs import in_plain_signs
from probtrees.table.cells.special_numbers.ages import (
    is_unit_of_ages,
    may_be_ages,
    read_ages,
    with_ages,
)
from probtrees.table.cells.special_numbers.coordinates import (
    DEGREES,
    may_be_coordinates,
    read_coordinates,
    with_coordinates,
)
from probtrees.table.cells.special_numbers.durations import (
    is_unit_of_time,
    may_be_durations,
    read_durations,
    with_durations,
)
from probtrees.table.cells.special_numbers.points import (
    SHARE,
    may_be_points,
    most_points,
    read_points,
    read_shares,
    with_points,
    with_shares,
)
from probtrees.table.cells.special_numbers.salaries import (
    may_be_salaries,
    read_salaries,
    with_salaries,
)
from probtrees.table.cells.special_numbers.scale_words import INDIAN
from probtrees.table.cells.special_numbers.school_marks import (
    is_unit_of_marks,
    read_marks,
    with_marks,
)
from probtrees.table.cells.special_numbers.two_units import (
    is_smaller_unit,
    may_be_two_units,
    read_two_units,
    with_two_units,
)
from probtrees.table.cells.special_numbers.years_and_months import YEARS, are_years_and_months
from probtrees.table.cells.spelled_numbers import CLOCK, SpelledNumbers, parse_numbers, read_numbers
from probtrees.table.spelling import Spelling

_SIDE = (
    r"^(?P<amount>.*\d.*?)[ \x{a0}]?(?P<side>[SHCD+-]|CR|DR|Cr|Dr|cr|dr|Soll|Haben|SOLL|HABEN)\.?$"
)
_ENDS = re.compile(r"\d\D*?(?:[SHCD+]|CR|DR|Soll|Haben)\.?$", re.I)
_PAIRS = (("S", "H"), ("SOLL", "HABEN"), ("D", "C"), ("DR", "CR"), ("-", "+"))
"""Debit and credit, as they go together."""
_LETTER_OF_AMOUNT = r"\d[ \x{a0}][SHCD]\.?$|[.,]\d+[SHCD]\.?$"
"""A single letter is a side only behind a space or decimals: 12C is a seat."""
_ENOUGH_ALONE = frozenset({"DR", "CR"})
_MONTHS = re.compile(r"\d{1,2}M")
"""Terms and sizes, 3M, 6M and 12M, where nothing else is written so: months, no millions."""
_N_TRIED = 20


def read_amounts(
    texts: pa.StringArray, decimal: str = ".", known: Spelling | None = None
) -> SpelledNumbers:
    """Read distinct texts as numbers, with a sign where debit or credit stands behind them.

    >>> found = read_amounts(text_array(["4.625,38 S", "1.000,00 H"]), ",")
    >>> found.values.tolist(), found.spelling.sides
    ([-4625.38, 1000.0], True)
    """
    texts, other_signs = in_plain_signs(texts, decimal)
    marks = in_one_mark(texts, decimal, known)
    found = _read_plain(marks.texts, decimal, known)
    if marks.habit == BOTH_MARKS:
        found = replace(found, spelling=replace(found.spelling, both_marks=True))
    words = tuple(filter(None, (other_signs, marks.habit)))
    found = replace(found, habits=(*found.habits, *words)) if words else found
    is_told = found.spelling.salaries  # 61.000 EUR beside €57,000
    return replace(found, either=marks.either) if marks.either and not is_told else found


def _read_plain(texts: pa.StringArray, decimal: str, known: Spelling | None) -> SpelledNumbers:
    """Read texts whose digits and signs are plain ones."""
    if known is not None and (known.digits or known.pointed):
        found = read_numbers(texts, decimal, replace(known, digits=False, pointed=False))
        hours = (read_four_digits if known.digits else read_pointed)(texts.to_pylist())
        return replace(found, values=np.where(np.isnan(hours), found.values, hours))
    if known is not None and known.salaries:
        found = read_numbers(texts, decimal, known)
        found = replace(found, spelling=known)
        return with_salaries(found, texts, known.unit)
    if known is not None and known.sides:
        found = _read(texts, decimal, replace(known, sides=False))
        return replace(found, spelling=replace(found.spelling, sides=True))
    if known is not None and known.flags and (flagged := read_flagged(texts, decimal, known)):
        return flagged
    if known is None and (special := _read_special(texts, decimal)) is not None:
        return special
    found = read_numbers(texts, decimal, known)
    return found if known is None else _as_known(found, texts, known.unit)


def _as_known(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Add what a unit of training tells to be a number."""
    if is_unit_of_time(unit) and np.isnan(found.values).any():
        found = with_durations(found, texts, unit)
    if is_unit_of_ages(unit):
        found = with_ages(found, texts, unit)
    elif is_unit_of_marks(unit):
        found = with_marks(found, texts, unit)
    elif unit == DEGREES:
        found = with_coordinates(found, texts)
    elif most := most_points(unit):
        found = with_points(found, texts, most)
    elif np.isnan(found.values).any():
        found = _with_unread(found, texts, unit)
    return found


def _with_unread(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Add what is no plain number with the unit of training."""
    if unit == SHARE:
        return with_shares(found, texts)
    return with_two_units(found, texts, unit) if is_smaller_unit(unit) else found


def _read_special(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read points, marks, places, ages, durations, debit and credit, flags; None: none of them."""
    some = texts.slice(0, _N_TRIED).to_pylist()
    if found := _read_months_or_points(texts, some, decimal):
        return found
    if may_be_four_digits(some) and are_four_digits(plain := texts.to_pylist()):
        habit = "four digits for hours and minutes (0730 is 7:30)"
        clock = Spelling(decimal, CLOCK, digits=True)
        return SpelledNumbers(read_four_digits(plain), clock, (habit,))
    if marks := _read_years_and_months(texts, some, decimal) or read_marks(texts, decimal):
        return marks
    if may_be_coordinates(some) and (places := read_coordinates(texts, decimal)):
        return places
    if amounts := _read_money_or_two_units(texts, some, decimal):
        return amounts
    special = read_ages(texts, decimal) if may_be_ages(some) else None
    if special is None and may_be_durations(texts):
        special = read_durations(texts, decimal)
    elif special is None and any(map(_ENDS.search, some)) and not _has_crores(texts):
        special = _read_pair(texts, decimal)
    return special or read_flagged(texts, decimal, None)


def _read_months_or_points(
    texts: pa.StringArray, some: list[str], decimal: str
) -> SpelledNumbers | None:
    """Read points, and no number where all are months; None for others."""
    are_months = bool(some) and all(map(_MONTHS.fullmatch, some))
    if are_months and all(map(_MONTHS.fullmatch, texts.to_pylist())):
        return SpelledNumbers(np.full(len(texts), np.nan), Spelling(decimal))
    if not may_be_points(some):
        return None
    return read_points(texts, decimal) or read_shares(texts, decimal)


def _read_money_or_two_units(
    texts: pa.StringArray, some: list[str], decimal: str
) -> SpelledNumbers | None:
    """Read salaries as several people type them, or amounts such as 5'6"; None for others."""
    if may_be_salaries(some) and (amounts := read_salaries(texts, decimal)):
        return amounts
    return read_two_units(texts, decimal) if may_be_two_units(some) else None


def _read_years_and_months(
    texts: pa.StringArray, some: list[str], decimal: str
) -> SpelledNumbers | None:
    """Read ages such as 10;3; None where they may be something else."""
    if not any(";" in text for text in some) or not are_years_and_months(texts.to_pylist()):
        return None
    return read_amounts(texts, decimal, Spelling(decimal, YEARS))


def _read(texts: pa.StringArray, decimal: str, known: Spelling | None) -> SpelledNumbers:
    """Take the sides off, read the numbers, and give them their signs."""
    parts = pc.extract_regex(texts, _SIDE)
    side = pc.utf8_upper(pc.struct_field(parts, "side"))
    found = read_numbers(pc.coalesce(pc.struct_field(parts, "amount"), texts), decimal, known)
    debits = text_array([debit for debit, _ in _PAIRS])
    signs = np.where(flags(pc.is_in(side, value_set=debits)), -1.0, 1.0)
    return replace(found, values=found.values * signs)


def _read_pair(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    """Read a column whose amounts have both sides, and no other letters; None if it has not."""
    parts = pc.extract_regex(texts, _SIDE)
    sides = {text for text in pc.unique(pc.struct_field(parts, "side")).to_pylist() if text}
    upper = {side.upper() for side in sides}
    for debit, credit in _PAIRS:
        alone = _ENOUGH_ALONE.intersection(upper)
        if not upper <= {debit, credit} or not ({debit, credit} <= upper or alone):
            continue
        has_side = flags(pc.is_valid(pc.struct_field(parts, "side")))
        has_digit = flags(pc.match_substring_regex(texts, r"\d"))
        bare = has_digit & ~has_side
        if not alone and bare.sum() > has_side.sum():
            return None
        behind = pc.match_substring_regex(texts, _LETTER_OF_AMOUNT)
        if debit in ("S", "D") and not flags(behind)[has_side].all():
            return None
        if not np.isnan(parse_numbers(texts, decimal)[has_side]).all() or _are_marks(texts):
            return None
        found = _read(texts, decimal, None)
        if np.isnan(found.values[has_digit]).any():
            return None
        shown = {side.upper(): side for side in sorted(sides)}
        words = (
            f"{shown.get(debit, debit)!r} for debit (negative) and {shown.get(credit, credit)!r} "
        )
        habits = (f"{words}for credit", *found.habits)
        return replace(found, spelling=replace(found.spelling, sides=True), habits=habits)
    return None


def _has_crores(texts: pa.StringArray) -> bool:
    """Whether "Cr" is a crore: 1.5 Cr beside 44 Lakh."""
    return bool(pc.any(pc.match_substring_regex(texts, INDIAN)).as_py())


def _are_marks(texts: pa.StringArray) -> bool:
    """Whether all are marks as schools give them: 2+, 3-."""
    return bool(pc.all(pc.match_substring_regex(texts, r"^[1-6][+-]?$")).as_py())
