"""Answers of which several stand in one cell: "Price, Quality; Service".

As a category every combination would be a value of its own. As one column per choice, each says yes
or no.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from probtrees.table.cells.category_order import natural_order
from probtrees.table.cells.padded_codes import ticked_together
from probtrees.types import IntArray

MOST_CHOICES = 20
"""So many of the most frequent choices get a column."""

_SEPARATORS = re.compile(r"\s*[;,|\n]\s*")
_LONGEST = 60
_MOST_TEXTS = 5000
_MOST_PIECES = 40
_SHARE_OF_SEVERAL = 0.1
_SHARE_OF_RECURRING = 0.6


def pieces_of(text: str) -> tuple[str, ...]:
    """Take a cell apart into its choices, each once.

    >>> pieces_of("Price, Quality; Service")
    ('Price', 'Quality', 'Service')
    """
    return tuple(dict.fromkeys(piece for piece in _SEPARATORS.split(text) if piece))


def frequent_choices(texts: Sequence[str], rows_of: IntArray) -> tuple[str, ...]:
    """Return the most frequent choices, in their natural order."""
    rows = _rows_with(texts, rows_of)
    often = sorted(rows, key=lambda piece: (-rows[piece], piece))[:MOST_CHOICES]
    return natural_order(often)


def share_of_several(texts: Sequence[str], rows_of: IntArray) -> float:
    """Return the share of rows with several choices; 0 if the texts do not look like choices.

    Choices are few, short and no numbers but those of a list (1,3), and most of them return in
    other combinations; of "Bonn, NRW" and "Cologne, NRW" only one part does.
    """
    if len(texts) > _MOST_TEXTS:
        return 0.0
    apart = [pieces_of(text) for text in texts]
    n_texts = Counter(piece for pieces in apart for piece in pieces)
    several = [len(pieces) > 1 for pieces in apart]
    if sum(several) < 2 or not 2 < len(n_texts) <= _MOST_PIECES or len(n_texts) > len(texts):
        return 0.0
    if len({len(pieces) for pieces in apart}) == 1:
        return 0.0  # "Jones, F." is a name in two parts
    are_numbered = bool(ticked_together(texts))
    if any(len(p) > _LONGEST or (p[0].isdigit() and not are_numbered) for p in n_texts):
        return 0.0
    recurring = sum(n > 1 for n in n_texts.values())
    share = sum(rows for rows, is_one in zip(rows_of.tolist(), several, strict=True) if is_one)
    share /= max(int(rows_of.sum()), 1)
    enough = recurring >= _SHARE_OF_RECURRING * len(n_texts) and share >= _SHARE_OF_SEVERAL
    return share if enough else 0.0


def _rows_with(texts: Sequence[str], rows_of: IntArray) -> Counter[str]:
    rows: Counter[str] = Counter()
    for text, n_rows in zip(texts, rows_of.tolist(), strict=True):
        rows.update(dict.fromkeys(pieces_of(text), n_rows))
    return rows
