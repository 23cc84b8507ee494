"""Inner models: grown without a part of the rows, with the settings of the model of all rows.

What they say about that part is what the model says about rows it has not seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from probtrees.experiment.choose_routing import measure_splits
from probtrees.experiment.corrections import unmet_in
from probtrees.experiment.fit_shapes import refit_shapes
from probtrees.experiment.inner_evidence import InnerEvidence, reporting
from probtrees.experiment.observation_weights import lighter
from probtrees.experiment.round_to_points import points_loss, round_to_points
from probtrees.explain.points_card import KEPT
from probtrees.grow.count_tree import CountTree
from probtrees.machine.checkpoint import checkpoint
from probtrees.model.calibration import Method, fit_calibration
from probtrees.model.member import AdditiveMember, Member, seat, seated
from probtrees.model.model import Model
from probtrees.model.predict import group_rows, uncalibrated_proba
from probtrees.model.track_record import TrackRecord
from probtrees.score.metrics import base_rates
from probtrees.score.unseen_scores import UnseenScores
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.smoothed_tree import SmoothedTree, smooth_like
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, Progress

if TYPE_CHECKING:
    from probtrees.experiment.grown_model import GrownModel

MOST_REFITTED = 200_000
"""Weights of nodes, over all refits of a shaped tree, that a model's file may hold."""


def held_out_proba(grown: GrownModel, model: Model, progress: Progress | None = None) -> FloatArray:
    """Return the probabilities that inner models give to the rows they have not seen.

    They are the inner trees or networks, smoothed with the settings that were chosen for the
    model, and are not calibrated. Inner evidence is gathered if it was not before.

    Parameters
    ----------
    grown, model : a model and the trees it was smoothed from

    Returns
    -------
    float64[n_rows, n_classes], in the order of ``grown.data``; NaN where there is no inner
    model without the row
    """
    data = grown.data
    proba = np.full((data.n_rows, data.n_classes), np.nan)
    for held_out, inner in inner_models(grown, model, progress):
        proba[held_out] = uncalibrated_proba(inner, data.take(held_out))
    return proba


def with_track_record(grown: GrownModel, model: Model, progress: Progress | None = None) -> Model:
    """Add to a model what happened to rows that its inner models had not seen."""
    data, splits = grown.data, grown.splits
    if model.kind == "shaped":
        model = with_refits(grown, model, progress)
    has_card = model.kind == "shaped" and data.n_classes == 2
    card = round_to_points(model, data) if has_card else None
    proba = np.full((data.n_rows, data.n_classes), np.nan)
    on_card, sizes = proba.copy(), np.ones(data.n_rows)
    groups, n_groups = np.zeros(data.n_rows, dtype=np.int64), 0
    for part, (held_out, inner) in enumerate(inner_models(grown, model, progress)):
        rows = data.take(held_out)
        if card is not None:
            plain, train = replace(inner, calibration=None), data.take(splits[part].trained)
            on_card[held_out] = round_to_points(plain, train, [card.finest]).proba(rows)
        proba[held_out] = uncalibrated_proba(inner, rows)
        own, sizes[held_out] = group_rows(inner, rows, proba[held_out])
        groups[held_out] = own + n_groups
        n_groups += int(own.max(initial=-1)) + 1
    notes = {**model.diagnostics, **edits_followed(grown)}
    if card is not None:
        notes[KEPT] = replace(card, loss=points_loss(on_card, proba, data)).to_dict()
    if model.calibration is not None:
        proba = calibrated_apart(model.calibration.method, proba, grown)
    known = ~np.isnan(proba[:, 0])
    happened, in_leaf = (data.labels[known], data.row_weights[known]), (groups[known], sizes[known])
    record = TrackRecord.of(proba[known], *happened, *in_leaf, max(len(splits), 1))
    return replace(model, track_record=record, diagnostics=notes)


def edits_followed(grown: GrownModel) -> dict[str, Any]:
    """Note of every edit how many inner trees follow it, beside what the tree itself does."""
    notes = grown.diagnostics.get("edits")
    if not notes:
        return {}
    members = grown.evidence().members
    reasons = [
        unmet_in(inner[0].trees, grown.data.take(split.trained), grown.spec.learner.edits)
        for split, inner in zip(grown.splits, members, strict=True)
    ]
    counted = [
        {**note, "inner_trees": len(members), "followed": sum(why[at] is None for why in reasons)}
        for at, note in enumerate(notes)
    ]
    return {"edits": counted}


