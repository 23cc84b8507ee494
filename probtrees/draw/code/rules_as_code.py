"""A smoothed tree as code that needs nothing of this package: SQL, and plain Python.

Names and values of the data go in as quoted literals, never as code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count_tree import LEFT, NOT_RECORDED, CountTree
from probtrees.model.model import Model
from probtrees.model.routing import curtailed_nodes
from probtrees.score.decision import Cut
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Column, Schema

SLACK = 1e-6
"""A number above a threshold by less than this goes left, as at prediction."""

_PLAIN = re.compile(r"[-+]?\d*\.?\d+|true|false", re.I)
"""A value that a column may hold as a number or a truth value."""

_DEEPEST_INDENT = 20
"""Levels that are indented; the spaces of a very deep tree would outgrow its rules."""

_PYTHON = '''\
"""Class probabilities of {what}, with no dependency.

predict_proba takes a row as a dictionary of column names and values: numbers for numeric
columns, texts for the others, None where a value is missing.
"""
{imports}
{prepared}CLASSES = {classes}

# by column, what cells stand for: another value, or none ("")
MEANS = {means}


def cell(row, name):
    """Return a value as the model reads it: None where it is missing, no blanks around."""
    value = row.get(name)
    value = value.strip() if isinstance(value, str) else value
    value = MEANS.get(name, {{}}).get(str(value).removesuffix(".0"), value)
    return None if value == "" or value != value else value


{functions}{decision}'''
"""An exported file; it holds no row of the table."""

_FUNCTIONS = '''\
# column, threshold (None: one branch per value), {{branch: child}}, child of a missing value,
# children with their weights; for a leaf the class probabilities
NODES = {nodes}


def predict_proba(row):
    """Return the probability of every class, in the order of CLASSES.

    A missing or unknown value that has no branch of its own is averaged over the branches by the
    weight of their training rows.
    """
    answer = [0.0] * len(CLASSES)
    waiting = [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        split = NODES[node]
        if not isinstance(split, tuple):
            answer = [p + share * q for p, q in zip(answer, split)]
            continue
        column, threshold, branches, missing, weights = split
        value = cell(row, column)
        child = missing if value is None else branches.get(value if threshold is None else
                                                           float(value) - threshold < {slack!r})
        if child is not None:
            waiting.append((child, share))
        else:
            total = sum(weight for _, weight in weights)
            waiting.extend((below, share * weight / total) for below, weight in weights)
    return answer
'''

_DECISION = '''

def decision(row):
    """Return what to do with a row."""
    chance = predict_proba(row)[{outcome}]
    return {by_lot}"act" if chance >= {threshold!r} else "leave"
'''


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


def python_rules(smoothed: SmoothedTree, schema: Schema, act: Cut | None = None) -> str:
    """Write a tree as a Python file that scores rows.

    Parameters
    ----------
    smoothed, schema : the tree and the columns it splits on
    act : on whom its function ``decision`` says act
    """
    tree = smoothed.tree
    nodes = [
        smoothed.probs[node].tolist() if tree.is_leaf[node] else tuple(Split.of(tree, schema, node))
        for node in range(tree.n_nodes)
    ]
    return python_file(
        split_columns(tree, schema),
        act,
        what="a decision tree",
        imports="",
        classes=list(schema.classes),
        functions=_FUNCTIONS.format(nodes=python_list(nodes), slack=SLACK),
    )


def python_file(columns: Sequence[Column], act: Cut | None, **parts: object) -> str:
    """Write a file of parts, with what reads the cells of columns."""
    means = {column.name: found for column in columns if (found := _meanings(column))}
    parts["decision"] = ""
    if act is not None:
        tied = f'"by lot" if abs(chance - {act.threshold!r}) <= 1e-9 else '
        by_lot = tied if act.lot < 1 else ""
        parts["decision"] = _DECISION.format(**act._asdict(), by_lot=by_lot)
    return _PYTHON.format(prepared=_prepared(columns, "#"), means=means, **parts)


def python_list(items: Sequence[object]) -> str:
    """Write a list over several lines; an empty one is a list too."""
    return "[" + "".join(f"\n    {item!r}," for item in items) + "\n]"


def sql_rules(
    smoothed: SmoothedTree, schema: Schema, table: str = "my_table", act: Cut | None = None
) -> str:
    """Write a tree as a SQL query with one column per class.

    A row whose value is missing or unknown, where the tree has no branch for that, is averaged over
    the branches by their rows, as by the model.

    Parameters
    ----------
    act : on whom a further column ``decision`` says act
    """
    columns = split_columns(smoothed.tree, schema)
    unknown = {column.name: f'"~u{number}"' for number, column in enumerate(columns)}
    known = (
        f",\n    CASE WHEN {_is_known(column)} THEN 0.0 ELSE 1.0 END AS {unknown[column.name]}"
        for column in columns
    )
    writer = _SqlTree(smoothed, schema, unknown)
    answers = ",\n".join(
        f"  COALESCE({writer.case(k)},\n    {writer.average(k)}) AS {sql_name('p ' + name)}"
        for k, name in enumerate(schema.classes)
    )
    rows = f"x AS (\n  SELECT t.*{''.join(known)}\n  FROM ({sql_cells(columns, table)}) AS t\n)"
    return sql_query(rows, f"SELECT\n{answers}\nFROM x", schema, act)


def sql_query(steps: str, scored: str, schema: Schema, act: Cut | None) -> str:
    """Join steps and the query that scores rows, with a decision about them where one is asked."""
    if act is None:
        return f"WITH {steps}\n{scored};\n"
    chance, at = sql_name("p " + schema.classes[act.outcome]), act.threshold
    lot = f"WHEN {chance} BETWEEN {at - 1e-9!r} AND {at + 1e-9!r} THEN 'by lot' "
    act_or_leave = f"WHEN {chance} >= {at!r} THEN 'act' ELSE 'leave' END AS \"decision\""
    decision = f"CASE {lot if act.lot < 1 else ''}{act_or_leave}"
    return f"WITH {steps}, scored AS (\n{scored}\n)\nSELECT scored.*, {decision}\nFROM scored;\n"


def split_columns(tree: CountTree, schema: Schema) -> list[Column]:
    """List the columns that a tree asks for, in the order of the table."""
    asked = np.unique(tree.arrays.column[~tree.is_leaf])
    return [schema.columns[number] for number in asked.tolist()]


def sql_cells(columns: Sequence[Column], table: str) -> str:
    """Select columns as the model reads them."""
    cells = ", ".join(f"{_sql_cell(column)} AS {sql_name(column.name)}" for column in columns)
    return f"{_prepared(columns, '--')}SELECT {cells or '1 AS one'} FROM {sql_name(table)}"


def _sql_cell(column: Column) -> str:
    """Read a cell: blank texts are missing, no blanks around others, and some mean another.

    A column whose values are numbers or truth values is compared with such: it may be no text.
    """
    name, values = sql_name(column.name), column.categories or ()
    plain = all(map(_PLAIN.fullmatch, values))
    raw = name if plain else f"NULLIF(TRIM({name}), '')"
    means = {t: to for t, to in _meanings(column).items() if not plain or _PLAIN.fullmatch(t)}
    if not means:
        return raw
    means, other = {**means, **{value: value for value in values}}, "''" if values else raw
    cases = (
        f"WHEN {raw} = {sql_text(text) if values else text} THEN {sql_text(to) if to else 'NULL'}"
        for text, to in means.items()
    )
    return f"CASE {' '.join(cases)} WHEN {raw} IS NOT NULL THEN {other} END"


def _meanings(column: Column) -> dict[str, str]:
    """Say which cells stand for another value, or for none ("")."""
    values = column.categories or ()
    meant = {text: values[code] for text, code in column.codes.items() if text not in values}
    return meant | {text.removesuffix(".0"): "" for text in column.reading.missing}


def _prepared(columns: Sequence[Column], mark: str) -> str:
    """Name the columns that are made of a table's in a way that code does not repeat."""
    steps = {column.name: {step.step for step in column.steps} - {"join"} for column in columns}
    made = [repr(c.name) for c in columns if c.source or c.reading.name or steps[c.name]]
    told = f"{mark} Give these columns as the model has them, dates as days since 1970-01-01:"
    return f"\n{told} {', '.join(made)}\n" if made else ""


