"""A council as plain Python that needs nothing of this package.

Names and values of the data go in as quoted literals, never as code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from probtrees.draw.code.additive_as_python import (
    python_shaped_parts,
    python_splits,
    python_tests,
)
from probtrees.draw.code.additive_parts import LARGEST_EXPONENT, refuse_calibrated
from probtrees.draw.code.python_templates import ENDING, NETWORK, ROUTING, SHAPED, SOFT_TREE
from probtrees.draw.code.rules_as_code import python_list
from probtrees.explain.shape_curves import councillors
from probtrees.model._predict_kernels import FAR, SMALLEST_PATH, SMALLEST_STEP
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.column_shape import FARTHEST
from probtrees.model.member import AveragedMember, Member
from probtrees.model.model import Model
from probtrees.model.predict import LEAST_OPINION
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray

_TEMPLATE = '''\
"""Class probabilities of a council of models, with no dependency.

predict_proba takes a row as a dictionary of column names and values: numbers for numeric
columns, texts for the others, None where a value is missing. opinions gives what every member
says. Run this file to check it on rows that were scored when it was written.
"""

from bisect import bisect_left
from math import exp, log

CLASSES = {{classes}}

# name, weight, kind, what it is made of
MEMBERS = {{members}}

TESTS = {{tests}}

{routing}

{shaped}

{soft_tree}

{network}

def _answer(kind, parts, row):
    if kind == "shaped tree":
        return _softmax(_shaped_scores(row, *parts))
    if kind == "tree":
        return _tree_proba(row, *parts)
    if kind == "average":
        said = [_answer(*each, row) for each in parts]
        return [sum(proba) / len(said) for proba in zip(*said)]
    return _network_proba(row, *parts, len(CLASSES))


def opinions(row):
    """Return name, weight and probabilities of every member."""
    return [(name, weight, _answer(kind, parts, row)) for name, weight, kind, parts in MEMBERS]


def predict_proba(row):
    """Return the probability of every class, in the order of CLASSES."""
    total = [0.0] * len(CLASSES)
    for _, weight, proba in opinions(row):
        for k, p in enumerate(proba):
            total[k] += weight * log(max(p, {{least_opinion!r}}))
    return _softmax(total)


{ending}'''

_PYTHON = _TEMPLATE.format(
    routing=ROUTING, shaped=SHAPED, soft_tree=SOFT_TREE, network=NETWORK, ending=ENDING
)


def python_council(
    model: Model, tests: Dataset | None = None, expected: FloatArray | None = None
) -> str:
    """Write a council as a Python file that scores rows and checks itself.

    Parameters
    ----------
    tests, expected : rows to check it on, and the probabilities they must get
    """
    refuse_calibrated(model)
    members = [
        (one.name, one.weight, *_parts(one.member, model.schema)) for one in councillors(model)
    ]
    return _PYTHON.format(
        classes=repr(list(model.schema.classes)),
        members=python_list(members),
        tests=python_list(python_tests(tests, expected)),
        far=float(FAR),
        most=LARGEST_EXPONENT,
        least=float(SMALLEST_STEP),
        smallest=float(SMALLEST_PATH),
        clip=FARTHEST,
        least_opinion=LEAST_OPINION,
    )


def _parts(member: Member, schema: Schema) -> tuple[str, tuple[Any, ...]]:
    """Return the kind of a member and what it is made of, as plain values."""
    if isinstance(member, AdditiveMember):
        return "shaped tree", python_shaped_parts(member, schema)
    if isinstance(member, AveragedMember):
        return "average", tuple(_parts(each, schema) for each in member.members)
    if member.routing is not None:
        probs = member.trees[0].probs.tolist()
        return "tree", (python_splits(member, schema), probs)
    cuts = Cuts({}) if member.cuts is None else member.cuts
    return "network", (_columns(cuts, schema), _tables(member, cuts.apply_to_schema(schema)))


def _columns(cuts: Cuts, schema: Schema) -> dict[str, tuple[Any, int]]:
    """Say of every column how its values become codes."""
    coded = cuts.apply_to_schema(schema)
    found: dict[str, tuple[Any, int]] = {}
    for number, column in enumerate(schema.features):
        n_codes = coded.columns[number].n_values
        missing = n_codes - 1 if number in cuts.not_recorded else n_codes
        lead: Any = {value: code for code, value in enumerate(column.categories or ())}
        if number in cuts.points:
            lead = np.asarray(cuts.points[number]).tolist()
        found[column.name] = (lead, missing)
    return found


def _tables(member: Member, schema: Schema) -> list[tuple[str | None, list[Any]]]:
    """Write the tables of a network node by node."""
    found = []
    for smoothed in member.trees:
        tree = smoothed.tree
        nodes = []
        for node in range(tree.n_nodes):
            column = int(tree.arrays.column[node])
            asked = "" if column < 0 else _name(column, schema)
            children = {int(tree.arrays.branch[c]): int(c) for c in tree.children(node)}
            nodes.append((asked, children, smoothed.probs[node].tolist()))
        found.append((_name(tree.target, schema), nodes))
    return found


def _name(column: int, schema: Schema) -> str | None:
    """Return the name of a column; None for the class."""
    names: Sequence[str] = schema.names
    return None if column == schema.target_column else names[column]
