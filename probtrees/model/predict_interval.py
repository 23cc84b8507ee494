"""Bound the probability of every row by what happened to unseen rows like it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.model.routing import LeafShares, curtailed_nodes, find_leaves, find_leaves_softly
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray


def group_rows(
    model: Model, data: Dataset, proba: FloatArray
) -> tuple[NDArray[np.int64], FloatArray]:
    """Group the rows that a model does not distinguish.

    Parameters
    ----------
    proba : what the model says about the rows

    Returns
    -------
    int64[n_rows], numbered from 0: rows of one leaf, or rows given the same numbers; and
    float64[n_rows], the training rows of the leaf, a mean over leaves where a row reaches several,
    or trees are averaged; 1 for networks, which have no leaves
    """
    if not all(member.is_tree(model.schema) for member in model.members):
        return _alike(proba), np.ones(data.n_rows)
    sizes = np.zeros(data.n_rows)
    for member in model.members:
        landing = leaves_of_member(member, data, model.options.get("curtail"))
        reached = landing.mix(member.trees[0].tree.arrays.weight[:, None].astype(np.float64))
        sizes += reached[:, 0] / len(model.members)
    if len(model.members) == 1 and landing.is_single:
        groups = np.unique(landing.nodes, return_inverse=True)[1].reshape(-1)
        return groups.astype(np.int64), sizes
    return _alike(proba), sizes


def predict_interval(model: Model, data: Dataset) -> FloatArray:
    """Bound every probability with 90 % confidence, judged by rows not used to grow.

    Of a tree it is the interval of the leaf's true rate, the same for all rows of the leaf;
    it also holds for a row as far as rows of one leaf have the same chance. Of networks,
    forests and softly routed trees it is the interval of the true rate of rows that are
    given about this number.

    Returns
    -------
    float64[n_rows, n_classes, 2], the lower and the upper end
    """
    record = model.track_record
    if record is None:
        raise DataError(
            "model must have a track record of groups for intervals. Fit it with a smoother that "
            "holds rows out, such as 'hgs', or add one with with_track_record."
        )
    proba = predict_proba(model, data)
    _, sizes = group_rows(model, data, proba)
    bounds = np.empty((*proba.shape, 2))
    for outcome in range(proba.shape[1]):
        lower, upper = record.intervals(proba[:, outcome], sizes, outcome)
        bounds[:, outcome, 0], bounds[:, outcome, 1] = lower, upper
    return bounds


def leaves_of_member(member: Member, data: Dataset, curtail: float | None) -> LeafShares:
    """Find the leaves whose numbers answer for every row."""
    tree, n_values = member.trees[0].tree, data.schema.n_values
    if member.cuts is not None:
        data = member.cuts.apply(data)
        n_values = data.schema.n_values
    if member.routing is not None:
        landing = find_leaves_softly(tree, member.routing, data.values, n_values)
    else:
        landing = find_leaves(tree, data.values, n_values)
    if not curtail:
        return landing
    return LeafShares(landing.first, curtailed_nodes(tree, curtail)[landing.nodes], landing.shares)


def _alike(proba: FloatArray) -> NDArray[np.int64]:
    """Give rows with the same numbers the same group."""
    groups = np.unique(proba.round(12), axis=0, return_inverse=True)[1].reshape(-1)
    return groups.astype(np.int64)
