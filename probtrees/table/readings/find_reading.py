"""Find out how the texts of a column are written, and read texts by what was found.

A reading is certain or it is not made: the first one that fits all cells wins, up to 2 % left over
become one question, and anything else stays a category as written. Patterns are tried on a few
texts, then on a sample, and on all different texts only where the sample fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.errors import OptionError, did_you_mean
from probtrees.table.arrow_arrays import mask_array, text_array
from probtrees.table.number_text import number_of
from probtrees.table.raw_table import Dates, Numbers, RawColumn, Texts
from probtrees.table.readings.dates import DATE_READINGS, days_of_excel, days_of_numbers
from probtrees.table.readings.marks import code_among, decimal_mark, in_plain_signs
from probtrees.table.readings.numbers import NUMBER_READINGS, TIME_READINGS
from probtrees.table.readings.reading import Asked, ColumnReading, Found, Reading
from probtrees.table.readings.words import missing_among
from probtrees.types import FloatArray, IntArray

READINGS: tuple[Reading, ...] = (
    NUMBER_READINGS[0],
    *DATE_READINGS,
    *TIME_READINGS,
    *NUMBER_READINGS[1:],
)
"""All readings, in the order in which they are tried: the first that fits all cells is taken."""

READING_NAMES: tuple[str, ...] = tuple(reading.name for reading in READINGS)

_FIRST, _SAMPLE = 20, 1000
_MOST_LEFT, _FEWEST_CELLS = 0.02, 20
"""The share of cells that may be left over; in a column of 20 cells or more one always may."""
_DIGIT, _POINTED = re.compile(r"\d"), re.compile(r"\d+\.")


def find_reading(column: Texts, decimal: str = ".", name: str = "") -> Found:
    """Find how the texts of a column are written.

    Parameters
    ----------
    decimal : the decimal mark of the file
    name : the reading that a person asks for, or "numeric" or "date" for any of this kind: then
        texts that do not fit are left over, however many they are

    Examples
    --------
    >>> found = find_reading(Texts.of_cells(["$1,200", "($35)", "$7.50"]))
    >>> found.reading.unit, found.values.tolist()
    ('$', [1200.0, -35.0, 7.5])
    >>> find_reading(Texts.of_cells(["none", "mild", "severe"])).reading is None
    True
    """
    search = _Search(column, decimal)
    if name:
        return search.asked_for(name)
    return search.certain()


def reading_named(name: str) -> Reading:
    """Return a reading by its name; plain numbers by none."""
    if name and name not in READING_NAMES:
        raise OptionError(
            f"reading={name!r} must be a known one. {did_you_mean(name, list(READING_NAMES))}"
        )
    return READINGS[READING_NAMES.index(name or "number")]


def parse(distinct: pa.StringArray, reading: ColumnReading) -> FloatArray:
    """Read texts by a known reading: numbers, or days since 1970-01-01; NaN where one does not fit.

    >>> from probtrees.table.arrow_arrays import text_array
    >>> parse(text_array(["14:30", "x"]), ColumnReading("clock", unit="h:mm")).tolist()
    [14.5, nan]
    """
    return reading_named(reading.name).parse(distinct, reading)


def read_texts(
    texts: pa.StringArray, reading: ColumnReading, *, is_date: bool = False, decimal: str = "."
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Read the different texts of a column by its reading.

    Parameters
    ----------
    is_date : whether they should be dates; where training had no texts, nothing says how they are
        written, and that is found out
    decimal : the decimal mark of the file, which tells that of columns without marks of their own

    Returns
    -------
    the numbers or days, NaN where there is none, and which texts should be one but are not:
    words for no value need not
    """
    if is_date and not reading.name:
        column = Texts(np.empty(0, dtype=np.int32), texts)
        found = find_reading(column, decimal, "date").reading or reading
        reading = replace(found, last_year=reading.last_year or found.last_year)
    mark = _mark_of(texts.slice(0, _SAMPLE), reading, decimal)
    values = parse(texts, replace(reading, decimal=mark))
    unread = np.isnan(values)
    codes = [code for text in reading.missing if (code := number_of(text)) is not None]
    values[np.isin(values, codes)] = np.nan  # 999.0 where 999 means missing
    if unread.any():
        unread[unread] = ~missing_among(texts.filter(mask_array(unread)))
    return values, unread


_MOST_DAYS = 100_000
"""Numbers beyond are no days since 1970 of anybody's table: they would lie in the year 2243."""


