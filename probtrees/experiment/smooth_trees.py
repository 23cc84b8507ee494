"""Smooth the trees of a model, several at a time, and make the model of them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from inspect import signature
from typing import Any, Literal

from probtrees.experiment.inner_evidence import GrownMember, InnerEvidence
from probtrees.experiment.model_spec import ModelSpec
from probtrees.grow.count_tree import CountTree
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.dataset import Provenance, Schema
from probtrees.types import Progress
from probtrees.version import __version__


def smooth_trees(
    smoother: Smoother,
    trees: Sequence[CountTree],
    evidence: Sequence[Evidence | None],
    progress: Progress | None = None,
) -> list[SmoothedTree]:
    """Smooth trees side by side: kernels let go of the interpreter while they run.

    Parameters
    ----------
    evidence : for every tree its inner evidence, or None where the smoother needs none
    progress : called as trees are finished; a smoother that reports within a tree is passed
        on when there is only one. May raise to cancel.
    """
    if len(trees) == 1:
        more: dict[str, Any] = {}
        if progress is not None and "progress" in signature(smoother.smooth).parameters:
            more["progress"] = progress
        return [smoother.smooth(trees[0], evidence[0], **more)]
    finished: list[SmoothedTree] = []
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        tasks = [pool.submit(smoother.smooth, *pair) for pair in zip(trees, evidence, strict=True)]
        for number, task in enumerate(tasks):
            if progress is not None:
                progress(number / len(tasks), f"smoothing, {number + 1} of {len(tasks)}")
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
    trees = [tree for member in members for tree in member.trees]
    given = [
        None if evidence is None else evidence.of_tree(number, tree)
        for number, member in enumerate(members)
        for tree in member.trees
    ]
    smoothed = iter(smooth_trees(smoother, trees, given, progress))
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
