"""How the cells of a column are written, which a model remembers to read later tables alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

_MOST_MEANT = 1000
"""So many words of a column are remembered as others."""


@dataclass(frozen=True)
class Spelling:
    """How the cells of a column are written, where that is not the plain way.

    A model remembers it, so that later tables are read alike.

    Attributes
    ----------
    decimal : the decimal mark of the column's numbers
    unit : what stands before or behind every number: "mg", "%", "$"
    missing : texts that mean that there is no value
    joined : whether texts that differ only in case and spaces are one category
    last_year : the latest year that two digits of a date stand for; 0 where all years have four
    limits : whether "<5", ">80", "5+", "6-8" and "none" are read as 5, 80, 5, 7 and 0
    rest : the category that stands for all values that have none of their own
    sides : whether "S", "H", "DR" and "CR" behind numbers are their signs
    choice : the answer that the column is about, of several that stand in a cell
    small : numbers up to this one are a hundredth of the others, and read as the hundredfold; with
        a unit those without it; 0 where none are
    fahrenheit : numbers from this one on are °F among others in °C, and read as °C; 0 where none
        are
    empty : the category that empty cells are, as in a column that is marked or empty
    within : which number of a cell is read, whatever stands around it: "number" (the only one),
        "first" or "second"; nothing where cells are numbers by themselves
    flags : whether "H", "L" and their like behind numbers are flags, which are left out
    serial : whether numbers are dates, in days as Excel counts them
    seldom : whether the unit stands in a few cells only, and is not shown therefore
    filled : whether every value also stands for the empty cells below it
    year_first : whether dates begin with a year of two digits, 20-03-27, or are six digits; where
        the order of day and month is known, too, these end with the year
    at_column : of a birth date that is used as an age, the column with the date of that age
    at_day : the date of that age where no column says it, in days since 1970-01-01
    digits : whether four digits are a clock time: 0702 is 7:02
    zero : codes, and their labels, that count as 0: 996 for "does not work" among hours
    salaries : whether amounts are written in several ways: 46k, 38-43k, €57,000 and 61.000 EUR
    together : categories of which one was made; the others are ``rest``
    meant : words of training that were joined with a category, and that category: 'male' for 'm';
        beside ``together`` all words
    pointed : whether a point parts hours and minutes: 13.15 is 13:15
    at_day_first : how a date like 3/4/2020 of that column is to be understood
    amount : how amounts of money are written, as the file does it: "R$ #"
    both_marks : whether commas and points are both decimal marks: 0,018 and 2.238
    filled_by : the column that says whose row it is, where empty cells are taken from other rows of
        the same one
    """

    decimal: str = "."
    unit: str = ""
    missing: tuple[str, ...] = ()
    joined: bool = False
    last_year: int = 0
    limits: bool = False
    rest: str = ""
    empty: str = ""
    sides: bool = False
    choice: str = ""
    small: float = 0.0
    within: str = ""
    flags: bool = False
    serial: bool = False
    seldom: bool = False
    at_column: str = ""
    at_day: float = 0.0
    at_day_first: bool | None = None
    filled: bool = False
    fahrenheit: float = 0.0
    year_first: bool = False
    zero: tuple[str, ...] = ()
    digits: bool = False
    salaries: bool = False
    together: tuple[str, ...] = ()
    meant: tuple[tuple[str, str], ...] = ()
    pointed: bool = False
    amount: str = ""
    both_marks: bool = False
    filled_by: str = ""

    @property
    def has_two_scales(self) -> bool:
        """Whether some numbers of the column are converted to the scale of the others."""
        return bool(self.small or self.fahrenheit)

    def join(self, meant: Mapping[str, str]) -> Spelling:
        """Return the spelling of a column whose values were joined, some as other words."""
        return replace(self.mean(meant), joined=True)

    def mean(self, meant: Mapping[str, str]) -> Spelling:
        """Return the spelling of a column some words of which are others, by word."""
        return replace(self, meant=tuple(meant.items())[:_MOST_MEANT])

    def to_dict(self) -> dict[str, Any]:
        """Return what is not plain, ready for JSON."""
        plain = Spelling()
        found = {name: getattr(self, name) for name in self.__dataclass_fields__}
        kept = {name: value for name, value in found.items() if value != getattr(plain, name)}
        return {n: list(value) if isinstance(value, tuple) else value for n, value in kept.items()}

    @classmethod
    def from_dict(cls, record: dict[str, Any]) -> Spelling:
        """Read what :meth:`to_dict` wrote."""
        return cls(
            str(record.get("decimal", ".")),
            str(record.get("unit", "")),
            tuple(map(str, record.get("missing", ()))),
            bool(record.get("joined", False)),
            int(record.get("last_year", 0)),
            bool(record.get("limits", False)),
            str(record.get("rest", "")),
            str(record.get("empty", "")),
            bool(record.get("sides", False)),
            str(record.get("choice", "")),
            float(record.get("small", 0.0)),
            str(record.get("within", "")),
            bool(record.get("flags", False)),
            bool(record.get("serial", False)),
            bool(record.get("seldom", False)),
            str(record.get("at_column", "")),
            float(record.get("at_day", 0.0)),
            record.get("at_day_first"),
            bool(record.get("filled", False)),
            float(record.get("fahrenheit", 0.0)),
            bool(record.get("year_first", False)),
            tuple(map(str, record.get("zero", ()))),
            bool(record.get("digits", False)),
            bool(record.get("salaries", False)),
            tuple(map(str, record.get("together", ()))),
            tuple((str(word), str(known)) for word, known in record.get("meant", ())),
            bool(record.get("pointed", False)),
            str(record.get("amount", "")),
            bool(record.get("both_marks", False)),
            str(record.get("filled_by", "")),
        )


PLAIN = Spelling()


def named_together(values: Sequence[str]) -> str:
    """Name what was made of several categories.

    >>> named_together(["Likely", "Very likely"])
    'Likely or Very likely'
    """
    return " or ".join(values)
