"""A logit of a tree's nodes and of columns' shapes, ready to be fitted under any setting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from probtrees.experiment.choose_routing import measure_splits
from probtrees.grow.count_tree import CountTree
from probtrees.grow.shaped_tree import ShapeWishes
from probtrees.machine.lazy_module import sparse
from probtrees.model.member import AdditiveMember
from probtrees.model.routing import SoftRouting, soft_steps
from probtrees.model.shape_basis import Fitted, ShapeBasis
from probtrees.smooth.log_linear.logit import Coefficients, Logit
from probtrees.smooth.log_linear.logit_rows import LogitRows, SparseRows
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.table.dataset import Dataset
from probtrees.table.repeats import content_order
from probtrees.types import FloatArray, IntArray

HEAVIEST_PENALTY = 1e12
"""Under so much no feature moves, and sums of squares are still finite."""


class ShapeFeatures(NamedTuple):
    """How rows become features: the nodes they pass softly, and the features of their columns."""

    tree: CountTree
    routing: SoftRouting
    basis: ShapeBasis

    def rows(self, data: Dataset) -> LogitRows:
        """Turn rows into features; all must have a class."""
        steps = soft_steps(self.tree, self.routing, data.values, data.schema.n_values)
        rows, features, values = self.basis.sparse(data)
        way = (steps.shares, steps.nodes, steps.first), (data.n_rows, self.tree.n_nodes)
        held = (values, (rows, features)), (data.n_rows, self.basis.n_sparse)
        # Every row's nodes come first, then the features of its columns.
        both = sparse.hstack([sparse.csr_array(*way), sparse.csr_array(*held)], format="csr")
        first, index = both.indptr.astype(np.int64), both.indices.astype(np.int32)
        counts = np.zeros((data.n_rows, data.n_classes))
        counts[np.arange(data.n_rows), data.labels] = data.row_weights
        n_sparse = self.tree.n_nodes + self.basis.n_sparse
        found = SparseRows(first, index, both.data)
        return LogitRows(found, n_sparse, self.basis.dense(data), counts)


class ShapeSetting(NamedTuple):
    """How strongly a fit is drawn to nothing, and how much of it has the path.

    Attributes
    ----------
    penalty : of a node, and of all shapes together times ``freedom``
    freedom : how much more all shapes together may vary than one node
    share : how much of the answer's scores comes from the fit of path and shapes; the rest is
        that of shapes alone
    ratio : penalty / freedom of the shapes alone
    """

    penalty: float
    freedom: float
    share: float = 1.0
    ratio: float = 1.0


@dataclass(frozen=True)
class ShapeFit:
    """A logit whose features are nodes and columns, ready to be fitted under any setting.

    A fit that is not taken to its end shows the rounding of its sums, and other settings might
    be chosen for a table in another order. So rows come in the order of their content, columns
    by name, and classes as rows meet them.

    Attributes
    ----------
    classes : the class of every outcome of the logit
    """

    features: ShapeFeatures
    logit: Logit
    wishes: ShapeWishes
    classes: IntArray

    @classmethod
    def of(
        cls, tree: CountTree, routing: SoftRouting, data: Dataset, wishes: ShapeWishes
    ) -> ShapeFit:
        """Measure everything on training rows; the routing's gates are measured there too."""
        data = data.take(content_order(data))
        middle, spread = measure_splits(tree, data)
        routing = replace(routing, middle=middle, spread=spread)
        features = ShapeFeatures(tree, routing, ShapeBasis.measure(data, wishes.banned))
        rows = features.rows(data)
        met = rows.counts > 0
        first_met = np.where(met.any(axis=0), met.argmax(axis=0), data.n_rows)
        classes = np.argsort(first_met, kind="stable")
        in_order = replace(rows, counts=np.ascontiguousarray(rows.counts[:, classes]))
        return cls(features, Logit.of(in_order), wishes, classes)

    def fit(
        self, penalty: float, freedom: float, start: Coefficients | None = None, **how: Any
    ) -> Coefficients:
        """Fit under a setting; ``how`` is passed on to :meth:`Logit.fit`."""
        outcome_of = np.argsort(self.classes)
        if start is not None:
            start = start.of(self.classes)
        if self.wishes.directions:
            how |= {"signs": self._signs(), "outcome": int(outcome_of[self.wishes.outcome])}
        return self.logit.fit(self.penalties(penalty, freedom), start, **how).of(outcome_of)

    def mixed(self, setting: ShapeSetting, **how: Any) -> Coefficients:
        """Fit path and shapes, and shapes alone, and add them up by their shares."""
        if setting.share == 1:
            return self.fit(setting.penalty, setting.freedom, **how)
        alone = self.without_path().fit(1.0, 1.0 / setting.ratio, **how)
        if setting.share == 0:
            return alone
        both = self.fit(setting.penalty, setting.freedom, **how)
        share = setting.share
        return Coefficients(
            share * both.intercept + (1 - share) * alone.intercept,
            share * both.weights + (1 - share) * alone.weights,
        )

    def without_path(self) -> ShapeFit:
        """Return the same without any node, for shapes alone; features keep their numbers."""
        return replace(self, logit=self.logit.without_first(self.features.tree.n_nodes))

    def _signs(self) -> FloatArray:
        """Return the direction of every feature that has one.

        All dense features of a numeric column rise with it, so that a shape rises everywhere
        where none of their weights is below 0.
        """
        directions = dict(self.wishes.directions)
        signs = np.zeros(self.logit.rows.n_features)
        at = self.logit.rows.n_sparse
        for basis in self.features.basis.columns:
            signs[at : at + basis.n_dense] = directions.get(basis.column, 0)
            at += basis.n_dense
        return signs

    def penalties(self, penalty: float, freedom: float) -> FloatArray:
        """Return the penalty of every feature.

        The features of all columns together may vary ``freedom`` times as much as a node.
        """
        n_nodes = self.features.tree.n_nodes
        size = float(self.logit.variances[n_nodes:].sum())
        penalties = np.full(self.logit.rows.n_features, penalty)
        with np.errstate(over="ignore"):
            penalties[n_nodes:] *= max(size, 1e-12) / freedom
        return np.asarray(np.minimum(penalties, HEAVIEST_PENALTY))

    def member(
        self, smoothed: SmoothedTree, found: Coefficients, fitted: dict[str, Any]
    ) -> AdditiveMember:
        """Make the member of the coefficients that were found."""
        n_nodes = self.features.tree.n_nodes
        weights, means = found.weights, self.logit.means
        return AdditiveMember(
            trees=(smoothed,),
            routing=self.features.routing,
            intercept=found.intercept,
            node_weights=weights[:n_nodes].copy(),
            node_means=means[:n_nodes].copy(),
            shapes=self.features.basis.shapes(Fitted(weights[n_nodes:], means[n_nodes:])),
            fitted=fitted,
        )
