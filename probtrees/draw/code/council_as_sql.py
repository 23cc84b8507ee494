"""A council as a SQL query, which gives the same numbers without this package.

Names and values of the data go in as quoted literals, never as code.
"""

from __future__ import annotations

import math

import numpy as np

from probtrees.draw.code.additive_as_sql import (
    SqlSteps,
    add_shaped_scores,
    add_soft_path,
    sql_ends,
)
from probtrees.draw.code.additive_parts import refuse_calibrated
from probtrees.draw.code.rules_as_code import sql_name, sql_text
from probtrees.explain.shape_curves import councillors
from probtrees.grow.count_tree import CountTree
from probtrees.model._predict_kernels import SMALLEST_PATH
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.member import AveragedMember, Member
from probtrees.model.model import Model
from probtrees.model.predict import LEAST_OPINION
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema

LEAST = 1e-300
"""No logarithm is taken of less."""

Scores = list[tuple[str, str]]
"""Classes, each with the column that holds its score."""


def sql_council(model: Model, table: str = "my_table") -> str:
    """Write a council as a SQL query with one column per class.

    Every member adds its own steps; then logarithms of what they say are added up by their
    weights. EXP and LN are all that is asked of the database beyond arithmetic.
    """
    refuse_calibrated(model)
    schema, steps = model.schema, SqlSteps(table)
    said: list[tuple[float, Scores]] = []
    for number, one in enumerate(councillors(model)):
        mark = f"{number} "
        scores = _add_member(steps, one.member, schema, mark)
        said.append((one.weight, steps.add_opinions(scores, LEAST_OPINION, mark)))
    pooled = []
    for k in range(len(schema.classes)):
        terms = [f"({weight!r} * {opinions[k][1]})" for weight, opinions in said]
        pooled.append((sql_name(f"~pool{k}"), " + ".join(terms)))
    steps.add(pooled)
    columns = [column for column, _ in pooled]
    return steps.query(list(zip(schema.classes, columns, strict=True)))


def _add_member(steps: SqlSteps, member: Member, schema: Schema, mark: str) -> Scores:
    """Add the steps of one member, and return where its scores are."""
    if isinstance(member, AdditiveMember):
        add_shaped_scores(steps, member, schema)
        return [(name, sql_name(f"~s{k}")) for k, name in enumerate(schema.classes)]
    columns = [sql_name(f"~{mark}s{k}") for k in range(len(schema.classes))]
    if isinstance(member, AveragedMember):
        scores = _add_average(steps, member, schema, mark)
    elif member.routing is not None:
        add_soft_path(steps, member, schema, float(SMALLEST_PATH), mark)
        scores = _tree_scores(member, mark, len(columns))
    else:
        scores = _add_codes(steps, member, schema, mark)
    steps.add(list(zip(columns, scores, strict=True)))
    return list(zip(schema.classes, columns, strict=True))


def _add_average(steps: SqlSteps, member: AveragedMember, schema: Schema, mark: str) -> list[str]:
    """Add what every member of an ensemble says, and write the logarithm of their mean."""
    said: list[list[str]] = [[] for _ in schema.classes]
    for number, each in enumerate(member.members):
        own = f"{mark}{number} "
        for k, column in enumerate(steps.add_answers(_add_member(steps, each, schema, own), own)):
            said[k].append(column)
    return [f"LN(({' + '.join(each)}) / {len(member.members)}.0 + {LEAST!r})" for each in said]


def _tree_scores(member: Member, mark: str, n_classes: int) -> list[str]:
    """Write the logarithm of what a softly routed tree gives each class, times a constant."""
    probs, ends = member.trees[0].probs, sql_ends(member, mark)
    sums = (
        " + ".join(f"({float(probs[node, k])!r} * {share})" for node, share in ends)
        for k in range(n_classes)
    )
    return [f"LN({text} + {LEAST!r})" for text in sums]


def _add_codes(steps: SqlSteps, member: Member, schema: Schema, mark: str) -> list[str]:
    """Add the codes of a network's columns, and write the scores of the classes."""
    cuts = Cuts({}) if member.cuts is None else member.cuts
    coded = cuts.apply_to_schema(schema)
    codes = []
    for number, column in enumerate(schema.features):
        x, n_codes = sql_name(column.name), coded.columns[number].n_values
        missing = n_codes - 1 if number in cuts.not_recorded else n_codes
        cases = [f"WHEN {x} IS NULL THEN {missing}"]
        last = -1
        if number in cuts.points:
            points = np.asarray(cuts.points[number]).tolist()
            cases += [f"WHEN {x} <= {point!r} THEN {code}" for code, point in enumerate(points)]
            last = len(points)
        else:
            values = enumerate(column.categories or ())
            cases += [f"WHEN {x} = {sql_text(value)} THEN {code}" for code, value in values]
        codes.append((sql_name(f"~{mark}c{number}"), f"CASE {' '.join(cases)} ELSE {last} END"))
    steps.add(codes)
    names = [name for name, _ in codes]
    return [
        "\n      + ".join(
            _table(smoothed, names, schema.target_column, k) for smoothed in member.trees
        )
        for k in range(len(schema.classes))
    ]


def _table(smoothed: SmoothedTree, codes: list[str], target: int, outcome: int) -> str:
    """Write the logarithm of what a table of a network says if the class is this one."""
    tree: CountTree = smoothed.tree

    def said(node: int) -> str:
        logs = [repr(math.log(max(float(p), LEAST))) for p in smoothed.probs[node]]
        if tree.target == target:
            return logs[outcome]
        cases = " ".join(f"WHEN {code} THEN {log}" for code, log in enumerate(logs))
        return f"CASE {codes[tree.target]} {cases} ELSE 0.0 END"

    def below(node: int) -> str:
        column = int(tree.arrays.column[node])
        if column < 0:
            return said(node)
        children = {int(tree.arrays.branch[child]): child for child in tree.children(node)}
        if column == target:
            return below(children[outcome]) if outcome in children else said(node)
        cases = " ".join(f"WHEN {code} THEN {below(child)}" for code, child in children.items())
        return f"CASE {codes[column]} {cases} ELSE {said(node)} END" if cases else said(node)

    return f"({below(0)})"
