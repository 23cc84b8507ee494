"""Ages in years and months as speech therapists and schools write them: 10;3 is 10.25 years.

Two answers that were ticked together (1;3) and scores (2;1) look alike. So all second numbers must
be months, and where the name of the column does not say that it holds ages, some must be 10 or 11.
"""

from __future__ import annotations

import re
from collections.abc import Collection

YEARS = "y"
"""The unit that such ages are read in."""

_AGE = re.compile(r"(?P<years>\d{1,3}) ?; ?(?P<months>\d{1,2})", re.A)
_WHOLE = re.compile(r"\d{1,3}", re.A)
_MOST_YEARS, _MONTHS, _LATE = 120, 12, 10
_FEWEST, _FEWEST_UNNAMED, _FEWEST_MONTHS = 3, 10, 6
_MOST_TEXTS = 2000
_CALLED = re.compile(
    r"(?:^|[\W_])(?:(?:lebens|test|erst|chron\w*)?alter|age|âge|edad|età|idade|wiek|leeftijd|alder|"
    r"ålder|ikä|věk|возраст|ca|ka|ea)(?:$|[\W_])|(?:j|y|a|r)\w*\.? ?; ?m",
    re.I,
)
"""Names of ages, those of tests (CA: chronological age) and what tells the two numbers."""


def years_of(text: str) -> float | None:
    """Return the years of an age of years and months; None where a text is none.

    >>> years_of("10;3"), years_of("6; 0"), years_of("2;14"), years_of("10")
    (10.25, 6.0, None, None)
    """
    match = _AGE.fullmatch(text.strip())
    if match is None or int(match["months"]) >= _MONTHS or int(match["years"]) > _MOST_YEARS:
        return None
    return float(f"{int(match['years']) + int(match['months']) / _MONTHS:.12g}")


def are_years_and_months(texts: Collection[str], name: str = "") -> bool:
    """Whether all texts with a digit are such ages, some perhaps without months.

    >>> ages = [f"{4 + n % 5};{n % 12}" for n in range(40)]
    >>> are_years_and_months(ages), are_years_and_months(["1;2", "1;3", "2;3", "1"])
    (True, False)
    >>> are_years_and_months(["5;6", "6;0", "6;1"], "Alter (J;M)")
    True
    """
    if len(texts) > _MOST_TEXTS:
        return False
    some = [text for text in texts if any(map(str.isdigit, text))]
    ages = {text: match for text in some if (match := _AGE.fullmatch(text.strip()))}
    if not ages or 2 * len(ages) < len(some) or any(years_of(text) is None for text in ages):
        return False
    if not all(text in ages or _WHOLE.fullmatch(text.strip()) for text in some):
        return False
    if _CALLED.search(name):
        return len(ages) >= _FEWEST
    months = {int(match["months"]) for match in ages.values()}
    return len(ages) >= _FEWEST_UNNAMED and len(months) >= _FEWEST_MONTHS and max(months) >= _LATE


def is_name_of_age(name: str) -> bool:
    """Whether the name of a column says that it holds ages."""
    return bool(_CALLED.search(name))


def habit_of(texts: Collection[str]) -> tuple[str, ...]:
    """Say how such ages are read, by the first of them; nothing where there is none."""
    found = ((text, years) for text in texts if (years := years_of(text)) is not None)
    first = next(found, None)
    return (f"years and months ({first[0]} is {first[1]:.4g} years)",) if first else ()
