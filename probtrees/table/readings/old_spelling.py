"""Columns of model files that older versions wrote: a "spelling" becomes a reading and steps.

A habit that is no longer read is refused rather than scored otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Any

from probtrees.table.readings.reading import AppliedStep, ColumnReading
from probtrees.table.readings.spellings import CLOCK, spellings, unit_named
from probtrees.table.readings.words import folded, named_together

_GONE = {
    "flags": "with marks behind its numbers",
    "sides": "with marks behind its numbers",
    "small": "with numbers on two scales",
    "fahrenheit": "with numbers in two units",
    "within": "by a number among other words",
    "digits": "as clock times without a colon",
    "pointed": "as clock times without a colon",
    "salaries": "with amounts written in several ways",
    "both_marks": "with two decimal marks",
    "filled": "with empty cells filled from other rows",
    "filled_by": "with empty cells filled from other rows",
    "year_first": "as dates that begin with two digits of the year",
}
"""What was read once, in words that go on "was read by an older version"."""

_ONCE_MISSING = "None"
"""It had no value among words either."""

_ORDERS = {True: "day first", False: "month first", None: ""}
"""Readings of dates by the order that was stored; where none was, it is found out as it was."""

_ROMAN, _DIGITS = re.compile("[ivx]+"), re.compile(r"\d+")
_ALIKE, _SHORT = 0.75, 3


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
    decimal = str(spelling.get("decimal", "."))
    missing = tuple(map(str, spelling.get("missing", ())))
    if record.get("date_part") is not None:
        day_first, last_year = record.get("day_first"), int(spelling.get("last_year", 0))
        name = "excel days" if spelling.get("serial") else _ORDERS[day_first]
        reading = ColumnReading(name, decimal, "", day_first, last_year, missing)
        return reading, _steps_of_date(record["date_part"], spelling)
    written = str(spelling.get("unit", ""))
    unit = CLOCK if written == CLOCK else unit_named(written)
    if written and not unit:
        raise ValueError(f"in the unit {written!r}")
    name = "clock" if unit == CLOCK else "amount" if unit else ""
    name = "limit" if spelling.get("limits") else name
    categories = record.get("categories") or ()
    if categories and _ONCE_MISSING not in categories:
        missing = (*missing, _ONCE_MISSING)
    return ColumnReading(name, decimal, unit, missing=missing), _steps(categories, spelling)


def _steps_of_date(part: str, spelling: Mapping[str, Any]) -> tuple[AppliedStep, ...]:
    """Return the step that makes an age or a span of a date."""
    day_first, other = spelling.get("at_day_first"), str(spelling.get("at_column", ""))
    reading = ColumnReading(_ORDERS[day_first], day_first=day_first).to_dict()
    if part == "span":
        return (AppliedStep("age", {"to": other, "reading": reading}),)
    if part == "age":
        day = float(spelling.get("at_day", 0.0))
        return (AppliedStep("age", {"on": other, "day": day, "reading": reading}),)
    return ()


def _steps(categories: Sequence[str], spelling: Mapping[str, Any]) -> tuple[AppliedStep, ...]:
    """Return the steps of numbers and categories."""
    meant = {str(word): str(known) for word, known in spelling.get("meant", ())}
    values = dict.fromkeys(map(str, spelling.get("zero", ())), "0")
    if spelling.get("empty"):
        values[""] = str(spelling["empty"])
    rest, choice = str(spelling.get("rest", "")), str(spelling.get("choice", ""))
    together = tuple(map(str, spelling.get("together", ())))
    joined = dict.fromkeys(together, named_together(together)) | meant
    cuts = cuts_of_names(categories)
    by_likeness = {"by_likeness": True} if spelling.get("joined") else {}
    found: dict[str, tuple[Any, dict[str, Any]]] = {
        "recode": (values, {"values": values}),
        "split": (choice, {"choice": choice}),
        "join outcomes": (together, {"meant": joined, "rest": rest}),
        "join": (not together and (by_likeness or meant), {"meant": meant} | by_likeness),
        "group": (rest and not together, {"rest": rest}),
        "cut": (cuts, {"cuts": list(cuts)}),
    }
    return tuple(
        AppliedStep(step, settings) for step, (is_one, settings) in found.items() if is_one
    )


def may_have_joined(text: str, known: Iterable[str]) -> bool:
    """Whether an older version may have joined a text with a word that a model knows.

    It joined slips of the pen, words cut short, grades in Roman numerals, short words but for
    accents, the same numbers among other words, and the same said in other words. What is merely
    alike is found, too: it is better to refuse.

    >>> [may_have_joined(text, ["Sales", "bovine", "2"]) for text in ("slaes", "Bov.", "II", "Ulm")]
    [True, True, True, False]
    """
    key, keys = folded(text).removesuffix("."), [folded(word).removesuffix(".") for word in known]
    digits = _DIGITS.findall(key)
    if not digits and get_close_matches(key, keys, 1, _ALIKE):
        return True
    if _ROMAN.fullmatch(key) and any(map(str.isdigit, keys)):
        return True
    same = [words for kind in ("answer", "sex", "result") for words in spellings(kind).values()]
    return any(
        (len(key) > 1 and other.startswith(key))
        or (len(other) > 1 and key.startswith(other))
        or (len(key) == len(other) <= _SHORT and not (key + other).isascii())
        or (digits and digits == _DIGITS.findall(other))
        or any(key in words and other in words for words in same)
        for other in keys
    )


def cuts_of_names(names: Sequence[str]) -> tuple[float, ...]:
    """Read the cuts back from the names of the classes of a numeric target; none of other names.

    >>> cuts_of_names(["up to 2", "over 2 to 3.5", "over 3.5"]), cuts_of_names(["no", "yes"])
    ((2.0, 3.5), ())
    """
    cuts = [name.removeprefix("up to ").rpartition(" to ")[2] for name in names[:-1]]
    lows = (f"over {low} to {high}" for low, high in pairwise(cuts))
    if not cuts or list(names) != [f"up to {cuts[0]}", *lows, f"over {cuts[-1]}"]:
        return ()
    try:
        return tuple(map(float, cuts))
    except ValueError:
        return ()
