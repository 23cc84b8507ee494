"""The network in use, and each of its tables as a tree of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import inner_models
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, LEARNERS, make_discretizer
from probtrees.experiment.warm_up import TABLES, is_compiling
from probtrees.explain.network_query import NetworkQuery
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag
from probtrees.grow.edits import ArrowEdit
from probtrees.model.model import Model
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import Dataset
from probtrees.ui.network.network_page import (
    ARC,
    AS_LEARNT,
    COLUMN,
    LEARNER,
    N_USUAL,
    VALUE,
    edits_key,
    networks,
)
from probtrees.ui.shared.counts import GrownCounts, SavedCounts
from probtrees.ui.shared.forms import chosen_options
from probtrees.ui.shared.loaded_model import Loaded
from probtrees.ui.shared.session.bounded_cache import limits
from probtrees.ui.shared.session.jobs import Report, jobs, result_of
from probtrees.ui.shared.smoother_options import Settings, settings
from probtrees.ui.shared.table_source import current_source
from probtrees.ui.shared.workbench import PLAIN_EVIDENCE, Bench, Workbench, uncompiled

_ON_SHOW = "network on show"
REFUSED = "network.arrow refused"
"""Why the last correction of an arrow cannot be."""


@dataclass(frozen=True)
class NetworkBench(Bench):
    """A network, or an ensemble of them; its counts are its tables."""

    @property
    def tables(self) -> list[CountTree]:
        """All tables of all networks."""
        return [tree for member in self.counts.members for tree in member.trees]

    @property
    def n_members(self) -> int:
        """Number of networks."""
        return len(self.counts.members)

    def dag(self, member: int) -> Dag:
        """Return the parents of every column of one network."""
        return Dag.of_tables(self.counts.members[member].trees)

    @property
    def edits(self) -> tuple[ArrowEdit, ...] | None:
        """Its corrections; None where its arrows cannot be corrected."""
        if not isinstance(self.counts, GrownCounts):
            return None
        return getattr(self.counts.grown.spec.learner, "edits", None)

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


def loaded_network(loaded: Loaded) -> NetworkBench:
    """Look at a network that came without its rows."""
    return NetworkBench(SavedCounts(loaded.model), ("loaded", loaded.digest))


def learnt(rows: Dataset, spec: ModelSpec, report: Report) -> GrownCounts:
    """Learn a network from rows, within the limits of the server."""
    grown = grow_model(rows, spec, progress=report)
    limits().check_nodes(grown.n_nodes, of_network=True)
    return GrownCounts(grown, rows)


def network_bench(
    name: str, options: Settings, method: str, cutting: Settings = (), *, on_show: bool = True
) -> NetworkBench:
    """Learn the network that the session asks for, or find it again; or one to compare it with.

    Corrections that name columns which the table has not, as it is read now, are left out.
    """
    source = current_source()
    data = source.read()
    given, known = dict(options), set(data.schema.names)
    edits = given.pop("edits", ())
    if fitting := tuple(edit for edit in edits if {edit.parent, edit.child} <= known):
        given["edits"] = fitting
    options = settings(given)
    key = ("network", source.key, name, options, method, cutting)
    last = st.session_state.get(_ON_SHOW)
    if on_show and last is not None and last != key:
        jobs().leave(last)  # who clicks on waits for the new one
    if on_show:
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


def other_network(bench: NetworkBench, name: str) -> NetworkBench:
    """Return a network of another kind, or the one on show without corrections."""
    _, _, own, options, method, cutting = bench.key[:6]
    if name == AS_LEARNT:
        plain = tuple((option, value) for option, value in options if option != "edits")
        return network_bench(own, plain, method, cutting, on_show=False)
    chosen = settings(chosen_options(LEARNERS[name].options, key=f"network.{name}"))
    return network_bench(name, chosen, method, cutting, on_show=False)


def change_arrow(
    bench: NetworkBench, do: Literal["add", "remove", "reverse"], parent: int, child: int
) -> None:
    """Correct an arrow of the network on show; what cannot be is refused in a sentence."""
    names, key = bench.schema.names, edits_key(bench.key[2])
    edit = ArrowEdit(do, names[parent], names[child])
    found = bench.dag(0).edited(edit, bench.schema)
    if isinstance(found, str):
        st.session_state[REFUSED] = f"{edit.words}: {found}."
        return
    st.session_state[key] = (*(bench.edits or ()), edit)
    left = {"add": (parent, child), "remove": None, "reverse": (child, parent)}[do]
    st.session_state.update({ARC: left, COLUMN: child if left is None else left[1]})
