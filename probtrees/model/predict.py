"""A model and rows give probabilities, and how far these may be off.

Rows land in the trees of the model (:mod:`.routing`), and the nodes they reach answer: in a
decision tree averaged by share, in a table the deepest context met. An interval is that of what
happened to unseen rows like them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, stdtrit

from probtrees.errors import DataError
from probtrees.grow.count_tree import CountTree
from probtrees.model import _predict_kernels as kernels
from probtrees.model.calibration import log_odds
from probtrees.model.member import AdditiveMember, AveragedMember, Member, WholeMember
from probtrees.model.model import Model
from probtrees.model.routing import (
    LeafShares,
    SoftRouting,
    curtailed_nodes,
    find_leaves,
    find_leaves_softly,
    soft_steps,
    spread,
)
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray

SMALLEST_FACTOR = 1e-300
"""Stands for a probability of 0 in a product, so that a row which is impossible under every
class goes to the classes with the fewest impossible values instead of nowhere."""

IntervalKind = Literal["leaf", "rate", "row"]

NORMAL = 1.6448536269514722
"""Standard deviations on either side of the middle that hold 90 % of a normal."""

_WIDER = 1.4
"""Refits share their settings and most rows, so they lie closer than trees of fresh tables: under
additive truth Student's interval held 72 to 80 % of simulated rows, so much wider 84 to 90 %."""

LEAST_OPINION = 1e-4
"""In a pool no member may rule out what the others hold possible."""

_CHUNK = 8192
"""Rows handled at a time where a row may land in many leaves."""

_TABLE_CHUNK = 65536
"""Rows taken through one table after another: enough to keep a table in the cache."""


def tree_proba(
    smoothed: SmoothedTree,
    data: Dataset,
    curtail: float | None = None,
    routing: SoftRouting | None = None,
) -> FloatArray:
    """Return what a decision tree says about every row.

    Parameters
    ----------
    curtail : stop before nodes with fewer training rows than this; None: at leaves only
    routing : how rows are routed softly; None: every row goes where its values lead
    """
    tree, probs = smoothed.tree, np.ascontiguousarray(smoothed.probs)
    if curtail:
        probs = probs[curtailed_nodes(tree, curtail)]
    n_values = data.schema.n_values
    values = np.ascontiguousarray(data.values)
    if routing is not None:
        proba = np.empty((values.shape[0], probs.shape[1]))
        for start in range(0, values.shape[0], _CHUNK):
            landing = find_leaves_softly(tree, routing, values[start : start + _CHUNK], n_values)
            proba[start : start + _CHUNK] = landing.mix(probs)
        return proba
    landed = np.empty(values.shape[0], dtype=np.int32)
    n_spread = kernels.descend(tree.arrays, values, n_values, False, landed)
    proba = np.take(probs, landed, axis=0)
    if n_spread:
        rows = np.flatnonzero(landed == kernels.NOWHERE)
        for start in range(0, rows.shape[0], _CHUNK):
            chunk = rows[start : start + _CHUNK]
            place = spread(tree, values[chunk], n_values)
            kernels.mix(place.first, place.nodes, place.shares, probs, chunk, proba)
    return proba


def predict_proba(model: Model, data: Dataset) -> FloatArray:
    """Return the probability of every class for every row.

    Parameters
    ----------
    model : a :class:`~probtrees.model.model.Model`
    data : rows under the model's schema; the class column is not looked at

    Returns
    -------
    float64[n_rows, n_classes]; rows sum to 1
    """
    proba = uncalibrated_proba(model, data)
    return proba if model.calibration is None else model.calibration.apply(proba)


def uncalibrated_proba(model: Model, data: Dataset) -> FloatArray:
    """Return what the members say, before the last step of a calibrated model."""
    if data.values.shape[1] != model.schema.n_columns:
        raise DataError(
            f"columns={data.values.shape[1]} must be {model.schema.n_columns}, as in the model. "
            "Read the table with the model's schema."
        )
    smallest = model.options.get("curtail")
    if model.weights:
        return pooled([member_proba(member, data) for member in model.members], model.weights)
    if len(model.members) == 1 and _answers_alone(model.members[0], model.schema):
        return member_proba(model.members[0], data, smallest)
    if model.averaging == "joint":  # of products alone, as a model file is checked for
        total = member_log_joint(model.members[0], data, smallest)
        for member in model.members[1:]:
            np.logaddexp(total, member_log_joint(member, data, smallest), out=total)
        return normalise(total)
    proba = np.zeros((data.n_rows, len(model.schema.classes)))
    for member in model.members:
        proba += member_proba(member, data, smallest)
    return proba / len(model.members)


