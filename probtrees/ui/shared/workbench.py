"""The tree on show, ready to be smoothed in any way: what every part of a page reads."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from probtrees.draw.escape import shorten
from probtrees.draw.node_card import base_rate, default_outcome
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import DEFAULT_LEARNER, LEARNERS, QUICK_SMOOTHER, SMOOTHERS
from probtrees.experiment.warm_up import FIRST, FIRST_SMOOTHERS, TABLES, is_compiling
from probtrees.explain.rule import outcome_names
from probtrees.grow.count_tree import CountTree
from probtrees.grow.edits import Edit, edits_text, node_at, read_edits, way_to
from probtrees.machine.kernel_cache import without_compiling
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.ui.shared import forms
from probtrees.ui.shared.counts import Counts, GrownCounts, SavedCounts
from probtrees.ui.shared.growing_proposal import GrowingProposal, may_propose, proposal_job
from probtrees.ui.shared.page import LinkChoice
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.bounded_cache import limits
from probtrees.ui.shared.session.jobs import Job, Report, Work, jobs, result_of
from probtrees.ui.shared.session.state import EDITS, edits_in_force, settle_edits
from probtrees.ui.shared.smoother_options import Settings, settings, smoother_settings
from probtrees.ui.shared.table_source import ChosenTable, current_source, remember_good, take_back
from probtrees.words import outcome_words

_VARIANTS = "variants looked at"
_ON_SHOW = "tree on show"
"""The key of the tree that the last run showed, and what was selected when it came."""

_PLAIN_CELLS = 60_000
"""Cells of a table whose tree, on a first start, uncompiled kernels grow within about 3 seconds."""
PLAIN_EVIDENCE = 10_000
"""The same where inner models are learnt too, and of networks."""


def uncompiled(plainly: bool) -> AbstractContextManager[None]:
    """Run kernels as plain Python, where that is quicker than to wait for the compiler."""
    return without_compiling() if plainly else nullcontext()


@dataclass(frozen=True)
class Bench:
    """Counts on show that can be smoothed in any way: of a tree, or of a network.

    Attributes
    ----------
    counts : the trees of counts, and how they are smoothed
    key : what they were made from; results are found again by it
    outcome_key : where the session keeps the outcome of interest
    proposed : the outcome that is probably of interest, where the table says so
    is_small : whether, on a first start, uncompiled kernels smooth it in a few seconds
    """

    counts: Counts
    key: tuple[Any, ...]
    outcome_key: str = state.OUTCOME
    proposed: int | None = None
    is_small: bool = False

    @property
    def schema(self) -> Schema:
        """The columns, as the trees see them."""
        return self.counts.schema

    def variant(self, name: str) -> tuple[Any, ...]:
        """Return what the smoothed model is found again by: counts, the smoother as it is set."""
        return (*self.key, name, smoother_settings(name))

    def can_smooth(self, name: str) -> bool:
        """Whether a smoother, as it is set, can be used: any can, with rows."""
        counts, set_so = self.counts, smoother_settings(name)
        return isinstance(counts, GrownCounts) or counts.can_smooth(name, set_so)

    def smoothing(self, name: str) -> Job:
        """Ask for the model smoothed by the smoother of that name, as it is set."""
        return jobs().ask(self.variant(name), self._work(name), kernels=self.kernels(name))

    def model(self, name: str) -> Model:
        """Return the smoothed model; while it is not there the page ends with its progress."""
        model: Model = result_of(
            self.variant(name),
            self._work(name),
            title=f"Smoothing ({SMOOTHERS[name].label})",
            on_cancel=stay_with_quick,
            kernels=self.kernels(name),
        )
        return model

    def kernels(self, name: str) -> frozenset[str]:
        """Return what must be compiled before a smoother can be used."""
        is_plain = self.is_small and name in FIRST_SMOOTHERS and not smoother_settings(name)
        return frozenset() if is_plain else frozenset({name, TABLES})

    def _work(self, name: str) -> Work:
        # What the session says is asked now: the job runs outside of it.
        options = smoother_settings(name)
        plainly = not self.kernels(name) and is_compiling({name, TABLES, DEFAULT_LEARNER})

        def work(report: Report) -> Model:
            with uncompiled(plainly):
                return self.counts.smooth(name, options, report)

        return work

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes' names."""
        return self.schema.classes

    @property
    def outcome(self) -> int:
        """The outcome of interest."""
        chosen: int | None = st.session_state.get(self.outcome_key)
        if chosen is None or chosen >= len(self.outcomes):
            return self.usual_outcome
        return int(chosen)

    @property
    def usual_outcome(self) -> int:
        """The outcome of interest as long as none is chosen: a class that is rare."""
        return default_outcome(self.class_table) if self.proposed is None else self.proposed

    @property
    def class_table(self) -> CountTree:
        """The tree, or the table of the class in the first network."""
        target = self.schema.target_column
        return next(tree for tree in self.counts.members[0].trees if tree.target == target)


