"""The structure of a Bayesian network classifier: the parents of each column, in order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from probtrees.grow.count_tree import NO_COLUMN, CountTree
from probtrees.grow.edits import ArrowEdit, arrow_edit, read_edits
from probtrees.options import Options, option
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Schema


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

    def connected(
        self, column: int, known: Collection[int], hinted: Collection[int] = ()
    ) -> set[int]:
        """Find the columns that are not d-separated from one: they may tell more about it.

        Koller and Friedman (2009), algorithm 3.1: trails are followed; one is blocked at what is
        known, and where two arrows meet unless something is known there or below.

        Parameters
        ----------
        known : columns whose value is known
        hinted : columns of which something is known, but not which value they have: such a hint
            is a child of its own that was seen

        Examples
        --------
        >>> rain_or_tap = Dag({0: (), 1: (), 2: (0, 1)})
        >>> sorted(rain_or_tap.connected(0, [])), sorted(rain_or_tap.connected(0, [2]))
        ([0, 2], [0, 1])
        """
        children: dict[int, list[int]] = {each: [] for each in self.parents}
        for parent, child in self.arcs:
            children[parent].append(child)
        informed = self.above((*known, *hinted))
        seen: set[tuple[int, bool]] = set()
        trails = [(column, True)]  # a column, and whether it was come to from below
        while trails:
            at, from_below = trail = trails.pop()
            if trail in seen or at not in self.parents:
                continue
            seen.add(trail)
            if at not in known:
                trails += [(child, False) for child in children[at]]
            if at in informed if not from_below else at not in known:
                trails += [(parent, True) for parent in self.parents[at]]
        return {at for at, _ in seen if at not in known}

    def above(self, columns: Iterable[int]) -> set[int]:
        """Return columns of the network and all that arrows lead to them from."""
        found: set[int] = set()
        waiting = [each for each in columns if each in self.parents]
        while waiting:
            each = waiting.pop()
            found.add(each)
            waiting += [parent for parent in self.parents[each] if parent not in found]
        return found

    def edited(self, edit: ArrowEdit, schema: Schema) -> Dag | str:
        """Correct one arrow; where that cannot be, say why.

        A parent that is added comes last in its table, so that a rare context falls back on what
        was learnt; the class comes first. A column that was left out comes in.
        """
        tail, head = (schema.names.index(name) for name in (edit.parent, edit.child))
        if edit.do == "reverse":
            tail, head = head, tail
        taken = {(tail, head)} if edit.do == "remove" else {(tail, head), (head, tail)}
        parents = {
            child: tuple(parent for parent in above if (parent, child) not in taken)
            for child, above in self.parents.items()
        }
        if edit.do == "remove":
            return Dag(parents)
        parents |= {each: () for each in (tail, head) if each not in parents}
        if head in Dag(parents).above([tail]):
            one, other = schema.names[tail], schema.names[head]
            return f"it would close a circle: other arrows lead from {other} to {one}"
        with_tail = (*parents[head], tail)
        parents[head] = tuple(sorted(with_tail, key=lambda each: each != schema.target_column))
        return Dag(parents)

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


@dataclass(frozen=True, kw_only=True)
class OneNetwork(Options):
    """What learners of one network have in common: an expert may correct its arrows."""

    edits: tuple[ArrowEdit, ...] = option(
        (),
        help="Corrections by somebody who knows the subject: arrows to add, remove or reverse "
        "(docs/edits.md).",
        reader=partial(read_edits, make=arrow_edit),
    )