def pooled(opinions: Sequence[FloatArray], weights: Sequence[float]) -> FloatArray:
    """Multiply what members say, each to the power of its weight, and normalise.

    >>> pooled([np.array([[0.8, 0.2]]), np.array([[0.5, 0.5]])], (0.5, 1.0)).round(6).tolist()
    [[0.666667, 0.333333]]
    """
    said = zip(opinions, weights, strict=True)
    return normalise(np.sum([weight * opinion(proba) for proba, weight in said], axis=0))


def opinion(proba: FloatArray) -> FloatArray:
    """Return the logarithms of probabilities, none of which rules a class out."""
    return np.asarray(np.log(np.maximum(proba, LEAST_OPINION)))


def member_proba(member: Member, data: Dataset, curtail: float | None = None) -> FloatArray:
    """Return what one member says about every row."""
    if isinstance(member, AdditiveMember):
        return normalise(additive_scores(member, data))
    if isinstance(member, AveragedMember):
        said = (member_proba(each, data, curtail) for each in member.members)
        return np.asarray(sum(said, np.zeros(1)) / len(member.members))
    if _answers_alone(member, data.schema):
        return tree_proba(member.trees[0], _cut(member, data), curtail, member.routing)
    return normalise(member_log_joint(member, data, curtail))


def additive_scores(member: AdditiveMember, data: Dataset) -> FloatArray:
    """Return the scores of every row and class: their softmax is the answer."""
    values = np.ascontiguousarray(data.values)
    scores = np.empty((data.n_rows, member.intercept.shape[0]))
    average = member.intercept - member.node_means @ member.node_weights
    has_path = bool(member.node_weights.any())  # held-out rows may have gained nothing by it
    for start in range(0, data.n_rows, _CHUNK):
        part = values[start : start + _CHUNK]
        added = np.tile(average, (part.shape[0], 1))
        if has_path:
            steps = soft_steps(member.smoothed.tree, member.routing, part, data.schema.n_values)
            added += steps.add_up(member.node_weights)
        for shape in member.shapes:
            added += shape.scores(part[:, shape.column])
        scores[start : start + _CHUNK] = added
    return scores


def member_log_joint(member: Member, data: Dataset, curtail: float | None = None) -> FloatArray:
    """Return the log of a member's product for every row and class, not normalised."""
    data = _cut(member, data)
    schema = data.schema
    log_joint = np.zeros((data.n_rows, len(schema.classes)))
    tables: list[SmoothedTree] = []
    stops = member.has_class_table(schema)
    for smoothed in member.trees:
        if smoothed.tree.target == schema.target_column and stops:
            nodes = deepest_contexts(smoothed.tree, data.values, schema.n_values)
            log_joint += log_factors(smoothed.probs[nodes])
        elif smoothed.tree.target == schema.target_column:
            log_joint += log_factors(tree_proba(smoothed, data, curtail))
        else:
            tables.append(smoothed)
    if tables:
        _add_tables(tables, data, log_joint)
    return log_joint