def read_cells(
    found: RawColumn, reading: ColumnReading, *, is_date: bool = False, decimal: str = "."
) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Read all cells of a column likewise; numbers are numbers, or days by what they look like."""
    if isinstance(found, Texts):
        if found.boolean:
            return np.array([0.0, 1.0, np.nan])[found.codes], np.zeros(len(found.codes), np.bool_)
        values, unread = read_texts(found.distinct, reading, is_date=is_date, decimal=decimal)
        return np.append(values, np.nan)[found.codes], np.append(unread, False)[found.codes]
    values = found.days if isinstance(found, Dates) else found.values
    if is_date and isinstance(found, Numbers):
        written = (days_of_excel if reading.name == "excel days" else days_of_numbers)(values)
        unread = np.isnan(written) & _are_no_days(values)
        return np.where(np.isnan(written), values, written), unread
    return values, np.zeros(len(values), dtype=np.bool_)


def _are_no_days(values: FloatArray) -> NDArray[np.bool_]:
    """Find numbers that count something else than days since 1970: 20230105123000, 12.2023."""
    month = np.floor(values)
    year = (values - month) * 1e4
    is_pointed = (month >= 1) & (month <= 12) & (np.abs(year - np.round(year)) < 1e-6)
    return (np.abs(values) > _MOST_DAYS) | (is_pointed & (year > 1899) & (year < 2101))


def _mark_of(texts: pa.StringArray, reading: ColumnReading, decimal: str) -> str:
    """Return the decimal mark that the numbers of another table have.

    Plain numbers have that of their file, if they do not say it themselves. Others have that of
    training, unless all of them have points.
    """
    if reading.name == "":
        known = "," if "," in (reading.decimal, decimal) else "."
        return decimal_mark(texts, known) or known
    if reading.decimal == "," and not reading.name.startswith("decimal"):
        has_comma = pc.any(pc.match_substring(texts, ","), min_count=0).as_py()
        return "," if has_comma else decimal_mark(texts, ",") or ","
    return reading.decimal


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.A)


@dataclass(frozen=True)
class _Search:
    """The texts of a column on their way to a reading."""

    column: Texts
    decimal: str

    @cached_property
    def rows(self) -> IntArray:
        """How many rows each text has; one for each if nobody counted."""
        rows = self.column.rows_of
        return rows if rows.any() else np.ones(self.column.n_distinct, dtype=np.int64)

    @cached_property
    def most_left(self) -> float:
        """How many cells may be left over."""
        n_cells = int(self.rows.sum())
        return max(_MOST_LEFT * n_cells, 1.0 if n_cells >= _FEWEST_CELLS else 0.0)

    @cached_property
    def plain(self) -> pa.StringArray:
        """The texts in plain signs."""
        return in_plain_signs(self.column.distinct)

    @cached_property
    def sample(self) -> list[str]:
        """The first of them."""
        return list(self.plain.slice(0, _SAMPLE).to_pylist())

    @cached_property
    def missing(self) -> NDArray[np.bool_]:
        """Which texts mean that there is no value, among numbers and dates."""
        return missing_among(self.column.distinct)

    @cached_property
    def missing_in_sample(self) -> NDArray[np.bool_]:
        """The same of the first texts."""
        is_all = self.column.n_distinct <= _SAMPLE
        return self.missing if is_all else missing_among(self.column.distinct.slice(0, _SAMPLE))

    @cached_property
    def mark(self) -> str:
        """The decimal mark of the column; empty where it is in doubt."""
        return decimal_mark(self.plain.slice(0, _SAMPLE), self.decimal)

    def certain(self) -> Found:
        """Return the first reading that fits nearly all cells."""
        if not self._may_hold_numbers():
            return Found()
        in_doubt = []
        for reading in READINGS:
            if reading.automatic and self._fits_sample(reading):
                found = self._read(reading)
                if found.reading is not None:
                    return found
                in_doubt += [found] if found.ask else []
        if not in_doubt and self._has_both_marks():
            return Found(ask="mark")
        return in_doubt[0] if in_doubt else Found()

    def asked_for(self, name: str) -> Found:
        """Return the reading of a name, or that of a kind which leaves the fewest cells over."""
        if name not in ("numeric", "date"):
            return self._forced(reading_named(name))
        certain = self.certain()
        if certain.kind == name:
            return certain
        of_kind = [each for each in READINGS if each.kind == name and each.automatic]
        tried = [self._forced(reading) for reading in of_kind]
        return min(tried, key=lambda found: int(self.rows[np.isnan(found.values)].sum()))

    def _may_hold_numbers(self) -> bool:
        """Whether most of the first texts have a digit: a look at a few spares the rest."""
        first = self.column.distinct.slice(0, _FIRST)
        lacks = [not any(map(str.isdecimal, text)) for text in first.to_pylist()]
        odd = np.array(lacks, dtype=np.bool_) & ~missing_among(first)
        return float(self.rows[: len(odd)][odd].sum()) <= self.most_left

    def _fits_sample(self, reading: Reading) -> bool:
        """Whether a few texts, and then a sample of them, have the form of a reading."""
        marks = "." if isinstance(reading.grammar, str) else ".,"
        if not any(self._fit([_compiled(reading.pattern(m))], _FIRST) for m in marks):
            return False
        mark = "." if marks == "." else self.mark
        return bool(mark) and self._fit([_compiled(reading.pattern(mark))], _SAMPLE)

    def _has_both_marks(self) -> bool:
        """Whether the texts are numbers, if commas and points are both decimal marks."""
        forms = [_compiled(reading_named("limit").pattern(mark)) for mark in ".,"]
        return self._fit(forms, _FIRST) and not self.mark and self._fit(forms, _SAMPLE)

    def _fit(self, forms: Sequence[re.Pattern[str]], n_texts: int) -> bool:
        """Whether nearly all of the first texts have one of some forms."""
        some = self.sample[:n_texts]
        odd = np.array([not any(f.fullmatch(t) for f in forms) for t in some], dtype=np.bool_)
        missing = self.missing_in_sample[: len(some)]
        left = odd & ~missing
        is_some = not (odd | missing).all()
        return is_some and int(self.rows[: len(some)][left].sum()) <= self.most_left

    def _read(self, reading: Reading) -> Found:
        """Read all texts; say what is in doubt where that fails."""
        mark = "." if isinstance(reading.grammar, str) else self.mark
        form = _compiled(reading.pattern(mark))
        sample = text_array(text for text in self.sample if form.fullmatch(text))
        is_number = reading.kind == "numeric"
        if is_number and (code_among(sample) or not self._is_plain(reading, sample)):
            return Found()
        known = ColumnReading("", mark)
        found = known if reading.find is None else reading.find(sample, known)
        if isinstance(found, str):
            return Found(ask=found)
        known_texts = ~self.missing
        values = np.full(self.column.n_distinct, np.nan)
        values[known_texts] = reading.parse(self.plain.filter(mask_array(known_texts)), found)
        left = np.isnan(values) & known_texts
        if int(self.rows[left].sum()) > self.most_left:
            return Found()
        left_over: list[str] = self.plain.filter(mask_array(left)).to_pylist()
        if any(_DIGIT.search(t) and (is_number or not form.fullmatch(t)) for t in left_over):
            return Found(left_over=tuple(left_over), ask="missing")  # 4/7 b may mean something
        ask: Asked = "limit" if reading.name == "limit" else "missing" if left_over else ""
        if reading.rival and not ask and self._fits_too(reading_named(reading.rival), sample):
            ask = "order"
        return self._found(reading, found, values, ask)

    def _is_plain(self, reading: Reading, texts: pa.StringArray) -> bool:
        """Whether points of plain numbers are decimal marks: 1.190 beside 450 may not be."""
        if reading.name != "number" or not pc.any(pc.match_substring(texts, ".")).as_py():
            return True
        return self.mark == "."

    def _fits_too(self, reading: Reading, texts: pa.StringArray) -> bool:
        """Whether another reading fits all texts, unless points say which one is meant."""
        form = _compiled(reading.pattern("."))
        plain: list[str] = texts.to_pylist()
        return all(form.fullmatch(t) for t in plain) and not all(_POINTED.match(t) for t in plain)

    def _forced(self, reading: Reading) -> Found:
        """Read what a person asks for; texts that do not fit are left over."""
        known = ColumnReading(
            "" if reading.name == "number" else reading.name, self.mark or self.decimal
        )
        sample = text_array(
            text
            for text, is_missing in zip(self.sample, self.missing_in_sample, strict=True)
            if not is_missing
        )
        found = known if reading.find is None else reading.find(sample, known)
        found = known if isinstance(found, str) else found
        if reading.name in ("day first", "month first"):
            found = replace(found, day_first=reading.name == "day first")
        values = reading.parse(self.plain, found)
        return self._found(reading, found, np.where(self.missing, np.nan, values), "")

    def _found(
        self, reading: Reading, found: ColumnReading, values: FloatArray, ask: Asked
    ) -> Found:
        """Put together what was found; texts left over count as missing."""
        unread = np.isnan(values) & ~self.missing
        left_over = tuple(self.column.distinct.filter(mask_array(unread)).to_pylist())
        found = replace(found, missing=left_over if ask == "missing" else ())
        sentence = "" if reading.name == "number" else reading.sentence
        return Found(found, reading.kind, values, left_over, ask, sentence)
