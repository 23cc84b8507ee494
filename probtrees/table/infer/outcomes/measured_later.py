"""Columns whose names say that they were measured again: *LVESV 6 Mo* beside *LVESV vor*.

Nobody knows them when a prediction is wanted at the first time, and the outcome may be made of
both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from probtrees.table.infer.leaks import STRONG_COLUMN
from probtrees.table.infer.recognise_numbers import IGNORE
from probtrees.table.infer.row_weights import name_words
from probtrees.table.table_report import Finding


def _mark(when: str) -> re.Pattern[str]:
    """Find words of time at either end of a name; the rest is what was measured."""
    return re.compile(rf"(?:{when}) (?P<behind>.+)|(?P<before>.+) (?:{when})")


_LATER = _mark(
    r"post( ?op)?|after|nach|final|(at )?discharge|entlassung|ende|follow up|followup|fu|après|"
    r"sortie|después|al alta|alta|dopo|dimissione|ontslag|efter|t ?[1-9]|[mw] ?[1-9]\d?|"
    r"[1-9]\d? ?(m|mo|mths?|months?|monate|mois|meses|mesi|maanden|weeks?|wks?|wochen|w)"
)
_EARLIER = _mark(
    r"pre( ?op)?|before|vor|baseline|base|bl|initial|admission|(bei )?aufnahme|beginn|avant|entrée|"
    r"antes|basal|(al )?ingreso|prima|basale|voor|opname|före|t ?0|[mw] ?0"
)
_MOST_LATER = 4
"""More columns measured again are a table of visits, where a question for each would not help."""


def measured_later(names: Iterable[str]) -> dict[str, Finding]:
    """Ask about columns whose names say that they were measured again, after others.

    >>> measured_later(["LVESV vor", "LVESV 6 Mo", "age"])["LVESV 6 Mo"].sentence
    "Was 'LVESV 6 Mo' known beforehand? Its name calls it measured later than 'LVESV vor'."
    """
    called = {name: " ".join(name_words(name)) for name in names}
    earlier = {_measured(words, _EARLIER): name for name, words in called.items()}
    earlier.pop("", None)
    later = {
        name: earlier[what]
        for name, words in called.items()
        if (what := _measured(words, _LATER)) in earlier
    }
    if len(later) > _MOST_LATER:
        return {}
    return {
        name: _asked(name, f"Its name calls it measured later than {before!r}.")
        for name, before in later.items()
    }


def _measured(words: str, mark: re.Pattern[str]) -> str:
    """Return the name less its words of time, nothing where it has none."""
    found = mark.fullmatch(words)
    return (found["behind"] or found["before"]) if found else ""


def _asked(name: str, why: str) -> Finding:
    sentence = f"Was {name!r} known beforehand? {why}"
    return Finding(name, STRONG_COLUMN, sentence, "", "warning", (IGNORE,))
