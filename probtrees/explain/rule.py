"""Which rows a node describes, in words: the conditions on the way from the root.

Pictures, outlines, explanations and exported code all name branches in the words of this
file, so that a node reads the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from probtrees.errors import OptionError, did_you_mean
from probtrees.grow.count_tree import LEFT, NO_NODE, NOT_RECORDED, CountTree
from probtrees.table.dataset import Column, Schema
from probtrees.table.number_text import number_text

NOT_RECORDED_TEXT = "not recorded"
"""What a missing value is called where people read it."""


@dataclass(frozen=True)
class Condition:
    """What a row's value in one column must be: one value, a range, or missing.

    Attributes
    ----------
    column : the column number, name : what it is called
    category : the value it must have; None unless the column is nominal
    above, up_to : the range it must lie in, ``above < value <= up_to``; infinite where open
    missing : whether the value must be missing
    others : conditions of the same column that may be met instead
    unit : how numbers of the column are written, see :func:`number_text`
    values : the only values of a number, by what they are called, if it has but two
    shown_cuts : cuts that are shown shorter, each with how
    """

    column: int
    name: str
    category: str | None = None
    above: float = -math.inf
    up_to: float = math.inf
    missing: bool = False
    others: tuple[Condition, ...] = ()
    unit: str = ""
    values: tuple[tuple[float, str], ...] = ()
    shown_cuts: tuple[tuple[float, float], ...] = ()

    @property
    def predicate(self) -> str:
        """The condition without the column's name, short: ``≤ 54``, ``= male``."""
        return " or ".join([self._own_predicate, *(other.predicate for other in self.others)])

    @property
    def _own_predicate(self) -> str:
        if self.missing:
            return NOT_RECORDED_TEXT
        if self._value is not None:
            return f"= {self._value}"
        return self._range(">", "≤")

    def _range(self, more: str, most: str) -> str:
        """Write between what the value lies, with words or signs for both ends."""
        low, high = f"{more} {self._written(self.above)}", f"{most} {self._written(self.up_to)}"
        if math.isinf(self.above):
            return high
        return low if math.isinf(self.up_to) else f"{low} and {high}"

    @property
    def _value(self) -> str | None:
        """What the value must be, where only one is possible."""
        inside = [name for value, name in self.values if self.above < value <= self.up_to]
        return inside[0] if len(inside) == 1 else self.category

    def told_to(self, value: float) -> Condition:
        """Return the condition as it is told beside a value: exact where that lies in between.

        >>> age = Condition(0, "age", above=4.083, shown_cuts=((4.083, 4.1),))
        >>> age.told_to(5.0).short, age.told_to(4.09).short
        ('age > 4.1', 'age > 4.083')
        """
        between = any(cut < value <= shown for cut, shown in self.shown_cuts)
        return replace(self, shown_cuts=()) if between else self

    def _written(self, cut: float) -> str:
        return number_text(dict(self.shown_cuts).get(cut, cut), self.unit)

    @property
    def short(self) -> str:
        """The condition for a picture: ``age ≤ 54``."""
        return f"{self.name} {self.predicate}"

    @property
    def words(self) -> str:
        """The condition for a sentence: ``age is at most 54``."""
        return " or ".join([self._own_words, *(other.words for other in self.others)])

    @property
    def _own_words(self) -> str:
        if self.missing:
            return f"{self.name} was not recorded"
        if self._value is not None:
            return f"{self.name} is {self._value}"
        ends = ("after", "not after") if self.unit == "date" else ("above", "at most")
        return f"{self.name} is {self._range(*ends)}"


def branch_condition(tree: CountTree, schema: Schema, node: int) -> Condition | None:
    """Return what leads from a node's parent to it; None at the root."""
    arrays = tree.arrays
    parent = int(arrays.parent[node])
    if parent == NO_NODE:
        return None
    branches = tree.joined.get(node, (int(arrays.branch[node]),))
    first, *others = (_condition(tree, schema, parent, branch) for branch in branches)
    return replace(first, others=tuple(others)) if others else first


def _condition(tree: CountTree, schema: Schema, parent: int, branch: int) -> Condition:
    """Return what leads down one branch of a node."""
    number = int(tree.arrays.column[parent])
    column = schema.columns[number]
    threshold = float(tree.arrays.threshold[parent])
    categories = column.categories or ()
    if math.isnan(threshold) and branch < len(categories):
        return Condition(number, column.title, category=categories[branch])
    if math.isnan(threshold) or branch == NOT_RECORDED:
        return Condition(number, column.title, missing=True)
    whole = _number(number, column)
    return replace(whole, up_to=threshold) if branch == LEFT else replace(whole, above=threshold)


