"""A table as it was found, before roles and types are decided.

Every reader (delimited text, ARFF, Parquet, frames) ends here: whole columns of numbers, of
texts held as codes into their distinct values, or of dates. What follows works on distinct
values, never cell by cell.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Numbers:
    """A column of numbers; NaN where missing.

    ``declared`` says that the file itself calls the column numeric (ARFF).
    """

    values: NDArray[np.float64]
    declared: bool = False

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.isnan(self.values)


@dataclass(frozen=True)
class Texts:
    """A column of texts: codes into the distinct texts, -1 where missing.

    ``declared`` says that the file itself lists the values (ARFF, a pandas Categorical);
    then the order of ``texts`` and values without rows are kept.
    """

    codes: NDArray[np.int32]
    texts: tuple[str, ...]
    declared: bool = False

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return self.codes < 0


@dataclass(frozen=True)
class Dates:
    """A column of points in time, as days since 1970-01-01; NaN where missing."""

    days: NDArray[np.float64]

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells have no value."""
        return np.isnan(self.days)


RawColumn: TypeAlias = Numbers | Texts | Dates


@dataclass(frozen=True)
class RawTable:
    """Named columns of equal length, and what was noted while reading them."""

    columns: dict[str, RawColumn]
    n_rows: int
    notes: tuple[str, ...] = field(default=())
