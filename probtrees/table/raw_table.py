"""A table as it was found, before roles and types are decided.

Every format (delimited text, ARFF, Parquet, frames) ends here: whole columns of numbers, of texts
held as codes into their distinct values, or of dates. What follows works on distinct values,
never cell by cell.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.table.arrow_arrays import text_array
from probtrees.table.findings import Finding
from probtrees.table.number_text import number_of, spell
from probtrees.table.readings.dates import spell_dates
from probtrees.types import FloatArray, IntArray

ValueLabels = tuple[tuple[str, str], ...]
"""Pairs of a code, as it is written in a text, and its label (SPSS, Stata, SAS)."""


@dataclass(frozen=True)
class Numbers:
    """A column of numbers; NaN where missing.

    ``declared`` says that the file itself calls the column numeric (ARFF, a frame of floats).
    """

    values: FloatArray
    declared: bool = False

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.isnan(self.values)

    def as_texts(self) -> Texts:
        """Spell out the numbers, whole ones without a point; each different one once."""
        distinct, inverse = np.unique(self.values, return_inverse=True)
        known = distinct[~np.isnan(distinct)]
        codes = np.where(inverse < len(known), inverse, -1).astype(np.int32)
        return Texts.of(codes, self._spelled(known))

    def without(self, texts: Collection[str]) -> Numbers:
        """Let numbers that are written so be missing."""
        gone = [number for text in texts if (number := number_of(text)) is not None]
        wrong = np.isin(self.values, gone) if gone else np.zeros(1, dtype=np.bool_)
        return replace(self, values=np.where(wrong, np.nan, self.values)) if wrong.any() else self

    def cell(self, row: int) -> str:
        """Return one cell as people would write it; empty where missing."""
        value = self.values[row : row + 1]
        return "" if np.isnan(value[0]) else self._spelled(value)[0]

    def _spelled(self, known: FloatArray) -> list[str]:
        return list(map(spell, known.tolist()))


@dataclass(frozen=True)
class Dates(Numbers):
    """A column of days since 1970-01-01, with a part for the time of day; NaN where missing."""

    def without(self, texts: Collection[str]) -> Dates:
        """Let days that are written so be missing."""
        gone = self.as_texts().without(texts).missing if texts not in ((), ("",)) else self.missing
        return Dates(np.where(gone, np.nan, self.values))

    def _spelled(self, known: FloatArray) -> list[str]:
        return spell_dates(known)


@dataclass(frozen=True)
class Texts:
    """A column of texts: codes into the distinct texts, -1 where missing.

    ``declared`` says that the file itself lists the values (ARFF, a pandas Categorical); then the
    order of the texts and values without rows are kept. ``boolean`` marks a column stored as true
    and false (Parquet, frames).
    """

    codes: NDArray[np.int32]
    distinct: pa.StringArray
    declared: bool = False
    boolean: bool = False

    @classmethod
    def of(cls, codes: NDArray[np.int32], texts: Iterable[str], *, declared: bool = False) -> Texts:
        """Make a column from codes and plain strings."""
        return cls(codes, text_array(texts), declared)

    @classmethod
    def of_cells(cls, cells: Iterable[str | None]) -> Texts:
        """Make a column from its cells, None or empty where missing.

        >>> Texts.of_cells(["a", "", "b", "a"]).codes.tolist()
        [0, -1, 1, 0]
        """
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(cell, len(numbers)) if cell else -1 for cell in cells]
        return cls.of(np.array(codes, dtype=np.int32), numbers)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The distinct texts as plain strings, in the order of their codes."""
        return tuple(self.distinct.to_pylist())

    @cached_property
    def rows_of(self) -> IntArray:
        """How many rows each distinct text has."""
        return np.bincount(self.codes + 1, minlength=len(self.distinct) + 1)[1:]

    @property
    def n_distinct(self) -> int:
        """How many different texts there are."""
        return len(self.distinct)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return self.codes < 0

    def rows_with(self, texts: Collection[str]) -> int:
        """Count the rows with one of some texts."""
        wanted = set(texts)
        counted = zip(self.texts, self.rows_of.tolist(), strict=True)
        return sum(rows for text, rows in counted if text in wanted)

    def as_texts(self) -> Texts:
        """Return the column itself."""
        return self

    def cell(self, row: int) -> str:
        """Return one cell as people would write it; empty where missing."""
        return self.texts[self.codes[row]] if self.codes[row] >= 0 else ""

    def without(self, texts: Collection[str]) -> Texts:
        """Let cells with these texts be missing."""
        return self.respelled(dict.fromkeys(texts, ""))

    def respelled(self, meant: Mapping[str, str]) -> Texts:
        """Replace some of the distinct texts by others; by "" they become missing."""
        if not meant or meant.keys().isdisjoint(self.texts):
            return self
        made = Texts.of_cells(meant.get(text, text) for text in self.texts)
        codes = np.append(made.codes, np.int32(-1))[self.codes]
        return replace(made, codes=codes, declared=self.declared)


RawColumn: TypeAlias = Numbers | Texts

ROW_NAMES = "row names"
"""What the nameless first column of a table written by R is called."""


@dataclass
class RawTable:
    """Named columns of equal length, and what was found while reading them.

    Attributes
    ----------
    names : the columns of the file in order, also those that were not read
    decimal : the decimal mark of the file: in texts of a file with "," 1.234 is 1234
    findings : what was decided about the file: title lines, totals, encoding, sheet
    labels, value_labels : what columns and their codes mean, where the file says so
    unused : columns that nobody asks for: what cannot be read in them is missing
    problems : where all such cells are missing, what they hold, by the number of their row; None:
        they are refused
    """

    columns: dict[str, RawColumn]
    n_rows: int
    names: tuple[str, ...]
    decimal: str = "."
    findings: tuple[Finding, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    value_labels: Mapping[str, ValueLabels] = field(default_factory=dict)
    unused: Collection[str] = ()
    problems: dict[int, list[str]] | None = None

    def check_cells(self, found: RawColumn, wrong: NDArray[np.bool_], name: str, what: str) -> None:
        """Refuse or note the cells of a column that are not what they must be."""
        if name in self.unused or not wrong.any():
            return
        problems, row = self.problems, int(wrong.argmax())
        if problems is None:
            rule = f"must be {what}. Correct the cell, or leave it empty if the value is not known."
            raise DataError(f"{name!r}={found.cell(row)!r} in row {row + 1} {rule}")
        for row in np.flatnonzero(wrong).tolist():
            words = f"{name}={found.cell(row)!r} is not {what}"
            problems[row] = [*dict.fromkeys([*problems.get(row, ()), words])]
