"""Columns of model files that older versions wrote: a "spelling" becomes a reading and steps.

A habit that is no longer read is refused rather than scored otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from probtrees.table.readings.reading import AppliedStep, ColumnReading
from probtrees.table.readings.spellings import CLOCK, unit_named
from probtrees.table.readings.words import named_together

_GONE = {
    "sides": "with debit or credit behind its numbers",
    "flags": "with flags behind its numbers",
    "small": "with numbers on two scales",
    "fahrenheit": "with numbers in two units",
    "within": "by a number among other words",
    "digits": "as clock times of four digits",
    "pointed": "as clock times with a point",
    "salaries": "with amounts written in several ways",
    "both_marks": "with two decimal marks",
    "filled": "with empty cells filled from above",
    "filled_by": "with empty cells filled from other rows",
    "year_first": "as dates that begin with two digits of the year",
}
"""What was read once, in words that go on "was read by an older version"."""

_ONCE_MISSING = "None"
"""It had no value among words either."""

_CLASS = re.compile(r"(?:up to (?P<first>\S+)|over (?P<low>\S+)(?: to (?P<high>\S+))?)")


def converted(record: Mapping[str, Any]) -> tuple[ColumnReading, tuple[AppliedStep, ...]]:
    """Return the reading and the steps of a column as an older version recorded it.

    Raises
    ------
    ValueError
        in words that go on "was read by an older version ...", where no reading is the same

    Examples
    --------
    >>> reading, steps = converted({"spelling": {"decimal": ",", "unit": "eur", "rest": "other"}})
    >>> reading.name, reading.decimal, reading.unit, steps[0].to_dict()
    ('amount', ',', '€', {'step': 'group', 'rest': 'other'})
    """
    spelling = record.get("spelling") or {}
    for gone, words in _GONE.items():
        if spelling.get(gone):
            raise ValueError(words)
    if record.get("date_part") is not None:
        return _date(record, spelling), _steps_of_date(record, spelling)
    reading = _number(spelling)
    categories = record.get("categories") or ()
    if categories and _ONCE_MISSING not in categories:
        reading = replace(reading, missing=(*reading.missing, _ONCE_MISSING))
    return reading, _steps(record, spelling)


def _number(spelling: Mapping[str, Any]) -> ColumnReading:
    """Return the reading of numbers or categories."""
    written = str(spelling.get("unit", ""))
    unit = CLOCK if written == CLOCK else unit_named(written)
    if written and not unit:
        raise ValueError(f"in the unit {written!r}")
    name = "clock" if unit == CLOCK else "amount" if unit else ""
    if spelling.get("limits"):
        name = "limit"
    missing = tuple(map(str, spelling.get("missing", ())))
    return ColumnReading(name, str(spelling.get("decimal", ".")), unit, missing=missing)


def _date(record: Mapping[str, Any], spelling: Mapping[str, Any]) -> ColumnReading:
    """Return the reading of dates; where no order was stored, it is found out as it was then."""
    day_first = record.get("day_first")
    name = "excel days" if spelling.get("serial") else _name_of_order(day_first)
    missing = tuple(map(str, spelling.get("missing", ())))
    last_year = int(spelling.get("last_year", 0))
    return ColumnReading(name, str(spelling.get("decimal", ".")), "", day_first, last_year, missing)


def _name_of_order(day_first: bool | None) -> str:
    return {True: "day first", False: "month first", None: ""}[day_first]


def _steps_of_date(
    record: Mapping[str, Any], spelling: Mapping[str, Any]
) -> tuple[AppliedStep, ...]:
    """Return the step that makes an age or a span of a date."""
    at_day_first = spelling.get("at_day_first")
    other = ColumnReading(_name_of_order(at_day_first), day_first=at_day_first).to_dict()
    at_column = str(spelling.get("at_column", ""))
    if record["date_part"] == "span":
        return (AppliedStep("age", {"to": at_column, "reading": other}),)
    if record["date_part"] == "age":
        day = float(spelling.get("at_day", 0.0))
        return (AppliedStep("age", {"on": at_column, "day": day, "reading": other}),)
    return ()


def _steps(record: Mapping[str, Any], spelling: Mapping[str, Any]) -> tuple[AppliedStep, ...]:
    """Return the steps of numbers and categories."""
    meant = {str(word): str(known) for word, known in spelling.get("meant", ())}
    zero = dict.fromkeys(map(str, spelling.get("zero", ())), "0")
    empty = {"": str(spelling["empty"])} if spelling.get("empty") else {}
    rest = str(spelling.get("rest", ""))
    together = tuple(map(str, spelling.get("together", ())))
    steps = []
    if zero or empty:
        steps.append(AppliedStep("recode", {"values": zero | empty}))
    if choice := str(spelling.get("choice", "")):
        steps.append(AppliedStep("split", {"choice": choice}))
    if together:
        joined = dict.fromkeys(together, named_together(together)) | meant
        steps.append(AppliedStep("join outcomes", {"meant": joined, "rest": rest}))
    elif spelling.get("joined") or meant:
        steps.append(AppliedStep("join", {"meant": meant}))
    if rest and not together:
        steps.append(AppliedStep("group", {"rest": rest}))
    if cuts := cuts_of_names(record.get("categories") or ()):
        steps.append(AppliedStep("cut", {"cuts": list(cuts)}))
    return tuple(steps)


def cuts_of_names(names: Sequence[str]) -> tuple[float, ...]:
    """Read the cuts back from the names of the classes of a numeric target; none of other names.

    >>> cuts_of_names(["up to 2", "over 2 to 3.5", "over 3.5"]), cuts_of_names(["no", "yes"])
    ((2.0, 3.5), ())
    """
    found = [match for name in names if (match := _CLASS.fullmatch(name))]
    if len(found) < 2 or len(found) < len(names) or not found[0]["first"]:
        return ()
    ends = [match["first"] or match["high"] for match in found]
    if ends[-1] is not None or ends[:-1] != [match["low"] for match in found[1:]]:
        return ()
    try:
        return tuple(map(float, ends[:-1]))
    except ValueError:
        return ()
