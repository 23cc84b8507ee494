"""The shapes of a model's columns as data: curves to draw, and how much each column matters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.refit_spread import shape_spread
from probtrees.model.additive_member import AdditiveMember
from probtrees.model.column_shape import ColumnShape, NominalShape
from probtrees.model.model import Model
from probtrees.model.shape_basis import even_steps
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

N_POINTS = 101
"""Points of a curve between the least and the largest training value."""


@dataclass(frozen=True)
class ShapeCurve:
    """What the values of a column add, ready to draw.

    Attributes
    ----------
    name : the column's name
    values : float64[n] of a numeric column; the categories' names of a nominal one
    scores : float64[n, n_classes], what each value adds to every class; 0 on average over the
        training rows
    edges, counts : the histogram of the training rows; a nominal column has no edges and one
        count per category
    missing : float64[n_classes], what a missing value adds; None where training had none
    missing_count : training rows without a value
    cuts : where the tree cuts a numeric column, and so may add a step of its own
    spread : float64[n, n_classes], the standard error of the scores, centred over the classes,
        by refits without a part of the rows each; None without refits
    strength : the standard deviation over the training rows of what the column adds, as a root
        mean square over classes: how much the column matters
    unit : how numbers of the column are written
    title : what stands above the curve
    """

    name: str
    values: FloatArray | tuple[str, ...]
    scores: FloatArray
    edges: FloatArray | None
    counts: FloatArray
    missing: FloatArray | None
    missing_count: float
    strength: float
    cuts: tuple[float, ...] = ()
    spread: FloatArray | None = None
    unit: str = ""
    title: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain values, ready for JSON."""
        return {
            "column": self.name,
            "values": list(np.asarray(self.values).tolist()),
            "scores": self.scores.tolist(),
            "edges": None if self.edges is None else self.edges.tolist(),
            "counts": self.counts.tolist(),
            "missing": None if self.missing is None else self.missing.tolist(),
            "missing_count": self.missing_count,
            "strength": self.strength,
            "cuts": list(self.cuts),
            "standard_error": None if self.spread is None else self.spread.tolist(),
        }


def additive_member(model: Model) -> AdditiveMember:
    """Return the member of a shaped tree; any other model has no shapes."""
    member = model.members[0]
    if len(model.members) != 1 or not isinstance(member, AdditiveMember):
        raise DataError(f"model={model.learner!r} must be a shaped tree to have shapes.")
    return member


def shape_curves(model: Model) -> tuple[ShapeCurve, ...]:
    """Return the shape of every column of a shaped tree, the strongest first."""
    return curves_of(additive_member(model), model.schema)


def curves_of(member: AdditiveMember, schema: Schema) -> tuple[ShapeCurve, ...]:
    """Return the shape of every column of a member, the strongest first."""
    curves = [_with_refits(_curve(shape, schema), shape, member) for shape in member.shapes]
    return tuple(sorted(curves, key=lambda curve: -curve.strength))


def _with_refits(curve: ShapeCurve, shape: ColumnShape, member: AdditiveMember) -> ShapeCurve:
    """Add what the tree and the refits have to say about a column."""
    arrays = member.smoothed.tree.arrays
    own = arrays.threshold[arrays.column == shape.column]
    is_nominal = isinstance(shape, NominalShape)
    x = np.arange(len(curve.values), dtype=np.float64) if is_nominal else curve.values
    return replace(
        curve,
        cuts=tuple(np.unique(own[np.isfinite(own)]).tolist()),
        spread=shape_spread(member, shape.column, np.asarray(x, dtype=np.float64)),
    )


def wishes_sentence(model: Model) -> str:
    """Say what was wished of the shapes, and what it costs on held-out rows; empty if nothing."""
    fitted = additive_member(model).fitted
    wishes = fitted.get("wishes")
    if not wishes:
        return ""
    names = model.schema.titles
    said = [f"{names[int(column)]} has no shape" for column in wishes["banned"]]
    about = model.schema.classes[int(wishes.get("outcome", 1))]
    for column, sign in wishes["directions"]:
        way = "fall" if sign > 0 else "rise"
        said.append(f"{names[int(column)]} must never {way} for {about}")
    cost = float(fitted["cost_of_wishes"])
    how = "no worse" if cost <= 0 else f"worse by {cost:.4f}"
    return (
        f"As wished, {'; '.join(said)}. The Brier score of held-out rows is {how} for it. A wish "
        "is about a shape: steps of the tree on the same column may add to it."
    )


def path_strength(model: Model) -> float:
    """Return how much the path matters, in the same unit as the strength of a shape.

    Every training row is taken to its own leaf, without soft routing.
    """
    member = additive_member(model)
    tree = member.smoothed.tree
    scores = np.zeros_like(member.node_weights)
    for node in range(1, tree.n_nodes):
        scores[node] = scores[tree.arrays.parent[node]] + member.node_weights[node]
    return _strength(scores[tree.leaves], tree.arrays.weight[tree.leaves])


def _curve(shape: ColumnShape, schema: Schema) -> ShapeCurve:
    column = schema.columns[shape.column]
    if isinstance(shape, NominalShape):
        has_missing = bool(shape.counts[-1] > 0)
        return ShapeCurve(
            name=column.name,
            title=column.full_title,
            values=column.categories or (),
            scores=shape.table[:-1],
            edges=None,
            counts=shape.counts[:-1],
            missing=shape.table[-1] if has_missing else None,
            missing_count=float(shape.counts[-1]),
            strength=_strength(shape.table, shape.counts),
        )
    values = even_steps(float(shape.edges[0]), float(shape.edges[-1]), N_POINTS)
    middles = np.concatenate([shape.edges[1:] / 2 + shape.edges[:-1] / 2, [np.nan]])
    weights = np.concatenate([shape.counts, [shape.missing_count]])
    return ShapeCurve(
        name=column.name,
        title=column.full_title,
        values=values,
        scores=shape.scores(values),
        edges=shape.edges,
        counts=shape.counts,
        missing=shape.missing if shape.missing_count > 0 else None,
        missing_count=shape.missing_count,
        strength=_strength(shape.scores(middles), weights),
        unit=column.unit,
    )


def _strength(scores: FloatArray, weights: FloatArray) -> float:
    total = weights.sum()
    if total <= 0:
        return 0.0
    centred = scores - scores.mean(axis=1, keepdims=True)
    mean = weights @ centred / total
    return float(np.sqrt((weights @ (centred - mean) ** 2 / total).mean()))
