"""Dates with the years of a Japanese era: 平成18年8月16日, 令和元年5月1日, H18.8.16, R2.4.1.

The letters M, T, S, H and R may as well begin a code or a version. So a column of such texts is
taken for dates only where all of them are such dates and some day is no month.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import flags, text_array

_ERA_NAMES = {
    1868: ("明治", "㍾", "M"),
    1912: ("大正", "㍽", "T"),
    1926: ("昭和", "㍼", "S"),
    1989: ("平成", "㍻", "H"),
    2019: ("令和", "㋿", "R"),
}
"""By the year in which an era began."""
_FIRST_YEAR_OF = {name: year for year, names in _ERA_NAMES.items() for name in names}
_LAST_OF = {1868: 45, 1912: 15, 1926: 64, 1989: 31, 2019: 99}
_ERAS = r"^(?:明治|大正|昭和|平成|令和|[㍾㍽㍼㍻㋿]|[MTSHR]\.?[0-9])"
_DATE = re.compile(
    r"(?P<era>明治|大正|昭和|平成|令和|[㍾㍽㍼㍻㋿]|[MTSHR](?=\.?\d))\.? ?"
    r"(?P<year>\d{1,2}|元) ?(?:年|[-/.]) ?"
    r"(?P<month>\d{1,2}) ?(?:月|[-/.]) ?(?:(?P<day>\d{1,2})(?: ?日)?)?(?P<rest>.*)"
)
_WEEKDAY = re.compile(r" ?[(（][月火水木金土日][)）]")
_LETTER = re.compile(r"[MTSHR]\.?\d")
_OTHER_DATE = re.compile(r"\d{4}[-/.年]|\D{1,2}(?:\d{1,2}|元)年")
_MONTHS, _LONGEST_MONTH = 12, 31


def in_common_years(texts: pa.StringArray) -> pa.StringArray:
    """Write dates of an era with the year everybody counts; other texts stay.

    >>> in_common_years(text_array(["平成18年8月16日", "R2.4.1", "S60/1/5 10:30", "x"])).to_pylist()
    ['2006-8-16', '2020-4-1', '1985-1-5 10:30', 'x']
    >>> in_common_years(text_array(["令和元年5月", "平成１８年８月１６日（水）"])).to_pylist()
    ['2019-05', '2006-8-16']
    """
    if not flags(pc.match_substring_regex(texts, _ERAS)).any():
        return texts
    return text_array(_common(text) for text in texts.to_pylist())


def _common(text: str) -> str:
    match = _DATE.fullmatch(text)
    if match is None:
        return text
    first = _FIRST_YEAR_OF[match["era"]]
    count = 1 if match["year"] == "元" else int(match["year"])
    if not 1 <= count <= _LAST_OF[first]:
        return text
    year, month, rest = first + count - 1, int(match["month"]), _WEEKDAY.sub("", match["rest"])
    if match["day"] is None:
        is_month = match["era"] not in "MTSHR" and "月" in text
        return f"{year}-{month:02d}{rest}" if is_month else text
    return f"{year}-{month}-{int(match['day'])}{rest}"


def may_be_codes(texts: Sequence[str]) -> bool:
    """Whether some texts begin like H18.8.16, but not all are such dates, or no day tells so.

    >>> may_be_codes(["R2.4.1", "H18.8.16"]), may_be_codes(["R2.4.1", "R1.10.2"])
    (False, True)
    >>> may_be_codes(["R2.4.1", "H18.8.16", "ward 7"]), may_be_codes(["2020-01-02"])
    (True, False)
    """
    lettered = [text for text in texts if _LETTER.match(text)]
    if not lettered:
        return False
    found = [match for text in lettered if (match := _DATE.fullmatch(text))]
    days = [int(match["day"] or 0) for match in found]
    months = [int(match["month"]) for match in found]
    others = (text for text in texts if not _LETTER.match(text) and any(map(str.isdigit, text)))
    are_dates = (
        len(found) == len(lettered)
        and all(_common(text) != text for text in lettered)
        and 1 <= min(months) <= max(months) <= _MONTHS
        and _MONTHS < max(days) <= _LONGEST_MONTH
        and min(days) > 0
    )
    return not are_dates or not all(map(_OTHER_DATE.match, others))
