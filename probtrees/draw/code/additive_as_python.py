"""A shaped tree as a Python file that needs nothing of this package.

Names and values of the data go in as quoted literals, never as code.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from probtrees.draw.code.additive_parts import (
    LARGEST_EXPONENT,
    SoftSplit,
    base_scores,
    exported_member,
)
from probtrees.draw.code.python_templates import ENDING, ROUTING, SHAPED
from probtrees.draw.code.rules_as_code import plain_row, python_list
from probtrees.model._predict_kernels import FAR, SMALLEST_STEP
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.column_shape import FARTHEST, NominalShape
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray

_TEMPLATE = '''\
"""Class probabilities of a shaped tree, with no dependency.

predict_proba takes a row as a dictionary of column names and values: numbers for numeric
columns, texts for the others, None where a value is missing. Run this file to check it on rows
that were scored when it was written.
"""

from math import exp

CLASSES = {{classes}}
BASE = {{base}}
SPLITS = {{splits}}
NODES = {{nodes}}
NUMBERS = {{numbers}}
TEXTS = {{texts}}

TESTS = {{tests}}

{routing}

{shaped}

def scores(row):
    """Return the score of every class; their softmax are the probabilities."""
    return _shaped_scores(row, BASE, SPLITS, NODES, NUMBERS, TEXTS)


def predict_proba(row):
    """Return the probability of every class, in the order of CLASSES."""
    return _softmax(scores(row))


{ending}'''

_PYTHON = _TEMPLATE.format(routing=ROUTING, shaped=SHAPED, ending=ENDING)


def python_additive(
    model: Model, tests: Dataset | None = None, expected: FloatArray | None = None
) -> str:
    """Write a shaped tree as a Python file that scores rows and checks itself.

    Parameters
    ----------
    tests, expected : rows to check it on, and the probabilities they must get
    """
    base, splits, nodes, numbers, texts = python_shaped_parts(exported_member(model), model.schema)
    return _PYTHON.format(
        classes=repr(list(model.schema.classes)),
        base=repr(base),
        splits="{" + "".join(f"\n    {node}: {split!r}," for node, split in splits.items()) + "\n}",
        nodes=python_list(nodes),
        numbers=python_list(numbers),
        texts=python_list(texts),
        tests=python_list(python_tests(tests, expected)),
        far=float(FAR),
        most=LARGEST_EXPONENT,
        least=float(SMALLEST_STEP),
        clip=FARTHEST,
    )


def python_shaped_parts(member: AdditiveMember, schema: Schema) -> tuple[Any, ...]:
    """Return base, splits, nodes, and shapes of numbers and of texts as plain values."""
    splits, nodes = python_splits(member, schema), member.node_weights.tolist()
    return base_scores(member).tolist(), splits, nodes, *_python_shapes(member, schema)


def python_splits(member: Member, schema: Schema) -> dict[int, tuple[Any, ...]]:
    """Return every split of a softly routed tree as plain values."""
    inner = np.flatnonzero(~member.trees[0].tree.is_leaf).tolist()
    return {node: _python_split(member, schema, node) for node in inner}


def python_tests(
    tests: Dataset | None, expected: FloatArray | None
) -> list[tuple[dict[str, Any], list[float]]]:
    """Pair rows with the probabilities that a file must give them."""
    if tests is None or expected is None:
        return []
    return [(plain_row(tests, row), expected[row].tolist()) for row in range(tests.n_rows)]


def _python_split(member: Member, schema: Schema, node: int) -> tuple[Any, ...]:
    split = SoftSplit(member, schema, node)
    middle = split.middle if math.isfinite(split.middle) else split.threshold
    lead: Any = (middle, split.width, split.threshold) if split.is_number else split.values
    return split.name, split.is_number, lead, split.missing, split.stray, split.below


def _python_shapes(member: AdditiveMember, schema: Schema) -> tuple[list[Any], list[Any]]:
    numbers: list[Any] = []
    texts: list[Any] = []
    for shape in member.shapes:
        column = schema.columns[shape.column]
        if isinstance(shape, NominalShape):
            table = dict(zip(column.categories or (), shape.table.tolist(), strict=False))
            texts.append((column.name, table, shape.table[-1].tolist()))
            continue
        arrays = (shape.centre, shape.scale, shape.weights, shape.offset, shape.missing)
        listed = [array.tolist() for array in arrays]
        numbers.append((column.name, shape.knots.tolist(), shape.width, *listed))
    return numbers, texts