def deepest_contexts(
    tree: CountTree, values: FloatArray, n_values: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Find the deepest context of a table that every row shares.

    Parameters
    ----------
    tree, values, n_values : as in :func:`find_leaves`
    """
    landed = np.empty(values.shape[0], dtype=np.int32)
    kernels.descend(tree.arrays, np.ascontiguousarray(values), n_values, True, landed)
    return landed


def _add_tables(tables: Sequence[SmoothedTree], data: Dataset, log_joint: FloatArray) -> None:
    """Multiply all tables in; many rows are cut into chunks that run side by side."""
    logs = [log_factors(smoothed.probs) for smoothed in tables]

    def add(start: int) -> None:
        values = np.ascontiguousarray(data.values[start : start + _TABLE_CHUNK])
        codes = np.empty(values.shape, dtype=np.int32)
        kernels.read_codes(values, data.schema.n_values, codes)
        part = log_joint[start : start + _TABLE_CHUNK]
        for smoothed, log_probs in zip(tables, logs, strict=True):
            tree = smoothed.tree
            kernels.add_table(tree.arrays, log_probs, tree.target, codes, part)

    starts = range(0, data.n_rows, _TABLE_CHUNK)
    if len(starts) == 1:
        add(0)
        return
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        list(pool.map(add, starts))


def log_factors(probs: FloatArray) -> FloatArray:
    """Return the logarithms of factors of a product, none of them minus infinity."""
    return np.asarray(np.log(np.maximum(probs, SMALLEST_FACTOR)))


def _cut(member: Member, data: Dataset) -> Dataset:
    return data if member.cuts is None else member.cuts.apply(data)


def _answers_alone(member: Member, schema: Schema) -> bool:
    """Whether a lone tree of the class answers, so that nothing is multiplied or added."""
    if isinstance(member, WholeMember):
        return False
    return len(member.trees) == 1 and member.trees[0].tree.target == schema.target_column


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


def predict_interval(model: Model, data: Dataset, kind: IntervalKind | None = None) -> FloatArray:
    """Bound every probability with 90 % confidence.

    Parameters
    ----------
    kind : "leaf", the true rate in a row's leaf, of a decision tree; "rate", the true rate of rows
        that are given about this number, of every model; "row", the chance of the row itself, of a
        shaped tree with its refits, as far as a tree of this kind can express it. None: "leaf"
        where there are leaves, else "rate"

    Returns
    -------
    float64[n_rows, n_classes, 2], the lower and the upper end
    """
    lone = len(model.members) == 1 and model.members[0].routing is None
    has_leaves = lone and model.members[0].is_tree(model.schema)
    kind = kind or ("leaf" if has_leaves else "rate")
    if kind not in get_args(IntervalKind):
        raise DataError(f"kind={kind!r} must be one of {', '.join(get_args(IntervalKind))}.")
    if kind == "leaf" and not has_leaves:
        raise DataError("kind='leaf' needs a decision tree, whose rows have one leaf. Ask 'rate'.")
    if kind == "row":
        return _row_interval(model, data)
    record = model.track_record
    if record is None:
        raise DataError(
            "model must have a track record for intervals. Fit it with a smoother that holds rows "
            "out, such as 'hgs', with track_record=True, or, as a classifier, with intervals=True."
        )
    proba = predict_proba(model, data)
    sizes = group_rows(model, data, proba)[1] if kind == "leaf" else None
    ends = [record.intervals(given, sizes, outcome) for outcome, given in enumerate(proba.T)]
    return np.asarray(np.moveaxis(np.array(ends), 2, 0))


def has_refits(model: Model) -> bool:
    """Whether a model carries what the intervals of its rows are made of."""
    member = model.members[0]
    return model.kind == "shaped" and isinstance(member, AdditiveMember) and len(member.refits) > 1


def _row_interval(model: Model, data: Dataset) -> FloatArray:
    """Bound every probability by its refits: errors are those of log-odds, so it stays inside."""
    member = model.members[0]
    if not has_refits(model) or not isinstance(member, AdditiveMember):
        raise DataError(
            "kind='row' needs a shaped tree with its refits: fit one with 'probtrees.fit'."
        )
    said, *refits = (
        log_odds(normalise(additive_scores(each, data))) for each in (member, *member.refits)
    )
    reach = NORMAL * refit_error(refits)
    return np.asarray(expit(np.stack([said - reach, said + reach], axis=-1)))


def refit_error(refits: Sequence[FloatArray]) -> FloatArray:
    r"""Return the standard error of a number by its values in refits without a part each.

    .. math:: \sqrt{(g - 1) / g \sum_i (\theta_i - \bar\theta)^2}

    That is the jackknife's; it is widened so that 90 % of a normal hold what Student's interval of
    so few refits would, and what refits that share rows do not show.
    """
    values = np.array(refits)
    n_parts = len(values)
    off = values - values.mean(axis=0)
    wider = _WIDER * float(stdtrit(n_parts - 1, 0.95)) / NORMAL
    return np.asarray(wider * np.sqrt((n_parts - 1) / n_parts * (off**2).sum(axis=0)))


def leaves_of_member(member: Member, data: Dataset, curtail: float | None) -> LeafShares:
    """Find the leaves whose numbers answer for every row."""
    data = _cut(member, data)
    tree, n_values = member.trees[0].tree, data.schema.n_values
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