@dataclass(frozen=True)
class Workbench(Bench):
    """One tree of counts: a decision tree, or a table of a network.

    Attributes
    ----------
    is_table : whether it is a table of a network, which answers only together with the others
    saved : the whole model that the tree is a part of, where that came without its rows
    """

    is_table: bool = False
    saved: Model | None = None

    @property
    def tree(self) -> CountTree:
        """The tree of counts."""
        return self.counts.members[0].trees[0]

    @property
    def tells_class(self) -> bool:
        """Whether the tree's outcomes are the classes."""
        return self.tree.target == self.schema.target_column

    def smooth(self, name: str) -> SmoothedTree:
        """Return the smoothed tree of :meth:`model`."""
        return self.model(name).tree

    def kernels(self, name: str) -> frozenset[str]:
        """Return what must be compiled before the tree can be smoothed by a smoother."""
        needed, options = super().kernels(name), smoother_settings(name)
        if isinstance(self.counts, SavedCounts) and name == self.counts.saved.smoother:
            return needed if options else frozenset()
        if self.is_table or not needed:
            return needed
        if not options and not SMOOTHERS[name].make().needs_evidence:
            return frozenset() if name == QUICK_SMOOTHER else frozenset({name})
        return frozenset({name, DEFAULT_LEARNER})

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The outcomes' names."""
        return outcome_names(self.tree, self.schema)

    @property
    def asked(self) -> str:
        """The outcome of interest in a sentence, with its column where it is a mere number."""
        target = shorten(self.schema.columns[self.tree.target].title, 40)
        return outcome_words(target, self.outcomes[self.outcome])

    @property
    def usual_outcome(self) -> int:
        """The outcome of interest as long as none is chosen; an attribute's first value."""
        return 0 if self.is_table else super().usual_outcome

    @property
    def base_rate(self) -> float:
        """How often the outcome of interest occurs among all rows."""
        return base_rate(self.tree, self.outcome)


@dataclass(frozen=True)
class TreeBench(Workbench):
    """The tree grown from the table in use.

    Attributes
    ----------
    plain : the tree before it was corrected; None where it was not
    whole : the tree as the person has it, where the app shows another; else the tree itself
    proposal : what the app found about other ways to grow; None while it looks, or need not
    looks : whether it looks for another tree by itself
    """

    counts: GrownCounts
    plain: GrownCounts | None = None
    whole: GrownCounts | None = None
    proposal: GrowingProposal | None = None
    looks: bool = False

    @property
    def data(self) -> Dataset:
        """The table in use."""
        return self.counts.rows


def usual_growing() -> Mapping[str, Any]:
    """Return the growing options that the table in use starts with."""
    if state.current_upload() is not None:
        return {}
    return state.SAMPLE_SETTINGS.get(state.current_sample(), {})


def growing_choices() -> dict[str, LinkChoice]:
    """List what links hold of the growing: what was chosen, be it the usual."""
    choices = {
        key: LinkChoice(key, field.parse)
        for field in LEARNERS["c45"].options
        for key in [f"c45.{field.name}"]
    }
    write = partial(edits_text, short=True)
    return {**choices, EDITS: LinkChoice(EDITS, read_edits, write, usual=(), of_sample=True)}


def workbench() -> TreeBench:
    """Grow the tree that the session asks for, or find it again; then correct it."""
    # What the last run showed here, such as progress with its own *Cancel*, goes at once.
    with st.empty().container():
        bench = _workbench_of(current_source())
    remember_good()
    return bench


