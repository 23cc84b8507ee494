"""What a network would have said about each training row had it not counted that row.

The structure stays; the row is taken out of the counts of its own class in every context,
and out of the class counts. A context that no other row of the class shares is answered by
the one above it, as at prediction.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count import _leave_one_out_kernels as kernels
from probtrees.grow.count.cpt import Prefixes, number_prefixes
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.grow.dag import Dag
from probtrees.machine.checkpoint import checkpoint, passing
from probtrees.types import FloatArray, IntArray

Loss = Literal["rmse", "log", "0-1"]

KINDS = {"rmse": kernels.SQUARED, "log": kernels.LOGARITHMIC, "0-1": kernels.ZERO_ONE}
"""How kernels call the losses."""

_PRECISION = 50
"""Losses up to 2^10, which -ln p never exceeds, are added as multiples of 2^-50."""

MAX_JOINT = 2**26
"""Joint probabilities held at a time (512 MB); more bounds than fit are done in turns."""


class PrefixCounts(NamedTuple):
    """Classes counted in the contexts and in the cells of a table's prefixes."""

    in_contexts: FloatArray
    in_cells: FloatArray


def count_prefixes(table: NominalRows, prefixes: Prefixes) -> PrefixCounts:
    """Count the classes in every context and in every cell."""
    labels, weights = table.codes[-1], table.weights
    n_classes = int(table.n_values[-1])
    return PrefixCounts(
        count_numbers(labels, weights, prefixes.contexts, prefixes.first_context, n_classes),
        count_numbers(labels, weights, prefixes.cells, prefixes.first_cell, n_classes),
    )


def count_numbers(
    labels: NDArray[np.int32],
    weights: FloatArray,
    numbers: NDArray[np.int32],
    first: IntArray,
    n_classes: int,
) -> FloatArray:
    """Count the classes by number, the numbers of every level laid end to end."""
    cells = (first[:-1, None] + numbers) * n_classes + labels
    every = np.broadcast_to(weights, cells.shape).ravel()
    counts = np.bincount(cells.ravel(), every, int(first[-1]) * n_classes)
    return counts.astype(np.float64).reshape(-1, n_classes)


class LeftOutTable(NamedTuple):
    """The counts of one table, to look a row's neighbours up in.

    Attributes
    ----------
    target : the column of the table
    prefixes, counts : its contexts and cells, and the classes counted in them
    """

    target: int
    prefixes: Prefixes
    counts: PrefixCounts


@dataclass
class LossSums:
    """Leave-one-out losses, added up exactly: no matter in which order, or where.

    Attributes
    ----------
    loss : what is added up
    bounds : the bounds on the number of parents that are tried
    class_counts : the weight of every class among all rows
    scale : losses are added as multiples of 1 / scale
    sums : int64[n_attributes + 1, n_bounds, 2], upper and lower bits
    """

    loss: Loss
    bounds: range
    class_counts: FloatArray
    scale: float
    sums: IntArray

    @classmethod
    def empty(
        cls, loss: Loss, bounds: range, class_counts: FloatArray, n_tables: int, heaviest: float
    ) -> LossSums:
        """Begin with no rows; ``heaviest`` is the largest weight of a row."""
        scale = math.ldexp(1.0, _PRECISION - max(0, math.ceil(math.log2(max(heaviest, 1.0)))))
        sums = np.zeros((n_tables + 1, len(bounds), 2), dtype=np.int64)
        return cls(loss, bounds, class_counts, scale, sums)

    def update(
        self,
        table: NominalRows,
        tables: Iterable[tuple[LeftOutTable, NDArray[np.int32]]],
        strength: float = 1.0,
    ) -> None:
        """Add the losses of some rows.

        Parameters
        ----------
        table : the rows
        tables : every attribute's table in order, with the rows' places in its prefixes
        strength : of the m-estimates
        """
        labels, weights = table.codes[-1], table.weights
        loss = (labels, weights, KINDS[self.loss], self.scale)
        joint = np.empty((len(labels), len(self.bounds), self.class_counts.shape[0]))
        total = float(self.class_counts.sum())
        kernels.multiply_by_prior(labels, weights, self.class_counts, total, strength, joint)
        kernels.add_losses(*loss, joint, self.sums[0])
        for number, (left_out, places) in enumerate(tables, start=1):
            target, prefixes, counts = left_out
            given = (table, weights, target, places, prefixes, counts)
            kernels.multiply_by_table(*given, self.bounds.start, strength, joint)
            kernels.add_losses(*loss, joint, self.sums[number])

    def surface(self) -> FloatArray:
        """Average: float64[n_attributes + 1, n_bounds]."""
        total = float(self.class_counts.sum())
        whole = int(self.scale)
        sums = [
            [((int(upper) << kernels.HALF) + int(lower)) / whole for upper, lower in row]
            for row in self.sums
        ]
        means = np.array(sums) / total
        return np.sqrt(means) if self.loss == "rmse" else means


