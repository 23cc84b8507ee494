"""Numbers in other signs than plain ones: ６.５, ٨٧٫٨, 6½, 1 1/2, 1.31万, 2·10³, 1,23,456, 1’234.

They are respelled before a column is read, so that everything else knows plain digits only.
"""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.cells.arrow_arrays import flags, text_array

_OTHER_SIGNS = r"\pN.*[^\x00-\x7f]|[^\x00-\x7f].*\pN|^[^\x00-\x7f]$"
_PLAIN_SIGNS = r"\d\^\d|^'\s?[+-]?[.,]?\d|\d[ -]\d/\d|\d,\d\d,\d{3}|\d/[-=]$"
_ONLY_MONEY = r"^\p{Sc}\s*[-–]+$|^[-–]+\s*\p{Sc}$|^\p{Sc}\s*\(|\)\s*\p{Sc}$|^-\s+\p{Sc}"
_MAY_BE = f"{_OTHER_SIGNS}|{_PLAIN_SIGNS}|{_ONLY_MONEY}"
"""A number with a sign that is not plain; RE2 as Arrow has it."""

# fmt: off
_SIGNS = str.maketrans({
    **dict.fromkeys("\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u3000", " "),
    **dict.fromkeys("\u200b\u200e\u200f\u2060\u061c\ufeff", ""),
    **dict.fromkeys("’‘ʼ´`＇", "'"), **dict.fromkeys("−－﹣‐‑", "-"),
    "＋": "+", "．": ".", "，": ",", "％": "%", "٪": "%", "：": ":", "／": "/",
    "（": "(", "）": ")", "＄": "$", "￥": "¥", "∙": "·", "⋅": "·",
})
# fmt: on
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_FRACTION = re.compile(r"(\d+)?\s?([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])")
_MIXED = re.compile(r"([+-]?)(?:(\d+)[ -])?(\d{1,2})/(2|3|4|5|6|8|16)(?![\d/])(.*)")
_POWER = re.compile(
    r"(?:(?P<body>\d+(?:[.,]\d+)?)\s?[·×xX*]\s?)?(?<![\d.,])10(?:\^\(?(?P<plain>[+-]?\d{1,3})\)?|"
    r"(?P<raised>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))"
)
_MYRIADS = {"千": 3, "万": 4, "萬": 4, "만": 4, "百万": 6, "億": 8, "亿": 8, "억": 8}
_BEFORE_MYRIADS = r"(\d{1,3}(?:,\d{3})+(?![.,]?\d)|\d+(?:[.,]\d+)?)\s?"
"""Commas before three digits group thousands: where 万 is written, no comma is a decimal mark."""
_MYRIAD = re.compile(
    rf"(?<![\d.,]){_BEFORE_MYRIADS}({'|'.join(sorted(_MYRIADS, key=len, reverse=True))})"
)
_TWO_MYRIADS = re.compile(rf"(?<![\d.,])(\d+)\s?[億亿억]\s?{_BEFORE_MYRIADS}[万萬만]")
"""Prices of flats: 1억 2,000만, 3億5000万."""
_IN_GROUPS = re.compile(r"\d{1,3}(?:,\d{3})+")
_LAKHS = re.compile(r"(?<![\d,])\d{1,2}(?:,\d{2})+,\d{3}(?![\d,])")
_DOWN, _UP = (re.compile(rf"^\s*[{signs}]\s?(?=[.,]?\d)") for signs in ("▼↓", "▲↑"))
_NOT_ZERO = re.compile(r"[1-9]")
_LONG_MINUS = re.compile(r"^[–—]\s?(?=[.,]?\d)")
_QUOTED = re.compile(r"^'\s?(?=[+-]?[.,]?\d)")
_FULL_YEARS = re.compile(r"^만\s?(?=\d{1,3}\s?세$)")
"""Ages in Korea, counted as elsewhere: 만 59세."""
_NOTHING_BEHIND = re.compile(r"(?<=\d)/[-=]$")
"""How rupees without paise end: 500/-."""
_NO_AMOUNT = re.compile(r"([$€£¥₹]?)\s*[-–]+\s*([$€£¥₹]?)")
"""How accounting in spreadsheets shows an amount of 0: $-, - €."""
_NEGATIVE_MONEY = (
    (re.compile(r"([$€£¥₹])\s*\(\s*([\d.,' ]+)\)"), r"(\1\2)"),
    (re.compile(r"\(\s*([\d.,' ]+)\)\s*([$€£¥₹])"), r"(\1 \2)"),
    (re.compile(r"-\s+([$€£¥₹])\s*([\d.,' ]+)"), r"-\1\2"),
)
"""How it shows amounts below 0: $ (35.50), (35,50) €, - $ 35.50."""
_OTHER_SIGN = re.compile(r"[^\x00-\x7f]")
_PLAIN_BUT_ODD = re.compile(r"[`^$]|^\s*'|/[-=]\s*$|\d,\d\d,")
"""What of plain signs is respelled; all other texts of such are as they should be."""
_SPACES = re.compile(r"[\s\u200b\u200e\u200f\u2060\u061c\ufeff]+")
_HAS_FRACTION = re.compile(r"[+-]?\d+[ -]\d{1,2}/\d{1,2}")


