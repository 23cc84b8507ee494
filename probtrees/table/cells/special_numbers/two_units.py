"""Amounts in two units that go together: 5'6", 5 ft 6 in, 7 lb 3 oz, 11st 4lb, 1:06.19, 4'27".

They are read in the smaller of the two: inches, ounces, pounds, seconds, and the pace of runners
(5:06 /km) in seconds for a way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from probtrees.table.cells.spelled_numbers import SpelledNumbers
from probtrees.table.spelling import Spelling

_SMALL = r"(?P<small>\d+(?:[.,]\d+)?)"
_POUNDS = r"(?:lbs?\.?|pounds?)"
_TICK, _TICKS = "['′’´]", "(?:\"|″|”|''|’’)"


class _Pair(NamedTuple):
    """How amounts in two units are written, the smaller of them, and how many make a larger."""

    form: re.Pattern[str]
    unit: str
    n_in_larger: int


_PAIRS = (
    _Pair(
        re.compile(
            rf"(?:(?P<large>\d+) ?(?:{_TICK}(?!')|ft\.?|feet|foot))?,? ?"
            rf"(?:(?P<small>(?!0\d)\d+(?:[.,]\d+)?) ?(?:{_TICKS}|in\.?|inch(?:es)?)?)?"
        ),
        "in",
        12,
    ),
    _Pair(
        re.compile(rf"(?:(?P<large>\d+) ?{_POUNDS})?,? ?(?:{_SMALL} ?(?:oz\.?|ounces?))?"),
        "oz",
        16,
    ),
    _Pair(
        re.compile(
            rf"(?:(?P<large>\d+) ?(?:st\.?|stones?))?,? ?(?:{_SMALL} ?(?:lbs?\.?|pounds?))?"
        ),
        "lb",
        14,
    ),
    _Pair(
        re.compile(
            rf"(?:(?P<large>\d+) ?{_TICK}(?!'))? ?(?:(?P<small>\d{{1,2}}(?:[.,]\d+)?) ?{_TICKS}?)?"
        ),
        "s",
        60,
    ),
    _Pair(
        re.compile(r"(?:(?P<large>\d+):)?(?P<small>[0-5]?\d[.,]\d{1,3})(?: ?min\.?)?"),
        "s",
        60,
    ),
    _Pair(re.compile(r"(?:(?P<large>\d+):)(?P<small>[0-5]\d) ?min\.?"), "s", 60),
    *(
        _Pair(
            re.compile(
                rf"(?P<large>\d+)(?::|{_TICK})(?P<small>[0-5]\d){_TICKS}? ?(?:min\.?)? ?/ ?{way}"
            ),
            f"s/{unit}",
            60,
        )
        for unit, way in (("km", "km"), ("mi", "mi(?:le)?"), ("100m", "100 ?m"), ("500m", "500 ?m"))
    ),
)
_BARE = re.compile(r"\d+(?:[.,]\d+)?")
_MOST_TEXTS = 20_000


def may_be_two_units(texts: Iterable[str]) -> bool:
    r"""Whether some text has two units that go together.

    >>> may_be_two_units(["5'6\""]), may_be_two_units(["14:30", "5 in"])
    (True, False)
    """
    return any(_in_two(pair, text) for text in texts for pair in _PAIRS)


def read_two_units(texts: pa.StringArray, decimal: str) -> SpelledNumbers | None:
    r"""Read amounts in two units; None unless all texts with a digit are some, and one has both.

    >>> from probtrees.table.cells.arrow_arrays import text_array
    >>> found = read_two_units(text_array(["5'6\"", "6'", "5'11\""]), ".")
    >>> found.values.tolist(), found.spelling.unit
    ([66.0, 72.0, 71.0], 'in')
    >>> read_two_units(text_array(["1:06,19", "58,32"]), ",").values.tolist()
    [66.19, 58.32]
    """
    if len(texts) > _MOST_TEXTS:
        return None
    plain = texts.to_pylist()
    needed = [text for text in plain if any(map(str.isdigit, text))]
    for pair in _PAIRS:
        first = next((text for text in needed if _in_two(pair, text)), "")
        if not first or any(np.isnan(_amount(pair, text)) for text in needed):
            continue
        values = np.array([_amount(pair, text) for text in plain])
        habit = f"two units ({first!r} is {_amount(pair, first):.6g} {pair.unit})"
        comma = any("," in text for text in needed)
        return SpelledNumbers(values, Spelling("," if comma else decimal, pair.unit), (habit,))
    return None


def with_two_units(found: SpelledNumbers, texts: pa.StringArray, unit: str) -> SpelledNumbers:
    """Add amounts in two units to those of a column that is known to be in the smaller."""
    values = found.values.copy()
    for place in np.flatnonzero(np.isnan(values)).tolist():
        text = texts[place].as_py()
        known = [_amount(pair, text) for pair in _PAIRS if pair.unit == unit]
        values[place] = next((amount for amount in known if not np.isnan(amount)), np.nan)
    return SpelledNumbers(values, found.spelling, found.habits, bare=found.bare)


def is_smaller_unit(unit: str) -> bool:
    """Whether a column's unit is the smaller one of two that go together.

    >>> is_smaller_unit("oz"), is_smaller_unit("kg")
    (True, False)
    """
    return any(pair.unit == unit for pair in _PAIRS)


def _in_two(pair: _Pair, text: str) -> bool:
    match = pair.form.fullmatch(text)
    return match is not None and bool(match["large"]) and bool(match["small"])


def _amount(pair: _Pair, text: str) -> float:
    """Return an amount in the smaller unit; NaN where a text is none.

    A number without any unit is an amount of seconds, if it has decimals.
    """
    match = pair.form.fullmatch(text)
    large, small = (match["large"], match["small"]) if match else (None, None)
    if not (large or small) or (_BARE.fullmatch(text) and not _may_be_seconds(pair, text)):
        return np.nan
    rest = float((small or "0").replace(",", "."))
    if large and rest >= pair.n_in_larger:
        return np.nan
    return float(f"{int(large or 0) * pair.n_in_larger + rest:.12g}")


def _may_be_seconds(pair: _Pair, text: str) -> bool:
    return pair.unit == "s" and not text.isdigit()
