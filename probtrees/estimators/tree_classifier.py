"""A classifier that is a single tree, with what scikit-learn's trees can be asked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import entr
from sklearn.utils.validation import check_is_fitted

from probtrees.estimators.base import SmoothedClassifier
from probtrees.model.predict import leaves_of_member
from probtrees.model.routing import LeafShares
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray


class TreeClassifier(SmoothedClassifier):
    """A classifier that is a single tree."""

    @property
    def tree_(self) -> SmoothedTree:
        """The smoothed tree."""
        check_is_fitted(self)
        return self.model_.tree

    @property
    def feature_importances_(self) -> FloatArray:
        """How much each column tells apart in the tree, by the training rows; sums to 1.

        It is the information gain of a column's splits, each weighted by the rows that reach it.
        The rows that chose the splits are those that judge them, which flatters columns with many
        values: ask ``sklearn.inspection.permutation_importance`` on other rows what they are worth.
        """
        tree = self.tree_.tree
        counts, inner = tree.arrays.counts, np.flatnonzero(~tree.is_leaf)
        nats = entr(counts).sum(axis=1) - entr(counts.sum(axis=1))  # of every node, times its rows
        below = np.bincount(tree.arrays.parent[1:], nats[1:], tree.n_nodes)
        told = np.maximum(nats[inner] - below[inner], 0.0)
        gains = np.bincount(tree.arrays.column[inner], told, self.n_features_in_)
        return np.asarray(gains / (gains.sum() or 1.0), dtype=np.float64)

    def get_depth(self) -> int:
        """Return the number of splits on the longest way down."""
        return self.tree_.tree.max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        return self.tree_.tree.n_leaves

    def apply(self, X: Any) -> NDArray[np.int32]:  # noqa: N803
        """Return the node that answers for every row; of several, the one that counts most."""
        landed = self._land(X)
        order = np.lexsort((landed.shares, _row_numbers(landed)))  # the heaviest of a row last
        return np.asarray(landed.nodes[order][landed.first[1:] - 1])

    def decision_path(self, X: Any) -> csr_array:  # noqa: N803
        """Return which nodes every row passes: a sparse matrix of rows by nodes."""
        landed = self._land(X)
        rows = _row_numbers(landed)
        nodes, parent = landed.nodes.astype(np.int64), self.tree_.tree.arrays.parent
        passed = []
        while rows.size:  # one step up for all rows at once, until all have left the root
            passed.append((rows, nodes))
            nodes = parent[nodes].astype(np.int64)
            rows, nodes = rows[nodes >= 0], nodes[nodes >= 0]
        pairs = np.unique(np.concatenate([np.column_stack(step) for step in passed]), axis=0)
        shape = (len(landed.first) - 1, self.tree_.tree.n_nodes)
        return csr_array((np.ones(len(pairs), dtype=np.int64), pairs.T), shape=shape)

    def _land(self, X: Any) -> LeafShares:  # noqa: N803
        check_is_fitted(self)
        model = self.model_
        return leaves_of_member(model.members[0], self._rows(X), model.options.get("curtail"))


def _row_numbers(landed: LeafShares) -> NDArray[np.int64]:
    """Return the row that each place belongs to."""
    return np.repeat(np.arange(len(landed.first) - 1), np.diff(landed.first))
