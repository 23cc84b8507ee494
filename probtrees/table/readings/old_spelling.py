"""Columns of model files that older versions wrote: a "spelling" becomes a reading and steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probtrees.table.readings.reading import AppliedStep, ColumnReading


def converted(record: Mapping[str, Any]) -> tuple[ColumnReading, tuple[AppliedStep, ...]]:
    """Return the reading and the steps of a column with a "spelling" or "day_first".

    Raises
    ------
    ValueError
        in words that go on "was read by an older version ...", where no reading is the same
    """
    raise ValueError("with a spelling")
