"""The network in use, and each of its tables as a tree of its own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import inner_models
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, LEARNERS, make_discretizer
from probtrees.experiment.warm_up import TABLES, is_compiling
from probtrees.explain.network_query import NetworkQuery
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag
from probtrees.model.model import Model
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.ui.network.network_page import LEARNER, N_USUAL, VALUE, networks
from probtrees.ui.shared.counts import GrownCounts, SavedCounts
from probtrees.ui.shared.loaded_model import Loaded
from probtrees.ui.shared.session.bounded_cache import limits
from probtrees.ui.shared.session.jobs import Report, jobs, result_of
from probtrees.ui.shared.smoother_options import Settings
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import PLAIN_EVIDENCE, Bench, Workbench, uncompiled

_ON_SHOW = "network on show"

LEAST_SHARE = 0.2
"""Arrows that fewer networks of an ensemble have are left out of the picture of all."""


@dataclass(frozen=True)
class NetworkBench(Bench):
    """A network, or an ensemble of them; its counts are its tables."""

    @property
    def tables(self) -> list[CountTree]:
        """All tables of all networks."""
        return [tree for member in self.counts.members for tree in member.trees]

    def part(self, n_attributes: int, k: int) -> NetworkBench:
        """Use another part of a selective KDB than the one on show."""
        assert isinstance(self.counts, GrownCounts)
        key = (*self.key, "part", n_attributes, k)
        work = partial(self.counts.part, n_attributes, k)
        counts = result_of(key, work, title="Selective KDB")
        return replace(self, counts=counts, key=key)

    @property
    def is_part(self) -> bool:
        """Whether it is another part than held-out rows chose: no record of theirs is about it."""
        return "part" in self.key

    @property
    def n_members(self) -> int:
        """Number of networks."""
        return len(self.counts.members)

    def dag(self, member: int) -> Dag:
        """Return the parents of every column of one network."""
        return Dag.of_tables(self.counts.members[member].trees)

    @property
    def arrow_shares(self) -> dict[tuple[int, int], float]:
        """For every arrow, from and to, the share of the networks that have it."""
        counted = Counter(arc for member in range(self.n_members) for arc in self.dag(member).arcs)
        return {arrow: n / self.n_members for arrow, n in counted.items()}

    @property
    def share_arrows(self) -> bool:
        """Whether networks of an ensemble have arrows between attributes in common.

        Those of AODE have not: a picture of all would look like naive Bayes.
        """
        target = self.schema.target_column
        return self.n_members > 1 and any(
            share >= LEAST_SHARE for arc, share in self.arrow_shares.items() if target not in arc
        )

    def cuts(self, member: int) -> Cuts | None:
        """Return how one network cuts numeric columns."""
        return self.counts.members[member].cuts

    def table(self, member: int, column: int) -> Workbench:
        """Look at one table as a tree of its own."""
        counts = self.counts.table(member, column)
        key = (*self.key, member, column)
        return Workbench(counts, key, VALUE, is_small=self.is_small, is_table=True)

    def inner_queries(self, model: Model, report: Report) -> list[NetworkQuery]:
        """Make the networks that were learnt without a part of the rows ready to be asked."""
        assert isinstance(self.counts, GrownCounts)
        inner = inner_models(self.counts.grown, model, report)
        return [NetworkQuery.of_model(each) for _, each in inner]

    def smooth(self, smoother: str) -> Model:
        """Smooth all tables; while they are not ready the page ends with the progress."""
        return self.model(smoother)


def loaded_network(loaded: Loaded) -> NetworkBench:
    """Look at a network that came without its rows."""
    return NetworkBench(SavedCounts(loaded.model), ("loaded", loaded.digest))


def learnt(rows: Dataset, spec: ModelSpec, report: Report) -> GrownCounts:
    """Learn a network from rows, within the limits of the server."""
    grown = grow_model(rows, spec, progress=report)
    limits().check_nodes(grown.n_nodes, of_network=True)
    return GrownCounts(grown, rows)


def network_bench(
    name: str, options: Settings, method: str, cutting: Settings = ()
) -> NetworkBench:
    """Learn the network that the session asks for, or find it again."""
    source = current_source()
    data = source.read()
    key = ("network", source.key, name, options, method, cutting)
    last = st.session_state.get(_ON_SHOW)
    if last is not None and last != key:
        jobs().leave(last)  # who clicks on waits for the new one
    st.session_state[_ON_SHOW] = key

    needed = {name, TABLES}
    is_usual = (options, method, cutting) == ((), DEFAULT_DISCRETIZER, ())
    is_small = name in networks()[:N_USUAL] and is_usual and data.values.size <= PLAIN_EVIDENCE
    plainly = is_small and is_compiling(needed)

    def work(report: Report) -> GrownCounts:
        cut_by = make_discretizer(method, dict(cutting))
        with uncompiled(plainly):
            return learnt(data, make_spec(name, dict(options), discretizer=cut_by), report)

    counts = result_of(
        key,
        work,
        title=LEARNERS[name].label,
        on_cancel=lambda: st.session_state.update({LEARNER: "nb"}),  # which is always quick
        kernels=() if plainly else needed,
    )
    return NetworkBench(counts, key, proposed=source.proposed_number, is_small=is_small)
