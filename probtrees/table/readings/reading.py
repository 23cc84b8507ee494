"""What a reading is: a grammar, a parser and a sentence; and what a model stores of it.

A model stores the reading of every column, and a table to score is read by it: nothing is guessed
twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from probtrees.table.readings.spellings import CLOCK, unit_named
from probtrees.types import FloatArray

ReadingKind = Literal["numeric", "date"]
Asked = Literal["", "missing", "order", "mark", "limit", "units"]

ORDERS = {True: "day first", False: "month first", None: ""}
"""The readings of dates, by whether the day comes first."""

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
        found = {**asdict(self), "missing": list(self.missing)}
        return {n: value for n, value in found.items() if value not in (getattr(PLAIN, n), [])}

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


_KEPT_BEFORE = "decimal missing unit amount limits joined meant rest"


def reading_of_before(record: Mapping[str, Any]) -> tuple[ColumnReading, tuple[AppliedStep, ...]]:
    """Return the reading and the steps of a column in a model file that knew a "spelling" only.

    Raises
    ------
    ValueError
        where no reading is the same, or the column was an age or answers that were taken apart

    Examples
    --------
    >>> reading, steps = reading_of_before({"spelling": {"unit": "eur", "rest": "other"}})
    >>> reading.name, reading.unit, steps[0].to_dict()
    ('amount', '€', {'step': 'group', 'rest': 'other'})
    """
    said = {key: value for key, value in (record.get("spelling") or {}).items() if value}
    part, day_first = record.get("date_part"), record.get("day_first")
    unit = CLOCK if said.get("unit") == CLOCK else unit_named(said.get("unit", ""))
    is_gone = not said.keys() <= set(_KEPT_BEFORE.split()) or part in ("age", "span")
    if is_gone or bool(unit) != ("unit" in said):
        raise ValueError(said)
    name = "limit" if "limits" in said else "clock" if unit == CLOCK else "amount" if unit else ""
    categories, missing = record.get("categories") or (), tuple(said.get("missing", ()))
    if part:
        name = ORDERS[day_first]
    elif categories and "None" not in categories:  # it had no value among words either
        missing = (*missing, "None")
    reading = ColumnReading(name, said.get("decimal", "."), unit, day_first, missing=missing)
    meant, rest = dict(said.get("meant", ())), said.get("rest")
    join = [AppliedStep("join", {"meant": meant})] if "joined" in said or meant else []
    return reading, (*join, *([AppliedStep("group", {"rest": rest})] if rest else []))
