"""Ask a model's inner twins, grown without a part of the rows, about that part."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from probtrees.dataset import Dataset
from probtrees.evidence import Evidence
from probtrees.experiment.choose_routing import measure_splits
from probtrees.experiment.grown import Grown
from probtrees.experiment.inner_evidence import inner_splits
from probtrees.experiment.observation_weights import EvidenceByMember
from probtrees.experiment.recipe import Progress
from probtrees.experiment.smooth_alike import smooth_alike
from probtrees.model import Member, Model
from probtrees.predict import predict_proba
from probtrees.smoothed_tree import FloatArray, SmoothedTree
from probtrees.track_record import TrackRecord

AnyModel = TypeVar("AnyModel", bound=Model)


def unseen_proba(grown: Grown, model: Model, progress: Progress | None = None) -> FloatArray:
    """Say what twins of a model that have not seen a row say about it.

    The twins are the inner trees, smoothed with the settings that were chosen for the
    model. Inner evidence is gathered if it was not before.

    Parameters
    ----------
    grown, model : a model and the trees it was smoothed from

    Returns
    -------
    float64[n_rows, n_classes], in the order of ``grown.data``; NaN where there is no twin
    """
    evidence = grown.evidence(progress).by_member
    data = grown.data
    proba = np.full((data.n_rows, data.n_classes), np.nan)
    splits = inner_splits(data, seed=grown.recipe.seed)
    for part, split in enumerate(splits):
        if progress is not None:
            progress(part / len(splits), f"track record, part {part + 1} of {len(splits)}")
        twin = _twin(model, evidence, part, data.take(split.trained))
        proba[split.held_out] = predict_proba(twin, data.take(split.held_out))
    return proba


def with_track_record(grown: Grown, model: AnyModel, progress: Progress | None = None) -> AnyModel:
    """Add to a model what happened to rows that its inner twins had not seen."""
    proba = unseen_proba(grown, model, progress)
    known = ~np.isnan(proba[:, 0])
    data = grown.data
    record = TrackRecord.of(proba[known], data.labels[known], data.row_weights[known])
    return replace(model, track_record=record)


def _twin(model: Model, evidence: EvidenceByMember, part: int, train: Dataset) -> Model:
    """Make the model that has not seen a part, with the settings of the one that has."""
    members = []
    for member, of_trees in zip(model.members, evidence, strict=True):
        trees = tuple(
            _alike(smoothed, of_tree, part)
            for smoothed, of_tree in zip(member.trees, of_trees, strict=True)
        )
        routing = member.routing
        if routing is not None:
            middle, spread = measure_splits(trees[0].tree, train)
            routing = replace(routing, middle=middle, spread=spread)
        members.append(Member(trees, member.cuts, routing))
    return replace(model, members=tuple(members))


def _alike(smoothed: SmoothedTree, evidence: Evidence, part: int) -> SmoothedTree:
    tree = evidence.parts[part].tree
    return SmoothedTree(tree, smooth_alike(smoothed, tree, evidence), smoothed.smoother)
