"""Find out how the texts of a column are written, and read texts by what was found.

A reading is certain or it is not made: the first one that fits all cells wins, up to 2 % left over
become one question, as a few words in more cells do, and anything else stays a category as written.
Patterns are tried on a few texts, then on a sample, and on all different texts only where it fits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate

import numpy as np
import pyarrow as pa

from probtrees.errors import check_known
from probtrees.table.arrow_arrays import mask_array
from probtrees.table.number_text import number_of
from probtrees.table.raw_table import Dates, RawColumn, Texts
from probtrees.table.readings.dates import DATE_READINGS
from probtrees.table.readings.numbers import (
    NUMBER_READINGS,
    TIME_READINGS,
    are_codes,
    decimal_mark,
    has,
    in_plain_signs,
)
from probtrees.table.readings.reading import Asked, ColumnReading, Found, Reading
from probtrees.table.readings.words import is_missing_word, missing_among
from probtrees.types import BoolArray, FloatArray, IntArray

READINGS = (NUMBER_READINGS[0], *DATE_READINGS, *TIME_READINGS, *NUMBER_READINGS[1:])
"""All readings, in the order in which they are tried: the first that fits all cells is taken."""

READING_NAMES: tuple[str, ...] = tuple(reading.name for reading in READINGS)

_FIRST, _SAMPLE = 20, 1000
_MOST_LEFT, _FEWEST_CELLS = 0.02, 20
"""The share of cells that may be left over; in a column of 20 cells or more one always may."""
_MOST_WORDS, _SHARE_OF_WORDS = 3, 0.2  # that are asked about, beside numbers or dates
_DIGIT, _POINTED = re.compile(r"\d"), re.compile(r"\d+\.")


def find_reading(column: Texts, decimal: str = ".", name: str = "") -> Found:
    """Find how the texts of a column are written, in a file with some decimal mark.

    Where a person asks for a reading by its name, or by "numeric" or "date" for any of this kind,
    texts that do not fit are left over, however many they are.

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
    check_known("reading", name or "number", READING_NAMES, "a known one")
    return READINGS[READING_NAMES.index(name or "number")]


def read_texts(
    texts: pa.StringArray, reading: ColumnReading, *, is_date: bool = False, decimal: str = "."
) -> tuple[FloatArray, BoolArray]:
    """Read the different texts of a column; tell which should be numbers or days but are not.

    Where training had no texts, nothing says how dates are written, and that is found out. The
    decimal mark of the file tells that of columns without marks of their own.
    """
    if is_date and not reading.name:
        column = Texts(np.empty(0, dtype=np.int32), texts)
        found = find_reading(column, decimal, "date").reading or reading
        reading = replace(found, last_year=reading.last_year or found.last_year)
    mark = _mark_of(texts.slice(0, _SAMPLE).to_pylist(), reading, decimal)
    values = reading_named(reading.name).parse(texts, replace(reading, decimal=mark))
    unread = np.isnan(values)
    codes = [code for text in reading.missing if (code := number_of(text)) is not None]
    values[np.isin(values, codes)] = np.nan  # 999.0 where 999 means missing
    if unread.any():
        unread[unread] = ~missing_among(texts.filter(mask_array(unread)))
    return values, unread


def read_cells(
    found: RawColumn, reading: ColumnReading, *, is_date: bool = False, decimal: str = "."
) -> tuple[FloatArray, BoolArray]:
    """Read all cells of a column likewise; numbers are numbers, or dates such as 20230105."""
    if isinstance(found, Texts) and found.boolean:
        return np.array([0.0, 1.0, np.nan])[found.codes], np.zeros(len(found.codes), np.bool_)
    texts = found.as_texts() if is_date and not isinstance(found, Dates) else found
    if not isinstance(texts, Texts):
        return texts.values, np.zeros(len(texts.values), dtype=np.bool_)
    values, unread = read_texts(texts.distinct, reading, is_date=is_date, decimal=decimal)
    return np.append(values, np.nan)[texts.codes], np.append(unread, False)[texts.codes]


