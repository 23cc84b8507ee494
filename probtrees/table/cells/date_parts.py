"""What a model is given of a date: days since 1970-01-01, the month, the weekday.

Days are a number. Month and weekday are categories, because they go round: a cut "month at
most 6" would put December far from January.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Dates
from probtrees.table.dataset import Column, DatePart

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_CATEGORIES: dict[DatePart, tuple[str, ...] | None] = {
    "days": None,
    "month": MONTHS,
    "weekday": WEEKDAYS,
}


def date_columns(name: str, column: Dates, parts: Sequence[DatePart]) -> tuple[Column, ...]:
    """List the schema columns of a date; a part that never changes is left out."""
    known = column.distinct[~np.isnan(column.distinct)]
    return tuple(
        Column(f"{name} ({part})", _CATEGORIES[part], name, part, column.day_first)
        for part in parts
        if _varies(date_part(known, part))
    )


def date_part(days: NDArray[np.float64], part: DatePart) -> NDArray[np.float64]:
    """Take a part of dates given as days since 1970-01-01, which was a Thursday.

    >>> date_part(np.array([0.5, 31.0]), "weekday").tolist()
    [3.0, 6.0]
    """
    if part == "days":
        return days
    missing = np.isnan(days)
    whole = np.floor(np.where(missing, 0.0, days)).astype(np.int64)
    if part == "weekday":
        found = (whole + 3) % len(WEEKDAYS)
    else:
        found = whole.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % len(MONTHS)
    return np.where(missing, np.nan, found)


def _varies(values: NDArray[np.float64]) -> bool:
    return len(values) > 0 and bool((values != values[0]).any())
