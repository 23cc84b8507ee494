"""The network in use, and each of its tables as a tree of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from probtrees.experiment.fit import grow
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.kdb_part import keep_part
from probtrees.experiment.model_spec import make_spec
from probtrees.experiment.registry import DISCRETIZERS, LEARNERS, SMOOTHERS
from probtrees.grow.count_tree import CountTree
from probtrees.grow.dag import Dag
from probtrees.model.model import Model
from probtrees.table.cuts import Cuts
from probtrees.table.dataset import MISSING, Dataset, Schema
from probtrees.types import FloatArray
from probtrees.ui.network.network_page import DISCRETIZER, LEARNER, NETWORKS, VALUE
from probtrees.ui.shared.bounded_cache import limits
from probtrees.ui.shared.cached import GrownTree, Settings, settings
from probtrees.ui.shared.forms import option_widgets
from probtrees.ui.shared.jobs import Job, Report, Work, jobs, result_of
from probtrees.ui.shared.smoother_options import smoother_settings
from probtrees.ui.shared.workbench import Workbench, current_data


class TableBench(Workbench):
    """One table of a network: the same bench as a tree's, with another outcome of interest."""

    @property
    def outcome(self) -> int:
        """The value of interest of the attribute."""
        chosen = st.session_state.get(VALUE)
        return int(chosen) if chosen is not None and chosen < len(self.outcomes) else 0


@dataclass(frozen=True)
class NetworkBench:
    """A learned network.

    Attributes
    ----------
    data : the rows as they were read
    grown : the network's tables
    key : what it was made from; its results are found again by it
    """

    data: Dataset
    grown: GrownModel
    key: tuple[Any, ...]

    @property
    def has_rows(self) -> bool:
        """Whether the rows are here; a model that was loaded comes without them."""
        return self.data.n_rows > 0

    @property
    def class_table(self) -> CountTree:
        """How often each class occurs: the table of the class in the first network."""
        target = self.data.schema.target_column
        return next(tree for tree in self.grown.members[0].trees if tree.target == target)

    @property
    def largest_part(self) -> tuple[int, int] | None:
        """How many attributes and parents of a selective KDB can be asked for; None: no choice."""
        n_rows, n_columns = np.shape(self.grown.diagnostics["loss_surface"])
        return n_rows - 1, n_columns - 1

    def part(self, n_attributes: int, k: int) -> NetworkBench:
        """Use another part of a selective KDB than the one that rows left out chose."""
        key = (*self.key, "part", n_attributes, k)

        def work(report: Report) -> GrownModel:
            report(0.1, "counting the tables")
            return keep_part(self.grown, n_attributes, k)

        return NetworkBench(self.data, result_of(key, work, title="Selective KDB"), key)

    @property
    def n_members(self) -> int:
        """Number of networks."""
        return len(self.grown.members)

    def dag(self, member: int) -> Dag:
        """Return the parents of every column of one network."""
        return Dag.of_tables(self.grown.members[member].trees)

    def cuts(self, member: int) -> Cuts | None:
        """Return how one network cuts numeric columns."""
        return self.grown.members[member].cuts

    def schema(self, member: int) -> Schema:
        """Return the columns as one network sees them, numbers cut into intervals."""
        cuts = self.cuts(member)
        return self.data.schema if cuts is None else cuts.apply_to_schema(self.data.schema)

    def table(self, member: int, column: int) -> TableBench:
        """Look at one table as a tree of its own."""
        alone = self.grown.table(member, column)
        return TableBench(alone.data, GrownTree(alone), (*self.key, member, column))

    def frequent_row(self) -> FloatArray:
        """Return every column's most frequent value, by the first network with a table of it.

        Of a column that was cut only intervals are counted: a number of the most frequent one
        stands for it. Columns that have no table are left open.
        """
        row = np.full(self.data.schema.n_columns, MISSING)
        for member in reversed(self.grown.members):
            for tree in member.trees:
                column, value = tree.target, int(np.argmax(tree.arrays.counts[0]))
                if member.cuts is not None and column in member.cuts.points:
                    row[column] = member.cuts.number_in(column, value)
                elif value < self.data.schema.columns[column].n_values:
                    row[column] = value
        row[-1] = MISSING
        return row

    def smooth(self, smoother: str) -> Model:
        """Smooth all tables; while they are not ready the page ends with the progress."""
        title = f"Smoothing the tables ({SMOOTHERS[smoother].label})"
        model: Model = result_of(self._model_key(smoother), self._smoothing(smoother), title=title)
        return model

    def smoothing(self, smoother: str) -> Job:
        """Ask for all tables smoothed, without waiting."""
        return jobs().ask(self._model_key(smoother), self._smoothing(smoother))

    def _model_key(self, smoother: str) -> tuple[Any, ...]:
        return (*self.key, "model", smoother, smoother_settings(smoother))

    def _smoothing(self, smoother: str) -> Work:
        options = dict(smoother_settings(smoother))

        def work(report: Report) -> Model:
            return self.grown.smooth(smoother, options, progress=report)

        return work


def choose_network() -> tuple[str, Settings, str]:
    """Ask for the kind of network, its options, and how numbers are cut."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.segmented_control(
            "Network",
            NETWORKS,
            default=NETWORKS[0],
            format_func=lambda key: LEARNERS[key].label,
            required=True,
            key=LEARNER,
            persist_state="session",
            help="From naive Bayes, which lets no attribute depend on another, to ensembles.",
        )
        with st.popover("Options", icon=":material/tune:"):
            options = option_widgets(LEARNERS[name].options, key=f"network.{name}")
            method = st.selectbox(
                "Cut numbers by",
                list(DISCRETIZERS),
                format_func=lambda key: DISCRETIZERS[key].label,
                key=DISCRETIZER,
                persist_state="session",
                help="Networks count values; numbers are cut into intervals first.",
            )
    return name, settings(options), method


def network_bench(name: str, options: Settings, method: str) -> NetworkBench:
    """Learn the network that the session asks for, or find it again."""
    data, data_key = current_data()
    key = ("network", data_key, name, options, method)

    def work(report: Report) -> GrownModel:
        spec = make_spec(name, dict(options), discretizer=method)
        grown = grow(data, spec, progress=report)
        limits().check_nodes(grown.n_nodes)
        return grown

    grown: GrownModel = result_of(key, work, title=LEARNERS[name].label, on_cancel=_to_naive_bayes)
    return NetworkBench(data, grown, key)


def _to_naive_bayes() -> None:
    """Go back to what is always quick."""
    st.session_state[LEARNER] = "nb"
