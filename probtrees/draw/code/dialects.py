"""Arithmetic in steps, one after the other, as SQL and as plain Python write it.

Names and values of the data go in as quoted literals, never as code. Comparisons, products and
numbers are alike in both languages; all else is written here, beside each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from probtrees.draw.code.rules_as_code import python_file, sql_cells, sql_name, sql_text
from probtrees.score.decision import Cut
from probtrees.table.dataset import Column

NO_LIMIT = 2**63 - 1
"""A limit on rows that none reaches: without it databases write steps into one another, and an
expression that is used twice in every step doubles with each."""

LARGEST_EXPONENT = 700.0
"""Beyond it the exponential function overflows in some databases."""

_FUNCTIONS = '''\
NUMBERS = {numbers}
TEXTS = {texts}


def scores(row):
    """Return the score of every class; their softmax are the probabilities."""
    x = {{name: cell(row, name) for name in NUMBERS + TEXTS}}
    x.update((name, float("nan" if x[name] is None else x[name])) for name in NUMBERS)
{steps}
    return [{scores}]


def _softmax(scores):
    raised = [exp(score - max(scores)) for score in scores]
    return [value / sum(raised) for value in raised]


def predict_proba(row):
    """Return the probability of every class, in the order of CLASSES."""
    return _softmax(scores(row))
'''


class Steps:
    """Expressions of a row, each in terms of its cells and of those before.

    In SQL every step is a query that adds columns to the one before it; in Python it is a few
    assignments, a missing number is NaN and a missing text None.
    """

    def __init__(self, language: Literal["sql", "python"]) -> None:
        self.is_sql = language == "sql"
        self.exp, self.log = ("EXP", "LN") if self.is_sql else ("exp", "log")
        self._steps: list[list[tuple[str, str]]] = []
        self._columns: dict[str, Column] = {}

    def add(self, labels: Sequence[str], texts: Sequence[str]) -> list[str]:
        """Compute expressions in a step of their own; return what later ones call them."""
        names = [self.name(label) for label in labels]
        self._steps.append(list(zip(names, texts, strict=True)))
        return names

    def name(self, label: str) -> str:
        """Name a result; no column of a table begins with the mark that SQL gets."""
        return sql_name(f"~{label}") if self.is_sql else label

    def column(self, column: Column) -> str:
        """Name a cell of the row."""
        self._columns[column.name] = column
        return sql_name(column.name) if self.is_sql else f"x[{column.name!r}]"

    def is_missing(self, x: str) -> str:
        """Ask whether a cell is empty; in Python a NaN is what differs from itself."""
        return f"{x} IS NULL" if self.is_sql else f"{x} is None or {x} != {x}"

    def case(self, cases: Sequence[tuple[str, str]], otherwise: str) -> str:
        """Take what stands beside the first condition that holds."""
        if self.is_sql:
            listed = " ".join(f"WHEN {test} THEN {text}" for test, text in cases)
            return f"(CASE {listed} ELSE {otherwise} END)"
        return f"({' else '.join([*(f'{text} if {test}' for test, text in cases), otherwise])})"

    def look_up(self, x: str, table: Mapping[str, str] | Mapping[int, str], otherwise: str) -> str:
        """Take what a table has for a text or a code."""
        if not table:
            return otherwise
        if self.is_sql:
            keys = [sql_text(key) if isinstance(key, str) else str(key) for key in table]
            cases = [(f"{x} = {key}", text) for key, text in zip(keys, table.values(), strict=True)]
            return self.case(cases, otherwise)
        listed = ", ".join(f"{key!r}: {text}" for key, text in table.items())
        return f"{{{listed}}}.get({x}, {otherwise})"

    def interval(self, x: str, points: Sequence[float]) -> str:
        """Say between which points a number lies; one that is a point lies left of it."""
        if self.is_sql and points:
            cases = [(f"{x} <= {point!r}", str(code)) for code, point in enumerate(points)]
            return self.case(cases, str(len(points)))
        return f"bisect_left({points!r}, {x})" if points else "0"

    def total(self, terms: Sequence[str]) -> str:
        """Add up terms; Python reads no expression of thousands, but a list of them."""
        return f"({' + '.join(terms)})" if self.is_sql else f"sum([{', '.join(terms)}])"

    def one_over_softmax(self, scores: Sequence[str], score: str) -> str:
        """Write one over the share of a score among all."""
        most = repr(LARGEST_EXPONENT)
        differences = [f"{other} - {score}" for other in scores]
        bounded = [self.case([(f"{apart} > {most}", most)], apart) for apart in differences]
        return self.total([f"{self.exp}({apart})" for apart in bounded])

    def sql(self, table: str, scores: Mapping[str, str]) -> tuple[str, str]:
        """Write the steps and the query, whose answers are the softmax of scores by class."""
        chain = [f"x0 AS (\n  {sql_cells([*self._columns.values()], table)}\n)"]
        for number, step in enumerate(self._steps):
            listed = "".join(f",\n    {text} AS {name}" for name, text in step)
            chain.append(
                f"x{number + 1} AS (\n  SELECT x{number}.*{listed}\n  FROM x{number}\n"
                f"  LIMIT {NO_LIMIT}\n)"
            )
        answers = [
            f"1.0 / {self.one_over_softmax([*scores.values()], score)} AS {sql_name('p ' + name)}"
            for name, score in scores.items()
        ]
        columns, steps = ",\n  ".join(answers), ",\n".join(chain)
        return steps, f"SELECT\n  {columns}\nFROM x{len(self._steps)}"

    def python(self, act: Cut | None, scores: Sequence[str], **parts: object) -> str:
        """Write a file whose function computes the steps, then the scores of the classes."""
        lines = (f"    {name} = {text}" for step in self._steps for name, text in step)
        columns = [*self._columns.values()]
        numbers, texts = ([c.name for c in columns if c.is_nominal == kind] for kind in (0, 1))
        functions = _FUNCTIONS.format(
            steps="\n".join(lines), scores=", ".join(scores), numbers=numbers, texts=texts
        )
        imports = "\nfrom bisect import bisect_left\nfrom math import exp, log\n"
        return python_file(columns, act, imports=imports, functions=functions, **parts)
