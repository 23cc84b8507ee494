"""Words that are another one with a slip of the pen: Enginering, Slaes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from probtrees.table.cells.same_words import folded

_WORDS = re.compile(r"[^\W\d_]+(?:[ '-][^\W\d_]+)*")
_SHORTEST = 5
"""In shorter words one letter makes another word: Iran, Iraq."""
_RARER = 10
"""A slip is so many times rarer than the word that is meant."""
_MOST_WORDS = 300


def with_slips(keys: Sequence[str], texts: Sequence[str], rows: Sequence[int]) -> list[str]:
    """Let keys of texts that seem to be misspelt be those of the texts that are meant.

    >>> texts = ["sales", "slaes", "Sales", "type a"]
    >>> with_slips(["sales", "slaes", "sales", "typea"], texts, [80, 3, 40, 2])
    ['sales', 'sales', 'sales', 'typea']
    """
    often: Counter[str] = Counter()
    written: dict[str, tuple[int, str]] = {}
    for key, text, n_rows in zip(keys, texts, rows, strict=True):
        often[key] += n_rows
        written[key] = max(written.get(key, (0, "")), (n_rows, folded(text)))
    if len(often) > _MOST_WORDS:
        return list(keys)
    key_of = {text: key for key, (_, text) in written.items() if text}
    meant = {}
    for key, (_, text) in written.items():
        least = _RARER * max(often[key], 1)
        frequent = [other for other in key_of if often[key_of[other]] >= least]
        if often[key] and (word := meant_by(text, frequent)):
            meant[key] = key_of[word]
    return [meant.get(key, key) for key in keys]


def meant_by(text: str, words: Iterable[str]) -> str | None:
    """Return the only word that a text differs from by one letter, left out, added or swapped.

    >>> meant_by("enginering", ["engineering", "marketing"]), meant_by("group a", ["group b"])
    ('engineering', None)
    """
    if not _WORDS.fullmatch(text):
        return None
    found = [word for word in words if _WORDS.fullmatch(word) and _is_slip(text, word)]
    return found[0] if len(found) == 1 else None


def _is_slip(text: str, word: str) -> bool:
    if text == word or text[0] != word[0] or abs(len(text) - len(word)) > 1:
        return False
    start = next((n for n, (a, b) in enumerate(zip(text, word, strict=False)) if a != b), None)
    start = min(len(text), len(word)) if start is None else start
    one, two = text[start:], word[start:]
    slipped = one[1:] == two[1:] or one[1:] == two or one == two[1:]
    swapped = one[:2] == two[1::-1] and one[2:] == two[2:] and len(one) > 1
    return (slipped or swapped) and len(_word_at(word, start)) >= _SHORTEST


def _word_at(text: str, place: int) -> str:
    """Return the word of a text in which a letter stands."""
    before, behind = text[:place], text[place:]
    return re.split(r"[ '-]", before)[-1] + re.split(r"[ '-]", behind)[0]