def with_refits(grown: GrownModel, model: Model, progress: Progress | None = None) -> Model:
    """Let a shaped tree keep its inner models, which its intervals are made of, unless huge."""
    member = model.members[0]
    trees = [members[0].trees[0] for members in grown.evidence(progress).members]
    size = sum(tree.n_nodes for tree in trees) * grown.data.n_classes
    if not isinstance(member, AdditiveMember) or size > MOST_REFITTED:
        return model
    inner = (inner.members[0] for _, inner in inner_models(grown, model, progress))
    refits = tuple(each for each in inner if isinstance(each, AdditiveMember))
    return replace(model, members=(replace(member, refits=refits),))


def calibrated_apart(method: Method, proba: FloatArray, grown: GrownModel) -> FloatArray:
    """Calibrate the answers of every part by what happened in the others, never by its own."""
    data, bent = grown.data, proba.copy()
    for split in grown.splits:
        others = ~np.isnan(proba[:, 0])
        others[split.held_out] = False
        happened = data.labels[others], data.row_weights[others]
        curves = fit_calibration(method, proba[others], *happened)
        if curves is not None:
            bent[split.held_out] = curves.apply(proba[split.held_out])
    return bent


def inner_models(
    grown: GrownModel, model: Model, progress: Progress | None
) -> Iterator[tuple[NDArray[np.int64], Model]]:
    """Yield the rows of every part and the inner model that has not seen them."""
    if grown.parts:
        yield from _inner_councils(grown, model, progress)
        return
    evidence = grown.evidence(progress)
    splits = grown.splits
    for part, split in enumerate(splits):
        with reporting(progress, part / len(splits)):
            checkpoint(f"track record, part {part + 1} of {len(splits)}")
            train = lighter(grown.data.take(split.trained), grown.unit)
            inner = _inner_model(model, evidence, part, train)
        yield split.held_out, inner


def _inner_councils(
    grown: GrownModel, model: Model, progress: Progress | None
) -> Iterator[tuple[NDArray[np.int64], Model]]:
    """Let the inner models of all members sit together, with the weights of the council."""
    names = grown.spec.learner.names
    kept = [grown.parts[names.index(name)] for name in model.options["council"]["members"]]
    own = [
        inner_models(part, replace(model, members=seated(member), weights=()), progress)
        for part, member in zip(kept, model.members, strict=True)
    ]
    for answers in zip(*own, strict=True):
        members = tuple(seat(inner.members) for _, inner in answers)
        yield answers[0][0], replace(model, members=members)


def _inner_model(model: Model, evidence: InnerEvidence, part: int, train: Dataset) -> Model:
    """Make the model that has not seen a part, with the settings of the one that has."""
    members: list[Member] = []
    for number, (member, inner) in enumerate(
        zip(model.members, evidence.members[part], strict=True)
    ):
        if isinstance(member, AdditiveMember):
            kept = member.refits[part : part + 1]
            members += kept or (refit_shapes(member, inner.trees[0], train),)
            continue
        by_target = {smoothed.tree.target: smoothed for smoothed in member.trees}
        trees = tuple(
            _alike(by_target.get(tree.target), member, tree, evidence.of_tree(number, tree))
            for tree in inner.trees
        )
        routing = member.routing
        if routing is not None:
            middle, spread = measure_splits(trees[0].tree, train)
            routing = replace(routing, middle=middle, spread=spread)
        members.append(Member(trees, inner.cuts, routing))
    return replace(model, members=tuple(members))


def _alike(
    smoothed: SmoothedTree | None, member: Member, tree: CountTree, evidence: Evidence
) -> SmoothedTree:
    """Smooth an inner tree with the settings of the model's tree of the same column.

    Where the model left the column out there are none, and they are chosen for the inner tree.
    """
    if smoothed is None:
        smoother = member.trees[0].smoother
        return smoother.smooth(tree, evidence if smoother.needs_evidence else None)
    return SmoothedTree(tree, smooth_like(smoothed, tree, evidence), smoothed.smoother)


def unseen_scores(
    grown: GrownModel, model: Model, progress: Progress | None = None
) -> UnseenScores | None:
    """Ask inner models about the rows they have not seen; None where there are none."""
    data = grown.data
    proba = held_out_proba(grown, model, progress)
    known = ~np.isnan(proba[:, 0])
    if not known.any():
        return None
    labels, weights = data.labels, data.row_weights
    base = np.zeros_like(proba)
    for split in grown.splits:
        base[split.held_out] = base_rates(
            labels[split.trained], data.n_classes, weights[split.trained]
        )
    groups = np.arange(data.n_rows) if data.groups is None else data.groups
    return UnseenScores(
        proba[known],
        labels[known],
        weights[known],
        base[known],
        np.unique(groups[known], return_inverse=True)[1],
        1 + sum(len(split.held_out) / int(split.trained.sum()) for split in grown.splits),
    )
