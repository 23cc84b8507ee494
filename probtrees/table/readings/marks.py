"""Signs and decimal marks of numbers, and what looks like a number but is a code."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

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


def has(texts: Iterable[str], pattern: str) -> bool:
    """Whether a regular expression is found in some text."""
    return any(map(re.compile(pattern, re.A).search, texts))


def decimal_mark(texts: Sequence[str], decimal: str) -> str:
    """Find the decimal mark of a column's numbers; empty where that is in doubt.

    Parameters
    ----------
    decimal : the mark of the file; a comma is known, a point may be for want of others

    >>> texts = ["0,5", "1.234"], ["1,5", "2.5"], ["1,234", "7"]
    >>> [decimal_mark(some, ".") for some in texts]
    [',', '', '.']
    >>> [decimal_mark(["1.234", "2.345"], mark) for mark in (".", ",")]
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
    grouped = [text for text in texts if re.search(_EITHER["."], text, re.A)]
    of_money = has(grouped, _MONEY)  # 1.200 € beside 12 € is hardly 1.2
    larger = has(texts, rf"{_B}[1-9]\d\d+{_E}") and has(grouped, rf"0{_E}")
    return "" if of_money or (larger and len(grouped) >= _FEWEST_GROUPED) else decimal


def are_codes(texts: Sequence[str]) -> bool:
    """Whether numbers are codes: 007, 01.50, 3E1, 1.10 behind 1.9, 1,2 where both are ticked.

    Two digits that may be days, months or hours are numbers.

    >>> [are_codes(t) for t in (["10", "007"], ["08", "12"], ["3E1", "2E4"], ["1-", "2"])]
    [True, False, True, True]
    >>> are_codes(["1.8", "1.9", "1.10"]), are_codes(["0.5", "1.10"])
    (True, False)
    """
    if has(texts, r"^0\d[\d.]*$"):
        are_two = all(len(text) == 2 for text in texts)
        return not (are_two and "10" <= max(texts) <= "31")
    if all(re.fullmatch("[1-6]-?", text) for text in texts):
        return has(texts, "-")  # marks of schools
    powers = {re.sub(r"^(\d{1,4})E\d{1,3}$", r"\1E", text, flags=re.A) for text in texts}
    if len(powers) > 1 and all(power.endswith("E") for power in powers):
        return True
    parts = [re.fullmatch(r"\d{1,3}\.(0|[1-9]\d?)", text, re.A) for text in texts]
    behind = {part[1] if part else "" for part in parts}
    longer = sorted(int(part) for part in behind if len(part) > 1)
    if "" not in behind and "9" in behind and longer:
        return longer == list(range(10, 10 + len(longer)))
    return _are_ticked(texts)


def _are_ticked(texts: Sequence[str]) -> bool:
    """Whether 1,2 are two answers of a list that were ticked: most of them are ticked alone, too.

    >>> _are_ticked(["1", "2", "1,2", "1,3", "3", "2,3"]), _are_ticked(["1", "1,5", "2,5"])
    (True, False)
    """
    if not all(re.fullmatch(r"\d|[1-9](,[1-9])+", text, re.A) for text in texts):
        return False
    several = [text.split(",") for text in texts if "," in text]
    if not several or any(digits != sorted(set(digits)) for digits in several):
        return False
    ends = [{digits[side] for digits in several} for side in (0, -1)]
    return min(map(len, ends)) > 1 and set(texts) >= set().union(*several)
