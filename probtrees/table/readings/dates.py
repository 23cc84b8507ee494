"""Dates: as people spell them, and what a model is given of them.

A model is given days since 1970-01-01, which are a number, and month and weekday, which are
categories because they go round: a cut "month at most 6" would put December far from January.
"""

from __future__ import annotations

import datetime
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.types import FloatArray

DatePart = Literal["days", "month", "weekday", "age", "span"]

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
DAYS_OF_YEAR = 365.25
_ROUNDING = 0.021
"""A birthday is the first day of a year of age, whatever leap years there were."""

DATE_CATEGORIES: dict[DatePart, tuple[str, ...] | None] = {
    "days": None,
    "month": MONTHS,
    "weekday": WEEKDAYS,
    "age": None,
    "span": None,
}


def today() -> int:
    """Return today, in days since 1970-01-01."""
    return (datetime.datetime.now(datetime.UTC).date() - datetime.date(1970, 1, 1)).days


def this_year() -> int:
    """Return the year of today."""
    return datetime.datetime.now(datetime.UTC).year


def spell_dates(days: FloatArray) -> list[str]:
    """Write days since 1970-01-01 as 2020-12-31, with the time of day where some have one."""
    seconds: NDArray[np.datetime64] = np.round(days * 86400).astype("datetime64[s]")
    unit: Literal["D", "s"] = "D" if (days == np.floor(days)).all() else "s"
    return [str(text).replace("T", " ") for text in np.datetime_as_string(seconds, unit=unit)]


def ages_of(born: FloatArray, seen: FloatArray | float) -> FloatArray:
    """Return ages in years with one decimal, of births and dates in days since 1970-01-01.

    >>> ages_of(np.array([0.0, 3652.5]), 7305.0).tolist()
    [20.0, 10.0]
    """
    return np.floor((seen - born) / DAYS_OF_YEAR * 10.0 + _ROUNDING) / 10.0


def date_part(days: FloatArray, part: DatePart) -> FloatArray:
    """Take a part of dates given as days since 1970-01-01, which was a Thursday.

    >>> date_part(np.array([0.5, 31.0]), "weekday").tolist()
    [3.0, 6.0]
    """
    if part in ("days", "span"):
        return days
    missing = np.isnan(days)
    whole = np.floor(np.where(missing, 0.0, days)).astype(np.int64)
    if part == "weekday":
        found = (whole + 3) % len(WEEKDAYS)
    else:
        found = whole.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64) % len(MONTHS)
    return np.where(missing, np.nan, found)
