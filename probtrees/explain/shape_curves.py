"""The shapes of a model's columns as data: curves to draw, and how much each column matters.

How far a shaped tree would move with other rows its refits say, each without a part of the rows:
tree, routing and fit alike, so the spread holds what a choice of splits by these rows adds. It
does not hold what every such model gets wrong. In a council the curves are as loud as their member.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.rule import values_named
from probtrees.model.column_shape import ColumnShape, NominalShape, NumericShape
from probtrees.model.member import AdditiveMember, Member
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba, refit_error
from probtrees.model.routing import add_up_the_tree, find_leaves
from probtrees.model.shape_basis import even_steps
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.types import FloatArray, IntArray

N_POINTS = 101
"""Points of a curve between the least and the largest training value."""
MOST_CODES = 6
"""Values that a column of codes may have: they are drawn as bars, and have names to ask for."""


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
    spread : float64[n, n_classes], the standard error of the scores, centred over the classes:
        by refits without a part of the rows each, and by the rows near a value; None without
        refits. In simulations 91 to 98 % of curves lay inside the band of 90 %
    strength : the standard deviation over the training rows of what the column adds, as a root
        mean square over classes: how much the column matters
    codes : the numbers that categories stand for, where a number has few, see coded_values
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
    codes: tuple[float, ...] = ()
    unit: str = ""
    title: str = ""

    def louder(self, weight: float) -> ShapeCurve:
        """Return the curve as loud as its member is in a council."""
        missing = None if self.missing is None else weight * self.missing
        spread = None if self.spread is None else weight * self.spread
        scores, strength = weight * self.scores, weight * self.strength
        return replace(self, scores=scores, missing=missing, strength=strength, spread=spread)

    def to_dict(self) -> dict[str, Any]:
        """Return the curve as plain values, ready for JSON."""
        record = {
            "column": self.name,
            "values": np.asarray(self.values),
            "scores": self.scores,
            "edges": self.edges,
            "counts": self.counts,
            "missing": self.missing,
            "missing_count": self.missing_count,
            "strength": self.strength,
            "cuts": list(self.cuts),
            "standard_error": self.spread,
        }
        return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in record.items()}


def about(scores: FloatArray, outcome: int) -> FloatArray:
    """Return what scores add to the log-odds of a class.

    Of two classes against the other one; of more, against the mean of all.
    """
    factor = 2.0 if scores.shape[1] == 2 else 1.0
    return np.asarray(factor * (scores[:, outcome] - scores.mean(axis=1)))


def additive_member(model: Model) -> AdditiveMember:
    """Return the member of a shaped tree; any other model has no shapes."""
    member = model.members[0]
    if len(model.members) != 1 or not isinstance(member, AdditiveMember):
        raise DataError(f"model={model.learner!r} must be a shaped tree to have shapes.")
    return member


def shape_curves(model: Model) -> tuple[ShapeCurve, ...]:
    """Return the shape of every column of a shaped tree, the strongest first.

    Of a council they are those of its shaped tree, if it has one, as loud as they are in it.
    """
    if model.kind != "council":
        return curves_of(additive_member(model), model.schema)
    return tuple(
        curve.louder(one.weight)
        for one in councillors(model)
        if isinstance(one.member, AdditiveMember)
        for curve in curves_of(one.member, model.schema)
    )


def curves_of(member: AdditiveMember, schema: Schema) -> tuple[ShapeCurve, ...]:
    """Return the shape of every column of a member, the strongest first."""
    curves = [_curve(shape, member, schema) for shape in member.shapes]
    return tuple(sorted(curves, key=lambda curve: -curve.strength))


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
    return _strength(_way_down(member)[tree.leaves], tree.arrays.weight[tree.leaves])


def _way_down(member: AdditiveMember) -> FloatArray:
    """Add up what the nodes on the way to every node add."""
    scores = np.zeros_like(member.node_weights)
    for node, parent in enumerate(member.smoothed.tree.arrays.parent[1:].tolist(), start=1):
        scores[node] = scores[parent] + member.node_weights[node]
    return scores


def _curve(shape: ColumnShape, member: AdditiveMember, schema: Schema) -> ShapeCurve:
    """Lay the shape of a column out, with what the tree and the refits have to say about it."""
    column, arrays = schema.columns[shape.column], member.smoothed.tree.arrays
    own = arrays.threshold[arrays.column == shape.column]
    cuts = tuple(np.unique(own[np.isfinite(own)]).tolist())
    names: tuple[str, ...] = column.categories or ()
    codes: tuple[float, ...] = ()
    edges = None
    if isinstance(shape, NominalShape):
        at, table, weights = np.arange(len(names), dtype=np.float64), shape.table, shape.counts
        told = table
    elif codes := coded_values(column, shape):
        # Codes are categories: a line between them would mean nothing.
        names = tuple(name for _, name in values_named(column, codes))
        at = np.array(codes)
        weights = np.append(shape.counts[_bars_of(shape, at)], shape.missing_count)
        told = table = np.vstack([shape.scores(at), shape.missing])
    else:
        edges, weights = shape.edges, np.append(shape.counts, shape.missing_count)
        at = even_steps(float(edges[0]), float(edges[-1]), N_POINTS)
        table = np.vstack([shape.scores(at), shape.missing])
        told = shape.scores(np.append(edges[1:] / 2 + edges[:-1] / 2, np.nan))
    strength = _strength(told, weights)
    return ShapeCurve(
        name=column.name,
        title=column.full_title,
        values=at if edges is not None else names,
        scores=table[:-1],
        edges=edges,
        counts=weights[:-1],
        missing=table[-1] if weights[-1] > 0 else None,
        missing_count=float(weights[-1]),
        strength=strength,
        cuts=cuts,
        spread=shape_spread(member, shape, at, strength),
        codes=codes,
        unit=column.unit,
    )


def coded_values(column: Column, shape: NumericShape) -> tuple[float, ...]:
    """List the values of a number that has but two, or few and all whole; nothing of another.

    That they are whole is told by the histogram: all rows lie in the bars of such values.
    """
    low, high = float(shape.edges[0]), float(shape.edges[-1])
    if column.two_values or column.unit or not 1 < high - low < MOST_CODES:
        return column.two_values
    values = np.arange(np.ceil(low), high + 1)
    bars = _bars_of(shape, values)
    is_coded = low % 1 == high % 1 == 0 and not np.delete(shape.counts, bars).any()
    return tuple(values[shape.counts[bars] > 0].tolist()) if is_coded else ()


def _bars_of(shape: NumericShape, values: FloatArray) -> IntArray:
    return np.searchsorted(shape.edges[1:-1], values, side="right")


def group_risks(model: Model, rows: Dataset | None) -> SmoothedTree:
    """Return the tree of a shaped tree with the mean of what the model gives the rows of a node.

    Without rows, with what their counts say, as smoothed when the model was fitted.
    """
    smoothed = additive_member(model).smoothed
    if rows is None:
        return smoothed
    landing = find_leaves(smoothed.tree, rows.values, rows.schema.n_values)
    n_ends, said = np.diff(landing.first), predict_proba(model, rows)
    shares = landing.shares * np.repeat(rows.row_weights, n_ends)
    sums = np.zeros_like(smoothed.probs)
    np.add.at(sums, landing.nodes, shares[:, None] * np.repeat(said, n_ends, axis=0))
    add_up_the_tree(smoothed.tree, sums)
    mass = sums.sum(axis=1, keepdims=True)  # the chances of a row add up to 1
    return replace(
        smoothed, probs=np.where(mass > 0, sums / np.maximum(mass, 1e-300), smoothed.probs)
    )


def _strength(scores: FloatArray, weights: FloatArray) -> float:
    total = weights.sum()
    if total <= 0:
        return 0.0
    centred = scores - scores.mean(axis=1, keepdims=True)
    mean = weights @ centred / total
    return float(np.sqrt((weights @ (centred - mean) ** 2 / total).mean()))


_NEAR = 0.2
"""The part of the middle 90 % of a column's numbers within which rows tell about a value."""

