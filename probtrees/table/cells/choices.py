"""Answers of which several stand in one cell: "Price, Quality; Service".

As a category every combination would be a value of its own. As one column per choice, each says yes
or no. Programs write lists in brackets: ['Price', 'Quality'], {Price,Quality}; people now and then
with other signs between the answers, which are known once the answers are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from probtrees.table.cells.category_order import natural_order
from probtrees.table.cells.padded_codes import ticked_together
from probtrees.table.cells.same_words import folded
from probtrees.types import IntArray

MOST_CHOICES = 20
"""So many of the most frequent choices get a column."""

_MARKS = re.compile(r"[;,|\n\[\](){}'\"]| \+ ")
"""What stands between choices or around them; most texts have none of it."""
_SEPARATORS = re.compile(r"\s*[;,|\n]\s*|(?<=[^\W\d_]) \+ (?=[^\W\d_])")
_OTHER_SEPARATORS = re.compile(
    r"\s*[/+&\t•·、，；]\s*|\s+(?:and|und|et|y|e|en|och|og|i)\s+|\s{2,}|\s+-\s+", re.IGNORECASE
)
_SPACES = re.compile(r"\s+")
_BRACKETS = {"[": "]", "{": "}", "(": ")"}
_QUOTED = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)")\s*[;,|]?""")
_QUOTES = "'\""
_NUMBERS = re.compile(r"\d{1,2}(?:\s*[;,|]\s*\d{1,2})*", re.A)
_A_PAIR = 2
"""Two numbers may be one with a decimal comma, or years and months (10;3)."""
_LONGEST = 60
_MOST_TEXTS = 5000
_MOST_PIECES = 40
_SHARE_OF_SEVERAL = 0.1
_SHARE_OF_RECURRING = 0.6


def pieces_of(text: str) -> tuple[str, ...]:
    """Take a cell apart into its choices, each once.

    >>> pieces_of("Price, Quality; Service"), pieces_of("['Price', 'Quality']")
    (('Price', 'Quality', 'Service'), ('Price', 'Quality'))
    >>> pieces_of('["Price","Quality"]'), pieces_of("{Price,Quality}"), pieces_of("[]")
    (('Price', 'Quality'), ('Price', 'Quality'), ())
    >>> pieces_of("Aspirin + Statin"), pieces_of("3 + 4")
    (('Aspirin', 'Statin'), ('3 + 4',))
    """
    if not _MARKS.search(text):
        return (text.strip(),) if text.strip() else ()
    parts = [_unquoted(part) for part in _SEPARATORS.split(_inside(text))]
    return tuple(dict.fromkeys(part for part in parts if part))


def is_list(text: str) -> bool:
    """Whether a program wrote a cell as a list: in brackets.

    >>> is_list("['a']"), is_list("{a,b}"), is_list("a (old)"), is_list("(a)")
    (True, True, False, False)
    """
    text = text.strip()
    if len(text) < 2 or _BRACKETS.get(text[0]) != text[-1]:
        return False
    inner = text[1:-1]
    return text[0] not in inner and (text[0] != "(" or bool(_QUOTED.match(inner)))


