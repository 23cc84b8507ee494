"""What could be read as numbers but is no amount: 01067, 08, 01.50, ward 3E1, section 1.10, 1,2."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import pyarrow as pa
import pyarrow.compute as pc

_PADDED = re.compile(r"0\d{2,}", re.A)
_POWER = re.compile(r"(\d{1,4})E(\d{1,3})", re.A)
_PARTS = re.compile(r"(\d{1,3})\.(0|[1-9]\d?)", re.A)
_TICKED = re.compile(r"[1-9](?:, ?[1-9])*", re.A)
_POINTED = re.compile(r"(\d{2,4})\.(\d{1,3})", re.A)
_OF_LIST = re.compile(r"\d{2,6}(\.\d{1,4})?", re.A)
_LISTS = re.compile(
    r"(^|[\W_])(ö?nace|wz ?(03|08|2008|2025)?|ateco|pkd|naf|sic|naics|cnae|hs[\W_]?codes?|"
    r"icd[\W_]?(9|10)?([\W_]?cm)?)($|[\W_])",
    re.I,
)
"""Lists whose codes may have a point: 47.11, 0101.21, 250.01."""
_OF_AMOUNTS = re.compile(r"count|anzahl|mean|rate|score|index|share|anteil|size|number|sum", re.I)
_HOURS, _MINUTES, _DAYS, _MONTHS = 23, 59, 31, 12
_TEN = 10
_MOST_OF_CALENDAR = 31
"""Two digits from 10 up to here may be days, months or hours, of which later is more."""
_MOST_DIFFERENT = 500
"""In a column of more different texts only zeros in front are looked for."""


def has_leading_zeros(texts: Iterable[str]) -> bool:
    """Whether some text is a number of three digits or more that begins with 0: a code.

    >>> has_leading_zeros(["10115", "01067"]), has_leading_zeros(["0", "05", "0.5"])
    (True, False)
    """
    return any(_PADDED.fullmatch(text) for text in texts)


def are_two_digit_codes(texts: Collection[str]) -> bool:
    """Whether all texts have two digits, some a zero in front, and are no days, months or hours.

    >>> are_two_digit_codes(["08", "28", "41"]), are_two_digit_codes(["01", "02", "05", "09"])
    (True, True)
    >>> are_two_digit_codes(["08", "12", "03"])
    False
    """
    plain = len(texts) > 1 and all(len(text) == 2 and text.isdigit() for text in texts)
    if not plain or all(text[0] != "0" for text in texts):
        return False
    return not _TEN <= int(max(texts)) <= _MOST_OF_CALENDAR


def code_like_a_power(texts: Collection[str]) -> str:
    """Return one of some texts that all have an E between whole numbers, as wards and articles do.

    Powers of ten (1E5, 1E6) and what programs write (1e5, 1E+05, 1.0E5) are numbers.

    >>> code_like_a_power(["3E1", "2E4", "12E3"]), code_like_a_power(["1E5", "1E6"])
    ('3E1', '')
    """
    parts = [match.groups() for text in texts if (match := _POWER.fullmatch(text))]
    if len(parts) < max(2, len(texts)) or len({front for front, _ in parts}) == 1:
        return ""
    return next(iter(texts))


def code_of_parts(texts: Collection[str]) -> str:
    """Return a text like 1.10 where that is what follows on 1.9: a section or a version.

    >>> code_of_parts(["1.1", "1.2", "1.9", "1.10", "2.1"]), code_of_parts(["1.1", "1.10", "1.5"])
    ('1.10', '')
    """
    parts = [match.groups() for text in texts if (match := _PARTS.fullmatch(text))]
    behind = {part for _, part in parts}
    longer = sorted(int(part) for part in behind if len(part) > 1)
    if len(parts) < len(texts) or len(longer) == len(behind) or longer[:1] != [_TEN]:
        return ""
    goes_on = longer == list(range(_TEN, _TEN + len(longer)))
    if not goes_on or (len(longer) == 1 and str(_TEN - 1) not in behind):
        return ""
    return next(text for text in texts if text.endswith(f".{_TEN}"))


def code_with_point(texts: Collection[str]) -> str:
    """Return a text like 01.50 where all have as many digits, and some one 0 in front.

    What may be hours and minutes (08.30) or days and months (01.05) is none, nor are amounts that
    are filled up with zeros, of which some begin with two (00.75).

    >>> code_with_point(["47.11", "01.50"]), code_with_point(["0101.21", "8471.30"])
    ('01.50', '0101.21')
    >>> [code_with_point(t) for t in (["08.30", "13.45"], ["00.75", "05.20"], ["01.5", "12.25"])]
    ['', '', '']
    """
    parts = [match.groups() for text in texts if (match := _POINTED.fullmatch(text))]
    if len(parts) < max(2, len(texts)) or len({tuple(map(len, part)) for part in parts}) > 1:
        return ""
    if any(front.startswith("00") for front, _ in parts):
        return ""
    most, behind = (max(int(part[side]) for part in parts) for side in (0, 1))
    if (most <= _HOURS and behind <= _MINUTES) or (most <= _DAYS and behind <= _MONTHS):
        return ""
    return next((text for text in texts if text.startswith("0")), "")


def code_by_name(name: str, texts: Collection[str]) -> str:
    """Return a text with a point where a column is called by a list of such codes.

    >>> code_by_name("ÖNACE", ["47.11", "56.10"]), code_by_name("Betrag", ["47.11", "56.10"])
    ('47.11', '')
    """
    if not _LISTS.search(name) or _OF_AMOUNTS.search(name):
        return ""
    if not all(map(_OF_LIST.fullmatch, texts)):
        return ""
    return next((text for text in texts if "." in text), "")


def ticked_together(texts: Collection[str]) -> str:
    """Return a text like 1,2 where it is two answers of a list that were ticked, no decimal.

    All are ascending lists of single digits without 0, some have three, or there are three pairs,
    whose first and last differ; and most of the answers are ticked alone, too.

    >>> ticked_together(["1", "2", "1,2", "1,3", "3", "2,3"]), ticked_together(["1", "1,5", "2,5"])
    ('1,2', '')
    >>> ticked_together(["1,0", "1,3", "1,7", "2,0", "2,3", "3"])
    ''
    """
    lists = {text: text.replace(" ", "").split(",") for text in texts}
    several = {text: digits for text, digits in lists.items() if len(digits) > 1}
    if not several or not all(map(_TICKED.fullmatch, lists)):
        return ""
    if any(list(digits) != sorted(set(digits)) for digits in several.values()):
        return ""
    pairs = [digits for digits in several.values() if len(digits) == 2]
    differ = all(len({pair[side] for pair in pairs}) > 1 for side in (0, 1)) and len(pairs) > 2
    ticked = {digit for digits in several.values() for digit in digits}
    alone = ticked.intersection(lists)
    enough = differ or len(pairs) < len(several)
    return next(iter(several)) if enough and 2 * len(alone) > len(ticked) else ""


def other_code(texts: Collection[str]) -> str:
    """Return a text that tells codes without a zero in front from numbers; empty if none does."""
    found = code_like_a_power(texts) or code_of_parts(texts) or code_with_point(texts)
    return found or ticked_together(texts)


def first_code(texts: pa.StringArray) -> str:
    """Return one of a column's distinct texts that tells that they are codes, if any does.

    >>> first_code(pa.array(["28", "08", "41"])), first_code(pa.array(["1", "07"]))
    ('08', '')
    """
    padded = texts.filter(pc.match_substring_regex(texts, f"^{_PADDED.pattern}$")).slice(0, 1)
    if len(padded):
        return str(padded[0].as_py())
    written: list[str] = texts.to_pylist() if len(texts) <= _MOST_DIFFERENT else []
    if are_two_digit_codes(written):
        return next(text for text in written if text[0] == "0")
    return other_code(written)
