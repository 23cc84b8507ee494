"""A shaped tree as a SQL query, in steps that other models are written with too.

Names and values of the data go in as quoted literals, never as code.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from probtrees.draw.code.additive_parts import (
    LARGEST_EXPONENT,
    SoftSplit,
    base_scores,
    exported_member,
)
from probtrees.draw.code.rules_as_code import sql_name, sql_text
from probtrees.model._predict_kernels import FAR, SMALLEST_STEP
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.column_shape import FARTHEST, NominalShape, NumericShape
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.table.dataset import Schema

NO_LIMIT = 2**63 - 1
"""A limit on rows that none reaches: without it databases write steps into one another, and an
expression that is used twice in every step doubles with each."""


def sql_additive(model: Model, table: str = "my_table") -> str:
    """Write a shaped tree as a SQL query with one column per class.

    Every level of the tree is a step of the query, in which every node is a column: the share
    of the row that arrives there. EXP is all that is asked of the database beyond arithmetic.
    """
    member, schema = exported_member(model), model.schema
    steps = SqlSteps(table)
    add_shaped_scores(steps, member, schema)
    return steps.query([(name, _score(k)) for k, name in enumerate(schema.classes)])


class SqlSteps:
    """A query in steps: each adds columns to all that the one before it had."""

    def __init__(self, table: str) -> None:
        self._steps = [("x0", f"SELECT t.* FROM {sql_name(table)} AS t")]

    def add(self, columns: Sequence[tuple[str, str]]) -> None:
        """Add columns by name, each written in terms of those before."""
        last = self._steps[-1][0]
        listed = "".join(f",\n    {text} AS {name}" for name, text in columns)
        step = f"SELECT {last}.*{listed}\n  FROM {last}\n  LIMIT {NO_LIMIT}"
        self._steps.append((f"x{len(self._steps)}", step))

    def query(self, scores: Sequence[tuple[str, str]]) -> str:
        """Write the whole query, whose answers are the softmax of scores: class, column."""
        answers = [
            f"1.0 / ({_all_against(scores, score)}) AS {sql_name('p ' + name)}"
            for name, score in scores
        ]
        chain = ",\n".join(f"{name} AS (\n  {text}\n)" for name, text in self._steps)
        last = self._steps[-1][0]
        return f"WITH {chain}\nSELECT\n  " + ",\n  ".join(answers) + f"\nFROM {last};\n"

    def add_answers(self, scores: Sequence[tuple[str, str]], mark: str) -> list[str]:
        """Turn scores into probabilities, and return their columns."""
        answers = [
            (sql_name(f"~{mark}p{k}"), f"1.0 / ({_all_against(scores, score)})")
            for k, (_, score) in enumerate(scores)
        ]
        self.add(answers)
        return [column for column, _ in answers]

    def add_opinions(
        self, scores: Sequence[tuple[str, str]], least: float, mark: str
    ) -> list[tuple[str, str]]:
        """Turn scores into logarithms of probabilities, none below a least one."""
        logs = [
            (sql_name(f"~{mark}l{k}"), f"-LN({_all_against(scores, score)})")
            for k, (_, score) in enumerate(scores)
        ]
        self.add(logs)
        floor = repr(math.log(least))
        opinions = [
            (sql_name(f"~{mark}o{k}"), f"CASE WHEN {log} < {floor} THEN {floor} ELSE {log} END")
            for k, (log, _) in enumerate(logs)
        ]
        self.add(opinions)
        return [(name, column) for (name, _), (column, _) in zip(scores, opinions, strict=True)]


def _all_against(scores: Sequence[tuple[str, str]], score: str) -> str:
    """Write one over the softmax of a score among others."""
    return " + ".join(_sql_exp(f"{other} - {score}") for _, other in scores)


def add_soft_path(
    steps: SqlSteps, member: Member, schema: Schema, smallest: float, mark: str = ""
) -> None:
    """Add the share of a row that arrives at every node, level by level."""
    steps.add([(_node(0, mark), "1.0")])
    for level in _levels(member):
        parts = _sql_parts(member, schema, level, mark)
        steps.add([(_raw(child, mark), part) for child, part in parts])
        below = _below(member, level)
        steps.add([(_node(child, mark), _dropped(child, smallest, mark)) for child in below])


def add_shaped_scores(steps: SqlSteps, member: AdditiveMember, schema: Schema) -> None:
    """Add the score of every class."""
    add_soft_path(steps, member, schema, SMALLEST_STEP)
    features = [feature for shape in member.shapes for feature in _sql_features(shape, schema)]
    if features:
        steps.add([(sql_name(name), text) for name, text in features])
        steps.add([(_clip_name(name), _clipped(name)) for name, _ in features])
    n_classes = len(schema.classes)
    steps.add([(_score(k), _sql_score(member, schema, k)) for k in range(n_classes)])


def sql_ends(member: Member, mark: str) -> list[tuple[int, str]]:
    """List nodes with the share of a row that goes no further than there."""
    tree = member.trees[0].tree
    ends = []
    for node in range(tree.n_nodes):
        share = _node(node, mark)
        if children := tree.children(node):
            gone = " AND ".join(f"{_node(child, mark)} = 0.0" for child in children)
            share = f"(CASE WHEN {gone} THEN {share} ELSE 0.0 END)"
        ends.append((node, share))
    return ends


def _levels(member: Member) -> Iterator[list[int]]:
    """List the inner nodes level by level."""
    tree = member.trees[0].tree
    for depth in range(tree.max_depth):
        level = np.flatnonzero((tree.arrays.depth == depth) & ~tree.is_leaf)
        yield [int(node) for node in level]


def _sql_parts(
    member: Member, schema: Schema, level: list[int], mark: str
) -> Iterator[tuple[int, str]]:
    """Write, for every child of a level, the share of the row that goes there."""
    for node in level:
        split = SoftSplit(member, schema, node)
        x = sql_name(split.name)
        for place, (child, size) in enumerate(split.below):
            astray, own = repr(split.stray * size), repr(1.0 - split.stray)
            to_all = repr(size)
            if split.missing is None:
                gone = to_all
            else:
                gone = f"{astray} + {own}" if child == split.missing else astray
            cases = [f"WHEN {x} IS NULL THEN {gone}"]
            if split.is_number:
                gate = _sql_gate(split, x)
                led = {0: f"(1.0 - {gate})", 1: gate}.get(place, "0.0")
                rest = f"{astray} + {own} * {led}"
            else:
                for value, leads_to in split.values.items():
                    said = f"{astray} + {own}" if leads_to == child else astray
                    cases.append(f"WHEN {x} = {sql_text(value)} THEN {said}")
                rest = to_all
            yield child, f"{_node(node, mark)} * (CASE {' '.join(cases)} ELSE {rest} END)"


def _sql_gate(split: SoftSplit, x: str) -> str:
    """Write the share of a number's row that goes right."""
    if split.width <= 0 or not math.isfinite(split.middle):
        return f"(CASE WHEN {x} - {split.threshold!r} >= 1e-6 THEN 1.0 ELSE 0.0 END)"
    off = f"(({x} - {split.middle!r}) / {split.width!r})"
    return (
        f"(CASE WHEN {off} < -{float(FAR)!r} THEN 0.0 WHEN {off} > {float(FAR)!r} THEN 1.0 "
        f"ELSE 1.0 / (1.0 + EXP(-{off})) END)"
    )


