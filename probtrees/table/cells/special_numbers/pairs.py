"""Cells that hold two numbers or a number with its meaning: 120/80, 28:24, "5 - strongly agree".

A few blood pressures are as much two numbers as many are. The result of a match is written like a
time; it is none where hours exceed those of a clock and no minute is below 10 or above 49, which of
15 times hardly any 500th has, or where the name of the column says so.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

_PRESSURE = re.compile(r"(\d{2,3}) ?/ ?(\d{2,3})(?: ?mm ?hg)?", re.I | re.A)
_CALLED_PRESSURE = re.compile(
    r"(?:^|[\W_])(?:n?i?bp|rr|ta|pa)(?:$|[\W_])|blood.?pressure|blutdruck|tension.art|presi[oó]n|"
    r"press[aã]o|pressione|ci[sś]nienie|bloeddruk|blodtry[ck]|verenpaine|krevn[ií].tlak",
    re.I,
)
_NAMED_RANGE = ((60, 260), (30, 160), (1, 200))
_PLAIN_RANGE = ((80, 220), (40, 130), (15, 100))
"""Of the upper pressure, the lower one and their difference; narrower where no name tells."""
_RESULT = re.compile(r"([1-9]\d{0,2}) ?: ?([1-9]\d)", re.A)
_CALLED_RESULT = re.compile(
    r"(?:^|[\W_])(?:(?:final|end)?.?(?:results?|scores?|ergebnis|resultat|stand)|spielstand|"
    r"r[ée]sultat|resultado|marcador|placar|risultato|punteggio|wynik|uitslag|tulos|v[ýy]sledek|"
    r"halbzeit\w*)(?:$|[\W_])",
    re.I,
)
_PLACE = re.compile(r"(-?\d{1,2}\.\d{3,})(?:, |; ?| / )(-?\d{1,3}\.\d{3,})", re.A)
_FEWEST_PLACES, _POLE = 3, 90
_FEWEST_PRESSURES = {True: 2, False: 3}
_FEWEST_RESULTS = {True: 3, False: 15}
"""How many different ones there must be with a name that tells, and without."""
_HOURS_OF_DAY, _LATE, _CLOSE = 24, 49, 10
_LABELLED = re.compile(r"(\d{1,2})(?:\s?[-–=:]\s?|\s?\(|\)\s)([^\W\d_]{2}[^\d]*)", re.A)
_BARE = re.compile(r"\d{1,2}", re.A)
_MOST_STEPS = 11
_FEWEST_STEPS = 3


def are_pressures(texts: Collection[str], name: str) -> bool:
    """Whether all texts with a digit are blood pressures.

    >>> are_pressures(["120/80", "130/85", "110/70"], "x"), are_pressures(["205/55"] * 3, "tyre")
    (True, False)
    """
    found = _all_matches(_PRESSURE, texts)
    is_named = bool(_CALLED_PRESSURE.search(name))
    if len(set(found)) < _FEWEST_PRESSURES[is_named]:
        return False
    ranges = _NAMED_RANGE if is_named else _PLAIN_RANGE
    return all(
        low <= number <= high
        for upper, lower in found
        for number, (low, high) in zip((upper, lower, upper - lower), ranges, strict=True)
    )


def are_places(texts: Collection[str]) -> bool:
    """Whether all texts with a digit are a latitude and a longitude in degrees, as maps give them.

    >>> are_places(["50.83535, 8.06831", "47.142, 9.453", "-1.29207, 36.82195"])
    True
    >>> are_places(["50.8, 8.1", "47.1, 9.4", "48.2, 11.5"])
    False
    """
    found = [match for text in texts if (match := _PLACE.fullmatch(text.strip()))]
    if len({match[0] for match in found}) < _FEWEST_PLACES:
        return False
    others = (text for text in texts if any(map(str.isdigit, text)))
    within = all(abs(float(m[1])) <= _POLE and abs(float(m[2])) <= 2 * _POLE for m in found)
    return within and len(found) == sum(1 for _ in others)


def are_results(texts: Collection[str], name: str) -> bool:
    """Whether texts that look like times are results of matches.

    >>> games = [f"{21 + n * 5 % 14}:{19 + n * 3 % 13}" for n in range(30)]
    >>> are_results(games, "x"), are_results([f"{n}:30" for n in range(10, 40)], "x")
    (True, False)
    >>> are_results(["28:24", "21:21", "19:30"], "Ergebnis"), are_results(["8:05"], "result")
    (True, False)
    """
    found = _all_matches(_RESULT, texts)
    is_named = bool(_CALLED_RESULT.search(name))
    if len(set(found)) < _FEWEST_RESULTS[is_named]:
        return False
    one, other = np.array(found).T
    if other.max() > min(_LATE, one.max() + _CLOSE):
        return False
    is_no_clock = one.max() >= _HOURS_OF_DAY and abs(np.median(one) - np.median(other)) <= _CLOSE
    return is_named or bool(is_no_clock and len(np.unique(other)) >= _FEWEST_STEPS)


def are_labelled_steps(texts: Sequence[str]) -> bool:
    """Whether texts are the steps of a scale, some with their meaning behind and some without.

    >>> are_labelled_steps(["1 - never", "2", "3", "4", "5 - always"])
    True
    >>> are_labelled_steps(["1 - never", "2 - seldom", "3 - often"]), are_labelled_steps(["1", "2"])
    (False, False)
    """
    labelled = [match for text in texts if (match := _LABELLED.fullmatch(text.strip()))]
    bare = {int(text) for text in texts if _BARE.fullmatch(text.strip())}
    named = [int(match[1]) for match in labelled]
    steps = sorted({*bare, *named})
    if not labelled or not bare or len(set(named)) < len(named):
        return False
    if len(labelled) + len(bare) < len(texts) or not _FEWEST_STEPS <= len(steps) <= _MOST_STEPS:
        return False
    return steps[0] in (0, 1) and steps[-1] - steps[0] == len(steps) - 1


def _all_matches(pattern: re.Pattern[str], texts: Collection[str]) -> list[tuple[int, int]]:
    """Return both numbers of all texts with a digit; nothing where one of these is another text."""
    found = []
    for text in texts:
        if match := pattern.fullmatch(text.strip()):
            found.append((int(match[1]), int(match[2])))
        elif any(map(str.isdigit, text)):
            return []
    return found
