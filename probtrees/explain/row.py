"""Why a network says what it says about one row: what each attribute adds to the odds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from probtrees.errors import DataError
from probtrees.explain.path import value_text
from probtrees.explain.rule import branch_condition
from probtrees.grow.count_tree import CountTree
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import deepest_contexts, log_factors
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray


def likeliest_other(proba: FloatArray, outcome: int) -> int:
    """Return the class that log-odds are taken against: the most probable other one."""
    return int(np.argmax(np.where(np.arange(len(proba)) == outcome, -1.0, proba)))


@dataclass(frozen=True)
class TableSays:
    """What one table says about a row.

    Attributes
    ----------
    tree : which tree of the member it is
    column, name : the attribute; for the class itself, the table of class frequencies
    value : the row's value in words
    nodes : for every class the context that answers, a node of the table; None where the
        table has no answer because the value is missing or new
    contexts : for every class that context in words, the class first
    probs : float64[n_classes], p(value | class, context); for the class itself p(class)
    points : float64[n_classes], log of probs minus the mean over classes. Summed over
        tables they are the log odds: their softmax is the network's answer.
    """

    tree: int
    column: int
    name: str
    value: str
    nodes: tuple[int, ...] | None
    contexts: tuple[tuple[str, ...], ...]
    probs: FloatArray
    points: FloatArray

    def to_dict(self) -> dict[str, Any]:
        """Return the table's say as plain values, ready for JSON."""
        return {
            "tree": self.tree,
            "column": self.name,
            "value": self.value,
            "nodes": None if self.nodes is None else list(self.nodes),
            "contexts": [list(context) for context in self.contexts],
            "probs": self.probs.tolist(),
            "points": self.points.tolist(),
        }


@dataclass(frozen=True)
class NetworkSays:
    """What one network says about a row, table by table.

    Attributes
    ----------
    tables : the class frequencies first, then the attributes in the network's order
    posterior : float64[n_classes], softmax of the summed points
    share : the network's part in the answer of the model; shares sum to 1
    """

    tables: tuple[TableSays, ...]
    posterior: FloatArray
    share: float = 1.0

    def log_odds(self, outcome: int, against: int | None = None) -> FloatArray:
        """Return what each table adds to the log odds of one class against another.

        They sum to log(p(outcome) / p(against)). Without ``against`` the most probable
        other class is taken.
        """
        other = likeliest_other(self.posterior, outcome) if against is None else against
        return np.array([table.points[outcome] - table.points[other] for table in self.tables])


@dataclass(frozen=True)
class RowExplanation:
    """What a model of networks says about a row; one entry per member."""

    members: tuple[NetworkSays, ...]
    posterior: FloatArray

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as plain values, ready for JSON."""
        return {
            "posterior": self.posterior.tolist(),
            "members": [
                {
                    "share": member.share,
                    "posterior": member.posterior.tolist(),
                    "tables": [table.to_dict() for table in member.tables],
                }
                for member in self.members
            ],
        }


def explain_row(model: Model, data: Dataset, row: int = 0) -> RowExplanation:
    """Take the answer of a network, or of an ensemble of networks, apart.

    Every node named in the result can be taken further apart with
    :func:`~probtrees.explain.leaf.explain_leaf`.

    Parameters
    ----------
    data : rows under the model's schema; the class is not looked at
    row : which of them
    """
    one = data.take(np.array([row]))
    members = [_explain_member(member, one) for member in model.members]
    log_joints = np.array(
        [np.sum([log_factors(table.probs) for table in tables], axis=0) for tables in members]
    )
    shares = np.full(len(members), 1 / len(members))
    if model.averaging == "joint":
        shares = np.exp(log_joints - log_joints.max()).sum(axis=1)
        shares /= shares.sum()
    networks = tuple(
        NetworkSays(tables, posterior, float(share))
        for tables, posterior, share in zip(members, normalise(log_joints), shares, strict=True)
    )
    posterior = np.asarray(shares @ np.array([network.posterior for network in networks]))
    return RowExplanation(networks, posterior)


def _explain_member(member: Member, one: Dataset) -> tuple[TableSays, ...]:
    """Ask every table of a network about the row."""
    cut = one if member.cuts is None else member.cuts.apply(one)
    if not member.is_network(one.schema):
        raise DataError(
            "model must be a network to explain a row by its tables. "
            "Explain the leaf the row falls into: see probtrees.explain.leaf."
        )
    return tuple(
        _explain_table(number, smoothed, cut.schema, cut.values[0])
        for number, smoothed in enumerate(member.trees)
    )


def _explain_table(
    number: int, smoothed: SmoothedTree, schema: Schema, row: FloatArray
) -> TableSays:
    """Find the context that answers for each class, and what it says."""
    tree = smoothed.tree
    n_classes = len(schema.classes)
    nodes: tuple[int, ...] | None = None
    by_class = np.tile(row, (n_classes, 1))
    by_class[:, schema.target_column] = np.arange(n_classes)
    found = deepest_contexts(tree, by_class, schema.n_values).tolist()
    if tree.target == schema.target_column:
        node = found[0]
        nodes, value = (node,) * n_classes, "all rows" if node == 0 else "given its parents"
        probs = smoothed.probs[node]
    else:
        value = value_text(schema, tree.target, row)
        outcome = -1 if math.isnan(row[tree.target]) else int(row[tree.target])
        probs = np.ones(n_classes)
        if 0 <= outcome < tree.n_outcomes:
            nodes = tuple(found)
            probs = smoothed.probs[list(nodes), outcome]
    return TableSays(
        tree=number,
        column=tree.target,
        name=schema.names[tree.target],
        value=value,
        nodes=nodes,
        contexts=tuple(_words(tree, schema, node) for node in nodes or ()),
        probs=probs,
        points=log_factors(probs) - log_factors(probs).mean(),
    )


def _words(tree: CountTree, schema: Schema, node: int) -> tuple[str, ...]:
    conditions = (branch_condition(tree, schema, at) for at in tree.path(node))
    return tuple(condition.words for condition in conditions if condition is not None)
