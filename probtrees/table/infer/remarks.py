"""Free text and remarks: long, hardly ever the same, or called so.

What somebody remarks is often written down when the outcome is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow.compute as pc

from probtrees.table.cells.raw_table import Texts
from probtrees.table.infer.recognise_numbers import USE
from probtrees.table.infer.row_weights import name_words
from probtrees.table.infer.text_habits import AS_CATEGORIES, listed
from probtrees.table.table_report import REMARKS, Finding
from probtrees.words import quoted

_LONG_TEXT = 40
_MANY_WORDS = 6
_SHOWN = 3
_CALLED = re.compile(
    "remarks?|comments?|commentary|bemerkung(en)?|anmerkung(en)?|kommentare?|notiz(en)?|"
    "remarques?|commentaires?|observaci(ón|ones)|observaç(ão|ões)|comentarios?|comentários?|"
    "osservazion[ei]|commento|commenti|uwagi|komentarz|opmerking(en)?|bemærkning(er)?|"
    "anmärkning(ar)?|merknad(er)?|poznámk[ay]|megjegyzés(ek)?|примечани[ея]|комментари[ий]|备注|備考"
)
_PERHAPS = re.compile("notes?|nota|observations?")
"""Also marks of a school, or what was seen: remarks where they are phrases."""
_OF_KINDS = re.compile(
    "type|code|kind|category|class|group|status|count|number|score|rating|sentiment|length|topic|"
    "typ|art|kategorie|klasse|gruppe|anzahl|catégorie|categoría|categoria|kategoria"
)
"""Beside these words a column is about remarks, and holds none."""


def are_named_remarks(name: str, texts: Sequence[str]) -> bool:
    """Whether texts are remarks by what their column is called.

    >>> are_named_remarks("Remarks", ["retest", "ok"]), are_named_remarks("note", ["bien", "nul"])
    (True, False)
    >>> are_named_remarks("comment type", ["praise", "blame"])
    False
    """
    words = name_words(name)
    if any(map(_OF_KINDS.fullmatch, words)):
        return False
    are_phrases = 2 * sum(len(text.split()) > 1 for text in texts) > len(texts)
    perhaps = are_phrases and any(map(_PERHAPS.fullmatch, words))
    return perhaps or any(map(_CALLED.fullmatch, words))


def named_remarks(name: str, column: Texts) -> Finding:
    """Say that remarks that repeat are set aside, and ask for them to be used."""
    often = sorted(zip(-column.rows_of, column.texts, strict=True))
    shown = [quoted(text) for _, text in often[:_SHOWN]]
    shown += ["others"] if column.n_distinct > _SHOWN else []
    return Finding(
        name,
        REMARKS,
        f"Column {name!r} is called like remarks ({listed(shown)}), which are often written down "
        "when the outcome is known, and is ignored.",
        "Give it the role 'feature' to use it, if it was known beforehand.",
        "warning",
        (USE,),
    )


def is_prose(column: Texts) -> bool:
    """Whether texts are long on average."""
    some = column.distinct.slice(0, 1000)
    length = pc.mean(pc.utf8_length(some)).as_py()
    return bool(length >= _LONG_TEXT or n_words(column) >= _MANY_WORDS)


def n_words(column: Texts) -> float:
    """Return how many words a text has on average."""
    some = column.distinct.slice(0, 1000)
    return 1.0 + float(pc.mean(pc.count_substring(some, " ")).as_py())


def free_text(name: str, column: Texts) -> Finding:
    """Say that free text is ignored, with the way to use it."""
    sample = column.texts[0]
    shown = sample if len(sample) <= 30 else sample[:27] + "..."
    return Finding(
        name,
        "text",
        f"Column {name!r} looks like free text ({shown!r}) and is ignored.",
        "Set its type to 'nominal' to use it as categories, or replace it by columns that say what "
        "matters in the text.",
        "warning",
        (AS_CATEGORIES,),
    )


def remarks(name: str, what: str, n_distinct: int, n_known: int) -> Finding:
    """Say the same of sentences or phrases that repeat seldom."""
    return Finding(
        name,
        "text",
        f"Column {name!r} holds {what}, {n_distinct:,} different ones in {n_known:,} rows, and "
        "is ignored.",
        f"Set its type to 'nominal' to use {what} as categories.",
        "warning",
        (AS_CATEGORIES,),
    )
