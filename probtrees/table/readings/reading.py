"""What a reading is: a grammar, a parser and a sentence; and what a model stores of it.

A model stores the reading of every column, and a table to score is read by it: nothing is guessed
twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from probtrees.table.readings.spellings import CLOCK, unit_named
from probtrees.types import FloatArray

ReadingKind = Literal["numeric", "date"]
Asked = Literal["", "missing", "order", "mark", "limit", "units"]

_GROUP_NAME = re.compile(r"\(\?P<\w+>")


@dataclass(frozen=True)
class ColumnReading:
    """How the cells of a column are read: a reading and its parameters.

    Attributes
    ----------
    name : the name of a :class:`Reading`; "" for plain numbers, and for categories as written
    decimal : the decimal mark of its numbers
    unit : what its numbers count, shown behind them: "%", "€", "mg"; "h:mm" for clock times
    day_first : whether 3/4/2020 is in April; None where no cell asks that
    last_year : the latest year that two digits stand for; 0 where all years have four
    missing : texts that mean that there is no value
    """

    name: str = ""
    decimal: str = "."
    unit: str = ""
    day_first: bool | None = None
    last_year: int = 0
    missing: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what differs from the plain reading, ready for JSON."""
        found = {each.name: getattr(self, each.name) for each in fields(self)}
        kept = {name: value for name, value in found.items() if value != getattr(PLAIN, name)}
        return {n: list(value) if isinstance(value, tuple) else value for n, value in kept.items()}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> ColumnReading:
        """Read what :meth:`to_dict` wrote; unknown keys are ignored."""
        known = {each.name: record[each.name] for each in fields(cls) if each.name in record}
        return cls(**known | {"missing": tuple(map(str, record.get("missing", ())))})


PLAIN = ColumnReading()
"""Plain numbers, and categories as they are written."""


@dataclass(frozen=True)
class AppliedStep:
    """A step as it was applied to a column, with all that it found: scoring replays it.

    Attributes
    ----------
    step : the name of a step of ``table/steps.py``
    settings : plain values, ready for JSON
    """

    step: str
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain values, ready for JSON."""
        return {"step": self.step, **self.settings}

    @classmethod
    def from_dict(cls, record: Mapping[str, Any]) -> AppliedStep:
        """Read what :meth:`to_dict` wrote."""
        return cls(record["step"], {key: value for key, value in record.items() if key != "step"})

    def __hash__(self) -> int:
        return hash((self.step, repr(sorted(self.settings.items(), key=str))))


@dataclass(frozen=True)
class Reading:
    """One way to write numbers or dates.

    Attributes
    ----------
    name : what people type: ``--type size=clock``
    kind : what its values are: numbers, or days since 1970-01-01
    grammar : what a whole text must look like (a regular expression), by decimal mark where that
        matters
    parse : reads texts, NaN where one does not fit
    sentence : what is read as what, for people
    automatic : whether it is tried by itself; others are read only where a person asks for them
    find : completes the parameters (unit, last year) from all texts that fit, or says what a
        person must be asked; "" where they are no such numbers or dates after all
    unit, day_first : parameters that all texts of it have
    """

    name: str
    kind: ReadingKind
    grammar: str | Mapping[str, str]
    parse: Callable[[pa.StringArray, ColumnReading], FloatArray]
    sentence: str
    automatic: bool = True
    find: Callable[[Sequence[str], ColumnReading], ColumnReading | Asked] | None = None
    unit: str = ""
    day_first: bool | None = None

    def form(self, decimal: str = ".") -> re.Pattern[str]:
        """Return what a whole text must match; forms may have parts of one name."""
        grammar = self.grammar if isinstance(self.grammar, str) else self.grammar[decimal]
        return _whole(grammar)


@cache
def _whole(grammar: str) -> re.Pattern[str]:
    return re.compile(rf"^(?:{_GROUP_NAME.sub('(?:', grammar)})\Z", re.A)


@dataclass(frozen=True)
class Found:
    """What a column of texts is read as.

    Attributes
    ----------
    reading : None where the texts are categories as written
    kind : None where the texts are categories as written
    values : the number or day of each distinct text, NaN where it is none or means missing
    left_over : texts without a value that mean nothing known; a few of them may be missing
    ask : what a person must be asked: "missing" (are those left over missing? words are until
        then, but what holds a digit keeps the column as text), "order" (day or month first was
        assumed), "mark" (1.5 beside 2,5: kept as text), "limit" (<5 was read as 5, or among few
        numbers kept as text), "units" (several: kept as text)
    sentence : what was read how, for people; nothing of plain numbers
    """

    reading: ColumnReading | None = None
    kind: ReadingKind | None = None
    values: FloatArray = field(default_factory=lambda: np.empty(0))
    left_over: tuple[str, ...] = ()
    ask: Asked = ""
    sentence: str = ""


_KNOWN_ONCE = (
    "decimal missing unit amount limits at_column at_day choice joined together meant rest"
)
_ONCE_MISSING = "None"
"""It had no value among words either."""


def reading_of_before(record: Mapping[str, Any]) -> tuple[ColumnReading, tuple[AppliedStep, ...]]:
    """Return the reading and the steps of a column in a model file that knew a "spelling" only.

    Raises
    ------
    ValueError
        where no reading is the same

    Examples
    --------
    >>> reading, steps = reading_of_before({"spelling": {"unit": "eur", "rest": "other"}})
    >>> reading.name, reading.unit, steps[0].to_dict()
    ('amount', '€', {'step': 'group', 'rest': 'other'})
    """
    said = {key: value for key, value in (record.get("spelling") or {}).items() if value}
    unit = CLOCK if said.get("unit") == CLOCK else unit_named(said.get("unit", ""))
    if not said.keys() <= set(_KNOWN_ONCE.split()) or bool(unit) != ("unit" in said):
        raise ValueError(said)
    missing, day_first = tuple(said.get("missing", ())), record.get("day_first")
    name = "clock" if unit == CLOCK else "amount" if unit else ""
    if record.get("date_part"):
        name = {True: "day first", False: "month first", None: ""}[day_first]
    categories = record.get("categories") or ()
    if categories and not record.get("date_part") and _ONCE_MISSING not in categories:
        missing = (*missing, _ONCE_MISSING)
    name = "limit" if "limits" in said else name
    reading = ColumnReading(name, said.get("decimal", "."), unit, day_first, missing=missing)
    return reading, _steps_of_before(said, str(record.get("date_part")))


def _steps_of_before(said: Mapping[str, Any], part: str) -> tuple[AppliedStep, ...]:
    """Return the steps that a spelling and a part of a date stood for."""
    rest, other = said.get("rest", ""), said.get("at_column", "")
    meant = dict(said.get("meant", ()))
    if part == "span":
        return (AppliedStep("age", {"to": other, "reading": {}}),)
    if part == "age":
        day = said.get("at_day", 0.0)
        return (AppliedStep("age", {"on": other, "day": day, "reading": {}}),)
    if "together" in said:
        return (AppliedStep("join outcomes", {"meant": meant, "rest": rest}),)
    steps: dict[str, dict[str, Any]] = {}
    if "choice" in said:
        steps["split"] = {"choice": said["choice"]}
    if "joined" in said or meant:
        steps["join"] = {"meant": meant}
    if rest:
        steps["group"] = {"rest": rest}
    return tuple(AppliedStep(step, settings) for step, settings in steps.items())
