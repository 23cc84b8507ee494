"""Which class of a target one probably asks about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from probtrees.table.cells.same_words import folded, yes_or_no

_ASKED = re.compile(
    r"yes|ja|oui|sí|sim|true|wahr|vrai|positive|positiv|pos|ill|sick|diseased|disease|krank|"
    r"malade|cancer|tumor|tumour|malignant|malign|bösartig|infected|infiziert|abnormal|affected|"
    r"relapse|relapsed|recurrence|rezidiv|readmitted|wiederaufnahme|died|dead|death|deceased|"
    r"verstorben|tot|gestorben|exitus|event|ereignis|case|complication|komplikation|churn|"
    r"churned|lost|attrited|gekündigt|kündigung|abgewandert|cancelled|canceled|storniert|"
    r"resigned|quit|failed|fail|failure|ausfall|ausgefallen|defect|defective|defekt|broken|"
    r"default|defaulted|bankrupt|insolvent|delinquent|overdue|late|verspätet|fraud|fraudulent|"
    r"betrug|spam|attack|anomaly|returned|rückgabe|retour|accident|unfall|claim|schaden|bought|"
    r"purchased|converted|gekauft|bad|schlecht|unsatisfied|dissatisfied"
)
"""Words of a class that people ask about, whatever its share."""

_NOT_ASKED = re.compile(
    r"no|nein|non|não|none|kein|keine|keiner|aucun|nothing|nichts|never|nie|not|nicht|without|"
    r"ohne|false|falsch|faux|negative|negativ|neg|normal|healthy|gesund|sain|benign|gutartig|"
    r"control|kontrolle|ok|okay|good|gut|fine|stable|stabil|stayed|geblieben|alive|survived|"
    r"lebt|existing|active|aktiv|unknown|unbekannt|other|others|sonstige|andere|missing|na"
)
_WORDS = re.compile(r"\w+")
_FEW_ROWS, _SMALL_SHARE = 5, 0.04
"""A class of three or more that has fewer rows, or a smaller share of them, may be a slip."""


def guess_outcome(counts: Sequence[tuple[str, int]]) -> int:
    """Return the number of the class that one probably asks about.

    A word that says so decides; else of two classes the rarer one, and of more the most frequent
    one that does not mean "nothing".

    >>> guess_outcome([("No", 90), ("Yes", 161), ("May", 14)]), guess_outcome([("a", 5), ("b", 9)])
    (1, 0)
    >>> guess_outcome([("healthy", 40), ("flu", 60)])
    1
    """
    names = [name for name, _ in counts]
    rows = [n for _, n in counts]
    total = max(sum(rows), 1)
    numbers = [k for k, n in enumerate(rows) if n] or list(range(len(rows)))
    asked = [k for k in numbers if _is_asked(names[k], names)]
    if asked:
        return max(asked, key=lambda k: (rows[k], k))
    meant = [k for k in numbers if not _means_nothing(names[k])] or numbers
    if len(numbers) <= 2:
        return min(meant, key=lambda k: (rows[k], -k))
    enough = [k for k in meant if rows[k] >= max(_FEW_ROWS, _SMALL_SHARE * total)]
    return max(enough or meant, key=lambda k: (rows[k], k))


def _is_asked(name: str, names: Sequence[str]) -> bool:
    """Whether a class is called as what people ask about; "1" beside "0" is, too."""
    if len(names) == 2 and {yes_or_no(each) for each in names} == {"yes", "no"}:
        return yes_or_no(name) == "yes"
    return not _means_nothing(name) and _says(name, _ASKED)


def _means_nothing(name: str) -> bool:
    """Whether a class says that there is nothing, or not what the others say."""
    return _says(name, _NOT_ASKED)


def _says(name: str, words: re.Pattern[str]) -> bool:
    return any(words.fullmatch(word) for word in _WORDS.findall(folded(name)))