_LEAST_STRENGTH = 0.25
"""What a column may well add to a score where its rows are too few to tell."""

MEANING = (
    "Judged by refits that each leave a part of the rows out: how far the number would move with "
    "other rows like these. What all such models get wrong is not in it."
)


def shape_spread(
    member: AdditiveMember, shape: ColumnShape, x: FloatArray, strength: float
) -> FloatArray | None:
    """Return the standard error of what values of a column add, by class; None without refits.

    Scores are centred over the classes, since only their differences matter. In a refit whose
    rows are all alike in the column it adds nothing. Where rows are few all refits are drawn to
    the same number: nothing is known better than the rows near a value tell, added to what columns
    as strong as this one add at all (the posterior of a normal mean).
    """
    if len(member.refits) < 2:
        return None
    said = []
    for refit in member.refits:
        shapes = [one for one in refit.shapes if one.column == shape.column]
        scores = shapes[0].scores(x) if shapes else np.zeros((len(x), len(member.intercept)))
        said.append(scores - scores.mean(axis=1, keepdims=True))
    counts = member.smoothed.tree.arrays.counts[0]
    rates = (counts + 1) / (counts.sum() + len(counts))
    told = (
        _rows_near(shape, x)[:, None] * rates * (1 - rates) * (len(rates) / (len(rates) - 1)) ** 2
    )
    least = 1 / np.sqrt(told + 1 / max(strength, _LEAST_STRENGTH) ** 2)
    return np.asarray(np.maximum(refit_error(said), least))


