"""Texts that say the same: in another case, with other spaces, or other words for a usual answer.

Usual answers are yes and no, the sexes, and grades in Roman numerals beside others in digits.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping

from probtrees.table.cells.missing_words import NO_VALUE

_YES = (
    "yes y true t 1 on checked ja j jo oui o si sí sì sim da да так tak ano áno evet igen kyllä "
    "ναι wahr vrai ya có はい 是 예 네 نعم"
)
_NO = (
    "no n false f 0 off unchecked nein nej nee nei non não nu нет не ні nie ne hayır hayir nem ei "
    "όχι falsch faux tidak không いいえ 否 不是 아니요 لا"
)
_YES_AND_NO = {
    **dict.fromkeys(_YES.split(), "yes"),
    **dict.fromkeys(_NO.split(), "no"),
}
_MALE = "m male man mann männlich maennl männl. h homme masculin hombre masculino uomo maschio hane"
_FEMALE = "f female woman w frau weiblich weibl weibl. femme féminin mujer femenino donna femmina"
_SEXES = {
    **dict.fromkeys(_MALE.split(), "male"),
    **dict.fromkeys(_FEMALE.split(), "female"),
}
_POSITIVE = "pos positive positiv positif positivo positiva"
_NEGATIVE = "neg negative negativ negatif negativo negativa"
_REFUSED = "refus refuse refusé refusée"
_RESULTS = {
    **dict.fromkeys(_POSITIVE.split(), "positive"),
    **dict.fromkeys(_NEGATIVE.split(), "negative"),
    **dict.fromkeys(_REFUSED.split(), "refusé"),
}
_ROMANS = "i ii iii iv v vi vii viii ix x"
_GRADES = {roman: str(number) for number, roman in enumerate(_ROMANS.split(), 1)}
_OTHER_SEXES = frozenset({"d", "divers", "diverse", "x", "other", "o", "nb", "non-binary", "u"})
_TWO_LETTERS = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "œ": "oe"}
)
_WITHOUT_STROKE = str.maketrans({"ł": "l", "Ł": "L", "đ": "d", "ø": "o", "Ø": "O"})
_APOSTROPHES = str.maketrans("’‘ʼ´`", "'''''")
_SHORT = 3
_SHORTEST_CUT = 3
"""Letters of a word that was cut short: inconcl. for inconclusive."""
_LIKE_LATIN = str.maketrans("авекмнорстухαβεηικμνορτυχζ", "abekmhopctyxabehikmnoptyxz")
_BETWEEN_WORDS = re.compile(r"(?<=[^\W\d_])[\s._-]+(?=\w)|(?<=\w)[\s._-]+(?=[^\W\d_])")


def join_keys(texts: Iterable[str], categories: Iterable[str] | None = None) -> list[str]:
    """Return what texts that are to be joined have in common: case, spaces, dots and hyphens apart.

    Where all of them (or all ``categories``, where these are known) are words for yes and no, or
    say that there is no value, neither do these words. Nor do they where some are more than
    letters, whatever else there is.

    >>> join_keys(["Yes", "y", "no "]), join_keys(["N", "NO", "S"])
    (['yes', 'yes', 'no'], ['n', 'no', 's'])
    >>> join_keys(["ja", "J", "N", "-"])
    ['yes', 'yes', 'no', '-']
    >>> join_keys(["ja", "J", "nein", "N", "unclear"])
    ['yes', 'yes', 'no', 'no', 'unclear']
    >>> join_keys(["M", "male", "F", "Female"]), join_keys(["Typ 2", "typ2", "1-2", "12"])
    (['male', 'male', 'female', 'female'], ['typ2', 'typ2', '1-2', '12'])
    >>> join_keys(["1", "2", "3", "I", "II"])
    ['1', '2', '3', '1', '2']
    >>> join_keys(["Köln", "Koeln", "Ulm", "Málaga", "MALAGA"])
    ['köln', 'köln', 'ulm', 'málaga', 'málaga']
    >>> join_keys(["POS", "Positive", "neg.", "Bov.", "bovine", "Inc.", "income", "incest"])
    ['positive', 'positive', 'negative', 'bovine', 'bovine', 'inc', 'income', 'incest']
    """
    keys = list(map(folded, texts))
    decisive = keys if categories is None else list(map(folded, categories))
    said = [key for key in decisive if any(map(str.isalnum, key)) and key not in NO_VALUE]
    # Without a yes they may be directions of the wind: N, NE, NO.
    are_all = "yes" in map(_YES_AND_NO.get, said) and all(key in _YES_AND_NO for key in said)
    in_words = {_YES_AND_NO.get(key) for key in said if len(key) > 1}
    if are_all or in_words >= {"yes", "no"}:
        return [_YES_AND_NO.get(key.removesuffix("."), key) for key in keys]
    sexes = [key for key in said if key not in _OTHER_SEXES]
    in_words = {key for key in sexes if len(key) > 1}
    if in_words and {_SEXES.get(key) for key in sexes} == {"male", "female"}:
        return [_SEXES.get(key, key) for key in keys]
    if _are_grades(said, is_known=categories is not None):
        return [_GRADES.get(key, key) for key in keys]
    letters = Counter(map(_letters, decisive))
    if categories is not None and max(letters.values(), default=1) > 1:
        return keys  # the model tells them apart
    whole = _RESULTS | _cut_short(decisive) | _without_umlauts(decisive, keys)
    return [whole.get(letters, letters) for letters in map(_letters, keys)]


def _without_umlauts(decisive: Iterable[str], keys: Iterable[str]) -> dict[str, str]:
    """Return words as keyboards without umlauts and accents write them, and what they are.

    Parameters
    ----------
    decisive : the words of a model, or else ``keys`` themselves
    keys : the words that are looked at; a model tells those apart that it has both of

    >>> _without_umlauts(["köln", "ulm", "koeln"], ["köln", "ulm", "koeln"])
    {'koeln': 'köln'}
    >>> _without_umlauts(["koeln", "málaga"], ["köln", "malaga"])
    {'köln': 'koeln', 'malaga': 'málaga'}
    """
    known, met = ({_letters(k) for k in some if len(k) > _SHORT} for some in (decisive, keys))
    is_other = known != met
    found: dict[str, set[str]] = {}
    for word in sorted(word for word in known | met if not word.isascii()):
        for plain in {with_two_letters(word), without_accents(word)}:
            if not plain.isascii() or not plain.isalpha() or plain not in known | met:
                continue
            if word in known and not (is_other and plain in known):
                found.setdefault(plain, set()).add(word)
            elif word not in known and plain in known:
                found.setdefault(word, set()).add(plain)
    return {word: min(meant) for word, meant in found.items() if len(meant) == 1}


def _cut_short(keys: Iterable[str]) -> dict[str, str]:
    """Find words that end in a dot and begin exactly one other word; return that one.

    >>> _cut_short(["bov.", "bov", "bovine", "ovine", "dipl.", "dipl.-ing."])
    {'bov': 'bovine'}
    """
    keys = list(keys)
    dotted = (key.removesuffix(".") for key in keys if key.endswith("."))
    cut = {word for word in dotted if word.isalpha() and len(word) >= _SHORTEST_CUT}
    words = sorted({key for key in keys if key.isalpha()} - cut) if cut else []
    found: dict[str, str] = {}
    for begin in cut:
        place = bisect_left(words, begin)  # words that begin alike stand one after the other
        alike = [word for word in words[place : place + 2] if word.startswith(begin)]
        found |= {begin: alike[0]} if len(alike) == 1 else {}
    return found


def _are_grades(keys: list[str], *, is_known: bool) -> bool:
    """Whether texts are grades in digits and in Roman numerals, each of these also in digits.

    Where they are known to be in digits, others may be in Roman numerals.

    >>> _are_grades(["1", "2", "i", "ii"], is_known=False), _are_grades(["1", "i"], is_known=False)
    (True, False)
    """
    digits = {key for key in keys if key in _GRADES.values()}
    romans = {key for key in keys if key in _GRADES}
    if len(digits) + len(romans) < len(set(keys)):
        return False
    if is_known:
        return len(digits) > 1 and not romans
    return len(romans) > 1 and {_GRADES[key] for key in romans} <= digits


def _letters(key: str) -> str:
    """Return a text without what parts its words; numbers stay apart.

    >>> _letters("typ 2"), _letters("u.s."), _letters("self-employed"), _letters("1-2")
    ('typ2', 'us', 'selfemployed', '1-2')
    """
    if len(key) <= _SHORT:  # a code, whose letters nobody tells from Latin ones: А and A
        key = key.translate(_LIKE_LATIN)
    return _BETWEEN_WORDS.sub("", key).removesuffix(".")


def without_accents(text: str) -> str:
    """Return a text without what stands above or below its letters.

    >>> without_accents("étage"), without_accents("Größe")
    ('etage', 'Große')
    """
    letters = unicodedata.normalize("NFKD", text.translate(_WITHOUT_STROKE))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def with_two_letters(text: str) -> str:
    """Return a text in small letters as keyboards without umlauts write it.

    >>> with_two_letters("Mobilität"), with_two_letters("Ærø")
    ('mobilitaet', 'aeroe')
    """
    return without_accents(text.casefold().translate(_TWO_LETTERS))


def yes_or_no(text: str) -> str:
    """Return "yes" or "no" for a word that means it; nothing for any other.

    >>> yes_or_no("Ja"), yes_or_no("0"), yes_or_no("maybe")
    ('yes', 'no', '')
    """
    return _YES_AND_NO.get(folded(text), "")


def folded(text: str) -> str:
    """Return a text without what case, spaces and the form of an apostrophe add to it.

    >>> folded(" Self  Employed") == folded("self employed")
    True
    """
    return " ".join(text.split()).casefold().translate(_APOSTROPHES)


def most_frequent(keys: Mapping[str, str], rows: Mapping[str, int]) -> dict[str, str]:
    """Return by text the most frequent one of the same key.

    A name in small letters gives way to the same with a capital, if that is half as frequent.

    >>> most_frequent({"Yes": "yes", "y": "yes", "no": "no"}, {"Yes": 2, "y": 7, "no": 1})
    {'Yes': 'y', 'y': 'y', 'no': 'no'}
    >>> keys = dict.fromkeys(["Langata", "LANGATA", "langata"], "langata")
    >>> most_frequent(keys, {"langata": 801, "Langata": 799, "LANGATA": 792})["langata"]
    'Langata'
    """
    best: dict[str, str] = {}
    for text in sorted(rows, key=lambda text: (-rows[text], text)):
        first = best.setdefault(keys[text], text)
        is_capital = first.islower() and text[:1].isupper() and not text.isupper()
        if is_capital and folded(first) == folded(text) and 2 * rows[text] >= rows[first]:
            best[keys[text]] = text
    return {text: best[key] for text, key in keys.items()}


def plainly_alike(texts: Iterable[str], *, with_results: bool = False) -> list[list[str]]:
    """Group texts that differ in nothing but case, spaces or a final dot; others are left out.

    ``with_results``: or in how positive, negative and refused are said.

    >>> plainly_alike(["Ja", "nein", "JA.", "J"])
    [['Ja', 'JA.']]
    >>> plainly_alike(["POS", "Positive", "neg", "unclear"], with_results=True)
    [['POS', 'Positive']]
    >>> plainly_alike(["Refusé", "refus", "Remboursé"], with_results=True)
    [['Refusé', 'refus']]
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        key = folded(text).removesuffix(".")
        groups.setdefault(_RESULTS.get(key, key) if with_results else key, []).append(text)
    return [group for group in groups.values() if len(group) > 1]
