"""Outcomes as oncologists write them: CR, PR, SD and PD; NED, AWD and DOD.

One asks about the trouble first: who progresses under treatment, who has died of the disease.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probtrees.table.cells.same_words import folded

_KIND = (
    r"(?: (?:metabolic |clinical |pathological |radiological )?(?:response|remission|disease|"
    r"ansprechen|erkrankung))?"
)
_RESPONSES = {
    "complete": rf"(?:s?cri?|cmr)\b.*|(?:complete|komplette|vollständige){_KIND}(?: \(s?cr\))?|"
    r"(?:réponse|rémission) complète|(?:respuesta|remisión) completa|"
    r"(?:risposta|remissione) completa",
    "partial": rf"(?:pr|vgpr|pmr)\b.*|(?:very good )?(?:partial|partielle){_KIND}(?: \(pr\))?|"
    r"(?:réponse|rémission) partielle|(?:respuesta|remisión) parcial|"
    r"(?:risposta|remissione) parziale",
    "stable": rf"sd\b.*|(?:stable|stabile){_KIND}(?: \(sd\))?|no change|maladie stable|"
    r"enfermedad estable|malattia stabile|stabilisation",
    "progressive": rf"(?:pd|pmd)\b.*|progressi(?:ve|on|ng){_KIND}(?: \(pd\))?|progress|progredient"
    rf"|progrediente{_KIND}|(?:maladie en )?progression|(?:enfermedad en )?progresión|"
    r"(?:malattia in )?progressione",
    "": r"ne|nd|not (?:evaluable|assessable|assessed|done)|unknown|mr|mixed response|"
    r"nicht beurteilbar|non évaluable|no evaluable|non valutabile",
}
_FEWEST_RESPONSES = 3
_STATES = {
    "dod": "DOD means dead of disease",
    "awd": "AWD means alive with disease",
}
_OTHER_STATES = frozenset(
    {
        "ned",
        "aned",
        "ner",
        "doc",
        "dooc",
        "duc",
        "dotc",
        "doic",
        "awod",
        "lfu",
        "ltfu",
        "unk",
        "dnd",
    }
)
_FEWEST_STATES = 2


class TumourOutcome(NamedTuple):
    """The outcome that one probably asks about, by its place, and why."""

    number: int
    reason: str


def asked_of_tumours(names: Sequence[str], numbers: Sequence[int]) -> TumourOutcome | None:
    """Return the outcome of responses to treatment, or of last states, that is asked about first.

    Parameters
    ----------
    names : all outcomes
    numbers : those that have rows

    >>> asked_of_tumours(["CR", "PR", "SD", "PD"], range(4))
    TumourOutcome(number=3, reason='the worst of the responses to a treatment')
    >>> asked_of_tumours(["AWD", "DOD", "NED"], range(3)).reason
    'DOD means dead of disease'
    """
    keys = {k: re.sub(r"[_\s]+", " ", folded(names[k])).strip(" .") for k in numbers}
    kinds = {k: _response(key) for k, key in keys.items()}
    said = [kind for kind in kinds.values() if kind]
    if None not in kinds.values() and len({*said}) >= _FEWEST_RESPONSES and "progressive" in said:
        worst = next(k for k, kind in kinds.items() if kind == "progressive")
        return TumourOutcome(worst, "the worst of the responses to a treatment")
    states = {key.replace(".", ""): k for k, key in keys.items()}
    if len(states) < _FEWEST_STATES or not states.keys() <= {*_STATES, *_OTHER_STATES}:
        return None
    found = next((key for key in _STATES if key in states), None)
    is_tumour = "ned" in states or "aned" in states or {*_STATES} <= states.keys()
    return TumourOutcome(states[found], _STATES[found]) if found and is_tumour else None


def _response(text: str) -> str | None:
    """Say which response an outcome is; nothing where it could not be judged, None where none."""
    return next((kind for kind, words in _RESPONSES.items() if re.fullmatch(words, text)), None)
