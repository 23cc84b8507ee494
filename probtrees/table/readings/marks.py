"""Signs and decimal marks of numbers, and what looks like a number but is a code."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from probtrees.table.arrow_arrays import text_array

_B, _E = r"(?:^|[^\d.,'])", r"(?:[^\d.,']|$)"
_SURE = {
    mark: rf"{_B}(?:0[{mark}]\d+|\d{{4,}}[{mark}]\d+|\d*[{mark}](?:\d{{1,2}}|\d{{4,}})){_E}"
    rf"|\d[{other}' ]\d{{3}}[{mark}]\d+{_E}|\d[{other}]\d{{3}}[{other}]\d{{3}}|\d[{mark}]-{more}"
    for mark, other, more in ((".", ",", r"|\d,\d\d,\d{3}"), (",", ".", ""))
}
"""What tells the decimal mark: 0,018 and 12,5 and 1.234.567 have a comma."""
_EITHER = {mark: rf"{_B}[1-9]\d{{0,2}}[{mark}]\d{{3}}{_E}" for mark in ".,"}
"""A number whose mark may be either: 2.238."""
_BARE = rf"{_B}\d+{_E}"
_MONEY = r"[$€£¥₹₽₺₩]|[A-Z]{3}"
_FEWEST_GROUPED = 3

_SIGNS = (
    ("[\u00a0\u2002-\u200a\u202f\u3000]", " "),
    ("[’‘ʼ´`＇]", "'"),
    ("[−–—－﹣‐‑]", "-"),
    ("[\u200b\u200e\u200f\u2060\u061c\ufeff]", ""),
)


def in_plain_signs(texts: pa.StringArray) -> pa.StringArray:
    """Respell spaces, apostrophes, minus signs and digits that are not plain ones.

    >>> in_plain_signs(text_array([" 1\u202f234", "1’234", "−17", "６.５", "x"])).to_pylist()
    ['1 234', "1'234", '-17', '6.5', 'x']
    """
    texts = pc.utf8_trim_whitespace(texts)
    if pc.all(pc.string_is_ascii(texts), min_count=0).as_py():
        return texts
    for pattern, plain in _SIGNS:
        texts = pc.replace_substring_regex(texts, pattern, plain)
    if pc.any(pc.match_substring_regex(texts, "[０-９٠-٩۰-۹]"), min_count=0).as_py():
        texts = text_array(map(_with_plain_digits, texts.to_pylist()))
    return texts


def _with_plain_digits(text: str) -> str:
    plain = (str(unicodedata.decimal(s)) if s.isdecimal() else s for s in text)
    return "".join(plain).translate(str.maketrans("．，％", ".,%"))


def decimal_mark(texts: pa.StringArray, decimal: str) -> str:
    """Find the decimal mark of a column's numbers; empty where that is in doubt.

    Parameters
    ----------
    decimal : the mark of the file; a comma is known, a point may be for want of others

    >>> texts = ["0,5", "1.234"], ["1,5", "2.5"], ["1,234", "7"]
    >>> [decimal_mark(text_array(some), ".") for some in texts]
    [',', '', '.']
    >>> [decimal_mark(text_array(["1.234", "2.345"]), mark) for mark in (".", ",")]
    ['.', ',']
    """
    sure = [mark for mark in ".," if has(texts, _SURE[mark])]
    if sure:
        return sure[0] if len(sure) == 1 else ""
    either = [mark for mark in ".," if has(texts, _EITHER[mark])]
    if len(either) != 1 or decimal == ",":
        return decimal if len(either) < 2 else ""
    if either == [","]:  # 1,234 beside 987; where all have a comma, it may be a decimal mark
        return decimal if has(texts, _BARE) or has(texts, _MONEY) else ""
    grouped = texts.filter(pc.match_substring_regex(texts, _EITHER["."]))
    of_money = has(grouped, _MONEY)  # 1.200 € beside 12 € is hardly 1.2
    larger = has(texts, rf"{_B}[1-9]\d\d+{_E}") and has(grouped, rf"0{_E}")
    return "" if of_money or (larger and len(grouped) >= _FEWEST_GROUPED) else decimal


def has(texts: pa.StringArray, pattern: str) -> bool:
    """Whether a regular expression (RE2) is found in some text."""
    return bool(pc.any(pc.match_substring_regex(texts, pattern), min_count=0).as_py())


def code_among(texts: pa.StringArray) -> str:
    """Return a text which tells that numbers are codes: 007, 01.50, 3E1, 1.10 behind 1.9.

    Two digits that may be days, months or hours are numbers.

    >>> [code_among(text_array(t)) for t in (["10", "007"], ["08", "12"], ["3E1", "2E4"])]
    ['007', '', '3E1']
    >>> code_among(text_array(["1.8", "1.9", "1.10"])), code_among(text_array(["0.5", "1.10"]))
    ('1.10', '')
    """
    if has(texts, r"^[1-9],[1-9]$") and _are_ticked(texts.to_pylist()):
        return "1,2"
    if has(texts, "^[1-6]-$") and not has(texts, "^(?:[^1-6]|.[^-]|...)"):
        return "2-"  # a mark of schools
    padded = texts.filter(pc.match_substring_regex(texts, r"^0\d[\d.]*$"))
    if len(padded):
        are_two = not has(texts, r"^(?:.|...+)$")
        first = str(padded[0].as_py())
        return "" if are_two and "10" <= max(texts.to_pylist()) <= "31" else first
    powers = texts.filter(pc.match_substring_regex(texts, r"^\d{1,4}E\d{1,3}$"))
    if len(powers) == len(texts) > 1 and len({p.split("E")[0] for p in powers.to_pylist()}) > 1:
        return str(powers[0].as_py())
    parts = pc.extract_regex(texts, r"^\d{1,3}\.(?P<part>0|[1-9]\d?)$")
    if parts.null_count or not len(texts):
        return ""
    behind = set(pc.struct_field(parts, "part").to_pylist())
    longer = sorted(int(part) for part in behind if len(part) > 1)
    goes_on = longer == list(range(10, 10 + len(longer))) and "9" in behind
    return next((t for t in texts.to_pylist() if t.endswith(".10")), "") if goes_on else ""


def _are_ticked(texts: Sequence[str]) -> bool:
    """Whether 1,2 are two answers of a list that were ticked: most of them are ticked alone, too.

    >>> _are_ticked(["1", "2", "1,2", "1,3", "3", "2,3"]), _are_ticked(["1", "1,5", "2,5"])
    (True, False)
    """
    lists = [text.split(",") for text in texts]
    several = [digits for digits in lists if len(digits) > 1]
    if any(not d.isdecimal() or len(d) > 1 for digits in lists for d in digits):
        return False
    if any(digits != sorted(set(digits) - {"0"}) for digits in several):
        return False
    alone = {digits[0] for digits in lists if len(digits) == 1}
    ends = [{digits[side] for digits in several} for side in (0, -1)]
    return all(len(end) > 1 for end in ends) and alone >= set().union(*several)
