"""A Bayesian network with every table written out: what inference and files of networks need.

A table of counts lists only contexts that rows had; any other context is answered by the deepest
one that was met. Here each context stands for itself, so a table has as many cells as its column
and its parents have combinations of values, and large ones must be refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from math import prod
from typing import Any

import numpy as np

from probtrees.errors import DataError, did_you_mean
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema
from probtrees.types import FloatArray

MOST_CELLS = 2**22
"""Cells of all tables of a network together (32 MB); beyond it nothing is written out."""


@dataclass(frozen=True)
class Variable:
    """A column as a network sees it.

    Attributes
    ----------
    name : of the column
    values : its categories, or its intervals; the last may stand for "not recorded"
    points : where a numeric column is cut; None: its values are categories
    not_recorded : whether the last value stands for a missing cell
    """

    name: str
    values: tuple[str, ...]
    points: tuple[float, ...] | None = None
    not_recorded: bool = False

    def code(self, found: str | float | None) -> int:
        """Return the place of a value: its name, a number to be cut, None for not recorded.

        >>> Variable("age", ("up to 50", "above 50"), (50.0,)).code(63)
        1
        """
        if found is None:
            if not self.not_recorded:
                raise DataError(
                    f"column={self.name!r} must have a value here: in the table it was never "
                    "missing. Leave it out to have it summed over."
                )
            return len(self.values) - 1
        if isinstance(found, str):
            if found not in self.values:
                raise DataError(
                    f"value={found!r} must be a value of {self.name!r}. "
                    f"{did_you_mean(found, self.values)}"
                )
            return self.values.index(found)
        if self.points is None or np.isnan(found):
            raise DataError(
                f"value={found!r} must be one of the values of {self.name!r}, as text: it has no "
                "numbers that could be cut."
            )
        return int(np.searchsorted(self.points, found, side="left"))


@dataclass(frozen=True)
class DenseTable:
    """The probabilities of one variable in every context.

    Attributes
    ----------
    parents : the numbers of its parents, the first varying slowest
    probs : float64[values of each parent ..., values of the variable]
    """

    parents: tuple[int, ...]
    probs: FloatArray


@dataclass(frozen=True)
class DenseNetwork:
    """Variables, and for each the table of its values given its parents.

    Attributes
    ----------
    variables, tables : in one order, any order
    target : the name of the class; None: none was marked
    notes : where it comes from, for the sidecar of a file
    """

    variables: tuple[Variable, ...]
    tables: tuple[DenseTable, ...]
    target: str | None = None
    notes: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        _check(self)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of every variable by name."""
        return {variable.name: number for number, variable in enumerate(self.variables)}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all variables."""
        return tuple(variable.name for variable in self.variables)

    @property
    def dag(self) -> Dag:
        """The parents of every variable, parents before children."""
        graph = {number: table.parents for number, table in enumerate(self.tables)}
        return Dag({number: graph[number] for number in TopologicalSorter(graph).static_order()})

    def variable(self, name: str) -> Variable:
        """Find a variable by name."""
        if name not in self.numbers:
            raise DataError(
                f"column={name!r} must be in the network. {did_you_mean(name, self.names)}"
            )
        return self.variables[self.numbers[name]]


def n_cells(model: Model, member: int = 0) -> int:
    """Count the cells that the tables of one network would have when written out."""
    found = model.members[member]
    n_values = _cut_schema(found, model.schema).n_values
    return sum(
        prod(int(n_values[column]) for column in (target, *parents))
        for target, parents in dag_of(found).parents.items()
    )


def dense_network(model: Model, member: int = 0) -> DenseNetwork:
    """Write the tables of one network of a model out.

    Parameters
    ----------
    member : which network of an ensemble

    Raises
    ------
    DataError : if the model is no network, or its tables would be too large
    """
    if not 0 <= member < len(model.members):
        raise DataError(f"member={member + 1} must be from 1 to {len(model.members)}.")
    found = model.members[member]
    if not found.is_network(model.schema):
        raise DataError(
            f"model={model.learner!r} must be a Bayesian network to be written out as one. "
            "Grow one: see --model."
        )
    cells = n_cells(model, member)
    if cells > MOST_CELLS:
        raise DataError(
            f"The tables of this network would have {cells:,} cells when every context is written "
            f"out: they must stay below {MOST_CELLS:,}. Choose a smaller k or fewer intervals."
        )
    schema = _cut_schema(found, model.schema)
    dag, several = dag_of(found), len(model.members)
    which = {"network": f"{member + 1} of {several}"} if several > 1 else {}
    place = {column: number for number, column in enumerate(dag.columns)}
    trees = {smoothed.tree.target: smoothed for smoothed in found.trees}
    return DenseNetwork(
        tuple(variable_of(schema, column, found.cuts) for column in dag.columns),
        tuple(
            DenseTable(
                tuple(place[parent] for parent in parents),
                _written_out(trees[column], [int(schema.n_values[parent]) for parent in parents]),
            )
            for column, parents in dag.parents.items()
        ),
        model.schema.target.name,
        {"learner": model.learner, "smoother": model.smoother, **which},
    )


def _written_out(smoothed: SmoothedTree, n_values: Sequence[int]) -> FloatArray:
    """Fill a whole table: a context that was never met has the answer of the deepest that was."""
    tree = smoothed.tree
    node = np.zeros((), dtype=np.int64)
    for level, width in enumerate(n_values, start=1):
        node = _children(tree, level, width)[node]
    return np.ascontiguousarray(smoothed.probs[node])


def _children(tree: CountTree, level: int, width: int) -> Any:
    """For every node and value the node that a row goes on to; the node itself if there is none."""
    following = np.repeat(np.arange(tree.n_nodes)[:, None], width, axis=1)
    below = np.flatnonzero(tree.arrays.depth == level)
    following[tree.arrays.parent[below], tree.arrays.branch[below]] = below
    return following


def variable_of(schema: Schema, column: int, cuts: Cuts | None) -> Variable:
    """Return a column of a schema that is cut already, and how it was cut."""
    found = schema.columns[column]
    points = None if cuts is None else cuts.points.get(column)
    missing = cuts is not None and column in cuts.not_recorded
    ends = None if points is None else tuple(points.tolist())
    return Variable(found.name, found.categories or (), ends, missing)


def _cut_schema(member: Member, schema: Schema) -> Schema:
    return schema if member.cuts is None else member.cuts.apply_to_schema(schema)


def dag_of(member: Member) -> Dag:
    """Return the parents of every column of a network, parents before children."""
    return Dag.of_tables(smoothed.tree for smoothed in member.trees)


def _check(network: DenseNetwork) -> None:
    """Prove that what may come from a file is a network."""
    if not network.variables or len(network.variables) != len(network.tables):
        raise DataError("network must have variables, and one table for each.")
    if len(network.numbers) != len(network.variables):
        raise DataError("network must give every variable a name of its own.")
    if network.target is not None and network.target not in network.numbers:
        raise DataError(f"class={network.target!r} must be a variable of the network.")
    sizes = [len(variable.values) for variable in network.variables]
    for variable, table in zip(network.variables, network.tables, strict=True):
        if len(set(variable.values)) != len(variable.values) or not variable.values:
            raise DataError(f"variable={variable.name!r} must have values, each named once.")
        shape = (*(sizes[parent] for parent in table.parents), len(variable.values))
        if table.probs.shape != shape:
            raise DataError(f"table of {variable.name!r} must have a number for every context.")
        sums = table.probs.sum(axis=-1)
        if not (np.isfinite(sums).all() and (table.probs >= 0).all()):
            raise DataError(f"table of {variable.name!r} must hold probabilities.")
        if (np.abs(sums - 1) > 0.01).any():
            raise DataError(f"table of {variable.name!r} must sum to 1 in every context.")
    graph = {number: table.parents for number, table in enumerate(network.tables)}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError:
        raise DataError("network must not have a circle of arrows.") from None