def _sql_features(shape: NumericShape | NominalShape, schema: Schema) -> Iterator[tuple[str, str]]:
    """Write the features of a numeric column, brought to scale but not yet bounded."""
    if isinstance(shape, NominalShape):
        return
    x = sql_name(schema.names[shape.column])
    for at, (centre, scale) in enumerate(zip(shape.centre, shape.scale, strict=True)):
        raw = f"({x} * 1.0)"
        if at > 0:
            off = f"(({float(shape.knots[at - 1])!r} - {x}) / {shape.width!r})"
            raw = (
                f"(CASE WHEN {off} > {LARGEST_EXPONENT!r} THEN 0.0 "
                f"ELSE 1.0 / (1.0 + EXP({off})) END)"
            )
        yield f"~f{shape.column} {at}", f"({raw} - {float(centre)!r}) / {float(scale)!r}"


def _clipped(name: str) -> str:
    x = sql_name(name)
    most = repr(FARTHEST)
    return f"CASE WHEN {x} > {most} THEN {most} WHEN {x} < -{most} THEN -{most} ELSE {x} END"


def _clip_name(name: str) -> str:
    return sql_name(name.replace("~f", "~g"))


def _sql_score(member: AdditiveMember, schema: Schema, outcome: int) -> str:
    """Write the score of a class: base, nodes, shapes."""
    terms = [repr(float(base_scores(member)[outcome]))]
    terms += [
        f"({float(member.node_weights[node, outcome])!r} * {_node(node)})"
        for node in range(1, member.smoothed.tree.n_nodes)
    ]
    for shape in member.shapes:
        x = sql_name(schema.names[shape.column])
        if isinstance(shape, NominalShape):
            categories = schema.columns[shape.column].categories or ()
            cases = [f"WHEN {x} IS NULL THEN {float(shape.table[-1, outcome])!r}"]
            cases += [
                f"WHEN {x} = {sql_text(value)} THEN {float(shape.table[code, outcome])!r}"
                for code, value in enumerate(categories)
            ]
            terms.append(f"(CASE {' '.join(cases)} ELSE 0.0 END)")
            continue
        own = [f"({float(shape.offset[outcome])!r})"]
        own += [
            f"({float(weight)!r} * {_clip_name(f'~f{shape.column} {at}')})"
            for at, weight in enumerate(shape.weights[:, outcome])
        ]
        missing = repr(float(shape.missing[outcome]))
        terms.append(f"(CASE WHEN {x} IS NULL THEN {missing} ELSE {' + '.join(own)} END)")
    return "\n      + ".join(terms)


def _sql_exp(difference: str) -> str:
    most = repr(LARGEST_EXPONENT)
    return f"EXP(CASE WHEN {difference} > {most} THEN {most} ELSE {difference} END)"


def _below(member: Member, level: list[int]) -> list[int]:
    return [child for node in level for child in member.trees[0].tree.children(node)]


def _dropped(node: int, smallest: float, mark: str) -> str:
    """Write a share, 0 where it is too small to be followed."""
    raw = _raw(node, mark)
    return f"CASE WHEN {raw} >= {smallest!r} THEN {raw} ELSE 0.0 END"


def _node(node: int, mark: str = "") -> str:
    return sql_name(f"~{mark}n{node}")


def _raw(node: int, mark: str) -> str:
    return sql_name(f"~{mark}r{node}")


def _score(outcome: int) -> str:
    return sql_name(f"~s{outcome}")
