"""What is found about a table, what is asked about it, and the settings that answer.

Only types: formats, readings and faces all speak of a table in these words.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from probtrees.errors import DataError, as_sentence
from probtrees.words import as_people_read

Role = Literal["feature", "target", "ignore", "weight", "group", "time"]
"""What a column is for.

feature: predicted from; target: predicted; ignore: left out; weight: how often the row counts;
group: rows of one group (a patient, a policy) stay in one fold; time: lets folds train on the
past only.
"""

ROLES: tuple[Role, ...] = get_args(Role)

ROW_ROLES: tuple[Role, ...] = ("weight", "group", "time")
"""Roles of columns that say something of the row and are not predicted from."""

ColumnType = Literal["numeric", "nominal", "boolean", "date", "text", "identifier", "constant"]
"""What a column holds. "text" is free text; "constant" never changes or is always missing."""

Question = Literal["target", "outcome", "aside", "missing", "code", "order", "rows"]
"""All that is ever asked about a table.

target: which column to predict, and its classes; outcome: which class is of interest; aside: what
not to use (identifiers, constants, free text, leaks); missing: which values mean that there is
none; code: number or code; order: day or month first, point or comma; rows: which rows belong
together (copies, weights, persons, time).
"""

QUESTIONS: tuple[Question, ...] = get_args(Question)

Severity = Literal["note", "warning", "error"]
"""note: good to know; warning: worth a decision; error: the table cannot be used like this."""


@dataclass(frozen=True)
class Fix:
    """One setting that answers a finding, for a button.

    Attributes
    ----------
    label : what stands on the button
    option : the option it sets: a role, a type, a step that is added, or another one of reading;
        "outcome" is none of reading
    value : what it is set to; of a step the step as it is written in JSON
    column : the column it is set for, of roles and types
    """

    label: str
    option: str
    value: Any
    column: str | None = None

    def __str__(self) -> str:
        words = f"{self.option}={self.value!r}"
        if self.option in ("role", "type"):
            words = f"{self.option} {self.value!r}"
        elif self.option == "step" and self.value["step"] == "missing":
            words = f"missing {', '.join(map(repr, self.value['texts']))}"
        elif self.option == "step":
            words = f"steps=[{json.dumps(self.value, ensure_ascii=False)}]"
        return f"{self.label} ({words})"


@dataclass(frozen=True)
class Finding:
    """Something a person should know about a table, or is asked.

    Attributes
    ----------
    column : the column it concerns; None for the table as a whole
    question : which of the seven questions it asks; None: it only tells
    sentence : what was found, and where
    severity : how much it matters
    fixes : settings that answer it
    kind : a short key: "identifier", "constant", "leak", "missing class", "repeats", ...
    """

    column: str | None
    question: Question | None
    sentence: str
    severity: Severity = "note"
    fixes: tuple[Fix, ...] = ()
    kind: str = ""

    def __str__(self) -> str:
        ways = f" {' or '.join(map(str, self.fixes))}." if self.fixes else ""
        return as_people_read(as_sentence(self.sentence + ways))


def listed(words: Sequence[str]) -> str:
    """List words as a sentence does.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


class UnreadableTableError(DataError):
    """A file cannot be read as one table; ``findings`` offer other ways to read it."""

    def __init__(self, problem: object, findings: tuple[Finding, ...] = ()) -> None:
        offers = [(found.sentence.rstrip("."), found.fixes[0]) for found in findings if found.fixes]
        ways = [f"{words}; try {fix.option}={fix.value!r}." for words, fix in offers]
        super().__init__(" ".join([str(problem), *ways]))
        self.problem = str(problem)
        self.findings = findings
