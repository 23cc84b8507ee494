"""A smoothed tree as code that needs nothing of this package: SQL, and plain Python.

Names and values of the data go in as quoted literals, never as code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, CountTree
from probtrees.model.model import Model
from probtrees.model.routing import curtailed_nodes
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema

SLACK = 1e-6
"""A number above a threshold by less than this goes left, as at prediction."""

_DEEPEST_INDENT = 20
"""Levels that are indented; the spaces of a very deep tree would outgrow its rules."""

SELF_CHECK = """\
if __name__ == "__main__":
    for row, expected in TESTS:
        answer = predict_proba(row)
        assert all(abs(p - q) < 1e-9 for p, q in zip(answer, expected)), (row, answer, expected)
    print(len(TESTS), "rows scored as expected")
"""
"""How an exported file checks itself."""

_PYTHON = '''\
"""Class probabilities of a decision tree, with no dependency.

predict_proba takes a row as a dictionary of column names and values: numbers for numeric
columns, texts for the others, None where a value is missing. A missing or unknown value that
has no branch of its own is averaged over the branches by the weight of their training rows.
Run this file to check it on rows that were scored when it was written.
"""

CLASSES = {classes}

# column, threshold (None: one branch per value), {{branch: child}}, child of a missing value,
# children with their weights; for a leaf the class probabilities
NODES = {nodes}

TESTS = {tests}


def predict_proba(row):
    """Return the probability of every class, in the order of CLASSES."""
    answer = [0.0] * len(CLASSES)
    waiting = [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        split = NODES[node]
        if not isinstance(split, tuple):
            answer = [p + share * q for p, q in zip(answer, split)]
            continue
        column, threshold, branches, missing, weights = split
        value = row.get(column)
        child = missing if value is None else branches.get(value if threshold is None else
                                                           float(value) - threshold < {slack!r})
        if child is not None:
            waiting.append((child, share))
        else:
            total = sum(weight for _, weight in weights)
            waiting.extend((below, share * weight / total) for below, weight in weights)
    return answer


{self_check}'''


def hard_tree(model: Model) -> SmoothedTree:
    """Return the tree of a model whose leaves hold its answers, or say why there is none."""
    smoothed = model.tree
    if model.calibration is not None:
        raise DataError(
            "model must not be calibrated to be written as rules, which hold the leaves' own "
            "numbers. Fit it with calibrate='none'."
        )
    if model.members[0].routing is not None:
        raise DataError(
            "model must send rows down one branch at a split to be written as rules. "
            "Fit it with routing='hard'."
        )
    if not (smallest := model.options.get("curtail")):
        return smoothed
    answering = curtailed_nodes(smoothed.tree, float(smallest))
    return replace(smoothed, probs=smoothed.probs[answering])


def python_rules(
    smoothed: SmoothedTree,
    schema: Schema,
    tests: Dataset | None = None,
    expected: np.ndarray | None = None,
) -> str:
    """Write a tree as a Python file that scores rows and checks itself.

    Parameters
    ----------
    smoothed, schema : the tree and the columns it splits on
    tests, expected : rows to check it on, and the probabilities they must get
    """
    tree = smoothed.tree
    nodes = [
        smoothed.probs[node].tolist() if tree.is_leaf[node] else tuple(Split.of(tree, schema, node))
        for node in range(tree.n_nodes)
    ]
    return _PYTHON.format(
        classes=repr(list(schema.classes)),
        nodes=python_list(nodes),
        tests=python_tests(tests, expected),
        slack=SLACK,
        self_check=SELF_CHECK,
    )


def python_tests(tests: Dataset | None, expected: np.ndarray | None) -> str:
    """Write rows with the probabilities that a file must give them."""
    if tests is None or expected is None:
        return python_list([])
    rows = range(tests.n_rows)
    return python_list([(plain_row(tests, row), expected[row].tolist()) for row in rows])


def python_list(items: Sequence[object]) -> str:
    """Write a list over several lines; an empty one is a list too."""
    return "[" + "".join(f"\n    {item!r}," for item in items) + "\n]"


def sql_rules(smoothed: SmoothedTree, schema: Schema, table: str = "my_table") -> str:
    """Write a tree as a SQL query with one column per class.

    A row whose value is missing, or in no branch, where the tree has no branch for that gets
    NULL: averaging over branches has no short form in SQL.
    """
    columns = [
        f"  {_case(smoothed, schema, k)} AS {sql_name('p ' + name)}"
        for k, name in enumerate(schema.classes)
    ]
    return "SELECT\n" + ",\n".join(columns) + f"\nFROM {sql_name(table)};\n"


class Split(NamedTuple):
    """An inner node as plain values.

    Attributes
    ----------
    column : its name
    threshold : None where there is a branch per value
    branches : children by value; of a number by whether it goes left
    missing : the child of a missing value; None where it has no branch of its own
    weights : all children with the weight of their rows
    """

    column: str
    threshold: float | None
    branches: dict[Any, int]
    missing: int | None
    weights: list[tuple[int, float]]

    @classmethod
    def of(cls, tree: CountTree, schema: Schema, node: int) -> Split:
        """Describe a node."""
        arrays, children = tree.arrays, tree.children(node)
        column = schema.columns[int(arrays.column[node])]
        threshold = float(arrays.threshold[node])
        branches = {int(arrays.branch[child]): child for child in children}
        weights = [(child, float(arrays.weight[child])) for child in children]
        if math.isnan(threshold):
            missing, names = branches.pop(column.n_values, None), column.categories or ()
            by_name = {names[branch]: child for branch, child in branches.items()}
            return cls(column.name, None, by_name, missing, weights)
        missing = branches.pop(NOT_RECORDED, None)
        by_side = {branch == LEFT: child for branch, child in branches.items()}
        return cls(column.name, threshold, by_side, missing, weights)


def _case(smoothed: SmoothedTree, schema: Schema, outcome: int) -> str:
    """Write the probability of one class as nested CASE expressions, however deep the tree is."""
    parts: list[str] = []
    # Texts wait to be written, nodes to be taken apart; what comes first is written first.
    waiting: list[str | tuple[int, int]] = [(0, 2)]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            parts.append(found)
            continue
        node, depth = found
        if smoothed.tree.is_leaf[node]:
            parts.append(repr(float(smoothed.probs[node, outcome])))
            continue
        indent = "\n" + "  " * min(depth, _DEEPEST_INDENT)
        below: list[str | tuple[int, int]] = ["CASE"]
        for test, child in _tests(smoothed.tree, schema, node):
            below += [f"{indent}WHEN {test} THEN ", (child, depth + 1)]
        waiting += reversed([*below, f"{indent}END"])
    return "".join(parts)


def _tests(tree: CountTree, schema: Schema, node: int) -> Iterator[tuple[str, int]]:
    """List the branches of a node: what a row must meet in SQL, and where it goes then."""
    name, threshold, branches, missing, _ = Split.of(tree, schema, node)
    column = sql_name(name)
    if missing is not None:
        yield f"{column} IS NULL", missing
    for branch, child in branches.items():
        if threshold is None:
            yield f"{column} = {sql_text(branch)}", child
        else:
            # As at prediction: threshold + SLACK would be the threshold itself for large numbers.
            yield f"{column} - {threshold!r} {'<' if branch else '>='} {SLACK!r}", child


def plain_row(data: Dataset, row: int) -> dict[str, Any]:
    """Write a row as names and values."""
    plain: dict[str, Any] = {}
    for number, column in enumerate(data.schema.features):
        value = float(data.values[row, number])
        if math.isnan(value):
            plain[column.name] = None
        else:
            plain[column.name] = (
                value if column.categories is None else column.categories[int(value)]
            )
    return plain


def sql_name(name: str) -> str:
    """Quote the name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"