def _mark_of(texts: Sequence[str], reading: ColumnReading, decimal: str) -> str:
    """Return the decimal mark that the numbers of another table have.

    Plain numbers have that of their file, if they do not say it themselves. Others have that of
    training, unless all of them have points.
    """
    known = "," if "," in (reading.decimal, decimal) and not reading.name else reading.decimal
    is_open = not reading.name or (known == "," and not has(texts, ","))
    is_said = reading.name.startswith("decimal")
    return (is_open and not is_said and decimal_mark(texts, known)) or known


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
    def missing(self) -> BoolArray:
        """Which texts mean that there is no value, among numbers and dates."""
        return missing_among(self.column.distinct)

    @cached_property
    def sample(self) -> list[tuple[str, int]]:
        """The first texts that do not mean that, with their rows."""
        first = self.column.distinct.slice(0, _SAMPLE)
        counted = zip(in_plain_signs(first).to_pylist(), self.rows[:_SAMPLE].tolist(), strict=True)
        missing = missing_among(first).tolist()
        return [pair for pair, is_missing in zip(counted, missing, strict=True) if not is_missing]

    @cached_property
    def mark(self) -> str:
        """The decimal mark of the column; empty where it is in doubt."""
        return decimal_mark([text for text, _ in self.sample], self.decimal)

    def certain(self) -> Found:
        """Return the first reading that fits nearly all cells, or what keeps one from doing so."""
        in_doubt, first = Found(), self.column.distinct.slice(0, _SAMPLE).to_pylist()
        if not any(map(_DIGIT.search, first)):
            return in_doubt
        for reading in READINGS:
            if reading.automatic and self._fits_sample(reading):
                found = self._read(reading)
                if found.reading is not None:
                    return found
                in_doubt = in_doubt if in_doubt.ask else found
        if in_doubt.ask:
            return in_doubt
        forms = [reading_named("limit").form(mark) for mark in ".,"]  # both marks are decimal
        has_both = not self.mark and self._fit(forms, _SAMPLE)
        return Found(ask="mark") if has_both else self._beside_words(first)

    def _beside_words(self, first: Sequence[str]) -> Found:
        """Ask about a few words if all other texts are numbers or dates."""
        words = [text for text in first if not (_DIGIT.search(text) or is_missing_word(text))]
        most = _SHARE_OF_WORDS * self.rows.sum()
        if not (0 < len(words) <= _MOST_WORDS and self.column.rows_with(words) <= most):
            return Found()
        others = find_reading(self.column.without(words), self.decimal)
        return Found(left_over=tuple(words), ask="missing") if others.reading else Found()

    def asked_for(self, name: str) -> Found:
        """Return the reading of a name, or that of a kind which leaves the fewest cells over."""
        if name not in ("numeric", "date"):
            return self._read(reading_named(name), forced=True)
        certain = self.certain()
        if certain.kind == name:
            return certain
        of_kind = [each for each in READINGS if each.kind == name and each.automatic]
        tried = [self._read(reading, forced=True) for reading in of_kind]
        return min(tried, key=lambda found: int(self.rows[np.isnan(found.values)].sum()))

    def _fit(self, forms: Sequence[re.Pattern[str]], n_texts: int) -> bool:
        """Whether nearly all of the first texts have one of some forms."""
        some = self.sample[:n_texts]
        left = (rows for text, rows in some if not any(form.search(text) for form in forms))
        is_little = all(n_left <= self.most_left for n_left in accumulate(left))
        return is_little and any(form.search(text) for text, _ in some for form in forms)

    def _fits_sample(self, reading: Reading) -> bool:
        """Whether a few texts, and then a sample of them, have the form of a reading."""
        marks = "." if isinstance(reading.grammar, str) else ".,"
        if not any(self._fit([reading.form(mark)], _FIRST) for mark in marks):
            return False
        mark = "." if marks == "." else self.mark
        return bool(mark) and self._fit([reading.form(mark)], _SAMPLE)

    def _read(self, reading: Reading, *, forced: bool = False) -> Found:
        """Read all texts; say what is in doubt where that fails and nobody asked for it."""
        mark = self.mark or self.decimal
        if isinstance(reading.grammar, str) and not forced:
            mark = "."
        form = reading.form(mark)
        sample = [text for text, _ in self.sample if forced or form.search(text)]
        is_number = reading.kind == "numeric"
        name = "" if reading.name == "number" else reading.name
        may_group = not name and self.mark != "." and has(sample, r"\.")  # 1.190 beside 450
        if not forced and is_number and (are_codes(sample) or may_group):
            return Found()
        known = ColumnReading(name, mark, reading.unit, reading.day_first)
        found = known if reading.find is None else reading.find(sample, known)
        if isinstance(found, str):
            if not forced:
                return Found(ask=found)
            found = known
        values = np.full(self.column.n_distinct, np.nan)
        known_texts = self.column.distinct.filter(mask_array(~self.missing))
        values[~self.missing] = reading.parse(known_texts, found)
        left = np.isnan(values) & ~self.missing
        left_over = tuple(self.column.distinct.filter(mask_array(left)).to_pylist())
        ask: Asked = ""
        if not forced:
            if int(self.rows[left].sum()) > self.most_left:
                return Found()
            if any(_DIGIT.search(t) and (is_number or not form.search(t)) for t in left_over):
                return Found(left_over=left_over, ask="missing")  # 4/7 b may mean something
            ask = "limit" if reading.name == "limit" else "missing" if left_over else ""
            if not ask and _may_have_other_order(reading, sample):
                ask = "order"
        found = replace(found, missing=left_over if ask == "missing" else ())
        return Found(found, reading.kind, values, left_over, ask, reading.sentence if name else "")


def _may_have_other_order(reading: Reading, texts: Sequence[str]) -> bool:
    """Whether day and month may change places in all texts, and no points say which is meant."""
    if reading.day_first is None or all(map(_POINTED.match, texts)):
        return False
    other = reading_named("month first" if reading.day_first else "day first")
    return all(map(other.form().search, texts))
