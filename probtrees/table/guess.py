"""Guess what a table is about: which column one wants to know, and which may not be used for it.

The guesses are for people who look at them: each comes with its reason, and is one click away
from being changed. Whoever calls `read_table` gets the last column, as ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from probtrees.table.infer.plan import MAX_NUMERIC_CLASSES, is_undecided
from probtrees.table.read_options import ReadOptions
from probtrees.table.readings.spellings import name_says, spellings
from probtrees.table.readings.words import folded, yes_or_no
from probtrees.table.table_report import ColumnReport, TableReport

Look = Callable[[ReadOptions], TableReport]
"""Looks at the table as it would be read like this."""

_MOST_MISSING, _MANY_NUMBERS = 0.5, 10
_SET_ASIDE = {"leak", "counter"}
"""Columns in use that tell the answer, or count the rows, are set aside."""
_TAKEN = ("numeric target", "variants", "one class")
"""Questions about a target whose first answer is taken without asking."""
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True)
class Guess:
    """How a table is probably meant, and why its target is what one wants to know.

    ``aside`` are the columns that the guess leaves out, with the reason.
    """

    reading: ReadOptions
    reason: str
    aside: Mapping[str, str] = field(default_factory=dict)


class GuessedOutcome(NamedTuple):
    """The number of a class, and in a few words why one probably asks about it."""

    number: int
    reason: str


def guess_reading(look: Look, said: ReadOptions) -> Guess:
    """Guess the target and how it is cut, and set aside what would spoil an answer about it.

    What a person said stays as it is.
    """
    roles = (name for name, role in said.roles.items() if role == "target")
    target, reason = said.target or next(roles, None), ""
    if target is None:
        target, reason = guess_target(look(said), said)
    if target is None:
        return Guess(said, reason)
    reading = said if said.target == target else said.with_role(target, "target")
    report = look(reading)
    for found in report.column(target).findings:
        if found.kind in _TAKEN and found.fixes:
            reading = reading.with_fix(found.fixes[0])
    aside: dict[str, str] = {}
    for column in look(reading).columns:
        if column.name == target or column.name in said.roles:
            continue
        tells = column.role == "feature" and {f.kind for f in column.findings} & _SET_ASIDE
        if tells:
            reading = reading.with_role(column.name, "ignore")
        if tells or column.role == "ignore":
            aside[column.name] = column.why
        elif column.type == "date":
            # Whoever sets aside another column must not bring dates in.
            reading = reading.with_role(column.name, column.role)
    return Guess(reading, reason, aside)


def guess_target(report: TableReport, said: ReadOptions) -> tuple[str | None, str]:
    """Name the column that one probably wants to know, and why."""
    free = [(n, column) for n, column in enumerate(report.columns) if column.name not in said.roles]
    possible = [(n, column) for n, column in free if _can_be_target(column, report.n_rows)]
    if not possible:
        return None, "No column can be predicted as it stands."
    last, last_possible = len(report.columns) - 1, possible[-1][0]
    words = [column.name for _, column in possible if column.type != "numeric"]
    # One column of words among many of numbers is what was sorted by hand.
    alone = words[0] if len(words) == 1 and len(possible) > _MANY_NUMBERS else None
    scores = {n: _score(c, n, last, last_possible) + 2.0 * (c.name == alone) for n, c in possible}
    number, column = max(possible, key=lambda entry: (scores[entry[0]], entry[0]))
    if column.name == alone:
        return alone, f"Guessed as the only one of {len(possible):,} that holds no numbers."
    why = "because it is the last column" if number == last else "by its values"
    if _says_target(column) or name_says(column.name, "maybe target"):
        why = "by its name"
    return column.name, f"Guessed {why}; it has {column.n_distinct:,} different values."


def _can_be_target(column: ColumnReport, n_rows: int) -> bool:
    kinds = {column.type, *(found.kind for found in column.findings)}
    if kinds & {"identifier", "text", "constant", "date", "counter", "person"}:
        return False
    few = column.n_distinct <= MAX_NUMERIC_CLASSES or column.n_distinct <= n_rows / 20
    return column.n_distinct >= 2 and (few or column.type == "numeric")


def _score(column: ColumnReport, number: int, last: int, last_possible: int) -> float:
    """Weigh name, kind and place: a name says most, then two values, then the last place."""
    score = 4.0 * _says_target(column) + 2.0 * name_says(column.name, "maybe target")
    score -= 3.0 * name_says(column.name, "never target")
    score += 2.0 if column.n_distinct == 2 else 1.0 if column.n_distinct <= 10 else 0.0
    score -= 1.0 * (column.type == "numeric" and column.n_distinct > MAX_NUMERIC_CLASSES)
    score -= 3.0 * (column.missing_share > _MOST_MISSING)
    if number == last:
        return score + 3.0
    return score + (1.5 if number == last_possible else 0.5 if number == 0 else 0.0)


def _says_target(column: ColumnReport) -> bool:
    return column.name.strip().lower() == "y" or name_says(column.name, "target")


def guess_outcome(counts: Sequence[tuple[str, int]]) -> GuessedOutcome:
    """Return the class that one probably asks about.

    A word that says so decides; else of two classes the rarer one, unless it means "nothing" or
    all the rest; of more the most frequent one that does not mean "nothing".

    >>> guess_outcome([("No", 90), ("Yes", 161), ("May", 14)])
    GuessedOutcome(number=1, reason='its name says so')
    >>> guess_outcome([("a", 5), ("b", 9)]).number, guess_outcome([("well", 40), ("flu", 9)]).number
    (0, 1)
    >>> guess_outcome([("aucune", 731), ("partielle", 116), ("totale", 53)]).number
    1
    """
    names, rows = [name for name, _ in counts], [n for _, n in counts]
    numbers = [k for k, n in enumerate(rows) if n] or list(range(len(rows)))
    asked = [k for k in numbers if _is_asked(names[k], names)]
    if asked:
        return GuessedOutcome(max(asked, key=lambda k: (rows[k], k)), "its name says so")
    meant = [k for k in numbers if not _means_nothing(names[k])] or numbers
    among = "" if len(meant) == len(numbers) else " that is not the ordinary case"
    if len(numbers) <= 2:
        best = min(meant, key=lambda k: (rows[k], -k))
        return GuessedOutcome(best, f"the one{among}" if among else "the rarer of the two")
    best = max(meant, key=lambda k: (rows[k], k))
    ties = sum(rows[k] == rows[best] for k in meant) > 1
    why = "the last of those that are most frequent" if ties else "the most frequent one"
    return GuessedOutcome(best, f"{why}{among}")


def _is_asked(name: str, names: Sequence[str]) -> bool:
    """Whether a class is called as what people ask about; "1" beside "0" is, too."""
    if len(names) == 2 and {yes_or_no(each) for each in names} == {"yes", "no"}:
        return yes_or_no(name) == "yes"
    is_yes = name.isalpha() and yes_or_no(name) == "yes"
    return not _means_nothing(name) and (is_yes or _says(name, "asked"))


def _means_nothing(name: str) -> bool:
    """Whether a class says that there is nothing, nothing yet, or not what the others say."""
    return _says(name, "nothing") or is_undecided(name)


def _says(name: str, what: str) -> bool:
    words = _WORDS.findall(re.sub(r"\bno[ _-]?show", "noshow", folded(name)))
    return not set(words).isdisjoint(spellings("outcome")[what])
