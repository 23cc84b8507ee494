"""A model before it is smoothed: trees of counts that any smoother can be tried on.

Growing is the expensive half. What is kept here lets one switch the smoother without
growing again, and lets all smoothers share the inner evidence.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import signature
from typing import Any, Literal

from probtrees.experiment.choose_routing import route_softly
from probtrees.experiment.corrections import edit_notes, unmet_in
from probtrees.experiment.fit_shapes import fit_shapes
from probtrees.experiment.grow_network import gather_networks, grow_network
from probtrees.experiment.inner_evidence import (
    GrownMember,
    InnerEvidence,
    InnerSplit,
    gather_trees,
    inner_splits,
    reporting,
)
from probtrees.experiment.inner_models import held_out_proba
from probtrees.experiment.model_spec import (
    ModelSpec,
    make_spec,
    named_smoother,
    smoother_as_published,
)
from probtrees.experiment.observation_weights import (
    grow_by_observation,
    lighter,
    mean_weight,
    usual_weight,
    with_mean_weights,
)
from probtrees.experiment.registry import DEFAULT_LEARNER, NO_SMOOTHER, Given
from probtrees.grow.count_tree import CountTree
from probtrees.grow.shown_cuts import with_shown_cuts
from probtrees.model.calibration import fit_calibration
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.column_profile import ColumnProfile, profile_table
from probtrees.table.dataset import Dataset, Provenance, Schema
from probtrees.table.repeats import content_order
from probtrees.types import Progress, tell
from probtrees.version import __version__

Gathering = Callable[[Progress | None], InnerEvidence]


@dataclass(frozen=True)
class GrownModel:
    """Trees of counts, and the rows they were grown from.

    Attributes
    ----------
    data : the training rows as observations (``Dataset.observations``), in an order of their own
        if they were drawn by chance
    spec : how the trees were grown
    members : the trees
    averaging, diagnostics : as in :class:`~probtrees.model.model.Model`
    seconds : how long growing took
    gathering : how inner evidence is gathered, where it is that of a whole network
    unit : the weight of rows that was taken for one row where rules count rows
    parts : the members of a council, each a grown model of its own
    """

    data: Dataset
    spec: ModelSpec
    members: tuple[GrownMember, ...]
    averaging: Literal["posterior", "joint"] = "posterior"
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0
    gathering: Gathering | None = field(default=None, repr=False, compare=False)
    unit: float = 1.0
    parts: tuple[GrownModel, ...] = field(default=(), repr=False, compare=False)
    _gathered: list[InnerEvidence] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    @property
    def trees(self) -> tuple[CountTree, ...]:
        """All trees of all members."""
        return tuple(tree for member in self.members for tree in member.trees)

    @property
    def n_nodes(self) -> int:
        """Number of nodes of all trees together."""
        return sum(tree.n_nodes for tree in self.trees)

    @property
    def n_leaves(self) -> int:
        """Number of leaves of all trees together."""
        return sum(tree.n_leaves for tree in self.trees)

    def evidence(self, progress: Progress | None = None) -> InnerEvidence:
        """Return inner evidence for every tree; gathered once, when first asked for."""
        if not self._gathered:
            start = time.perf_counter()
            found = (self.gathering or partial(_gather, self))(progress)
            self._gathered.append(found._replace(seconds=time.perf_counter() - start))
        return self._gathered[0]

    @cached_property
    def splits(self) -> tuple[InnerSplit, ...]:
        """Which rows inner models are learnt from and which judge them.

        Of these very rows: rows weighed, or cut, in another way would be dealt out anew.
        """
        return tuple(inner_splits(self.data, seed=self.spec.seed))

    @property
    def has_evidence(self) -> bool:
        """Whether inner evidence has been gathered."""
        return bool(self._gathered)

    @cached_property
    def profile(self) -> tuple[ColumnProfile, ...]:
        """What the features held; a model that is kept takes it along."""
        return profile_table(self.data)

    def table(self, member: int, target: int) -> GrownModel:
        """Return one table of a network as a tree of its own, under that network's cuts.

        Its evidence is the network's: what a table is compared with was learnt with the rest.
        """
        found = self.members[member]
        tree = found.trees[found.targets.index(target)]
        return replace(
            self,
            data=self.data if found.cuts is None else found.cuts.apply(self.data),
            members=(GrownMember((tree,)),),
            spec=replace(self.spec, calibrate="none"),
            gathering=lambda progress: self.evidence(progress).of_table(member, target),
        )

    def needs_evidence(self, smoother: Smoother) -> bool:
        """Whether a smoother, or the way rows are routed, needs inner evidence."""
        softly = self.spec.routing == "soft" or not self.spec.takes_smoother
        return softly or smoother.needs_evidence or self.spec.calibrate != "none"

    def smooth(
        self, smoother: Any, options: Given = None, progress: Progress | None = None
    ) -> Model:
        """Give every node its probabilities and make the model.

        Parameters
        ----------
        smoother : a registry name, or a smoother; a model that takes none ignores it
        options : the options of a smoother given by name
        progress : called while inner evidence is gathered and trees are smoothed
        """
        model = self._smooth(smoother, options, progress)
        if self.spec.calibrate == "none":
            return model
        answers = held_out_proba(self, model, progress)
        data = self.data
        found = fit_calibration(self.spec.calibrate, answers, data.labels, data.row_weights)
        return replace(model, calibration=found)

    def _smooth(self, smoother: Any, options: Given, progress: Progress | None) -> Model:
        """Give every node its probabilities, or fit the whole, before any calibration."""
        if self.parts:
            council: Model = self.spec.learner.finish(self, progress)
            return council
        if not self.spec.takes_smoother:
            return self._fit_shapes(progress)
        name, method = named_smoother(smoother, options, self.spec.seed)
        if self.spec.as_published:
            method = smoother_as_published(method)
        evidence = self.evidence(progress) if self.needs_evidence(method) else None
        if self.spec.routing == "soft" and evidence is not None:
            members = self._smooth_softly(method, evidence)
        else:
            members = smooth_members(self.members, method, evidence, progress)
        return self.finished((name, method), members)

    def _fit_shapes(self, progress: Progress | None) -> Model:
        """Fit path and shapes of a shaped tree as one."""
        (tree,) = self.trees
        evidence = self.evidence(progress).of_tree(0, tree)
        rows, spec = lighter(self.data, self.unit), self.spec
        member = fit_shapes(rows, tree, evidence, spec.learner, spec.seed, progress)
        return self.finished((NO_SMOOTHER, None), (member,))

    def finished(self, smoother: tuple[str, Smoother | None], members: tuple[Member, ...]) -> Model:
        """Make the model of its members."""
        return make_model(
            self.data.schema,
            self.data.provenance,
            self.spec,
            smoother,
            members,
            self.averaging,
            self.diagnostics,
        )

    def _smooth_softly(self, smoother: Smoother, evidence: InnerEvidence) -> tuple[Member, ...]:
        """Smooth every tree and choose how rows are routed through it."""
        members = []
        for number, member in enumerate(self.members):
            (tree,) = member.trees
            part = evidence.of_tree(number, tree)
            smoothed, routing = route_softly(self.data, tree, part, smoother, self.spec.seed)
            members.append(Member((smoothed,), member.cuts, routing))
        return tuple(members)


def grow_model(
    data: Dataset, learner: Any = DEFAULT_LEARNER, progress: Progress | None = None, **settings: Any
) -> GrownModel:
    """Grow without smoothing, so that many smoothers can be tried on one structure.

    Copies that are one observation are learnt from as one row of their weight. Rows that are to
    be taken as they stand (``repeats`` is None, or habits as published) are.

    Parameters
    ----------
    learner, progress, settings : as in :func:`~probtrees.experiment.fit.fit`; in place of the
        learner and its settings, a whole :class:`~probtrees.experiment.model_spec.ModelSpec`
    """
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    if hasattr(spec.learner, "grow_model"):
        council: GrownModel = spec.learner.grow_model(data, spec, progress)
        return council
    start = time.perf_counter()
    as_given = spec.as_published or data.repeats is None
    data = replace(data, repeats=None) if as_given else data.observations()
    if spec.is_network:
        with reporting(progress, 0.0):
            unit = 1.0 if as_given else mean_weight(data)
            made, members = grow_network(data, spec.learner, spec.discretizer, spec.seed, unit)
        grown = GrownModel(data, spec, members, made.averaging, made.diagnostics, unit=unit)
    else:
        grown = _grow_trees(data, spec, 1.0 if as_given else usual_weight(data), progress)
    members = grown.members
    if not as_given:
        members = tuple(
            replace(member, trees=with_mean_weights(member.trees, member.cuts, grown.data))
            for member in members
        )
    return replace(grown, members=members, seconds=time.perf_counter() - start)


def _grow_trees(
    data: Dataset, spec: ModelSpec, unit: float, progress: Progress | None
) -> GrownModel:
    """Grow one decision tree, or the many of a forest."""
    learner = spec.learner
    report = None if progress is None else (lambda share: progress(share, "growing"))
    if _deals_rows_out(learner):
        data = data.take(content_order(data))
    trees, removed = grow_by_observation(learner, unit, data, report)
    notes: dict[str, Any] = {}
    if removed is not None:
        edits = getattr(learner, "edits", ())
        told = edit_notes(edits, unmet_in(trees, data, edits)) if edits else {}
        notes = removed.notes | told
        data = with_shown_cuts(data, trees[0])
    members = tuple(GrownMember((tree,)) for tree in trees)
    return GrownModel(data, spec, members, diagnostics=notes, unit=unit)


def _deals_rows_out(learner: Any) -> bool:
    """Whether a learner draws rows by chance, so that their order would matter."""
    draws = getattr(learner, "bootstrap", False) or getattr(learner, "separate_rows", False)
    return bool(draws) or getattr(learner, "prune", "none") == "reduced-error"


def _gather(grown: GrownModel, progress: Progress | None) -> InnerEvidence:
    """Gather inner evidence: grow, or learn, everything without parts of the rows."""
    data, spec, seed, members = grown.data, grown.spec, grown.spec.seed, grown.members
    for part in grown.parts:  # a council as such has none
        part.evidence(progress)
    if grown.parts:
        return InnerEvidence((), ())
    if spec.is_network:
        how = spec.learner, spec.discretizer
        return gather_networks(data, *how, members, grown.unit, seed, progress)
    grow = partial(grow_by_observation, spec.learner, grown.unit)
    return gather_trees(data, lambda rows: grow(rows)[0], len(members), seed, progress)


def _smooth_trees(
    smoother: Smoother,
    trees: Sequence[tuple[CountTree, Evidence | None]],
    progress: Progress | None,
) -> list[SmoothedTree]:
    """Smooth trees side by side: kernels let go of the interpreter while they run.

    Parameters
    ----------
    trees : each with its inner evidence, or None where the smoother needs none
    progress : called as trees are finished; a smoother that reports within a tree is passed
        on when there is only one. May raise to cancel.
    """
    if len(trees) == 1:
        more: dict[str, Any] = {}
        if progress is not None and "progress" in signature(smoother.smooth).parameters:
            more["progress"] = progress
        return [smoother.smooth(*trees[0], **more)]
    finished: list[SmoothedTree] = []
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        tasks = [
            pool.submit(copy_context().run, smoother.smooth, tree, given) for tree, given in trees
        ]
        for number, task in enumerate(tasks):
            tell(progress, number / len(tasks), f"smoothing, {number + 1} of {len(tasks)}")
            finished.append(task.result())
        return finished
    finally:
        pool.shutdown(cancel_futures=True)


def smooth_members(
    members: Sequence[GrownMember],
    smoother: Smoother,
    evidence: InnerEvidence | None = None,
    progress: Progress | None = None,
) -> tuple[Member, ...]:
    """Smooth every tree of every member; no rows are needed, only their counts."""
    trees = [
        (tree, None if evidence is None else evidence.of_tree(number, tree))
        for number, member in enumerate(members)
        for tree in member.trees
    ]
    smoothed = iter(_smooth_trees(smoother, trees, progress))
    return tuple(
        Member(tuple(next(smoothed) for _ in member.trees), member.cuts) for member in members
    )


def make_model(
    schema: Schema,
    provenance: Provenance,
    spec: ModelSpec,
    smoother: tuple[str, Smoother | None],
    members: tuple[Member, ...],
    averaging: Literal["posterior", "joint"],
    diagnostics: Mapping[str, Any],
) -> Model:
    """Make the model of smoothed members, with a record of how it was made."""
    name, method = smoother
    settings = {**spec.to_dict(), "smoother": {} if method is None else method.to_dict()}
    return Model(
        schema=schema,
        members=members,
        learner=spec.learner_name,
        smoother=name,
        options=settings,
        averaging=averaging,
        diagnostics=diagnostics,
        provenance=replace(
            provenance,
            options={**provenance.options, **settings},
            seed=spec.seed,
            version=__version__,
        ),
    )
