"""Dates as people of many countries write them, respelled in the few ways that are parsed.

Digits of other scripts, the day of the week, words behind the year, the year before a named month,
noon in other words: what stands around the three numbers says no more than these.
"""

from __future__ import annotations

import unicodedata

import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import LETTER, flags, text_array
from probtrees.table.cells.other_dates.japanese_eras import in_common_years
from probtrees.table.cells.other_dates.month_names import with_latin_months

_OTHER_THAN_NUMBERS = r"[^0-9:/. -]"
_BEYOND_ASCII = r"[^\x00-\x7f]"
_OTHER_DIGITS = "[٠-٩۰-۹०-९๐-๙０-９]"
_WEEKDAY = (
    r"^(?i:(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?|mo|di|mi|do|fr|sa|so|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|lun(?:di|es)?|mardi|martes|jeudi|"
    r"mer(?:credi)?|jeu|jueves|ven(?:dredi)?|viernes|sam(?:edi)?|s[áa]b(?:ado)?|dim(?:anche)?|"
    rf"dom(?:ingo)?|mi[ée]rcoles)[.,]* +(\d|{LETTER})"
)
"""The day of the week before a date, which says no more than the date."""
_WEEKDAY_BEHIND = r"^(\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}) ?[(（][^\d()（）]{1,11}[)）]"
_EAST_ASIAN = r"^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]?\s*"
_EAST_ASIAN_MONTH = r"^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]份?$"
_YEAR_AT_END = (
    rf"^({LETTER}{{3}} \d{{1,2}}) (\d\d:\d\d:\d\d)( [+-]\d{{4}}| [A-Z]{{3,4}})? (\d{{4}})$"
)
"""As machines write it, behind the time of day: Jul 18 10:00:00 +0000 2021."""
_WORD_YEAR = r"(\d{4}) ?(?:г\.?|года|р\.?|року|r\.|roku)$"
"""What stands behind the year in Russian, Ukrainian and Polish, and says no more."""
_YEAR_BEFORE_NAME = rf"^(\d{{4}})[-./ ]+({LETTER}{{3,12}})[-./ ]+(\d{{1,2}})\b\.?"
"""2024. március 5., 2024-Mar-05."""
_DIGITS_ONLY = r"^(\d{8})[T ]?(\d\d)(\d\d)(\d\d)(?:[.,]\d+)?(Z?)$"
"""20240305143015, 20240305T143015Z."""
_MOMENT = r"^/Date\((\d{12,13})(?:[+-]\d{4})?\)/$"
"""Milliseconds as .NET writes them into JSON."""
_DB2 = r"^(\d{4}-\d\d-\d\d)-(\d\d)\.(\d\d)\.(\d\d)(?:\.(\d+))?$"
_NOON_BEFORE = (
    (r"(?:오전|上午|午前) ?(\d{1,2})(?:[:：]|[時时点點시] ?)(\d{1,2})(?:[分분]?|(:\d\d))$", "am"),
    (r"(?:오후|下午|午後) ?(\d{1,2})(?:[:：]|[時时点點시] ?)(\d{1,2})(?:[分분]?|(:\d\d))$", "pm"),
)
_NOON_BEHIND = r"(\d) ?(?i:([ap])\.? ?m)\.?$"
_SPACES = r"\s{2,}"


def in_plain_dates(texts: pa.StringArray) -> pa.StringArray:
    """Respell dates; what is none stays, or is no date afterwards either.

    >>> written = ["٢٠٢٤/٠٣/١٥", "5 березня 2024 р.", "2024. március 5.", "2024-03-05 (Tue)"]
    >>> in_plain_dates(text_array(written)).to_pylist()
    ['2024/03/15', '5 березня 2024', '5 március 2024', '2024-03-05']
    """
    if flags(pc.match_substring_regex(texts, _OTHER_THAN_NUMBERS)).any():
        texts = _with_plain_words(texts)
    texts = pc.replace_substring_regex(texts, _DIGITS_ONLY, r"\1 \2:\3:\4\5")
    return pc.replace_substring_regex(texts, _DB2, r"\1 \2:\3:\4")


def _with_plain_words(texts: pa.StringArray) -> pa.StringArray:
    texts = with_latin_months(in_common_years(with_plain_digits(texts)))
    texts = pc.replace_substring_regex(texts, _MOMENT, r"\1")
    texts = pc.replace_substring_regex(texts, _WEEKDAY, r"\1")
    texts = pc.replace_substring_regex(texts, _WEEKDAY_BEHIND, r"\1")
    texts = pc.replace_substring_regex(texts, _EAST_ASIAN_MONTH, r"\2/\1")
    texts = pc.replace_substring_regex(texts, _EAST_ASIAN, r"\1-\2-\3 ")
    texts = pc.utf8_rtrim_whitespace(pc.replace_substring_regex(texts, _WORD_YEAR, r"\1"))
    texts = pc.replace_substring_regex(texts, _YEAR_AT_END, r"\1 \4 \2\3")
    texts = pc.replace_substring_regex(texts, _YEAR_BEFORE_NAME, r"\3 \2 \1")
    texts = pc.replace_substring_regex(texts, _SPACES, " ")
    return with_plain_noon(texts)


def with_plain_digits(texts: pa.StringArray) -> pa.StringArray:
    """Write the digits of other scripts as those everybody has.

    >>> with_plain_digits(text_array(["١٥", "๑๕", "１５", "ten"])).to_pylist()
    ['15', '15', '15', 'ten']
    """
    if not flags(pc.match_substring_regex(texts, _BEYOND_ASCII)).any():
        return texts
    in_other = ~flags(pc.match_substring_regex(texts, "[0-9]"))
    if not (in_other & flags(pc.match_substring_regex(texts, _OTHER_DIGITS))).any():
        return texts
    return text_array(map(_in_plain_digits, texts.to_pylist()))


def _in_plain_digits(text: str) -> str:
    return "".join(
        str(unicodedata.decimal(sign)) if sign.isdecimal() and not sign.isascii() else sign
        for sign in text
    )


def with_plain_noon(texts: pa.StringArray) -> pa.StringArray:
    """Write before and after noon as am and pm behind the time: 오후 3:15, 午後3時15分, 3:15 p. m.

    >>> with_plain_noon(text_array(["오후 3:15", "午前10時05分", "3:15 p. m.", "x"])).to_pylist()
    ['3:15 pm', '10:05 am', '3:15 pm', 'x']
    """
    for pattern, noon in _NOON_BEFORE:
        texts = pc.replace_substring_regex(texts, pattern, rf"\1:\2\3 {noon}")
    return pc.replace_substring_regex(texts, _NOON_BEHIND, r"\1 \2m")
