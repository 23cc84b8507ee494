"""A table as it was found, before roles and types are decided.

Every reader (delimited text, ARFF, Parquet, frames) ends here: whole columns of numbers, of
texts held as codes into their distinct values, or of dates. What follows works on distinct
values, never cell by cell. A column gives itself in every form (numbers, texts, dates), and what
it takes to read its texts is done once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.balances import read_amounts
from probtrees.table.cells.category_order import in_order_of_scale, natural_order
from probtrees.table.cells.clock_times import hours_of_digits, hours_of_points
from probtrees.table.cells.dates import NO_HABIT, DateHabit, parse_dates, spell_dates
from probtrees.table.cells.loose_numbers import number_named
from probtrees.table.cells.missing_words import NOT_STATED, dashes_among
from probtrees.table.cells.misspelt import with_slips
from probtrees.table.cells.numbers_within import SECOND, read_within
from probtrees.table.cells.other_dates.japanese_eras import may_be_codes
from probtrees.table.cells.other_dates.typed_ranges import typed_ranges
from probtrees.table.cells.periods import days_of_excel, days_of_numbers
from probtrees.table.cells.same_words import folded, join_keys, most_frequent
from probtrees.table.cells.special_numbers.one_scale import in_one_scale
from probtrees.table.cells.spelled_numbers import SpelledNumbers, parse_numbers, spell
from probtrees.table.cells.value_labels import ValueLabels, with_zeros
from probtrees.table.spelling import Spelling
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray, IntArray

MOST_KEPT = 20
"""So many values stay where rare ones are taken for one."""

_FIRST = 1000
"""So many different texts tell whether a column is worth reading whole."""

_MOST_LOOSE = 5000
"""A column of more different texts than this is not looked through for answers like "5+"."""


@dataclass(frozen=True)
class Numbers:
    """A column of numbers; NaN where missing.

    ``declared`` says that the file itself calls the column numeric (ARFF), ``scaled`` that small
    numbers are already multiplied (see :attr:`.Spelling.small`) or clock times in hours, ``serial``
    that they are days as Excel counts them.
    """

    values: FloatArray
    declared: bool = False
    scaled: bool = False
    serial: bool = False

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.isnan(self.values)

    def as_numbers(self) -> Numbers:
        """Return the column itself."""
        return self

    def as_dates(self, day_first: bool | None = None) -> Dates:
        """Take numbers for days since 1970-01-01, or, like 20231206, for dates themselves."""
        written = days_of_numbers(self.values)
        if self.serial:
            return Dates.of(np.where(np.isnan(written), days_of_excel(self.values), written))
        return Dates.of(np.where(np.isnan(written), self.values, written))

    def as_texts(self) -> Texts:
        """Spell out the numbers, whole ones without a point."""
        return _spelled(self.values, lambda known: map(spell, known.tolist()))

    def without(self, spellings: Collection[str]) -> Numbers:
        """Let numbers with these spellings be missing."""
        if not spellings:
            return self
        gone = parse_numbers(text_array(spellings))
        wrong = np.isin(self.values, gone[~np.isnan(gone)])
        return replace(self, values=np.where(wrong, np.nan, self.values)) if wrong.any() else self

    def written(self, spelling: Spelling) -> Numbers:
        """Read the column as another one that is written like this."""
        column = replace(self.without(spelling.missing), serial=spelling.serial)
        if spelling.within == SECOND:
            return Numbers(np.full(len(self.values), np.nan))
        if spelling.zero:
            column = replace(column, values=with_zeros(column.values, spelling.zero))
        if spelling.digits:
            column = replace(column, values=hours_of_digits(column.values))
        if spelling.pointed and not self.scaled:
            column = replace(column, values=hours_of_points(column.values))
        if self.scaled or not spelling.has_two_scales:
            return column
        return replace(column, values=in_one_scale(column.values, spelling), scaled=True)

    def cell(self, row: int) -> str:
        """Return one cell as people would write it; empty where missing."""
        return "" if np.isnan(self.values[row]) else spell(float(self.values[row]))


@dataclass(frozen=True)
class Texts:
    """A column of texts: codes into the distinct texts, -1 where missing.

    ``declared`` says that the file itself lists the values (ARFF, a pandas Categorical);
    then the order of the texts and values without rows are kept. ``boolean`` marks a column
    stored as true and false (Parquet, frames). ``repeats`` is False if nearly every cell differs
    and nobody looked for the few that do not: then a text may occur under several codes.
    ``decimal`` is the decimal mark of the file; ``known`` says how numbers are written, if that is
    not to be found out; ``dated`` says the same of dates.
    """

    codes: NDArray[np.int32]
    distinct: pa.StringArray
    declared: bool = False
    boolean: bool = False
    repeats: bool = True
    decimal: str = "."
    known: Spelling | None = None
    dated: DateHabit = NO_HABIT

    @classmethod
    def of(cls, codes: NDArray[np.int32], texts: Iterable[str], *, declared: bool = False) -> Texts:
        """Make a column from codes and plain strings."""
        return cls(codes, text_array(texts), declared)

    @cached_property
    def numbers(self) -> SpelledNumbers:
        """The number that each distinct text is, NaN where it is none, and how they are written."""
        return read_amounts(self.distinct, self.decimal, self.known)

    @cached_property
    def first_numbers(self) -> SpelledNumbers:
        """The same of the first thousand texts, which tell whether it is worth to read all."""
        if len(self.distinct) <= _FIRST:
            return self.numbers
        return read_amounts(self.distinct.slice(0, _FIRST), self.decimal, self.known)

    @cached_property
    def dates(self) -> Dates | None:
        """The column read as dates; None if none of the first fifty is one, or all may be codes."""
        first = parse_dates(self.distinct.slice(0, 50)).days
        return None if np.isnan(first).all() or may_be_codes(self.texts) else self.as_dates()

    @property
    def categories(self) -> tuple[str, ...]:
        """The distinct texts as declared, or else in their natural order, or that of a scale."""
        if self.declared:
            return self.texts
        return in_order_of_scale(self.texts) or natural_order(self.texts)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The distinct texts as plain strings, in the order of their codes."""
        return tuple(self.distinct.to_pylist())

    @cached_property
    def rows_of(self) -> IntArray:
        """How many rows each distinct text has."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.distinct))

    @property
    def dashes(self) -> tuple[str, ...]:
        """The dashes that stand for missing values, and "keine Angabe".

        A dash beside a plus does not, nor beside grades of plus signs only: they make it a sign.
        """
        if self.declared or self.boolean or not self.repeats:
            return ()
        return dashes_among(self.texts)

    @property
    def not_stated(self) -> tuple[str, ...]:
        """Those of the dashes that mean missing in a target too: words, and dashes among numbers.

        A dash among other texts may be a class.
        """
        found = self.dashes
        if not found or not np.isnan(self.without(found).numbers.values).any():
            return found
        return tuple(text for text in found if text in NOT_STATED)

    def rows_with(self, spellings: Collection[str]) -> int:
        """Count the rows with one of some texts."""
        wanted = set(spellings)
        counted = zip(self.texts, self.rows_of.tolist(), strict=True)
        return sum(rows for text, rows in counted if text in wanted)

    @property
    def n_distinct(self) -> int:
        """How many different texts there are."""
        return len(self.distinct)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return self.codes < 0

    def as_numbers(self) -> Numbers:
        """Read the texts as numbers, NaN where one is none; false is 0 and true is 1."""
        of_distinct = np.array([0.0, 1.0]) if self.boolean else self.numbers.values
        if self.known is not None and self.known.has_two_scales:
            scaled = in_one_scale(of_distinct, self.known)
            which = list(self.numbers.bare) if self.known.unit else slice(None)
            of_distinct = of_distinct.copy()
            of_distinct[which] = scaled[which]
        return Numbers(np.append(of_distinct, np.nan)[self.codes])

    def as_dates(self, day_first: bool | None = None) -> Dates:
        """Read the texts as dates, missing where one is none."""
        habit = self.dated
        day_first = habit.day_first if day_first is None else day_first
        last_year = habit.last_year or (0 if self.known is None else self.known.last_year)
        year_first = self.known is not None and self.known.year_first
        parsed = parse_dates(self.distinct, day_first, last_year, year_first=year_first)
        if self.known is not None and self.known.serial:
            counted = days_of_excel(parse_numbers(self.distinct, self.decimal))
            parsed = replace(parsed, days=np.where(np.isnan(counted), parsed.days, counted))
        is_date = np.append(~np.isnan(parsed.days), True)
        codes = np.where(is_date[self.codes], self.codes, -1).astype(np.int32)
        order = parsed.day_first, parsed.assumed, parsed.last_year
        return Dates(codes, parsed.days, *order, parsed.periods, parsed.year_first)

    def as_texts(self) -> Texts:
        """Return the column itself."""
        return self

    def cell(self, row: int) -> str:
        """Return one cell as people would write it; empty where missing."""
        return self.texts[self.codes[row]] if self.codes[row] >= 0 else ""

    def without(self, spellings: Collection[str]) -> Texts:
        """Let cells with these spellings be missing."""
        gone = set(spellings)
        if not gone or gone.isdisjoint(self.texts):
            return self
        kept = [text for text in self.texts if text not in gone]
        return self._recoded([None if text in gone else text for text in self.texts], kept)

    @cached_property
    def join_keys(self) -> dict[str, str]:
        """By text, what it has in common with those that say the same, or are misspelt."""
        keys = with_slips(join_keys(self.texts), self.texts, self.rows_of.tolist())
        return dict(zip(self.texts, keys, strict=True))

    def spelt_alike(self) -> dict[str, str]:
        """By text, the most frequent of those that say the same, or the range a date was."""
        rows_of = dict(zip(self.texts, self.rows_of.tolist(), strict=True))
        alike = most_frequent(self.join_keys, rows_of)
        return alike | {t: alike.get(to, to) for t, to in typed_ranges(self.texts).items()}

    def joined(self) -> tuple[Texts, Mapping[str, str]]:
        """Let texts that say the same be one: the most frequent of them.

        Return also which one other words are, beyond case and spaces: 'Male' is 'm'.
        """
        meant = self.spelt_alike()
        others = {t: to for t, to in sorted(meant.items()) if folded(t) != folded(to)}
        return self._recoded(meant.values(), dict.fromkeys(meant.values())), others

    def grouped(self) -> tuple[Texts, str]:
        """Let all but the most frequent texts be one; return also how that is called, if any."""
        if self.n_distinct <= MOST_KEPT:
            return self, ""
        order = np.argsort(-self.rows_of, kind="stable")[:MOST_KEPT].tolist()
        kept = {self.texts[code] for code in order}
        rest = "other" if "other" not in kept else "(all others)"
        texts = [text if text in kept else rest for text in self.texts]
        return self._recoded(texts, dict.fromkeys(texts)), rest

    def _recoded(self, texts: Iterable[str | None], kept: Iterable[str]) -> Texts:
        """Replace every distinct text by one of those kept, or by none."""
        kept = tuple(kept)
        numbers = {text: code for code, text in enumerate(kept)}
        codes = np.array([*(-1 if t is None else numbers[t] for t in texts), -1], np.int32)
        column = Texts.of(codes[self.codes], kept, declared=self.declared)
        return replace(column, decimal=self.decimal, known=self.known, dated=self.dated)

    def respelled(self, meant: Mapping[str, str]) -> Texts:
        """Replace some of the distinct texts by others."""
        texts = [meant.get(text, text) for text in self.texts]
        return self._recoded(texts, dict.fromkeys(texts))

    def written(self, spelling: Spelling) -> Texts:
        """Read the column as another one that is written like this."""
        column = self.without_limits() if spelling.limits else self
        column = column.without(spelling.missing)
        column = column.respelled(dict.fromkeys(spelling.zero, "0")) if spelling.zero else column
        if spelling.within:
            read = read_within(column.texts, spelling)
            return replace(column._recoded(read, dict.fromkeys(filter(None, read))), decimal=".")
        return replace(column, known=spelling)

    @property
    def limits(self) -> tuple[str, ...]:
        """The texts that name a number without being one: "<5", "10 or more", "6-8", "none"."""
        return tuple(self._named)

    @cached_property
    def _named(self) -> dict[str, str]:
        """The numbers that texts name, by text; nothing if there are very many."""
        texts = self.texts if self.n_distinct <= _MOST_LOOSE else ()
        return {text: number for text in texts if (number := number_named(text))}

    def number_named(self, text: str) -> str:
        """Return the number that one of the limits names."""
        return self._named[text]

    def without_limits(self) -> Texts:
        """Let "<5" be 5, the limit itself, "6-8" be 7 and "none" be 0."""
        plain = [self._named.get(text, text) for text in self.texts]
        return self._recoded(plain, dict.fromkeys(plain))


@dataclass(frozen=True)
class Dates:
    """A column of points in time: codes into distinct days, -1 where missing.

    ``distinct`` holds days since 1970-01-01, with a part for the time of day. ``day_first`` says
    how dates like 3/4/2020 were understood, None if that never mattered; ``assumed`` that nothing
    in the column decided it, ``last_year`` which year two digits stand for at most, 0 where all
    years have four. ``periods`` says that some cells are a month, a quarter or a week, and
    ``year_first`` that years of two digits come first.
    """

    codes: NDArray[np.int32]
    distinct: FloatArray
    day_first: bool | None = None
    assumed: bool = False
    last_year: int = 0
    periods: bool = False
    year_first: bool = False

    @classmethod
    def of(cls, days: FloatArray) -> Dates:
        """Make a column from days, NaN where missing."""
        codes = np.where(np.isnan(days), -1, np.arange(len(days))).astype(np.int32)
        return cls(codes, days)

    @property
    def days(self) -> FloatArray:
        """Days since 1970-01-01 of every row, NaN where missing."""
        return np.append(self.distinct, np.nan)[self.codes]

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return self.codes < 0

    def as_numbers(self) -> Numbers:
        """Return days since 1970-01-01."""
        return Numbers(self.days)

    def without(self, spellings: Collection[str]) -> Dates:
        """Return the column itself: its cells have no spelling."""
        return self

    def written(self, spelling: Spelling) -> Dates:
        """Return the column itself."""
        return self

    def as_dates(self, day_first: bool | None = None) -> Dates:
        """Return the column itself."""
        return self

    def as_texts(self) -> Texts:
        """Spell out the dates as 2020-12-31."""
        return _spelled(self.days, spell_dates)

    def cell(self, row: int) -> str:
        """Return one cell as people would write it; empty where missing."""
        code = self.codes[row]
        return spell_dates(self.distinct[code : code + 1])[0] if code >= 0 else ""


def _spelled(values: FloatArray, write: Callable[[FloatArray], Iterable[str]]) -> Texts:
    """Spell out values, each different one once; NaN stays missing."""
    distinct, inverse = np.unique(values, return_inverse=True)
    known = distinct[~np.isnan(distinct)]
    codes = np.where(inverse < len(known), inverse, -1).astype(np.int32)
    return Texts.of(codes, write(known))


RawColumn: TypeAlias = Numbers | Texts | Dates


@dataclass(frozen=True)
class RawTable:
    """Named columns of equal length, and what was noted while reading them.

    ``names`` are those of all columns of the file, also of columns that were not read. ``findings``
    are decisions about the table that can be taken back. ``names_line`` is the line of the file
    that names the columns; ``blank_lines`` are lines without any cell, where these are known: only
    then the line of a row is known too. ``labels`` say what columns hold, where the file does, and
    ``value_labels`` what their codes mean; ``declared_missing`` are codes, and labels of such, that
    the file declares to be no values.
    ``left_out`` are lines among the rows that are none; ``origin`` is the column that says which
    sheet a row is from.
    ``decimal_comma`` says that numbers are written with one, or that semicolons keep it free.
    ``odd_lines`` have another number of cells, and were left out as somebody said.
    ``first_cells`` are those of the first rows by column, as they stand in a text.
    ``is_summary`` says that columns stand for longer ones, and their cells make no rows.
    """

    columns: dict[str, RawColumn]
    n_rows: int
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    names_line: int = 1
    blank_lines: tuple[int, ...] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, ValueLabels] = field(default_factory=dict)
    decimal_comma: bool = False
    left_out: tuple[int, ...] = ()
    origin: str = ""
    declared_missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    odd_lines: tuple[str, ...] = ()
    first_cells: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    is_summary: bool = False

    def line_of(self, row: int) -> int | None:
        """Return the line of the file that holds a row, both counted from 1; None if not known."""
        if self.blank_lines is None:
            return None
        line = self.names_line + row
        for blank in sorted((*self.blank_lines, *self.left_out)):
            line += self.names_line < blank <= line
        return line

    def blank_out(self, spellings_of: Callable[[str], Collection[str]]) -> None:
        """Make cells missing that are spelled in a way the user says means missing."""
        for name, column in self.columns.items():
            if spellings := spellings_of(name):
                self.columns[name] = column.without(spellings)
