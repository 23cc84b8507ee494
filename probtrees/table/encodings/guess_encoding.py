"""Guess the encoding of a text that is no UTF-8 by the letters that it would hold.

Every encoding that the bytes fit is tried. What counts is how likely its letters are in the
language that they fit best (:mod:`.letters`), and how they stand: a capital behind a small letter
or a sign inside a word is seldom meant.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from probtrees.table.encodings import letters
from probtrees.table.encodings.known_encodings import GUESSED, Encoding
from probtrees.table.encodings.letters import Alphabet

MOST_LOOKED_AT = 1 << 15
"""So many bytes of lines that hold further letters decide."""

_FOREIGN, _STRANGE = -9.0, -14.0
_SIGN, _SIGN_IN_WORD, _KNOWN_WORD = -4.0, -13.0, 8.0
_CAPITAL_INSIDE, _WRONG_FOLLOWER, _LOOSE_MARK, _TWO_SCRIPTS = -5.0, -4.0, -6.0, -6.0
_WORD = re.compile(r"[A-Za-z]*[^\x00-\x7f][A-Za-z\x80-\U0010ffff]*")
_HIGH = re.compile(rb"[\x80-\xff]")
_APOSTROPHES = "’‘"
_SIGNS = frozenset("€£°§µ²³½¼¾«»“”„–—…•·×±№®™©\xa0´`’‘‚‹›¿¡ªº、。，：；（）「」・％～！？　")
_WIDE_SIGNS = frozenset("、。，：；（）「」・％～！？　／＋－【】《》")
Counts = Counter[tuple[str, str]]
Scorer = Callable[[Counts, int], float]
"""Tells how likely further letters are, and so many of ASCII in the same words."""


class Guess(NamedTuple):
    """An encoding that a text may be written in; a higher score fits better."""

    encoding: Encoding
    score: float
    words: tuple[str, ...]
    """The words of the text that hold further letters, as this encoding has them.

    Those come first that the likeliest other encoding has otherwise.
    """


def lines_with_letters(content: bytes, most: int = MOST_LOOKED_AT) -> bytes:
    """Gather the first lines that hold bytes beyond ASCII."""
    found: list[bytes] = []
    size, at = 0, 0
    while size < most and (high := _HIGH.search(content, at)):
        end = content.find(b"\n", high.start())
        end = len(content) if end < 0 else end
        start = max(content.rfind(b"\n", 0, high.start()) + 1, at)
        line = content[start:end] if end - start <= most else content[start : start + most]
        found.append(line)
        size += len(line) + 1
        at = end
    return b"\n".join(found)


def guess_encodings(sample: bytes) -> tuple[Guess, ...]:
    """List the encodings that the lines of a sample fit, the likeliest first.

    Where several make the same words of it, the most frequent one stands for them: German letters
    are written alike in Western and in Turkish files.
    """
    guesses: dict[str, Guess] = {}
    for known in GUESSED:
        try:
            text = sample.decode(known.codec)
        except UnicodeDecodeError:
            continue
        words = Counter(_WORD.findall(text))
        if any("\x80" <= letter < "\xa0" for word in words for letter in word):
            continue  # codes without a sign
        score = _score(words, known) - known.rarity
        alike = guesses.setdefault(text, Guess(known, score, tuple(words)))
        guesses[text] = alike._replace(score=max(score, alike.score))
    best = sorted(guesses.values(), key=lambda guess: -guess.score)
    if len(best) > 1:
        best = [_telling(guess, best[guess is best[0]]) for guess in best]
    return tuple(best)


def _telling(guess: Guess, rival: Guess) -> Guess:
    """Put the words first that another encoding would have otherwise, and those of letters."""
    alike = frozenset(rival.words)
    words = sorted(guess.words, key=lambda word: (not word.strip(), word in alike))
    return guess._replace(words=tuple(words))


def _score(words: Mapping[str, int], known: Encoding) -> float:
    """Return the logarithm of how likely the letters of some words are."""
    counts: Counts = Counter()
    penalty, n_plain = 0.0, 0
    for word, n_times in words.items():
        weight = min(n_times, 3)
        n_plain += weight * sum(letter < "\x80" for letter in word)
        penalty += weight * _count_letters(word, counts, weight)
        penalty += _KNOWN_WORD * (word.lower() in letters.FREQUENT_WORDS)
    scorers = _SCORERS[known.codec]
    return penalty + max(scorer(counts, n_plain) for scorer in scorers)


def _count_letters(word: str, counts: Counts, weight: int) -> float:
    """Count the further letters of a word with what follows; return what is odd about them."""
    odd = 0.0
    if len(word) > 1 and word.isupper():  # as words are in headlines: the letters say more
        word = word.replace("İ", "ı").lower()
        odd -= 1
    for place, letter in enumerate(word):
        if letter < "\x80":
            continue
        before = word[place - 1] if place else ""
        after = word[place + 1] if place + 1 < len(word) else ""
        if letter in _SIGNS and letter not in _WIDE_SIGNS:
            odd += _of_sign(letter, before, after)
            continue
        counts[letter, after] += weight
        if letter.isupper() and before.islower():
            odd += _CAPITAL_INSIDE
        elif unicodedata.category(letter) == "Mn" and not before.isalpha():
            odd += _LOOSE_MARK
        elif not letter.isalpha() and before.isalpha() and after.isalpha():
            odd += _CAPITAL_INSIDE
        if "\x80" > after > "" and after.isupper() and letter.islower():
            odd += _CAPITAL_INSIDE
        if letter.isalpha() and not _is_latin(letter):
            odd += _TWO_SCRIPTS * ("" < before < "\x80") + _TWO_SCRIPTS * ("" < after < "\x80")
    return odd


def _of_sign(letter: str, before: str, after: str) -> float:
    if letter in _APOSTROPHES and (before.lower() in "ldnscjmtu" or after in "st"):
        return _SIGN
    return _SIGN_IN_WORD if before.isalpha() and after.isalpha() else _SIGN


def _alphabetic(alphabet: Alphabet) -> Scorer:
    logs = alphabet.logs
    followers = alphabet.followed_by

    def score(counts: Counts, n_plain: int) -> float:
        total = n_plain * alphabet.log_of_plain
        for (letter, after), number in counts.items():
            one = logs.get(letter)
            if one is None:
                one = _FOREIGN if _is_latin(letter) else _STRANGE
            wanted = followers.get(letter.lower())
            if wanted is not None and after.lower() not in (*wanted, *wanted.upper()):
                one += _WRONG_FOLLOWER
            total += number * one
        return total

    return score


@lru_cache(maxsize=4096)
def _is_latin(letter: str) -> bool:
    return letter.isalpha() and unicodedata.name(letter, "").startswith("LATIN")


def _characters(frequent: Iterable[str], share: float, others: Callable[[str], float]) -> Scorer:
    """Score by characters, some of which make up this share of texts."""
    known = frozenset(frequent)
    usual = math.log(share / len(known))

    def score(counts: Counts, _n_plain: int) -> float:
        total = 0.0
        for (letter, _), number in counts.items():
            if letter in known:
                total += number * usual
            elif letter in _WIDE_SIGNS:
                total += number * _SIGN
            else:
                total += number * others(letter)
        return total

    return score


def _rows_of(
    codec: str, first: int, last: int, within: float, beyond: float
) -> Callable[[str], float]:
    """Tell the characters of everyday from rare ones by where a standard lists them."""

    @lru_cache(maxsize=20_000)
    def score(letter: str) -> float:
        try:
            row = letter.encode(codec)[0]
        except UnicodeEncodeError:
            return beyond - 2
        return within if first <= row <= last else beyond

    return score


def _japanese(letter: str) -> float:
    if "\u3041" <= letter <= "\u30fe":
        return math.log(0.6 / 160)
    if "\uff66" <= letter <= "\uff9f":
        return math.log(0.1 / 60)
    if "！" <= letter <= "～":
        return math.log(0.1 / 90)
    return _KANJI_ROWS(letter)


_KANJI_ROWS = _rows_of("euc_jp", 0xB0, 0xCF, math.log(0.15 / 2965), -14.0)
_WESTERN = tuple(map(_alphabetic, letters.WESTERN.values()))
_CENTRAL = tuple(map(_alphabetic, letters.CENTRAL.values()))
_CYRILLIC = tuple(map(_alphabetic, letters.CYRILLIC.values()))
_JAPANESE = (_characters(letters.KANJI, 0.3, _japanese),)
_SIMPLE = _rows_of("gb2312", 0xB0, 0xD7, math.log(0.4 / 3755), -14.0)
_TRADITIONAL = _rows_of("big5", 0xA4, 0xC6, math.log(0.4 / 5401), -14.0)
_SYLLABLES = _rows_of("euc_kr", 0xB0, 0xC8, math.log(0.3 / 2350), -14.0)
_SCORERS: dict[str, tuple[Scorer, ...]] = {
    "cp1252": _WESTERN,
    "mac_roman": _WESTERN,
    "cp850": _WESTERN,
    "cp1250": _CENTRAL,
    "iso8859-2": _CENTRAL,
    "cp852": _CENTRAL,
    "cp1254": tuple(map(_alphabetic, letters.TURKISH.values())),
    "cp1257": tuple(map(_alphabetic, letters.BALTIC.values())),
    "cp1251": _CYRILLIC,
    "koi8_r": _CYRILLIC,
    "cp866": _CYRILLIC,
    "cp1253": tuple(map(_alphabetic, letters.GREEK.values())),
    "cp1255": tuple(map(_alphabetic, letters.HEBREW.values())),
    "cp1256": tuple(map(_alphabetic, letters.ARABIC.values())),
    "cp874": tuple(map(_alphabetic, letters.THAI.values())),
    "gb18030": (_characters(letters.HANZI_SIMPLE, 0.6, _SIMPLE),),
    "big5hkscs": (_characters(letters.HANZI_TRADITIONAL, 0.6, _TRADITIONAL),),
    "cp932": _JAPANESE,
    "euc_jp": _JAPANESE,
    "cp949": (_characters(letters.HANGUL, 0.7, _SYLLABLES),),
}