def answers_among(text: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """Take a cell apart into choices that are known, by any signs between them, and others.

    ``known`` holds the choices by what :func:`.folded` makes of them.

    >>> answers_among("grades / Billing", {"grades": "grades", "billing": "billing"})
    ('grades', 'billing')
    >>> answers_among("TV/radio, web", {"tv/radio": "TV/radio", "tv": "TV"})
    ('TV/radio', 'web')
    """
    found: list[str] = []
    for piece in pieces_of(text):
        parts: Sequence[str] = [piece]
        for separators in (_OTHER_SEPARATORS, _SPACES):
            if all(folded(part) in known for part in parts):
                break
            apart = [part for part in separators.split(piece) if part]
            parts = apart if all(folded(part) in known for part in apart) else parts
        found += [known.get(folded(part), part) for part in parts]
    return tuple(dict.fromkeys(found))


def _inside(text: str) -> str:
    """Return what stands in the brackets of a list; quoted entries apart, as numpy has none."""
    if not is_list(text):
        return text
    inner = text.strip()[1:-1]
    entries = [first or second for first, second in _QUOTED.findall(inner)]
    return ", ".join(entries) if entries and not _QUOTED.sub("", inner).strip() else inner


def _unquoted(text: str) -> str:
    text = text.strip()
    while len(text) > 1 and text[0] in _QUOTES and text[-1] == text[0]:
        text = text[1:-1].strip()
    return text


def frequent_choices(texts: Sequence[str], rows_of: IntArray) -> tuple[str, ...]:
    """Return the most frequent choices, in their natural order.

    Those that differ in case only are one, as it is written in most rows.

    >>> import numpy as np
    >>> frequent_choices(["Fever, cough", "Cough", "cough, fever"], np.array([5, 2, 1]))
    ('cough', 'Fever')
    """
    rows: Counter[str] = Counter()
    written = _rows_with(texts, rows_of)
    for piece in sorted(written, key=lambda piece: (-written[piece], piece)):
        rows[folded(piece)] += written[piece]
    shown = {folded(piece): piece for piece in sorted(written, key=lambda p: (written[p], p))}
    often = sorted(rows, key=lambda key: (-rows[key], key))[:MOST_CHOICES]
    return natural_order([shown[key] for key in often])


def n_choices(texts: Iterable[str]) -> int:
    """Return how many different answers stand in texts.

    >>> n_choices(["Fever, cough", "cough"])
    2
    """
    return len({folded(piece) for text in texts for piece in pieces_of(text)})


def share_of_several(texts: Sequence[str], rows_of: IntArray) -> float:
    """Return the share of rows with several choices; 0 if the texts do not look like choices.

    Choices are few, short and no numbers but those of a list (1,3 or 1;3;5), and most of them
    return in other combinations; of "Bonn, NRW" and "Cologne, NRW" only one part does.
    """
    if len(texts) > _MOST_TEXTS:
        return 0.0
    apart = [pieces_of(text) for text in texts]
    several = [len(pieces) > 1 for pieces in apart]
    if sum(several) < 2:
        return 0.0
    n_texts = Counter(folded(piece) for pieces in apart for piece in pieces)
    if not 2 < len(n_texts) <= _MOST_PIECES or len(n_texts) > len(texts):
        return 0.0
    if len({len(pieces) for pieces in apart}) == 1:
        return 0.0  # "Jones, F." is a name in two parts
    are_numbered = bool(ticked_together(texts)) or _are_lists_of_numbers(texts)
    if any(len(p) > _LONGEST or (p[0].isdigit() and not are_numbered) for p in n_texts):
        return 0.0
    recurring = sum(n > 1 for n in n_texts.values())
    share = sum(rows for rows, is_one in zip(rows_of.tolist(), several, strict=True) if is_one)
    share /= max(int(rows_of.sum()), 1)
    enough = recurring >= _SHARE_OF_RECURRING * len(n_texts) and share >= _SHARE_OF_SEVERAL
    return share if enough else 0.0


def _are_lists_of_numbers(texts: Sequence[str]) -> bool:
    """Whether all texts are short whole numbers in a list, no decimals and no spans of time.

    >>> _are_lists_of_numbers(["1;3;5", "2", "4;5"]), _are_lists_of_numbers(["1, 3, 10", "2"])
    (True, True)
    >>> _are_lists_of_numbers(["10;3", "6;0", "7"]), _are_lists_of_numbers(["1,5", "2", "2,75"])
    (False, False)
    """
    if not all(map(_NUMBERS.fullmatch, texts)):
        return False
    longest = max(len(pieces_of(text)) for text in texts)
    return longest > _A_PAIR


def _rows_with(texts: Sequence[str], rows_of: IntArray) -> Counter[str]:
    rows: Counter[str] = Counter()
    for text, n_rows in zip(texts, rows_of.tolist(), strict=True):
        rows.update(dict.fromkeys(pieces_of(text), n_rows))
    return rows
