"""The same column as numbers, as texts, or as dates."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.dates import parse_dates
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.types import FloatArray


def as_numbers(column: RawColumn, decimal: str = ".") -> Numbers:
    """Read a column as numbers, NaN where a cell is none; dates become days since 1970-01-01."""
    if isinstance(column, Numbers):
        return column
    if isinstance(column, Dates):
        return Numbers(column.days)
    if column.boolean:
        return Numbers(spread(np.array([0.0, 1.0]), column.codes))
    return Numbers(spread(parse_numbers(column.distinct, decimal), column.codes))


def as_dates(column: RawColumn, day_first: bool | None = None) -> Dates:
    """Read a column as dates, NaN where a cell is none; numbers are days since 1970-01-01."""
    if isinstance(column, Dates):
        return column
    if isinstance(column, Numbers):
        return Dates.of(column.values)
    parsed = parse_dates(column.distinct, day_first)
    is_date = np.append(~np.isnan(parsed.days), True)
    codes = np.where(is_date[column.codes], column.codes, -1).astype(np.int32)
    return Dates(codes, parsed.days, parsed.day_first)


def as_texts(column: RawColumn) -> Texts:
    """Spell out a column: whole numbers without a point, dates as 2020-12-31."""
    if isinstance(column, Texts):
        return column
    values = column.values if isinstance(column, Numbers) else column.days
    distinct, inverse = np.unique(values, return_inverse=True)
    known = distinct[~np.isnan(distinct)]
    if isinstance(column, Numbers):
        spelled = [spell(number) for number in known.tolist()]
    else:
        spelled = _spell_dates(known)
    codes = np.where(inverse < len(known), inverse, -1).astype(np.int32)
    return Texts(codes, text_array(spelled))


def without_texts(column: Texts, spellings: Collection[str]) -> Texts:
    """Let cells with these spellings be missing."""
    kept = [text for text in column.texts if text not in spellings]
    numbers = {text: code for code, text in enumerate(kept)}
    codes = [numbers.get(text, -1) for text in column.texts]
    return Texts.of(np.array([*codes, -1], np.int32)[column.codes], kept, declared=column.declared)


def spell(number: float) -> str:
    """Write a number the short way.

    >>> spell(3.0), spell(0.1)
    ('3', '0.1')
    """
    whole = np.isfinite(number) and number == int(number) and abs(number) < 1e15
    return str(int(number)) if whole else repr(float(number))


def _spell_dates(days: FloatArray) -> list[str]:
    seconds: NDArray[np.datetime64] = np.round(days * 86400).astype("datetime64[s]")
    unit: Literal["D", "s"] = "D" if (days == np.floor(days)).all() else "s"
    return [str(text).replace("T", " ") for text in np.datetime_as_string(seconds, unit=unit)]


def spread(of_distinct: FloatArray, codes: NDArray[np.int32]) -> FloatArray:
    """Carry what is known of the distinct texts to their cells; NaN where missing."""
    return np.append(of_distinct, np.nan)[codes]


def cell(column: RawColumn, row: int) -> str:
    """Return one cell as people would write it; empty where missing."""
    if isinstance(column, Texts):
        return column.texts[column.codes[row]] if column.codes[row] >= 0 else ""
    if isinstance(column, Numbers):
        return "" if np.isnan(column.values[row]) else spell(float(column.values[row]))
    if column.codes[row] < 0:
        return ""
    return _spell_dates(column.distinct[column.codes[row : row + 1]])[0]
