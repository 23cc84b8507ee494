"""A shaped tree of more rows than fit into memory: settings by a sample, the last fit by passes."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import ProbTreesWarning
from probtrees.experiment.fit_shapes import fit_shapes
from probtrees.experiment.inner_evidence import gather_trees
from probtrees.experiment.shape_logit import ShapeFeatures, ShapeFit
from probtrees.grow.count_tree import CountTree
from probtrees.grow.shaped_tree import ShapeWishes
from probtrees.machine.lazy_module import sparse
from probtrees.model.member import AdditiveMember
from probtrees.model.routing import SoftRouting, soft_steps
from probtrees.model.shape_basis import NumericBasis, ShapeBasis
from probtrees.scale.learn import binned_c45
from probtrees.scale.passes.binned_columns import BinnedColumns, Rows
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.statistic import RowSample, Statistic
from probtrees.smooth.log_linear import _logit_kernels as kernels
from probtrees.smooth.log_linear.passed_logit import PassedLogit
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray

MOST_LEAVES = 1000
"""A leaf holds such a share of the rows, with more than two classes as many times more: second
derivatives are held between all weights."""

FEWEST_ROWS, SAMPLE_CELLS = 1 << 13, 1 << 20
"""Settings are chosen by rows of so many cells, but by no fewer rows."""

ENOUGH_ROWS = 1 << 19
"""So many rows bring a fit near to its end; fewer leave too much to the steps that pass all."""

_ROWS_TOGETHER = 1 << 14


@dataclass
class CodedLoss(Statistic):
    """The loss of coded rows, its slopes and second derivatives.

    Attributes
    ----------
    columns, features : how rows were coded, and the nodes they pass
    starts, design : where the cells of a column begin, and the features of every cell
    weights, loss, slopes, bends, moments : see :func:`_logit_kernels.add_coded`
    every : only every n-th row is added, n this number
    has_path : whether nodes are features
    """

    columns: BinnedColumns
    features: ShapeFeatures
    starts: NDArray[np.int64]
    design: tuple[NDArray[Any], ...]
    weights: FloatArray
    loss: FloatArray
    slopes: FloatArray
    bends: FloatArray
    moments: FloatArray
    every: int = 1
    has_path: bool = True

    kept_arrays = ("loss", "slopes", "bends", "moments")

    def update(self, rows: Rows) -> None:
        """Add the rows of a chunk, some at a time."""
        tree, routing, _ = self.features
        n_values, sums = self.columns.schema.n_values, [getattr(self, n) for n in self.kept_arrays]
        for start in range(0, len(rows), _ROWS_TOGETHER * self.every):
            end = start + _ROWS_TOGETHER * self.every
            some = np.ascontiguousarray(rows[start : end : self.every])
            steps = np.zeros(len(some) + 1, np.int64), np.empty(0, np.int32), np.empty(0)
            if self.has_path:
                found = soft_steps(tree, routing, self.columns.decoded(some).values, n_values)
                steps = found.first, found.nodes, found.shares
            kernels.add_coded(some, self.starts, steps, self.design, self.weights, *sums)


def fit_shaped_tree(
    table: ChunkedTable,
    learner: binned_c45.BinnedShapedTree,
    drawn: RowSample,
    seed: int,
    conductor: Conductor,
    memory: int,
) -> tuple[binned_c45.BinnedShapedTree, AdditiveMember, dict[str, Any]]:
    """Grow a shaped tree and fit it; return it with the options used, and what was cut back.

    Routing and settings are chosen as in memory, by a sample of the rows, from which inner trees
    are grown. Tree, features of columns and all weights are those of all rows.
    """
    schema, n_rows = table.schema, table.n_rows
    fewest = n_rows * (len(schema.classes) - 1) // MOST_LEAVES
    if fewest > learner.min_leaf:
        sentence = (
            f"min_leaf={learner.min_leaf:g} is taken as {fewest:,}: no more than {MOST_LEAVES:,} "
            "leaves are fitted together in chunks."
        )
        warnings.warn(sentence, ProbTreesWarning, stacklevel=2)
        learner = replace(learner, min_leaf=fewest)
    limits = binned_c45.Limits.of_memory(memory, len(schema.features))
    growth = binned_c45.growing(table, learner, limits, conductor)
    tree, removed = binned_c45.finished(growth, learner)
    most = max(FEWEST_ROWS, SAMPLE_CELLS // max(1, len(schema.features)))
    sample = growth.columns.decoded(growth.columns.encode(drawn.dataset(most)))
    share = sample.n_rows / n_rows
    small = replace(
        learner, min_leaf=max(min(2, learner.min_leaf), round(learner.min_leaf * share))
    )

    with conductor.stage("choosing path and shapes") as progress:
        found = gather_trees(sample, lambda rows: [small.grow(rows)], 1, seed, progress)
        evidence = found.of_tree(0, tree)
        fit_of = partial(passed_fit, growth)
        member = fit_shapes(sample, tree, evidence, learner, seed, progress, fit_of)
    return learner, member, removed.notes


def passed_fit(
    growth: binned_c45.LevelGrowth,
    tree: CountTree,
    routing: SoftRouting,
    sample: Dataset,
    wishes: ShapeWishes,
) -> ShapeFit:
    """Measure everything on all rows, as :meth:`ShapeFit.of` does, but for the gates."""
    columns, (starts, counts) = growth.columns, growth.all_counts()
    n_codes = columns.n_codes

    def cells(column: int) -> tuple[FloatArray, FloatArray]:
        start = starts[np.flatnonzero(columns.by_size == column)[0]]
        own = counts[start : start + n_codes[column] + 1].astype(np.float64)
        return columns.decode(column, np.flatnonzero(own > 0)), own[own > 0]

    basis = ShapeBasis.of_cells(sample.schema, cells, wishes.banned)
    features = ShapeFeatures(tree, routing, basis)
    rows, outcomes = features.rows(sample), tree.arrays.counts[0]
    coded = columns, features, starts, _design(columns, features, starts)
    size, n_outcomes = 1 + rows.n_features, outcomes.size
    n_pairs = 1 if n_outcomes == 2 else n_outcomes * (n_outcomes + 1) // 2

    def add_up(
        weights: FloatArray, bent: bool, every: int, has_path: bool
    ) -> tuple[float, FloatArray, FloatArray]:
        bends, nothing = np.zeros((size * bent, size * bent, n_pairs)), np.empty((0, 2))
        sums = np.zeros(1), np.zeros_like(weights), bends, nothing
        what = "measuring how the loss bends" if bent else "fitting path and shapes"
        found = growth.count(what, CodedLoss(*coded, weights, *sums, every, has_path))
        return every * float(found.loss[0]), every * found.slopes, every * found.bends

    none = np.zeros((size, n_outcomes))
    sums = np.zeros(1), none.copy(), np.empty((0, 0, n_pairs)), np.zeros((size, 2))
    measured = growth.count("measuring path and shapes", CodedLoss(*coded, none, *sums)).moments
    means, squares = (measured[1:] / measured[0, 0]).T
    variances, some = np.maximum(squares - means**2, 0.0), int(outcomes.sum()) // ENOUGH_ROWS
    logit = PassedLogit(rows, means, variances, outcomes, add_up, some)
    return ShapeFit(features, logit, wishes, np.arange(n_outcomes))


def _design(
    columns: BinnedColumns, features: ShapeFeatures, starts: NDArray[np.int64]
) -> tuple[NDArray[Any], ...]:
    """List the features of every cell: first, feature and value."""
    basis, n_nodes = features.basis, features.tree.n_nodes
    n_features = basis.n_sparse + sum(one.n_dense for one in basis.columns)
    design = sparse.lil_array((int((columns.n_codes + 1).sum()), n_nodes + n_features))
    at_sparse, at_dense = n_nodes, n_nodes + basis.n_sparse
    for one in basis.columns:
        start = int(starts[np.flatnonzero(columns.by_size == one.column)[0]])
        x = columns.decode(one.column, np.arange(columns.n_codes[one.column] + 1))
        for row, feature, value in zip(*one.sparse(x), strict=True):
            design[start + row, at_sparse + feature] = value
        if isinstance(one, NumericBasis):
            design[start : start + x.size, at_dense : at_dense + one.n_dense] = one.dense(x)
        at_sparse, at_dense = at_sparse + one.n_sparse, at_dense + one.n_dense
    listed = design.tocsr()
    return listed.indptr.astype(np.int64), 1 + listed.indices.astype(np.int64), listed.data
