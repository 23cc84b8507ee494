"""The structure of a Bayesian network classifier: the parents of each column, in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from probtrees.grow.count_tree import NO_COLUMN, CountTree
from probtrees.table.cuts import Cuts


@dataclass(frozen=True)
class Dag:
    """For every column it models, the columns it is conditioned on, in table order.

    The class comes first in every list of parents of an attribute and has none itself.
    Attributes that the model leaves out do not appear.
    """

    parents: Mapping[int, tuple[int, ...]]

    @property
    def columns(self) -> tuple[int, ...]:
        """The modelled columns in the order they were chosen."""
        return tuple(self.parents)

    @property
    def arcs(self) -> list[tuple[int, int]]:
        """The arrows, from and to."""
        return [(parent, child) for child, parents in self.parents.items() for parent in parents]

    @classmethod
    def of_tables(cls, tables: Iterable[CountTree]) -> Dag:
        """Read the parents off counted tables: each level splits on one of them."""
        parents = {}
        for table in tables:
            columns = []
            node = 0
            while table.arrays.column[node] != NO_COLUMN:
                columns.append(int(table.arrays.column[node]))
                node = int(table.arrays.first_child[node])
            parents[table.target] = tuple(columns)
        return cls(parents)


@dataclass(frozen=True)
class StructureMember:
    """One network of a structure: its cuts (None: the data were nominal) and its parents."""

    dag: Dag
    cuts: Cuts | None = None


@dataclass(frozen=True)
class Structure:
    """What a network learner found: one network, or several to be averaged.

    Attributes
    ----------
    members : the networks
    averaging : whether their answers are averaged after ("posterior") or before ("joint")
        they are normalised over the classes
    diagnostics : notes that the app and the reports draw, by name: ``order``,
        ``mutual_information``, ``conditional_mutual_information``, ``k``, ``loss_surface``.
        :func:`probtrees.grow.kdb.describe` writes the usual ones,
        :mod:`probtrees.model.diagnostics` lists their forms; what is left out is not drawn.
    """

    members: tuple[StructureMember, ...]
    averaging: Literal["posterior", "joint"] = "posterior"
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
