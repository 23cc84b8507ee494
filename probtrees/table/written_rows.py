"""The rows of a file as they were written, with the columns that no model uses.

A `Dataset` holds what is learnt from. Who looks at a row wants to know whose it is: identifiers,
dates as dates, categories by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Numbers, RawColumn
from probtrees.table.formats.open_table import open_table
from probtrees.table.infer.identifying_numbers import is_called_identifier
from probtrees.table.infer.recognise import recognise
from probtrees.table.read_options import ReadOptions
from probtrees.types import IntArray


@dataclass(frozen=True)
class WrittenRows:
    """All columns of a file, by name and in its order, and which of them identify the rows."""

    columns: dict[str, RawColumn]
    identifiers: tuple[str, ...]
    n_rows: int

    def frame(self, names: Sequence[str], rows: IntArray | None = None) -> pd.DataFrame:
        """Return some columns of some rows: numbers as numbers, all else as texts or None."""
        chosen = np.arange(self.n_rows) if rows is None else rows
        return pd.DataFrame({name: _cells(self.columns[name], chosen) for name in names})

    def find(self, text: str) -> IntArray:
        """Return the rows of which an identifier holds the text, in any case of letters."""
        wanted = text.strip().casefold()
        found = np.zeros(self.n_rows, dtype=np.bool_)
        for name in self.identifiers:
            texts = self.columns[name].as_texts()
            holds = np.array([*(wanted in each.casefold() for each in texts.texts), False])
            found |= holds[texts.codes]
        return np.flatnonzero(found)


def read_written(source: Any, layout: ReadOptions | None = None) -> WrittenRows:
    """Read all columns of a file, whatever they hold; the rows are those of ``read_table``.

    Parameters
    ----------
    layout : where the table stands in its file, see :attr:`.ReadOptions.layout`
    """
    options = replace(layout or ReadOptions(), all_columns=True)
    raw = open_table(source, options).raw
    columns = {name: raw.columns[name] for name in raw.names if name in raw.columns}
    named = tuple(name for name, column in columns.items() if _identifies(name, column))
    return WrittenRows(columns, named, raw.n_rows)


def _identifies(name: str, column: RawColumn) -> bool:
    """Whether a column says whose row it is; in a short table only its name can tell."""
    return is_called_identifier(name) or recognise(name, column, None).type == "identifier"


def _cells(column: RawColumn, rows: IntArray) -> pd.Series[Any]:
    """Take cells as plain objects, or pandas would make numbers of what is missing."""
    if isinstance(column, Numbers):
        return pd.Series(column.values[rows])
    texts = column.as_texts()
    found: NDArray[Any] = np.array([*texts.texts, None], dtype=object)[texts.codes[rows]]
    return pd.Series(found, dtype=object)