def in_plain_signs(texts: pa.StringArray, decimal: str) -> tuple[pa.StringArray, str]:
    """Respell texts that hold a number in other signs; say also of one how, if some did.

    >>> written = text_array(["６½", "1 1/2", "1/2", "2·10³", "1.3万", "$ -", "No. 7", "$ (5.2)"])
    >>> found, words = in_plain_signs(written, ".")
    >>> found.to_pylist()
    ['6.5', '1.5', '0.5', '2e3', '1.3e4', '$0', 'No. 7', '($5.2)']
    >>> words
    "other signs ('６½' is 6.5)"
    >>> in_plain_signs(text_array(["1,214万円", "1억 2,000만원"]), ".")[0].to_pylist()
    ['1214e4円', '12000e4원']
    >>> in_plain_signs(text_array(["3,520/=", "12"]), ".")[1]
    "other signs ('3,520/=' is 3,520)"
    """
    found = flags(pc.match_substring_regex(texts, _MAY_BE))
    if not found.any():
        return texts, ""
    old = texts.to_pylist()
    new = _with_arrows(old)
    for place in np.flatnonzero(found).tolist():
        new[place] = plain_signs(new[place], decimal)
    if any(_HAS_FRACTION.match(old[place]) for place in np.flatnonzero(found).tolist()):
        new = [_with_fraction(text, decimal) for text in new]
    changed = [pair for pair in zip(old, new, strict=True) if pair[0] != pair[1]]
    return (text_array(new), _said_of(changed)) if changed else (texts, "")


def _with_arrows(texts: list[str]) -> list[str]:
    """Read arrows before numbers as signs where some point down: ▼ 13.7% is -13.7%.

    Where none does, ▲ may be a minus, as it is in Japan. Where other numbers have no arrow, it says
    that one is too high or too low.

    >>> _with_arrows(["▲ 2.5%", "▼ 13.7%", "0%"]), _with_arrows(["▲1,200", "30"])
    (['2.5%', '-13.7%', '0%'], ['▲1,200', '30'])
    >>> _with_arrows(["↑ 11.2", "5.6", "↓ 3.1", "7.2"])
    ['↑ 11.2', '5.6', '↓ 3.1', '7.2']
    """
    bare = [text for text in texts if not (_DOWN.match(text) or _UP.match(text))]
    if not any(map(_DOWN.match, texts)) or any(map(_NOT_ZERO.search, bare)):
        return list(texts)
    return [_UP.sub("", _DOWN.sub("-", text)) for text in texts]


def _said_of(changed: list[tuple[str, str]]) -> str:
    """Say how a text is read that is not written in plain signs, by the shortest that shows it."""
    seen = [pair for pair in changed if _SPACES.sub("", pair[0]) != _SPACES.sub("", pair[1])]
    if not seen:
        return "spaces or signs that cannot be seen"
    written, read = min(seen, key=lambda pair: (len(pair[0]), pair))
    return f"other signs ({written.strip()!r} is {read})"


def plain_signs(text: str, decimal: str) -> str:
    """Respell one text that holds a number."""
    if text.isascii() and not _PLAIN_BUT_ODD.search(text):
        return text.strip()
    text = text.translate(_SIGNS)
    text = _OTHER_SIGN.sub(lambda match: _plain(match[0], decimal), text).strip()
    text = _FULL_YEARS.sub("", text)
    text = _NOTHING_BEHIND.sub("", _LONG_MINUS.sub("-", _QUOTED.sub("", text)))
    if (nothing := _NO_AMOUNT.fullmatch(text)) and any(nothing.groups()):
        return f"{nothing[1]}0{nothing[2]}"
    for pattern, plain in _NEGATIVE_MONEY:
        if negative := pattern.fullmatch(text):
            return negative.expand(plain)
    text = _FRACTION.sub(lambda match: _fraction(match, decimal), text)
    text = _POWER.sub(_power, text)
    text = _TWO_MYRIADS.sub(_in_myriads, text)
    text = _MYRIAD.sub(lambda match: f"{_ungrouped(match[1])}e{_MYRIADS[match[2]]}", text)
    if decimal == ".":
        text = _LAKHS.sub(lambda match: match[0].replace(",", ""), text)
    return text


def _plain(sign: str, decimal: str) -> str:
    """Return the plain digit or mark that a sign of another script is."""
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    if sign in "٫٬":
        return decimal if sign == "٫" else "," if decimal == "." else "."
    return sign


def _fraction(match: re.Match[str], decimal: str) -> str:
    number = int(match[1] or 0) + unicodedata.numeric(match[2])
    return f"{number:.12g}".replace(".", decimal)


def _power(match: re.Match[str]) -> str:
    exponent = match["plain"] or match["raised"].translate(_SUPERSCRIPTS)
    return f"{match['body'] or '1'}e{exponent}"


def _in_myriads(match: re.Match[str]) -> str:
    """Write 1억 2,000만 as 12000e4, and 1億0.5万 as it is."""
    rest = _ungrouped(match[2])
    return f"{int(match[1]) * 10_000 + int(rest)}e4" if rest.isdigit() else match[0]


def _ungrouped(number: str) -> str:
    return number.replace(",", "") if _IN_GROUPS.fullmatch(number) else number


def _with_fraction(text: str, decimal: str) -> str:
    """Read "1 1/2", and "1/2" beside such numbers."""
    match = _MIXED.fullmatch(text)
    if match is None or int(match[3]) >= int(match[4]):
        return text
    number = int(match[2] or 0) + int(match[3]) / int(match[4])
    return f"{match[1]}{number:.12g}".replace(".", decimal) + match[5]
