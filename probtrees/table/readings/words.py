"""Words that say the same: in another case, with other spaces, yes for Y; and words for no value.

Also the order of categories: by value, or by letters with digits as numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from probtrees.table.arrow_arrays import flags, mask_array
from probtrees.table.readings.numbers import PLAIN_NUMBER
from probtrees.table.readings.spellings import meanings

_APOSTROPHES = str.maketrans("’‘ʼ´`", "'''''")
_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "æ": "ae", "å": "aa"})
_BETWEEN_WORDS = re.compile(r"(?<=[^\W\d_])[\s._-]+(?=\w)|(?<=\w)[\s._-]+(?=[^\W\d_])")
_DIGITS = re.compile(r"(\d+)")
_LONGEST_MISSING, _FEW = 24, 100


def folded(text: str) -> str:
    """Return a text without what case, spaces and the form of an apostrophe add to it.

    >>> folded(" Self  Employed") == folded("self employed")
    True
    """
    return " ".join(text.split()).casefold().translate(_APOSTROPHES)


def is_missing_word(text: str) -> bool:
    """Whether a text says no more than that there is no value, among numbers and dates.

    Among other words it may be an answer: none beside mild and severe, - beside +.

    >>> is_missing_word("N/A"), is_missing_word("k. A."), is_missing_word("none")
    (True, True, False)
    """
    return text == "None" or folded(text) in meanings("missing", "missing date")


def missing_among(texts: pa.StringArray) -> NDArray[np.bool_]:
    """Return which texts are words for no value."""
    may_be = np.ones(len(texts), dtype=np.bool_)
    if len(texts) > _FEW:
        short = flags(pc.less_equal(pc.utf8_length(texts), _LONGEST_MISSING))
        may_be = short & ~flags(pc.match_substring_regex(texts, "[1-9]"))
    found = np.zeros(len(texts), dtype=np.bool_)
    words = texts.filter(mask_array(may_be)).to_pylist()
    found[may_be] = [is_missing_word(text) for text in words]
    return found


def yes_or_no(text: str) -> str:
    """Return "yes" or "no" for a word that means it; nothing for any other.

    >>> yes_or_no("Ja"), yes_or_no("0"), yes_or_no("maybe")
    ('yes', 'no', '')
    """
    return meanings("answer").get(folded(text), "")


def join_keys(texts: Iterable[str], categories: Iterable[str] | None = None) -> list[str]:
    """Return what texts that are to be joined have in common: case, spaces, dots and hyphens apart.

    Where all of them (or all ``categories``, where these are known) are words for yes and no, or
    for the sexes, or for results of a test, these words do not count either.

    >>> join_keys(["Yes", "y", "no "]), join_keys(["N", "NO", "S"])
    (['yes', 'yes', 'no'], ['n', 'no', 's'])
    >>> join_keys(["M", "male", "F", "Female"]), join_keys(["Typ 2", "typ2", "1-2", "12"])
    (['male', 'male', 'female', 'female'], ['typ2', 'typ2', '1-2', '12'])
    >>> join_keys(["Köln", "Koeln", "Ulm"])
    ['koeln', 'koeln', 'ulm']
    """
    keys = list(map(folded, texts))
    decisive = keys if categories is None else list(map(folded, categories))
    said = {k for k in decisive if any(map(str.isalnum, k)) and not is_missing_word(k)}
    for words in map(meanings, ("answer", "sex", "result")):
        meant = {words.get(key) for key in said}
        is_clear = len(said) == 2 or any(len(key) > 1 for key in said)
        if None not in meant and len(meant) == 2 and is_clear:
            return [words.get(key, key) for key in keys]
    if categories is not None and len(set(map(_letters, decisive))) < len(decisive):
        return keys  # the model tells them apart
    return list(map(_letters, keys))


def spelled_alike(texts: Sequence[str], categories: Sequence[str]) -> dict[str, str]:
    """Return the category that each text is another spelling of, where only one can be meant.

    >>> spelled_alike(["Desktop", "TV", "selbstaendig"], ["desktop", "mobile", "selbständig"])
    {'Desktop': 'desktop', 'selbstaendig': 'selbständig'}
    >>> spelled_alike(["Y", "0"], ["ja", "nein"]), spelled_alike(["yes"], ["N", "S"])
    ({'Y': 'ja', '0': 'nein'}, {})
    """
    keys = join_keys(categories)
    n_of = Counter(keys)
    once = {key: known for key, known in zip(keys, categories, strict=True) if n_of[key] == 1}
    meant = zip(texts, join_keys(texts, categories), strict=True)
    return {text: once[key] for text, key in meant if key in once}


def _letters(key: str) -> str:
    """Return a text without what parts its words and stands above its letters, as typed plainly.

    >>> _letters("typ 2"), _letters("u.s."), _letters("self-employed"), _letters("málaga")
    ('typ2', 'us', 'selfemployed', 'malaga')
    >>> _letters("mobilität"), _letters("étage"), _letters("ä")
    ('mobilitaet', 'etage', 'ä')
    """
    letters = folded(_BETWEEN_WORDS.sub("", key).removesuffix("."))
    if letters.isascii() or len(letters) <= 3:  # short ones may be codes
        return letters
    decomposed = unicodedata.normalize("NFKD", letters.translate(_TWO_LETTERS))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def most_frequent(keys: Mapping[str, str], rows: Mapping[str, int]) -> dict[str, str]:
    """Return by text the most frequent one of the same key.

    >>> most_frequent({"Yes": "yes", "y": "yes", "no": "no"}, {"Yes": 2, "y": 7, "no": 1})
    {'Yes': 'y', 'y': 'y', 'no': 'no'}
    """
    best: dict[str, str] = {}
    for text in sorted(rows, key=lambda text: (-rows[text], text)):
        best.setdefault(keys[text], text)
    return {text: best[key] for text, key in keys.items()}


def natural_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Sort texts: by value if all are numbers, else by letters with runs of digits as numbers.

    >>> natural_order(["10", "9", "-1.5"])
    ('-1.5', '9', '10')
    >>> natural_order(["item 10", "item 9", "Item 1"])
    ('Item 1', 'item 9', 'item 10')
    """
    found = list(texts)
    if all(map(PLAIN_NUMBER.fullmatch, found)):
        return tuple(sorted(found, key=lambda text: (float(text), text)))
    return tuple(sorted(found, key=_natural_key))


def _natural_key(text: str) -> tuple[list[tuple[int, int, str]], str]:
    """Order digits as numbers: the longer is the larger. Python reads no number of any length."""
    parts = [(p.lstrip("0"), p.isdecimal()) for p in _DIGITS.split(text) if p]
    return [(0, len(p), p) if digits else (1, 0, p.casefold()) for p, digits in parts], text
