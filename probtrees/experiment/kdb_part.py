"""A part of a KDB chosen by hand: the first attributes, with fewer parents each."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from probtrees.code_table import code_table
from probtrees.dag import Dag
from probtrees.experiment.grown import Grown, GrownMember
from probtrees.grow.cpt import count_tables
from probtrees.grow.kdb import KDB


def keep_part(grown: Grown, n_attributes: int, k: int) -> Grown:
    """Count a KDB's first attributes with at most k parents, in place of what was selected.

    Parameters
    ----------
    grown : a selective KDB; its cuts are kept
    n_attributes : how many attributes, in order of mutual information with the class
    k : most parents beside the class
    """
    cuts = grown.members[0].cuts
    nominal = grown.data if cuts is None else cuts.apply(grown.data)
    full = KDB(k=k).learn(nominal).members[0].dag
    part = Dag(dict(islice(full.parents.items(), n_attributes + 1)))
    tables = count_tables(code_table(nominal), grown.data.schema, part)
    chosen = {"k": k, "n_attributes": n_attributes}
    return replace(
        grown,
        members=(GrownMember(tables, cuts),),
        diagnostics={**grown.diagnostics, **chosen},
    )
