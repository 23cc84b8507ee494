"""Units that only the name of a column tells: 81J under *Alter* are years, 24F under *Temp* is °F.

Elsewhere a letter behind whole numbers may be a seat, a class or a house.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection

from probtrees.table.cells.special_numbers.ages import unit_of_years
from probtrees.table.cells.unit_names import unit_of_most

_WHOLE_DEGREES = re.compile(r"\d{1,3}(?P<unit>[FC])?", re.A | re.I)
"""With decimals, a minus or a sign of degrees they are known without a name."""
_CALLED = re.compile(
    r"(?:^|[\W_]|body|körper)temps?(?:[\W_]*(?:[fc]|min|max|deg\w*))?[\W_]*$|"
    r"temp[eé]rat|fieber|fever|fièvre|fiebre|febbre|(?:^|[\W_])febre|gor[aą]czka|koorts|"
    r"(?:^|[\W_])feber(?:$|[\W_])|teplota|lämpötila|hőmérséklet|температура|体温|氣溫|气温|気温",
    re.I,
)
_MOST_BARE = 0.05
"""Where more numbers have no unit beside °F and °C, which one they are in is not known."""
_MOST_TEXTS = 20_000


def unit_by_name(texts: Collection[str], name: str) -> str:
    """Return the unit of numbers that the name of their column tells; nothing where it does not.

    >>> unit_by_name(["24F", "31F"], "temp_f"), unit_by_name(["24F", "31F"], "seat")
    ('f', '')
    >>> unit_by_name(["81J", "75J"], "Alter")
    'jahr'
    """
    return unit_of_years(texts, name) or _unit_of_degrees(texts, name)


def _unit_of_degrees(texts: Collection[str], name: str) -> str:
    """Return F or C if all texts with a digit are degrees, under the name of a temperature."""
    if len(texts) > _MOST_TEXTS or not _CALLED.search(name):
        return ""
    some = [text.strip() for text in texts if any(map(str.isdigit, text))]
    found = [match for text in some if (match := _WHOLE_DEGREES.fullmatch(text))]
    units = Counter((match["unit"] or "").casefold() for match in found)
    n_bare = units.pop("", 0)
    if len(found) < len(some) or (len(units) > 1 and n_bare > _MOST_BARE * len(some)):
        return ""
    return unit_of_most(units)
