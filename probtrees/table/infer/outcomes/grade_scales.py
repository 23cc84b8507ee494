"""Grades as outcomes: 1 to 5, I to IV, A to E. One asks about an end of such a scale.

Which end is the worse one is told by what the column is called: of satisfaction the lowest, of
severity the highest; letters go from the best to the worst.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from probtrees.table.cells.same_words import folded

_HIGH_IS_WORSE = re.compile(
    r"\b(?:note|schulnote|zensur|severity|schwere|schweregrad|gravité|gravedad|gravità|gravidade|"
    r"stage|stadium|stade|estadio|stadio|asa|nyha|ecog|ctcae|toxicity|toxizität|triage|risk|"
    r"risiko|risque|riesgo|rischio|risco|ryzyko|pain|schmerz|douleur|dolor|damage|schaden|"
    r"injury|verletzung|stress|burnout|difficulty|fibrosis|lameness|hazard)\w*"
)
_LOW_IS_WORSE = re.compile(
    r"\b(?:satisf|zufrieden|satisfac|soddisfa|zadowol|tevreden|nöjd|rating|stars?\b|sterne|étoiles|"
    r"estrellas|bewertung|quality|qualität|qualité|calidad|qualità|qualidade|jakość|recommend|"
    r"weiterempf|recommand|performance|leistung|happiness|wellbeing|well-being|wohlbefinden|mood|"
    r"ocena|nota\b|voto\b|оценка|удовлетвор|trust|vertrauen)\w*"
)
_NUMBERED = re.compile(r"(?P<word>[^\W\d_]{2,12}|)[ .-]?(?P<grade>\d|i{1,3}|iv|v)")
_ROMANS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5}
_USUAL = (4, 5)
_SHORTEST, _LONGEST = 3, 7
"""Where the name of the column or the word before the numbers says that they are a scale."""
_LETTERS = "abcde"


class GradeEnd(NamedTuple):
    """The grade that one probably asks about, by its place, and why."""

    number: int
    reason: str


def asked_grade(names: Sequence[str], numbers: Sequence[int], title: str = "") -> GradeEnd | None:
    """Return the end of a scale that one probably asks about; None where there is no such scale.

    Parameters
    ----------
    names : all outcomes
    numbers : those that have rows enough
    title : the name of the column, with its label where it has one

    >>> asked_grade(["1", "2", "3", "4", "5"], range(5), "Satisfaction").number
    0
    >>> asked_grade(["1", "2", "3", "4"], range(4), "group")
    GradeEnd(number=3, reason='the highest of the grades 1 to 4')
    """
    found = _grades(names, title)
    if found is None or not numbers:
        return None
    grades, said, is_lettered = found
    first, last = (names[k] for k in (grades.index(min(grades)), grades.index(max(grades))))
    if is_lettered:
        worst = max(numbers, key=lambda k: grades[k])
        return GradeEnd(worst, f"the worse end of the grades {first} to {last}")
    is_low, is_high = (words.search(said) for words in (_LOW_IS_WORSE, _HIGH_IS_WORSE))
    if is_low and not is_high:
        why = f"the worse end of the grades {first} to {last}, as {is_low[0]!r} in its name says"
        return GradeEnd(min(numbers, key=lambda k: grades[k]), why)
    worst = max(numbers, key=lambda k: grades[k])
    if is_high and not is_low:
        why = f"the worse end of the grades {first} to {last}, as {is_high[0]!r} in its name says"
        return GradeEnd(worst, why)
    return GradeEnd(worst, f"the highest of the grades {first} to {last}")


def _grades(names: Sequence[str], title: str) -> tuple[list[int], str, bool] | None:
    """Return the grades of outcomes, the words that say what they are, whether they are letters."""
    keys = [folded(name) for name in names]
    if sorted(keys) == list(_LETTERS):
        return [_LETTERS.index(key) for key in keys], folded(title), True
    matches = [_NUMBERED.fullmatch(key) for key in keys]
    words = {match["word"] for match in matches if match}
    if not all(matches) or len(words) > 1:
        return None
    texts = [match["grade"] for match in matches if match]
    grades = [_ROMANS.get(text) or int(text) for text in texts if text in _ROMANS or text.isdigit()]
    said = f"{folded(title)} {' '.join(words)}".strip()
    is_said = bool(_LOW_IS_WORSE.search(said) or _HIGH_IS_WORSE.search(said))
    n_grades = len(grades)
    fits = _SHORTEST <= n_grades <= _LONGEST if is_said else n_grades in _USUAL
    are_all = sorted(grades) == list(range(1, n_grades + 1))
    return (grades, said, False) if fits and are_all else None
