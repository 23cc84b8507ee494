"""Selective KDB: how many attributes, and how many parents each, chosen by leave-one-out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from probtrees.code_table import CodeTable, code_table
from probtrees.dag import Dag, Structure, StructureMember
from probtrees.dataset import Dataset
from probtrees.grow import _skdb_kernels as kernels
from probtrees.grow.cpt import Prefixes, number_prefixes
from probtrees.grow.kdb import dag_of_order, describe
from probtrees.grow.mutual_information import FloatArray, measure
from probtrees.options import Options, option

Loss = Literal["rmse", "log", "0-1"]

_KINDS = {"rmse": kernels.SQUARED, "log": kernels.LOGARITHMIC, "0-1": kernels.ZERO_ONE}

_MAX_JOINT = 2**26
"""Joint probabilities held at a time (512 MB); more bounds than fit are done in turns."""

STRENGTH = 1.0
"""Imagined rows lent to every context while structures are compared."""


@dataclass(frozen=True)
class SKDB(Options):
    """Learn a KDB, then keep as much of it as pays off on rows left out.

    Every KDB with the first 0, 1, 2, ... attributes and at most k = 0, 1, ..., k_max
    parents is judged by leave-one-out: the row is taken out of the counts of its own class
    in every context and of the class counts, tables are m-estimates with strength 1, and
    the deepest context that is left with rows answers, as at prediction. The lowest loss
    wins; among equals fewer attributes, then fewer parents. Martinez et al. (2016); thesis
    Algorithm 5.
    """

    name: ClassVar[str] = "skdb"

    k: int = option(
        5,
        help="Most parents an attribute may have beside the class; fewer if that is better.",
        minimum=0,
    )
    loss: Loss = option(
        "rmse",
        help="What is to be small on rows left out: the miss of the true class's probability "
        "(rmse), its log loss, or wrong answers (0-1).",
    )

    def learn(self, data: Dataset) -> Structure:
        """Find order and parents, then how much of them to keep."""
        table = code_table(data)
        information = measure(table)
        order = information.order()
        selection = select(table, dag_of_order(order, information.pairwise, self.k), self)
        return Structure(
            (StructureMember(selection.dag),),
            diagnostics=describe(
                information,
                order,
                k=selection.k,
                n_attributes=selection.n_attributes,
                loss=self.loss,
                loss_surface=selection.surface,
            ),
        )


class Selection(NamedTuple):
    """The part of a KDB that leave-one-out keeps.

    ``surface[a, k]`` is the loss with the first a attributes and at most k parents.
    """

    dag: Dag
    n_attributes: int
    k: int
    surface: FloatArray


def select(table: CodeTable, full: Dag, options: SKDB) -> Selection:
    """Choose how many attributes and parents of a KDB to keep."""
    surface = loss_surface(table, full, options.k, options.loss)
    flat = np.round(surface, 12).ravel()
    n_attributes, k = divmod(int(np.argmin(flat)), surface.shape[1])
    kept = {
        column: parents[: k + 1]
        for column, parents in islice(full.parents.items(), n_attributes + 1)
    }
    return Selection(Dag(kept), n_attributes, k, surface)


def loss_surface(table: CodeTable, full: Dag, k: int, loss: Loss) -> FloatArray:
    """Measure the leave-one-out loss for every number of attributes and bound on parents.

    rmse is the root of the mean of (1 - p)^2, p the probability of the row's own class, as
    in Martinez et al.; log is the mean of -ln p; 0-1 the share of wrong answers.

    Returns
    -------
    float64[n_attributes + 1, k + 1]
    """
    n_rows = table.codes.shape[1]
    n_classes = int(table.n_values[-1])
    at_a_time = max(1, min(k + 1, _MAX_JOINT // max(1, n_rows * n_classes)))
    turns = [
        _surface_part(table, full, first, min(first + at_a_time, k + 1), loss)
        for first in range(0, k + 1, at_a_time)
    ]
    surface = np.concatenate(turns, axis=1)
    return np.sqrt(surface) if loss == "rmse" else surface


def _surface_part(
    table: CodeTable, full: Dag, first_bound: int, stop: int, loss: Loss
) -> FloatArray:
    """Sum the losses for the bounds on parents from ``first_bound`` up to ``stop``."""
    n_classes = int(table.n_values[-1])
    class_counts = np.bincount(table.codes[-1], weights=table.weights, minlength=n_classes)
    joint = np.empty((table.codes.shape[1], stop - first_bound, n_classes))
    surface = np.empty((len(full.parents), stop - first_bound))
    kind = _KINDS[loss]
    kernels.leave_out_of_prior(table, class_counts, STRENGTH, kind, joint, surface[0])
    attributes = islice(full.parents.items(), 1, None)
    for place, (column, parents) in enumerate(attributes, start=1):
        prefixes = number_prefixes(table, column, parents[1:stop])
        kernels.leave_out_of_table(
            table,
            column,
            prefixes,
            _count_prefixes(table, prefixes),
            first_bound,
            STRENGTH,
            kind,
            joint,
            surface[place],
        )
    return np.asarray(surface / class_counts.sum())


def _count_prefixes(table: CodeTable, prefixes: Prefixes) -> tuple[FloatArray, FloatArray]:
    """Count the classes in every context and in every cell."""
    labels, weights = table.codes[-1], table.weights
    n_classes = int(table.n_values[-1])
    in_contexts = np.zeros((prefixes.first_context[-1], n_classes))
    in_cells = np.zeros((prefixes.first_cell[-1], n_classes))
    kernels.count_prefixes(labels, weights, prefixes.contexts, prefixes.first_context, in_contexts)
    kernels.count_prefixes(labels, weights, prefixes.cells, prefixes.first_cell, in_cells)
    return in_contexts, in_cells