def _rows_near(shape: ColumnShape, x: FloatArray) -> FloatArray:
    """Return how many training rows have about this value: of categories this very one."""
    if isinstance(shape, NominalShape):
        return shape.counts[x.astype(np.int64)]
    rows = np.concatenate([[0.0], np.cumsum(shape.counts)])
    # Of the largest and the smallest numbers there are, too, neither range nor slope is infinite.
    unit = float(np.abs(shape.edges).max()) or 1.0
    edges = shape.edges / unit
    low, high = np.interp([0.05 * rows[-1], 0.95 * rows[-1]], rows, edges)
    # Where almost all rows have one number, those of its bin are near.
    reach = max(_NEAR * (high - low), (edges[-1] - edges[0]) / len(shape.counts) / 2)
    with np.errstate(over="ignore"):  # far beyond the edges there are no rows
        ends = [np.interp(x / unit + side * reach, edges, rows) for side in (1, -1)]
    return np.asarray(np.subtract(*ends))


WORDS = {
    "shaped-tree": "a tree and a curve for every column, added up",
    "soft-tree": "a tree that rows near a cut go through on both sides (blend)",
    "tan": "a network in which every column may depend on one other",
    "nb": "a network in which columns depend on the class alone",
    "kdb": "a network in which every column may depend on a few others",
    "skdb": "a network of the columns that help",
    "eskdb": "ten such networks, averaged; what they say is one line of a row's account",
}
"""What a member is, by its name."""


class Councillor(NamedTuple):
    """One member of a council.

    Attributes
    ----------
    name, words : what it is called, and what it is
    weight : the power that its answer is taken to; 1 is a voice as loud as a model alone
    member : the member itself
    """

    name: str
    words: str
    weight: float
    member: Member


def councillors(model: Model) -> tuple[Councillor, ...]:
    """List the members of a council in their order."""
    if model.kind != "council":
        raise DataError(f"model={model.learner!r} must be a council to have members with weights.")
    names = model.options["council"]["members"]
    return tuple(
        Councillor(name, WORDS.get(name, name), float(weight), member)
        for name, weight, member in zip(names, model.weights, model.members, strict=True)
    )


def council_sentence(model: Model) -> str:
    """Say who sits on a council and how loud everybody is."""
    said = [f"{one.name} (weight {one.weight:.2f})" for one in councillors(model)]
    if len(said) == 1:
        return f"Only {said[0]} is left of the council: nobody else helped on held-out rows."
    listed = f"{', '.join(said[:-1])} and {said[-1]}"
    return (
        f"The answers of {listed} are multiplied, each to the power of its weight, which rows "
        "held out have chosen. Who does not help is left out."
    )
