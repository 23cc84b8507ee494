"""What networks of every size say about rows that had no part in learning them.

Leave-one-out takes a row out of the counts, but the row has helped to choose cuts, order and
parents. Here everything is learnt without a part of the rows, and these judge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.grow.count import _leave_one_out_kernels as kernels
from probtrees.grow.count.cpt import number_prefixes
from probtrees.grow.count.leave_one_out import KINDS, MAX_JOINT, Loss, count_classes, count_prefixes
from probtrees.grow.count.mutual_information import DECIMALS
from probtrees.grow.count.nominal_rows import (
    NominalRows,
    deal_rows,
    nominal_rows,
    numbered_by_appearance,
)
from probtrees.grow.dag import Dag
from probtrees.machine.checkpoint import passing
from probtrees.machine.kernel_cache import runnable
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, IntArray

N_PARTS = 5
"""Parts that rows are dealt to where nobody says which rows are to judge."""

N_BUNDLES = 256
"""Losses are added up in this many bundles of rows, whose differences give the standard error."""


class HeldOutPart(NamedTuple):
    """Rows to learn from, and rows to judge what was learnt; both cut as the former say.

    Attributes
    ----------
    trained : the rows to learn from
    judges : the rows to judge by; an unknown value has the code after the declared ones
    bundles : int64[n_judges] below :data:`N_BUNDLES`, the bundle of every judge
    """

    trained: NominalRows
    judges: NominalRows
    bundles: IntArray


HoldOut = Callable[[int | None], Iterable[HeldOutPart]]
"""Gives the parts, cut by chance from the given seed, or None: as all networks cut."""


class LossSurface(NamedTuple):
    """The loss of networks of every size on rows held out.

    Attributes
    ----------
    losses : float64[n_attributes + 1, k + 1], as of leave-one-out
    errors : float64[n_attributes + 1, k + 1], the standard error, over rows or groups, of how
        much larger each loss is than the least
    """

    losses: FloatArray
    errors: FloatArray


def code_judges(data: Dataset) -> NominalRows:
    """Lay rows out to judge by; a missing or unknown value gets the code after the declared."""
    n_values = data.schema.n_values.astype(np.int64)
    known = (data.values >= 0) & (data.values < n_values)
    codes = np.where(known, data.values, n_values).astype(np.int32)
    return NominalRows(
        np.ascontiguousarray(codes.T), n_values, np.ascontiguousarray(data.row_weights)
    )


def bundle_rows(data: Dataset, order: IntArray) -> IntArray:
    """Give every row a bundle by its place in an order; rows of one group share theirs.

    >>> from probtrees.table.dataset import Column, Schema
    >>> data = Dataset(Schema((Column("y", ("a", "b")),)), np.zeros((3, 1)))
    >>> bundle_rows(data, np.array([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    bundles = np.empty(data.n_rows, dtype=np.int64)
    bundles[order] = np.arange(data.n_rows)
    if data.groups is not None:
        bundles[order] = numbered_by_appearance(data.groups[order])
    return bundles % N_BUNDLES


def dealt_parts(data: Dataset, seed: int = 0) -> Iterator[HeldOutPart]:
    """Hold out parts of nominal rows that have their share of every class; groups stay together.

    For callers whose rows are cut already. Which rows come later is not known here.
    """
    if data.times is not None:
        raise DataError(
            "times must not be given to a learner that deals rows out itself. "
            "Use probtrees.experiment.fit, whose parts follow time."
        )
    part_of = deal_rows(data, N_PARTS, seed)
    bundles = bundle_rows(data, np.arange(data.n_rows))
    for part in range(N_PARTS):
        judges = part_of == part
        if judges.any() and not judges.all():
            yield HeldOutPart(
                nominal_rows(data.take(~judges)), code_judges(data.take(judges)), bundles[judges]
            )


def held_out_surface(
    parts: Iterable[HeldOutPart],
    learn: Callable[[NominalRows], Dag],
    shape: tuple[int, int],
    loss: Loss,
    strength: float = 1.0,
) -> LossSurface | None:
    """Measure the loss for every number of attributes and bound on parents on rows held out.

    Tables are m-estimates with the given strength, and losses those of
    :func:`~probtrees.grow.count.leave_one_out.loss_surface`.

    Parameters
    ----------
    learn : finds the full network of the rows to learn from
    shape : the largest number of attributes, and the largest bound, each plus 1

    Returns
    -------
    None if no row was held out
    """
    sums = np.zeros((N_BUNDLES, *shape))
    weights = np.zeros(N_BUNDLES)
    for part in parts:
        _add_losses(part, learn(part.trained), loss, strength, sums)
        weights += np.bincount(part.bundles, part.judges.weights, N_BUNDLES)
    if not weights.any():
        return None
    return _surface(sums, weights, loss)


def _add_losses(
    part: HeldOutPart, full: Dag, loss: Loss, strength: float, sums: FloatArray
) -> None:
    """Add the losses of the judges of one part, for every size of its network."""
    judges, class_counts = part.judges, count_classes(part.trained)
    n_bounds = sums.shape[2]
    n_judges = judges.codes.shape[1]
    at_a_time = max(1, min(n_bounds, MAX_JOINT // max(1, n_judges * len(class_counts))))
    together, n_trained = _join(part), part.trained.codes.shape[1]
    places = np.arange(n_trained, n_trained + n_judges, dtype=np.int32)
    attributes = list(full.parents.items())[1:]
    labels, not_counted = judges.codes[-1], np.zeros(n_judges)
    judged = (labels, judges.weights, part.bundles, KINDS[loss])
    for first in range(0, n_bounds, at_a_time):
        bounds = slice(first, min(first + at_a_time, n_bounds))
        joint = np.empty((n_judges, bounds.stop - first, len(class_counts)))
        total = float(class_counts.sum())
        runnable(kernels.multiply_by_prior)(
            labels, not_counted, class_counts, total, strength, joint
        )
        runnable(kernels.add_bundled_losses)(*judged, joint, sums[:, 0, bounds])
        words = "judging by rows held out"
        for number, (column, parents) in enumerate(passing(attributes, words), start=1):
            prefixes = number_prefixes(together, column, parents[1 : bounds.stop])
            given = (judges, not_counted, column, places, prefixes)
            counts = count_prefixes(together, prefixes)
            runnable(kernels.multiply_by_table)(*given, counts, first, strength, joint)
            runnable(kernels.add_bundled_losses)(*judged, joint, sums[:, number, bounds])


def _join(part: HeldOutPart) -> NominalRows:
    """Put the judges behind the rows to learn from, without weight, to find them in tables."""
    trained, judges = part.trained, part.judges
    n_values = trained.n_values.copy()
    n_values[:-1] += 1
    weights = np.concatenate([trained.weights, np.zeros(judges.codes.shape[1])])
    return NominalRows(np.concatenate([trained.codes, judges.codes], axis=1), n_values, weights)


def _surface(sums: FloatArray, weights: FloatArray, loss: Loss) -> LossSurface:
    """Average, and measure by how much the difference to the least loss varies.

    Bundles are as good as drawn one by one, so that the variance of a mean follows from how
    their sums scatter. On the scale of a root the error of a difference is that of the means
    divided by the sum of the roots.
    """
    used = weights > 0
    sums, weights, total = sums[used], weights[used], weights.sum()
    means = sums.sum(axis=0) / total
    n_attributes, k = least(means)
    best = sums[:, n_attributes, k].copy()
    errors = np.zeros_like(means)
    for number in range(len(errors) if len(weights) > 1 else 0):
        differences = sums[:, number] - best[:, None]
        scatter = differences - weights[:, None] * (differences.sum(axis=0) / total)
        variance = (scatter**2).sum(axis=0) * len(weights) / (len(weights) - 1)
        errors[number] = np.sqrt(variance) / total
    if loss != "rmse":
        return LossSurface(means, errors)
    roots = np.sqrt(means)
    both = roots + roots[n_attributes, k]
    return LossSurface(roots, np.divide(errors, both, out=np.zeros_like(errors), where=both > 0))


def least(surface: FloatArray) -> tuple[int, int]:
    """Find the least loss; of equals the one with fewest attributes, then fewest parents.

    >>> least(np.array([[0.5, 0.5], [0.2, 0.2]]))
    (1, 0)
    """
    flat = int(np.argmin(np.round(surface, DECIMALS)))
    n_attributes, k = divmod(flat, surface.shape[1])
    return n_attributes, k


def least_within_error(surface: LossSurface) -> tuple[int, int]:
    """Find the smallest network whose loss is within one standard error of the least.

    The smallest has the fewest attributes, then the fewest parents.

    >>> least_within_error(
    ...     LossSurface(np.array([[0.5], [0.3], [0.29]]), np.array([[0.1], [0.02], [0.0]]))
    ... )
    (1, 0)
    """
    losses = surface.losses
    excess = np.round(losses - losses[least(losses)], DECIMALS)
    flat = int(np.argmax(excess <= surface.errors))
    n_attributes, k = divmod(flat, losses.shape[1])
    return n_attributes, k
