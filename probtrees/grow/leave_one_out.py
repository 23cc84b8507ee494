"""What a network would have said about each training row had it not counted that row.

The structure stays; the row is taken out of the counts of its own class in every context,
and out of the class counts. A context that no other row of the class shares is answered by
the one above it, as at prediction.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.code_table import CodeTable
from probtrees.dag import Dag
from probtrees.grow import _leave_one_out_kernels as kernels
from probtrees.grow.cpt import Prefixes, number_prefixes

FloatArray = NDArray[np.float64]

Loss = Literal["rmse", "log", "0-1"]

_KINDS = {"rmse": kernels.SQUARED, "log": kernels.LOGARITHMIC, "0-1": kernels.ZERO_ONE}

_MAX_JOINT = 2**26
"""Joint probabilities held at a time (512 MB); more bounds than fit are done in turns."""


class PrefixCounts(NamedTuple):
    """Classes counted in the contexts and in the cells of a table's prefixes."""

    in_contexts: FloatArray
    in_cells: FloatArray


def count_prefixes(table: CodeTable, prefixes: Prefixes) -> PrefixCounts:
    """Count the classes in every context and in every cell."""
    labels, weights = table.codes[-1], table.weights
    n_classes = int(table.n_values[-1])
    in_contexts = np.zeros((prefixes.first_context[-1], n_classes))
    in_cells = np.zeros((prefixes.first_cell[-1], n_classes))
    kernels.count_prefixes(labels, weights, prefixes.contexts, prefixes.first_context, in_contexts)
    kernels.count_prefixes(labels, weights, prefixes.cells, prefixes.first_cell, in_cells)
    return PrefixCounts(in_contexts, in_cells)


def loss_surface(
    table: CodeTable, full: Dag, k: int, loss: Loss, strength: float = 1.0
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
    n_classes = int(table.n_values[-1])
    at_a_time = max(1, min(k + 1, _MAX_JOINT // max(1, n_rows * n_classes)))
    turns = [
        _surface_part(table, full, range(first, min(first + at_a_time, k + 1)), loss, strength)
        for first in range(0, k + 1, at_a_time)
    ]
    surface = np.concatenate(turns, axis=1)
    return np.sqrt(surface) if loss == "rmse" else surface


def _surface_part(
    table: CodeTable, full: Dag, bounds: range, loss: Loss, strength: float
) -> FloatArray:
    """Average the losses for some of the bounds on the number of parents."""
    class_counts = count_classes(table)
    total = float(class_counts.sum())
    joint = np.empty((table.codes.shape[1], len(bounds), class_counts.shape[0]))
    surface = np.empty((len(full.parents), len(bounds)))
    kind = _KINDS[loss]
    for place, (column, parents) in enumerate(full.parents.items()):
        if place == 0:
            kernels.leave_out_of_prior(
                table, class_counts, total, strength, kind, joint, surface[0]
            )
            continue
        prefixes = number_prefixes(table, column, parents[1 : bounds.stop])
        kernels.leave_out_of_table(
            table,
            column,
            prefixes,
            count_prefixes(table, prefixes),
            bounds.start,
            strength,
            kind,
            joint,
            surface[place],
        )
    return np.asarray(surface / total)


def log_prior(table: CodeTable) -> FloatArray:
    """Return log p(class) for every row and class, Laplace, the row left out."""
    class_counts = count_classes(table)
    joint = np.empty((table.codes.shape[1], 1, class_counts.shape[0]))
    total, strength = float(class_counts.sum()), float(class_counts.shape[0])
    kernels.leave_out_of_prior(
        table, class_counts, total, strength, kernels.SQUARED, joint, np.empty(1)
    )
    return np.log(joint[:, 0])


def log_levels(table: CodeTable, target: int, path: tuple[int, ...]) -> FloatArray:
    """Return log p(value | class, first d columns of the path), Laplace, the row left out.

    Returns
    -------
    float64[len(path) + 1, n_rows, n_classes]
    """
    prefixes = number_prefixes(table, target, path)
    logs = np.empty((len(path) + 1, table.codes.shape[1], int(table.n_values[-1])))
    strength = float(table.n_values[target])
    kernels.log_levels(table, target, prefixes, count_prefixes(table, prefixes), strength, logs)
    return logs


def count_classes(table: CodeTable) -> FloatArray:
    """Return the weight of every declared class."""
    counts = np.bincount(table.codes[-1], weights=table.weights, minlength=int(table.n_values[-1]))
    return counts.astype(np.float64)