def loss_surface(
    table: NominalRows, full: Dag, k: int, loss: Loss, strength: float = 1.0
) -> FloatArray:
    """Measure the leave-one-out loss for every number of attributes and bound on parents.

    Tables are m-estimates with the given strength. rmse is the root of the mean of
    (1 - p)^2, p the probability of the row's own class, as in Martinez et al. (2016); log
    is the mean of -ln p; 0-1 the share of wrong answers, the first of equal classes taken.

    Parameters
    ----------
    full : the class, then attributes in order, each with its parents, the class first

    Returns
    -------
    float64[n_attributes + 1, k + 1]
    """
    n_rows = table.codes.shape[1]
    class_counts = count_classes(table)
    at_a_time = max(1, min(k + 1, MAX_JOINT // max(1, n_rows * len(class_counts))))
    heaviest = float(table.weights.max(initial=1.0))
    places = np.arange(n_rows, dtype=np.int32)
    attributes = list(full.parents.items())[1:]
    turns = []
    for first in range(0, k + 1, at_a_time):
        bounds = range(first, min(first + at_a_time, k + 1))
        losses = LossSums.empty(loss, bounds, class_counts, len(attributes), heaviest)
        tables = (
            (left_out_table(table, column, parents[1 : bounds.stop]), places)
            for column, parents in passing(attributes, "leaving each row out")
        )
        losses.update(table, tables, strength)
        turns.append(losses.surface())
    return np.concatenate(turns, axis=1)


def left_out_table(table: NominalRows, target: int, path: tuple[int, ...]) -> LeftOutTable:
    """Count a table by every prefix of its path, the class apart; rows are their own places."""
    prefixes = number_prefixes(table, target, path)
    return LeftOutTable(target, prefixes, count_prefixes(table, prefixes))


def log_prior(table: NominalRows) -> FloatArray:
    """Return log p(class) for every row and class, Laplace, the row left out."""
    class_counts = count_classes(table)
    joint = np.empty((table.codes.shape[1], 1, class_counts.shape[0]))
    total, strength = float(class_counts.sum()), float(class_counts.shape[0])
    given = (table.codes[-1], table.weights, class_counts)
    kernels.multiply_by_prior(*given, total, strength, joint)
    return np.log(joint[:, 0])


def log_levels(table: NominalRows, target: int, path: tuple[int, ...]) -> FloatArray:
    """Return log p(value | class, first d columns of the path), Laplace, the row left out.

    Returns
    -------
    float64[len(path) + 1, n_rows, n_classes]
    """
    checkpoint("leaving each row out")
    n_rows = table.codes.shape[1]
    places, strength = np.arange(n_rows, dtype=np.int32), float(table.n_values[target])
    target, prefixes, counts = left_out_table(table, target, path)
    joint = np.ones((n_rows, len(path) + 1, int(table.n_values[-1])))
    given = (table, table.weights, target, places, prefixes, counts)
    kernels.multiply_by_table(*given, 0, strength, joint)
    return np.log(np.ascontiguousarray(np.moveaxis(joint, 1, 0)))


def count_classes(table: NominalRows) -> FloatArray:
    """Return the weight of every declared class."""
    counts = np.bincount(table.codes[-1], weights=table.weights, minlength=int(table.n_values[-1]))
    return counts.astype(np.float64)
