"""A table as it was found, before roles and types are decided.

Every reader (delimited text, ARFF, Parquet, frames) ends here: whole columns of numbers, of
texts held as codes into their distinct values, or of dates. What follows works on distinct
values, never cell by cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from probtrees.table.cells.arrow_arrays import text_array
from probtrees.types import FloatArray, IntArray


@dataclass(frozen=True)
class Numbers:
    """A column of numbers; NaN where missing.

    ``declared`` says that the file itself calls the column numeric (ARFF).
    """

    values: FloatArray
    declared: bool = False

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.isnan(self.values)


@dataclass(frozen=True)
class Texts:
    """A column of texts: codes into the distinct texts, -1 where missing.

    ``declared`` says that the file itself lists the values (ARFF, a pandas Categorical);
    then the order of the texts and values without rows are kept. ``boolean`` marks a column
    stored as true and false (Parquet, frames). ``repeats`` is False if nearly every cell differs
    and nobody looked for the few that do not: then a text may occur under several codes.
    """

    codes: NDArray[np.int32]
    distinct: pa.StringArray
    declared: bool = False
    boolean: bool = False
    repeats: bool = True

    @classmethod
    def of(cls, codes: NDArray[np.int32], texts: Iterable[str], *, declared: bool = False) -> Texts:
        """Make a column from codes and plain strings."""
        return cls(codes, text_array(texts), declared)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The distinct texts as plain strings, in the order of their codes."""
        return tuple(self.distinct.to_pylist())

    @cached_property
    def rows_of(self) -> IntArray:
        """How many rows each distinct text has."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.distinct))

    @property
    def n_distinct(self) -> int:
        """How many different texts there are."""
        return len(self.distinct)

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return self.codes < 0


@dataclass(frozen=True)
class Dates:
    """A column of points in time: codes into distinct days, -1 where missing.

    ``distinct`` holds days since 1970-01-01, with a part for the time of day. ``day_first`` says
    how dates like 3/4/2020 were understood; None if that never mattered.
    """

    codes: NDArray[np.int32]
    distinct: FloatArray
    day_first: bool | None = None

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


RawColumn: TypeAlias = Numbers | Texts | Dates


@dataclass(frozen=True)
class RawTable:
    """Named columns of equal length, and what was noted while reading them.

    ``names`` are those of all columns of the file, also of columns that were not read.
    """

    columns: dict[str, RawColumn]
    n_rows: int
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    decimal: str = "."
