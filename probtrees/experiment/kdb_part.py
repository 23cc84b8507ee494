"""A part of a KDB chosen by hand: the first attributes, with fewer parents each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from probtrees.experiment.grow_network import gather_networks
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.inner_evidence import GrownMember, InnerEvidence
from probtrees.grow.count.cpt import count_tables
from probtrees.grow.count.nominal_rows import nominal_rows
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag, Structure, StructureMember
from probtrees.grow.kdb import KDB
from probtrees.table.dataset import Dataset
from probtrees.types import Progress


def keep_part(grown: GrownModel, n_attributes: int, k: int) -> GrownModel:
    """Take a KDB's first attributes with at most k parents, in place of what was selected.

    A smaller part is in the tables already: parents are taken in order of conditional mutual
    information, so the first k of them are the first levels of a table. A larger one is counted.

    Parameters
    ----------
    grown : a selective KDB; its cuts are kept
    n_attributes : how many attributes, in order of mutual information with the class
    k : most parents beside the class
    """
    known, (member,) = grown.diagnostics, grown.members
    if n_attributes <= known["n_attributes"] and k <= known["k"]:
        tables = smaller_tables(member.trees, n_attributes, k)
    else:
        tables = _count_part(grown, n_attributes, k)
    chosen = {"k": k, "n_attributes": n_attributes}
    return replace(
        grown,
        members=(GrownMember(tables, member.cuts),),
        diagnostics={**known, **chosen},
        gathering=partial(_gather_part, grown, n_attributes, k),
    )


def smaller_tables(
    tables: tuple[CountTree, ...], n_attributes: int, k: int
) -> tuple[CountTree, ...]:
    """Take the first attributes of a KDB's tables, with at most k parents each."""
    return tuple(table.down_to(k + 1) for table in tables[: n_attributes + 1])


@dataclass(frozen=True)
class FirstAttributes:
    """Learn a KDB and keep its first attributes."""

    n_attributes: int
    k: int

    def learn(self, data: Dataset) -> Structure:
        """Find the parents of the attributes that are kept."""
        full = KDB(k=self.k).learn(data).members[0].dag
        part = Dag(dict(islice(full.parents.items(), self.n_attributes + 1)))
        return Structure((StructureMember(part),))


def _count_part(grown: GrownModel, n_attributes: int, k: int) -> tuple[CountTree, ...]:
    """Count the tables again from the rows."""
    cuts = grown.members[0].cuts
    nominal = grown.data if cuts is None else cuts.apply(grown.data)
    part = FirstAttributes(n_attributes, k).learn(nominal).members[0].dag
    return count_tables(nominal_rows(nominal), grown.data.schema, part)


def _gather_part(
    grown: GrownModel, n_attributes: int, k: int, progress: Progress | None
) -> InnerEvidence:
    """Gather the evidence of inner networks of which as large a part is kept."""
    return gather_networks(
        grown.data,
        FirstAttributes(n_attributes, k),
        grown.spec.discretizer,
        grown.members,
        seed=grown.spec.seed,
        progress=progress,
    )
