"""Whole numbers as outcomes that have an order: points from 0 to 10, counts, scores.

Of eleven points nobody asks for the chance of a 6: one asks whether there are more than so many.
Codes of sorts, such as the uses of land from 1 to 7, have no order, and stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from probtrees.table.infer.column_names.numbered_kinds import numbered_kind
from probtrees.table.infer.row_weights import name_words

_FEWEST = 7
"""Fewer numbers are grades, each of which may be asked about."""
_LEAST_EVEN = 0.75
"""This share of the steps from one number to the next is the smallest one."""
_WHOLE = re.compile(r"-?(?:0|[1-9]\d*)")
_CODES = re.compile(
    r"class(?:es)?|klasse|classe|clase|klas|klasa|label|etikett|étiquette|etiqueta|codes?|kode|kod|"
    r"código|codigo|codice|digits?|ziffer|chiffre|dígito|cifra|cyfra|category|categories|kategorie|"
    r"catégorie|categoría|categoria|kategoria|types?|typ|tipo|art|species|espèce|especie|specie|"
    r"gatunek|clusters?|group|gruppe|groupe|grupo|gruppo|grupa|kind|sort|sorte|segment|family|"
    r"familie|famille|familia|party|partei|parti|partido|partito|partia|brand|marke|marque|marca|"
    r"religion|colou?r|farbe|couleur|region|land[ -]?use|land[ -]?cover|landuse|landcover|cover|"
    r"landnutzung|nutzung|diagnosis|diagnose|cause|ursache|month|monat|mois|mes|mese|weekday"
)
"""Words of a name that says: the numbers stand for sorts, places or parts of the year."""


def are_ordered_numbers(names: Sequence[str], title: str) -> bool:
    """Whether outcomes are whole numbers that one rather cuts in two than asks for one by one.

    Parameters
    ----------
    names : the outcomes
    title : the name of the column

    >>> points = [str(number) for number in range(11)]
    >>> [are_ordered_numbers(points, title) for title in ("Recommend (0-10)", "digit", "land_use")]
    [True, False, False]
    >>> are_ordered_numbers(["11", "12", "21", "31", "32", "41", "51"], "cover_2018")
    False
    >>> are_ordered_numbers(points[1:7], "satisfaction"), are_ordered_numbers(points[1:8], "mood")
    (False, True)
    """
    if len(names) < _FEWEST or not all(map(_WHOLE.fullmatch, names)):
        return False
    words = name_words(title)
    is_code = numbered_kind(title) is not None or _CODES.fullmatch(" ".join(words))
    if is_code or any(map(_CODES.fullmatch, words)):
        return False
    steps = np.diff(np.sort(np.array(names, dtype=np.float64)))
    return bool((steps == steps.min()).mean() >= _LEAST_EVEN)