def _number(number: int, column: Column) -> Condition:
    """Return the condition that any number of a column meets."""
    values, cuts = values_named(column, column.two_values), column.shown_cuts
    return Condition(number, column.title, unit=column.unit, values=values, shown_cuts=cuts)


def cut_sides(column: Column, cut: float) -> tuple[str, str]:
    """Write what lies on both sides of a cut; of a number with but two values, which one.

    >>> cut_sides(Column("age"), 54.0), cut_sides(Column("sex", two_values=(1.0, 2.0)), 1.0)
    (('≤ 54', '> 54'), ('= 1', '= 2'))
    """
    return range_words(column, -math.inf, cut), range_words(column, cut, math.inf)


def range_words(column: Column, above: float, up_to: float, values: Sequence[float] = ()) -> str:
    """Write which numbers of a column lie above one end and up to the other, or which values."""
    inside = [name for value, name in values_named(column, values) if above < value <= up_to]
    if inside:
        return ", ".join(inside)
    whole = replace(_number(0, column), shown_cuts=())
    return replace(whole, above=above, up_to=up_to).predicate


def values_named(column: Column, values: Sequence[float]) -> tuple[tuple[float, str], ...]:
    """Name the few values that a number has: ``1 (male)`` where a file says what 1 is.

    >>> values_named(Column("sex", value_labels=(("1", "male"),)), (1.0, 2.0))
    ((1.0, '1 (male)'), (2.0, '2'))
    """
    labels = dict(column.value_labels)
    named = ((value, number_text(value, column.unit)) for value in values)
    return tuple(
        (value, f"{text} ({labels[text]})" if labels.get(text) else text) for value, text in named
    )


def branch_predicates(tree: CountTree, schema: Schema) -> list[str]:
    """Write what leads to every node, without the column's name; nothing at the root."""
    conditions = (branch_condition(tree, schema, node) for node in range(tree.n_nodes))
    return [condition.predicate if condition else "" for condition in conditions]


def rule(tree: CountTree, schema: Schema, node: int) -> list[Condition]:
    """List the conditions a row of the node meets, one per column, in order of appearance.

    Several cuts of one number become one range: not "age > 20, age ≤ 54, age > 30" but
    "age > 30 and ≤ 54".
    """
    conditions: list[Condition] = []
    for step in tree.path(node)[1:]:
        conditions = _extended(conditions, branch_condition(tree, schema, step))
    return conditions


def all_rules(tree: CountTree, schema: Schema) -> list[list[Condition]]:
    """List the rule of every node, each made from its parent's."""
    rules: list[list[Condition]] = [[]]
    parents = tree.arrays.parent.tolist()
    for node in range(1, tree.n_nodes):
        rules.append(_extended(rules[parents[node]], branch_condition(tree, schema, node)))
    return rules


def _extended(conditions: list[Condition], further: Condition | None) -> list[Condition]:
    """Add a condition, merging it with an earlier one on the same column."""
    if further is None:
        return conditions
    for place, earlier in enumerate(conditions):
        if earlier.column != further.column:
            continue
        if further.others:
            break  # either of several: nothing that one range could say
        merged = further
        if further.category is None and not further.missing:
            above, up_to = max(earlier.above, further.above), min(earlier.up_to, further.up_to)
            merged = replace(further, above=above, up_to=up_to)
        return [*conditions[:place], merged, *conditions[place + 1 :]]
    return [*conditions, further]


def rule_text(tree: CountTree, schema: Schema, node: int) -> str:
    """Write the rule of a node on one line: ``sex = male and age ≤ 54``."""
    return conditions_text(rule(tree, schema, node))


def conditions_text(conditions: list[Condition]) -> str:
    """Write conditions on one line."""
    return " and ".join(condition.short for condition in conditions) or "all rows"


def all_rows_text(tree: CountTree) -> str:
    """Name the rows at the root; sums of weights are not called rows alone."""
    return "all rows, weighted" if tree.is_weighted else "all rows"


def outcome_names(tree: CountTree, schema: Schema) -> tuple[str, ...]:
    """Name the outcomes a tree counts.

    A table of an attribute with missing values counts "not recorded" as one more value.
    """
    names = schema.columns[tree.target].categories or ()
    return (*names, NOT_RECORDED_TEXT)[: tree.n_outcomes]


def outcome_number(outcome: int | str, names: Sequence[str]) -> int:
    """Find the outcome that is meant by its name or number."""
    if isinstance(outcome, str):
        if outcome not in names:
            advice = did_you_mean(outcome, names)
            raise OptionError(f"outcome={outcome!r} must be an outcome of the target. {advice}")
        return names.index(outcome)
    if not 0 <= outcome < len(names):
        raise OptionError(f"outcome={outcome!r} must be a number from 0 to {len(names) - 1}.")
    return int(outcome)