def _is_known(column: Column) -> str:
    name = sql_name(column.name)
    values = ", ".join(sql_text(value) for value in column.categories or ())
    return f"{name} IN ({values})" if values else f"{name} IS NOT NULL"


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


class _SqlTree(NamedTuple):
    """Writes a tree as expressions; ``unknown`` names by column what is 1 where its value is."""

    smoothed: SmoothedTree
    schema: Schema
    unknown: dict[str, str]

    def case(self, outcome: int) -> str:
        """Nest CASE expressions; NULL where a question has no answer."""

        def inner(node: int, depth: int) -> Iterator[str | tuple[int, int]]:
            indent = "\n" + "  " * min(depth, _DEEPEST_INDENT)
            yield "CASE"
            for test, child in self._tests(node):
                yield f"{indent}WHEN {test} THEN "
                yield child, depth + 1
            yield f"{indent}END"

        return self._write(outcome, inner)

    def average(self, outcome: int) -> str:
        """Add up the branches by the share of the row that takes each, all of it or by weight."""

        def inner(node: int, depth: int) -> Iterator[str | tuple[int, int]]:
            split = Split.of(self.smoothed.tree, self.schema, node)
            tests = {child: test for test, child in self._tests(node)}
            total, mark = sum(weight for _, weight in split.weights), self.unknown[split.column]
            if split.missing is not None:
                mark = f"CASE WHEN {sql_name(split.column)} IS NULL THEN 0.0 ELSE {mark} END"
            for number, (child, weight) in enumerate(split.weights):
                taken = f"CASE WHEN {tests[child]} THEN 1.0 ELSE 0.0 END"
                yield f"{' + ' if number else '('}({taken} + {weight / total!r} * {mark}) * "
                yield child, depth + 1
            yield ")"

        return self._write(outcome, inner)

    def _write(
        self, outcome: int, inner: Callable[[int, int], Iterator[str | tuple[int, int]]]
    ) -> str:
        """Write nodes within each other, however deep the tree is."""
        parts: list[str] = []
        # Texts wait to be written, nodes to be taken apart; what comes first is written first.
        waiting: list[str | tuple[int, int]] = [(0, 2)]
        while waiting:
            found = waiting.pop()
            if isinstance(found, str):
                parts.append(found)
            elif self.smoothed.tree.is_leaf[found[0]]:
                parts.append(repr(float(self.smoothed.probs[found[0], outcome])))
            else:
                waiting += reversed([*inner(*found)])
        return "".join(parts)

    def _tests(self, node: int) -> Iterator[tuple[str, int]]:
        """List the branches of a node: what a row must meet, and where it goes then."""
        name, threshold, branches, missing, _ = Split.of(self.smoothed.tree, self.schema, node)
        column = sql_name(name)
        if missing is not None:
            yield f"{column} IS NULL", missing
        for branch, child in branches.items():
            if threshold is None:
                yield f"{column} = {sql_text(branch)}", child
                continue
            # A number that is cut off, as in a column of single precision, goes with its cut.
            limit = threshold + SLACK
            exact = threshold.is_integer() or limit == threshold
            left, right = ("<=", ">") if exact else ("<", ">=")
            number = format(Decimal(repr(threshold if exact else limit)), "f")
            yield f"{column} {left if branch else right} {number.removesuffix('.0')}", child


def sql_name(name: str) -> str:
    """Quote the name of a column or table."""
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    """Quote a text."""
    return "'" + text.replace("'", "''") + "'"
