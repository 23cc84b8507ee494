"""What every column adds to the probabilities of rows: a base and parts that sum to the answer.

Other programs explain a forecast by its columns. In a tree a step from a node to its child belongs
to the column that is asked there: what the smoother says below minus what it says above. In a
network, or a shaped tree, terms add up in log-odds; they are brought to probabilities by the split
that depends on no order (Aumann and Shapley). No row is made up for it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.additive import explain_additively, table_terms
from probtrees.explain.path import value_text
from probtrees.explain.row import explain_row
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import leaves_of_member
from probtrees.smooth.log_linear.softmax import normalise, straight_line_parts
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray
from probtrees.words import outcome_title, percent


class ColumnParts(NamedTuple):
    """The answers for some rows, taken apart by column.

    Attributes
    ----------
    base : float64[n_rows, n_classes], what is said before any column is asked
    parts : float64[n_rows, n_features, n_classes]; with the base they sum to the probabilities
    """

    base: FloatArray
    parts: FloatArray


@dataclass(frozen=True)
class ColumnExplanation:
    """The answer of a model about one row, taken apart by column.

    It explains what no single leaf answers for: a forest, or a row on many paths of a tree.

    Attributes
    ----------
    target, classes : the names of the target and of its classes
    columns, values : the columns, and what the row holds there, in words
    base : float64[n_classes], what is said before any column is asked
    parts : float64[n_columns, n_classes], what the columns add; with the base they sum to
    probability : float64[n_classes], the answer before any calibration
    n_members : how many trees or networks are averaged
    """

    target: str
    classes: tuple[str, ...]
    columns: tuple[str, ...]
    values: tuple[str, ...]
    base: FloatArray
    parts: FloatArray
    probability: FloatArray
    n_members: int

    def largest_first(self, outcome: int) -> list[int]:
        """Order the columns that move the probability of an outcome, the strongest first."""
        moved = self.parts[:, outcome]
        order = np.argsort(-np.abs(moved), kind="stable")
        return [int(column) for column in order if moved[column] != 0]

    def sentence(self, outcome: int) -> str:
        """Say the answer and what moved it most."""
        title = outcome_title(self.target, self.classes[outcome])
        said = f"{percent(float(self.probability[outcome]))} {title}"
        moved = [
            f"{self.columns[at]} {self.values[at]} ({100 * self.parts[at, outcome]:+.1f})"
            for at in self.largest_first(outcome)[:3]
            if abs(self.parts[at, outcome]) >= 5e-4
        ]
        start = f"{said}, where {percent(float(self.base[outcome]))} is said before any column"
        return f"{start}; moved most, in percentage points, by {', '.join(moved) or 'nothing'}."

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values, ready for JSON."""
        columns = zip(self.columns, self.values, self.parts.tolist(), strict=True)
        return {
            "classes": list(self.classes),
            "probability": self.probability.tolist(),
            "base": self.base.tolist(),
            "members": self.n_members,
            "columns": [
                {"column": name, "value": value, "adds": added} for name, value, added in columns
            ],
        }


def explain_columns(model: Model, data: Dataset) -> ColumnExplanation:
    """Take the answer about the first row apart by column; before any calibration."""
    one = data.take(np.array([0]))
    found = column_parts(replace(model, calibration=None), one)
    n_features = model.schema.n_columns - 1
    return ColumnExplanation(
        target=model.schema.target.title,
        classes=model.schema.classes,
        columns=model.schema.names[:-1],
        values=tuple(value_text(model.schema, at, one.values[0]) for at in range(n_features)),
        base=found.base[0],
        parts=found.parts[0],
        probability=found.base[0] + found.parts[0].sum(axis=0),
        n_members=len(model.members),
    )


def column_parts(model: Model, data: Dataset) -> ColumnParts:
    """Take the probabilities of rows apart by column.

    Parameters
    ----------
    model : a tree, a forest, networks, or a shaped tree, not calibrated
    data : rows under the model's schema; the class is not looked at
    """
    if model.calibration is not None:
        raise DataError(
            "model must not be calibrated to be taken apart by column: the last step bends the "
            "sum. Fit it with calibrate='none'."
        )
    if model.kind == "council":
        raise DataError(
            "model must not be a council to be taken apart by column: some of its members answer "
            "as a whole. Explain a row with explain(row)."
        )
    if model.kind == "shaped" or model.is_network:
        rows = [_of_row(model, data, row) for row in range(data.n_rows)]
        shape = (data.n_rows, data.schema.n_columns - 1, data.n_classes)
        base = np.array([each.base for each in rows]).reshape(-1, data.n_classes)
        return ColumnParts(base, np.array([each.parts for each in rows]).reshape(shape))
    curtail = model.options.get("curtail")
    found = [_of_tree(member, data, curtail) for member in model.members]
    base, parts = (np.asarray(np.mean(each, axis=0)) for each in zip(*found, strict=True))
    return ColumnParts(base, parts)


def _of_tree(member: Member, data: Dataset, curtail: float | None) -> ColumnParts:
    """Walk up from the leaves of all rows at once, and credit every step to its column."""
    smoothed = member.trees[0]
    arrays, probs = smoothed.tree.arrays, smoothed.probs
    landed = leaves_of_member(member, data, curtail)
    rows = np.repeat(np.arange(data.n_rows), np.diff(landed.first))
    nodes, shares = landed.nodes.astype(np.int64), landed.shares
    parts = np.zeros((data.n_rows, data.schema.n_columns - 1, data.n_classes))
    below = nodes > 0
    while below.any():
        rows, nodes, shares = rows[below], nodes[below], shares[below]
        above = arrays.parent[nodes].astype(np.int64)
        moved = shares[:, None] * (probs[nodes] - probs[above])
        np.add.at(parts, (rows, arrays.column[above]), moved)
        nodes = above
        below = nodes > 0
    return ColumnParts(np.tile(probs[0], (data.n_rows, 1)), parts)


def _of_row(model: Model, data: Dataset, row: int) -> ColumnParts:
    """Bring what adds up in log-odds to probabilities, and add the parts of a column up."""
    if model.is_network:
        networks = explain_row(model, data, row).members
        said = [(each.share, *table_terms(each, model.schema)) for each in networks]
    else:
        found = explain_additively(model, data, row)
        said = [(1.0, found.base, [*found.terms])]
    base, parts = np.zeros(data.n_classes), np.zeros((data.schema.n_columns - 1, data.n_classes))
    for share, own, terms in said:
        columns = [model.schema.names.index(term.name) for term in terms]
        scores = np.array([term.scores for term in terms]).reshape(-1, data.n_classes)
        np.add.at(parts, columns, share * straight_line_parts(own, scores))
        base += share * normalise(own[None])[0]
    return ColumnParts(base, parts)
