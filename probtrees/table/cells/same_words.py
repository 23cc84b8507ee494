"""Texts that say the same: in another case, with other spaces, or other words for yes and no."""

from __future__ import annotations

from collections.abc import Iterable

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


def join_keys(texts: Iterable[str], categories: Iterable[str] | None = None) -> list[str]:
    """Return what texts that are to be joined have in common: case and spaces do not count.

    Where all of them (or all ``categories``, where these are known) are words for yes and no, or
    say that there is no value, neither do these words. Nor do they where some are more than
    letters, whatever else there is.

    >>> join_keys(["Yes", "y", "no "]), join_keys(["N", "NO", "S"])
    (['yes', 'yes', 'no'], ['n', 'no', 's'])
    >>> join_keys(["ja", "J", "N", "-"])
    ['yes', 'yes', 'no', '-']
    >>> join_keys(["ja", "J", "nein", "N", "unclear"])
    ['yes', 'yes', 'no', 'no', 'unclear']
    """
    keys = list(map(folded, texts))
    decisive = keys if categories is None else map(folded, categories)
    said = [key for key in decisive if any(map(str.isalnum, key)) and key not in NO_VALUE]
    # Without a yes they may be directions of the wind: N, NE, NO.
    are_all = "yes" in map(_YES_AND_NO.get, said) and all(key in _YES_AND_NO for key in said)
    in_words = {_YES_AND_NO.get(key) for key in said if len(key) > 1}
    if are_all or in_words >= {"yes", "no"}:
        return [_YES_AND_NO.get(key, key) for key in keys]
    return keys


def yes_or_no(text: str) -> str:
    """Return "yes" or "no" for a word that means it; nothing for any other.

    >>> yes_or_no("Ja"), yes_or_no("0"), yes_or_no("maybe")
    ('yes', 'no', '')
    """
    return _YES_AND_NO.get(folded(text), "")


def folded(text: str) -> str:
    """Return a text without what case and spaces add to it.

    >>> folded(" Self  Employed") == folded("self employed")
    True
    """
    return " ".join(text.split()).casefold()