def _workbench_of(source: ChosenTable) -> TreeBench:
    data = source.read_beside_page()
    settle_edits(data.schema)
    fields, edits = LEARNERS["c45"].options, edits_in_force()
    options = forms.chosen_options(fields, key="c45", defaults=usual_growing())
    options.pop("edits", None)  # those in force come on top
    whole = _grown(source, data, settings(options))
    looks = may_propose(source, whole)
    job = proposal_job(source, whole) if looks else None
    proposal: GrowingProposal | None = job.result if job else None
    as_chosen = (source.key, settings(options))
    options |= {} if proposal is None else proposal.options
    key = (source.key, settings(options))
    plain = _grown(source, data, settings(options))
    _keep_selected(as_chosen, whole, key, plain)
    bench = TreeBench(
        plain,
        key,
        proposed=source.proposed_number,
        is_small=data.values.size <= PLAIN_EVIDENCE,
        whole=whole,
        proposal=proposal,
        looks=looks,
    )
    if not edits:
        return bench
    asked = settings({**options, "edits": edits})
    counts: GrownCounts = result_of(
        ("grow", source.key, asked),
        lambda report: corrected_counts(plain, edits, report),
        title="Correcting the tree",
        on_cancel=take_back,
        kernels=FIRST,
    )
    return replace(bench, counts=counts, key=(source.key, asked), plain=plain)


def _keep_selected(
    as_chosen: Hashable, whole: GrownCounts, key: Hashable, shown: GrownCounts
) -> None:
    """Select in the tree that the app proposes what was selected while it was looked for.

    A node that was selected before, by a link or in an earlier session, is one of that tree.
    """
    last, at_first = st.session_state.get(_ON_SHOW, (None, None))
    node = st.session_state.get(state.NODE)
    if last == as_chosen != key and node not in (None, at_first) and node < whole.grown.n_nodes:
        way = way_to(whole.members[0].trees[0], whole.schema, node)
        node = st.session_state[state.NODE] = node_at(shown.members[0].trees[0], shown.schema, way)
    if last != key:
        st.session_state[_ON_SHOW] = (key, node)


def _grown(source: ChosenTable, data: Dataset, options: Settings) -> GrownCounts:
    """Grow the tree without corrections, or find it again."""
    plainly = data.values.size <= _PLAIN_CELLS and is_compiling({DEFAULT_LEARNER})

    def work(report: Report) -> GrownCounts:
        with uncompiled(plainly):
            grown = grow_model(data, LEARNERS["c45"].make(dict(options)), progress=report)
        limits().check_nodes(grown.n_nodes)
        return GrownCounts(grown, data)

    counts: GrownCounts = result_of(
        ("grow", source.key, options),
        work,
        title="Growing the tree",
        on_cancel=take_back,
        kernels=() if plainly else FIRST,
    )
    return counts


def corrected_counts(plain: GrownCounts, edits: tuple[Edit, ...], report: Report) -> GrownCounts:
    """Grow a tree again under its corrections, which its inner trees obey alike."""
    if not edits:
        return plain
    spec = plain.grown.spec
    spec = replace(spec, learner=replace(spec.learner, edits=edits))
    grown = grow_model(plain.rows, spec, report)
    limits().check_nodes(grown.n_nodes)
    return GrownCounts(grown, plain.rows)


def stay_with_quick() -> None:
    """Go back to a smoother that needs no time."""
    st.session_state[state.SMOOTHER] = QUICK_SMOOTHER


def smooth_all(bench: Workbench) -> dict[str, Job]:
    """Ask for every smoother at once; each job says when it is ready."""
    return {name: bench.smoothing(name) for name in SMOOTHERS}


def ready_trees(bench: Workbench) -> dict[str, SmoothedTree]:
    """Return the smoothed trees that are there by now, by the name of the smoother."""
    return {name: job.result.tree for name, job in smooth_all(bench).items() if job.is_ready}


def settings_seen(bench: Workbench) -> set[str]:
    """Return the settings that were looked at on this table in this session, to be added to.

    Who looks at many will find a good one by luck.
    """
    by_table: dict[str, set[str]] = st.session_state.setdefault(_VARIANTS, {})
    return by_table.setdefault(bench.counts.provenance.sha256, set())
