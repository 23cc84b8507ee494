"""A network that came without its rows: the same bench as a learned one, made from a model."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from probtrees.experiment.grown_member import GrownMember
from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.kdb_part import keep_part
from probtrees.model.model import Model
from probtrees.ui.network.network_bench import NetworkBench, TableBench
from probtrees.ui.shared.jobs import Report, Work, result_of
from probtrees.ui.shared.loaded_model import (
    Loaded,
    LoadedBench,
    smoothing_without_rows,
    smooths_without_rows,
)
from probtrees.ui.shared.model_bar import model_bar
from probtrees.ui.shared.smoother_options import smoother_settings


class LoadedTable(LoadedBench, TableBench):
    """One table of a loaded network."""


@dataclass(frozen=True)
class LoadedNetwork(NetworkBench):
    """A loaded network, to be looked at like a learned one.

    Its data have the columns of the table it was learned from, and no rows.
    """

    loaded: Loaded

    @classmethod
    def of(cls, loaded: Loaded) -> LoadedNetwork:
        """Take the counts out of a loaded model."""
        model = loaded.model
        members = tuple(
            GrownMember(tuple(smoothed.tree for smoothed in member.trees), member.cuts)
            for member in model.members
        )
        no_rows = loaded.no_rows(model.schema)
        grown = GrownModel(no_rows, loaded.spec, members, model.averaging, model.diagnostics)
        return cls(no_rows, grown, ("loaded", loaded.digest), loaded)

    @property
    def model(self) -> Model:
        """The model as it was saved."""
        return self.loaded.model

    @property
    def saved_smoother(self) -> str:
        """The smoother whose numbers are in the file."""
        return self.model.smoother

    def can_smooth(self, name: str) -> bool:
        """Whether a smoother can be used without rows."""
        return smooths_without_rows(self.model, name, smoother_settings(name))

    @property
    def largest_part(self) -> tuple[int, int] | None:
        """The part that was saved: smaller ones are in its tables, if they can be smoothed."""
        if self.model.trees[0].smoother.needs_evidence:
            return None
        known = self.grown.diagnostics
        return known["n_attributes"], known["k"]

    def part(self, n_attributes: int, k: int) -> LoadedNetwork:
        """Use a smaller part of a selective KDB, smoothed as the model was."""
        key = (*self.key, "part", n_attributes, k)
        how = (self.model.smoother, self.model.trees[0].smoother)

        def work(report: Report) -> Model:
            smaller = keep_part(self.grown, n_attributes, k)
            made = smaller.smooth(how, progress=report)
            return replace(self.model, members=made.members, diagnostics=smaller.diagnostics)

        model: Model = result_of(key, work, title="Selective KDB")
        digest = f"{self.loaded.digest} part {n_attributes} {k}"
        return replace(self.of(replace(self.loaded, digest=digest, model=model)), key=key)

    def table(self, member: int, column: int) -> LoadedTable:
        """Look at one table as a tree of its own."""
        targets = [smoothed.tree.target for smoothed in self.model.members[member].trees]
        return LoadedTable.of(self.loaded, (member, targets.index(column)))

    def _smoothing(self, smoother: str) -> Work:
        settings = smoother_settings(smoother)
        return smoothing_without_rows(self.model, self.grown, smoother, settings)


def loaded_network_bar(bench: LoadedNetwork) -> None:
    """Say which network is on show, and what cannot be done without its rows."""
    several = f"{bench.n_members} networks, " if bench.n_members > 1 else ""
    size = f"{several}{len(bench.grown.trees):,} tables, {bench.grown.n_leaves:,} contexts"
    with model_bar(bench.loaded, size):
        pass
    st.caption(
        "The rows are not in a model: smoothers that ask held-out rows, histograms and more "
        "attributes or parents than it has need the table."
    )
