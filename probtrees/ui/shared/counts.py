"""The counts of the model on show, and how they are smoothed.

Counts that were grown here have their rows beside them. Counts of a model that came from a file,
or was learnt in chunks, have none: ``rows`` is None, and whatever needs rows says so. Benches and
views read both alike.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from probtrees.errors import DataError
from probtrees.experiment.grown_model import GrownModel, smooth_members
from probtrees.experiment.inner_evidence import GrownMember
from probtrees.experiment.inner_models import with_track_record
from probtrees.experiment.model_spec import named_smoother
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.table.dataset import Dataset, Provenance, Schema
from probtrees.ui.shared.session.jobs import Report
from probtrees.ui.shared.smoother_options import Settings


@dataclass(frozen=True)
class GrownCounts:
    """Counts that were grown here; the lock lets one job at a time gather evidence for all."""

    grown: GrownModel
    rows: Dataset
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def schema(self) -> Schema:
        """The columns, as the trees see them."""
        return self.grown.data.schema

    @property
    def members(self) -> tuple[GrownMember, ...]:
        """The trees of counts, member by member."""
        return self.grown.members

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """What the learner noted."""
        return self.grown.diagnostics

    @property
    def provenance(self) -> Provenance:
        """Where the rows come from."""
        return self.rows.provenance

    def smooth(self, name: str, settings: Settings, report: Report) -> Model:
        """Give every node its probabilities."""
        grown, options = self.grown, dict(settings)
        if grown.needs_evidence(make_smoother(name, options)):
            # Only gathering waits for its turn: who needs no evidence is not held up by it.
            with self.lock:
                grown.evidence(report)
        model = grown.smooth(name, options, progress=report)
        return replace(model, profile=grown.profile)

    def with_track_record(self, model: Model, report: Report) -> Model:
        """Add what happened to unseen rows."""
        with self.lock:
            return with_track_record(self.grown, model, report)

    def table(self, member: int, column: int) -> GrownCounts:
        """Return one table of a network as a tree of its own; its evidence is the network's."""
        alone = self.grown.table(member, column)
        return GrownCounts(alone, alone.data, lock=self.lock)


@dataclass(frozen=True)
class SavedCounts:
    """Counts of a model that came without its rows.

    Its own smoother gives the numbers of the file, unless it was set otherwise in this session.
    """

    saved: Model

    @property
    def schema(self) -> Schema:
        """The columns."""
        return self.saved.schema

    @property
    def members(self) -> tuple[GrownMember, ...]:
        """The trees of counts, member by member."""
        return tuple(
            GrownMember(tuple(smoothed.tree for smoothed in member.trees), member.cuts)
            for member in self.saved.members
        )

    @property
    def rows(self) -> None:
        """None: a model does not hold its rows."""
        return

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """What the learner noted."""
        return self.saved.diagnostics

    @property
    def provenance(self) -> Provenance:
        """Where the rows came from."""
        return self.saved.provenance

    def can_smooth(self, name: str, settings: Settings) -> bool:
        """Whether a smoother can be used: the model's own, or one that asks no rows."""
        return name == self.saved.smoother or not make_smoother(name, dict(settings)).needs_evidence

    def smooth(self, name: str, settings: Settings, report: Report) -> Model:
        """Give every node its probabilities."""
        own, options = self.saved, dict(settings)
        _, smoother = named_smoother(name, options)
        if name == own.smoother and (smoother.needs_evidence or not options):
            return own
        if smoother.needs_evidence:
            raise DataError(
                f"{SMOOTHERS[name].label} needs the rows the model was made from, and a model "
                "file does not hold them."
            )
        members = smooth_members(self.members, smoother, progress=report)
        return own.smoothed_by(name, smoother, members)

    def table(self, member: int, column: int) -> SavedCounts:
        """Return one table of a network as a tree of its own."""
        trees = self.saved.members[member].trees
        return self.tree(member, [smoothed.tree.target for smoothed in trees].index(column))

    def tree(self, member: int, number: int) -> SavedCounts:
        """Return one tree of the model alone; it answers for itself only if it tells the class."""
        found = self.saved.members[member]
        smoothed = found.trees[number]
        schema = self.schema if found.cuts is None else found.cuts.apply_to_schema(self.schema)
        routing = found.routing if smoothed.tree.target == schema.target_column else None
        record = self.saved.track_record if len(self.saved.trees) == 1 else None
        members = (Member((smoothed,), None, routing),)
        profile = self.saved.profile if found.cuts is None else None
        alone = replace(self.saved, schema=schema, members=members, track_record=record)
        return SavedCounts(replace(alone, profile=profile))


Counts = GrownCounts | SavedCounts
"""The trees of a model before they are smoothed."""
