"""A member that is additive in log-odds: a tree's path and the shapes of columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.json_file import decode, encode
from probtrees.model.column_shape import ColumnShape, shape_from_dict
from probtrees.model.member import WholeMember
from probtrees.model.routing import SoftRouting
from probtrees.model.saved_tree import MakeSmoother, tree_from_dict, tree_to_dict
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray


@dataclass(frozen=True, kw_only=True)
class AdditiveMember(WholeMember):
    r"""Scores that add up: of the average row, of every node passed, and of every column.

    .. math:: p(y | x) = softmax(b + \sum_v (R_v(x) - \bar R_v) B_v + \sum_j f_j(x_j))

    R_v = the weight with which a row reaches node v when it is routed softly, f_j = the shape
    of column j. All but b are 0 on average over the training rows.

    Attributes
    ----------
    trees : the tree, alone. Its own probabilities are those of soft routing, which chose how
        rows are routed; they have no part in the answer.
    routing : how rows are routed; never None
    intercept : float64[n_classes], b
    node_weights : float64[n_nodes, n_classes], B_v; the root's are 0
    node_means : float64[n_nodes], the mean of R_v over the training rows
    shapes : one per column that varies
    fitted : the settings of the fit and how they were chosen
    refits : the same fitted without a part of the rows each; how far they lie apart says how
        sure the member is. Empty where they were not asked for, or would take much room.
    """

    routing: SoftRouting
    intercept: FloatArray
    node_weights: FloatArray
    node_means: FloatArray
    shapes: tuple[ColumnShape, ...]
    fitted: Mapping[str, Any] = field(default_factory=dict)
    refits: tuple[AdditiveMember, ...] = field(default=(), repr=False)

    @property
    def smoothed(self) -> SmoothedTree:
        """The tree."""
        return self.trees[0]

    def to_dict(self) -> dict[str, Any]:
        """Return the member as plain values, ready for JSON."""
        record = {
            "kind": "additive",
            "tree": tree_to_dict(self.smoothed),
            "routing": self.routing.to_dict(),
            "intercept": encode(self.intercept),
            "node_weights": encode(self.node_weights),
            "node_means": encode(self.node_means),
            "shapes": [shape.to_dict() for shape in self.shapes],
            "fitted": encode(self.fitted),
        }
        if self.refits:
            record["refits"] = [refit.to_dict() for refit in self.refits]
        return record

    @classmethod
    def from_dict(
        cls, record: Mapping[str, Any], schema: Schema, make_smoother: MakeSmoother
    ) -> AdditiveMember:
        """Read what :meth:`to_dict` wrote, and prove that it can answer."""
        smoothed = tree_from_dict(record["tree"], schema, make_smoother)
        if smoothed.tree.target != schema.target_column:
            raise DataError("tree of an additive member must count the target.")
        n_nodes, n_classes = smoothed.tree.n_nodes, len(schema.classes)
        shapes = tuple(shape_from_dict(shape, schema) for shape in record["shapes"])
        if len({shape.column for shape in shapes}) != len(shapes):
            raise DataError("shapes must be of different columns.")
        return cls(
            trees=(smoothed,),
            routing=SoftRouting.from_dict(record["routing"], n_nodes),
            intercept=_scores(record, "intercept", (n_classes,)),
            node_weights=_scores(record, "node_weights", (n_nodes, n_classes)),
            node_means=_scores(record, "node_means", (n_nodes,)),
            shapes=shapes,
            fitted=dict(decode(record["fitted"])),
            refits=tuple(
                cls.from_dict(refit, schema, make_smoother) for refit in record.get("refits", ())
            ),
        )


def _scores(record: Mapping[str, Any], name: str, shape: tuple[int, ...]) -> FloatArray:
    numbers = np.asarray(decode(record[name]), dtype=np.float64)
    if numbers.shape != shape or not np.isfinite(numbers).all():
        raise DataError(f"{name} must be finite numbers, one for every node and class.")
    return numbers
