"""The way from the root to a node: what is asked, what was seen, what is estimated."""

from __future__ import annotations

import math
from dataclasses import dataclass

from probtrees.explain.detail import group_probs
from probtrees.explain.rule import NOT_RECORDED_TEXT, all_rows_text, branch_condition
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import UNSEEN, Schema
from probtrees.table.number_text import number_text
from probtrees.types import FloatArray
from probtrees.words import count_text, percent, plural

NOT_AN_EFFECT = "describes different rows, not the effect of changing this one"


@dataclass(frozen=True)
class PathStep:
    """One node on the way.

    Attributes
    ----------
    node : its number
    condition : what led here in words ("age is at most 54"); "all rows" at the root
    name, predicate : the same for a picture: the column, and what its value is ("≤ 54")
    value : the row's own value of the column asked ("47"), or None without a row
    rows, cases : training rows in the node, and those with the outcome
    observed : cases / rows; None without rows
    estimate : the smoother's probability if the tree were cut here
    shown : what pictures say of the node as a group
    rows_word : what its rows are called
    """

    node: int
    condition: str
    name: str
    predicate: str
    value: str | None
    rows: float
    cases: float
    observed: float | None
    estimate: float
    shown: float
    rows_word: str = "rows"

    @property
    def label(self) -> str:
        """The branch that leads here: ``age ≤ 54``."""
        return f"{self.name} {self.predicate}".strip()

    @property
    def words(self) -> str:
        """The step read aloud."""
        estimate = f"estimate {percent(self.shown)}"
        if self.observed is None:
            return f"{self.label}: no rows; {estimate}"
        counts = f"{count_text(self.cases)} of {plural(self.rows, self.rows_word)}"
        return f"{self.label}: {counts} ({percent(self.observed)}); {estimate}"


def path_steps(
    smoothed: SmoothedTree, schema: Schema, node: int, outcome: int, row: FloatArray | None = None
) -> tuple[PathStep, ...]:
    """Walk from the root to a node.

    Parameters
    ----------
    schema : the columns as the tree sees them (after cutting, for a table)
    row : the values of the row that is followed, if one is
    """
    tree, groups = smoothed.tree, group_probs(smoothed)
    steps = []
    for at in tree.path(node):
        condition = branch_condition(tree, schema, at)
        if condition is not None and row is not None:
            condition = condition.told_to(float(row[condition.column]))
        rows = float(tree.totals[at])
        cases = float(tree.arrays.counts[at, outcome])
        asked = None if condition is None or row is None else condition.column
        steps.append(
            PathStep(
                node=at,
                condition=all_rows_text(tree) if condition is None else condition.words,
                name=all_rows_text(tree) if condition is None else condition.name,
                predicate="" if condition is None else condition.predicate,
                value=None if row is None or asked is None else value_text(schema, asked, row),
                rows=rows,
                cases=cases,
                observed=cases / rows if rows > 0 else None,
                estimate=float(smoothed.probs[at, outcome]),
                shown=float(groups[at, outcome]),
                rows_word=tree.rows_word,
            )
        )
    return tuple(steps)


def value_text(schema: Schema, column: int, row: FloatArray) -> str:
    """Print a row's value of a column as people would write it."""
    value = float(row[column])
    categories = schema.columns[column].categories
    if math.isnan(value):
        return NOT_RECORDED_TEXT
    if categories is None:
        return number_text(value, schema.columns[column].unit)
    if value == UNSEEN or int(value) >= len(categories):
        return "a value never seen in training"
    return categories[int(value)]
