"""What a shaped tree is made of, as plain values that code in any language needs."""

from __future__ import annotations

import math

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.shape_curves import additive_member
from probtrees.grow.count_tree import NOT_RECORDED
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

LARGEST_EXPONENT = 700.0
"""Beyond it the exponential function overflows in some databases."""


def refuse_calibrated(model: Model) -> None:
    """Refuse a model whose answers are bent as a last step, which code does not hold."""
    if model.calibration is not None:
        raise DataError(
            "model must not be calibrated to be written as code. Fit it with calibrate='none'."
        )


def exported_member(model: Model) -> AdditiveMember:
    """Return the member of a shaped tree; a calibrated model is refused."""
    refuse_calibrated(model)
    return additive_member(model)


def base_scores(member: AdditiveMember) -> FloatArray:
    """Return every class's score before any node or shape is added."""
    return np.asarray(member.intercept - member.node_means @ member.node_weights)


class SoftSplit:
    """An inner node of a softly routed tree as plain values."""

    def __init__(self, member: Member, schema: Schema, node: int) -> None:
        tree, routing = member.trees[0].tree, member.routing
        assert routing is not None
        arrays = tree.arrays
        column = schema.columns[int(arrays.column[node])]
        self.name = column.name
        self.threshold = float(arrays.threshold[node])
        self.is_number = not math.isnan(self.threshold)
        self.missing: int | None = None
        self.values: dict[str, int] = {}
        rows = float(arrays.weight[node])
        children = list(tree.children(node))
        for child in children:
            branch = int(arrays.branch[child])
            if branch == (NOT_RECORDED if self.is_number else column.n_values):
                self.missing = child
            elif not self.is_number:
                self.values[(column.categories or ())[branch]] = child
        self.below = [
            (c, float(arrays.weight[c]) / rows if rows > 0 else 1 / len(children)) for c in children
        ]
        self.stray = routing.stray / (routing.stray + rows) if routing.stray > 0 else 0.0
        self.middle = float(routing.middle[node]) if self.is_number else 0.0
        self.width = float(routing.blur * routing.spread[node]) if self.is_number else 0.0
