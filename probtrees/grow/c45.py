"""C4.5: a decision tree by gain ratio (Quinlan 1993)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count.row_parts import deal_rows
from probtrees.grow.count_tree import CountTree
from probtrees.grow.prune import (
    collapse,
    prune_by_held_out_rows,
    prune_pessimistically,
    with_counts_of,
)
from probtrees.grow.split.growth import Grower, part_of
from probtrees.options import Options, option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, ShareDone

_SHARE_OF_GROWING = 0.8
"""Of the work, when the tree is pruned afterwards."""


@dataclass(frozen=True)
class TreeSize:
    """How large a tree is: its nodes, its leaves, and the splits above its deepest leaf."""

    nodes: int
    leaves: int
    depth: int


@dataclass(frozen=True)
class GrowReport:
    """What cutting back removed: the size as grown, after the collapse, and after pruning."""

    grown: TreeSize
    collapsed: TreeSize
    pruned: TreeSize

    @property
    def sentences(self) -> tuple[str, ...]:
        """Say in plain words what was removed."""
        said = []
        merged = self.grown.leaves - self.collapsed.leaves
        if self.collapsed != self.grown:
            said.append(
                f"Collapse merged {merged:,} leaves because they don't change the predicted class; "
                "switch off to see risk differences."
            )
        if self.pruned != self.collapsed:
            before, after = self.collapsed, self.pruned
            said.append(
                f"Pruning removed {before.nodes - after.nodes} of {before.nodes} nodes and "
                f"{before.leaves - after.leaves} of {before.leaves} leaves."
            )
        return tuple(said)


@dataclass(frozen=True)
class C45(Options):
    r"""Grow a decision tree by gain ratio.

    At every node the column with the largest gain ratio is split on, among those whose gain is
    at least the mean gain:

    .. math:: gain = H(class) - H(class | branch), \quad ratio = gain / H(branch)

    H is the entropy in bits. A nominal column has one branch per category. A numeric column is
    cut in two at the best threshold, whose gain is reduced by log2(possible cuts) / rows.
    Without pruning the thesis calls such a tree a C4.4 or probability estimation tree. It is
    equal, node by node, to the one of Weka's ``J48 -U`` when ``missing="fraction"``: numbers
    closer than 1e-5 are never cut apart, and gains and weights closer than 1e-6 are equal.

    With ``missing="value"`` a column that has missing values gets one more, last branch for
    them. The threshold of a numeric column is then chosen among the rows that have a value;
    gain and ratio are those of the whole split into three.

    Source: Quinlan (1993), C4.5: Programs for Machine Learning; Quinlan (1996) for the
    correction of numeric gains.

    Examples
    --------
    >>> import numpy as np
    >>> from probtrees.table.dataset import Column, Schema
    >>> schema = Schema((Column("x"), Column("y", ("no", "yes"))))
    >>> data = Dataset(schema, np.array([[1, 0], [2, 0], [8, 1], [9, 1.0]]))
    >>> tree = C45().grow(data)
    >>> tree.arrays.threshold[0], tree.arrays.counts.tolist()
    (np.float64(2.0), [[2.0, 2.0], [2.0, 0.0], [0.0, 2.0]])
    """

    name: ClassVar[str] = "c45"

    min_leaf: int = option(
        2,
        flag=True,
        minimum=1,
        help="A split needs at least two branches with this many rows each.",
    )
    collapse: bool = option(
        True, flag=True, help="Cut off splits that do not reduce the errors on the training rows."
    )
    missing: Literal["value", "fraction"] = option(
        "value",
        flag=True,
        help="Treat a missing value as a value of its own, or split its row over all branches.",
    )
    max_depth: int | None = option(
        None, flag=True, minimum=0, help="The most splits between the root and a leaf."
    )
    prune: Literal["none", "pessimistic", "reduced-error"] = option(
        "none",
        flag=True,
        help="Cut off splits that seem not to help with new rows: by C4.5's pessimistic "
        "estimate, or by the errors on a third of the rows held out of growing.",
    )
    confidence: float = option(
        0.25, above=0, maximum=0.5, help="Pessimistic pruning: smaller values prune more."
    )
    subtree_raising: bool = option(
        True, help="Pessimistic pruning: a branch may also take the place of its parent."
    )
    separate_rows: bool = option(
        False,
        help="Choose the splits with one half of the rows and count the other half in them, so "
        "that no row speaks for its own split.",
    )
    middle_slack: float = option(
        0.0,
        minimum=0.0,
        maximum=1e-5,
        help="A value above the middle of a cut by less than this still becomes the threshold; "
        "1e-6 in the program behind the published tables.",
    )
    seed: int = option(0, minimum=0, help="Decides which rows are held out, if any are.")

    def grow(self, data: Dataset, progress: ShareDone | None = None) -> CountTree:
        """Grow a tree from a table's rows.

        Parameters
        ----------
        data : the rows; all of them must have a class
        progress : called now and then with the share of the work done; it may raise to cancel
        """
        return self.grow_with_report(data, progress)[0]

    def grow_with_report(
        self, data: Dataset, progress: ShareDone | None = None
    ) -> tuple[CountTree, GrowReport]:
        """Grow a tree, and report what the collapse and pruning removed."""
        shape_rows = data = usable_rows(data)
        if self.separate_rows and data.n_rows >= 2:
            half = deal_rows(data, 2, self.seed)
            shape_rows, data = data.take(half == 0), data.take(half == 1)
        held_out = None
        if self.prune == "reduced-error" and shape_rows.n_rows >= 3:
            third = deal_rows(shape_rows, 3, self.seed + 1)
            shape_rows, held_out = shape_rows.take(third > 0), shape_rows.take(third == 0)
        grower = Grower(shape_rows, missing_as_value=self.missing == "value")
        grown = grower.grow(
            min_leaf=self.min_leaf,
            max_depth=self.max_depth,
            middle_slack=self.middle_slack,
            progress=part_of(progress, 0.0, _SHARE_OF_GROWING),
        )
        close = grower.columns_with_close_values(self.middle_slack)
        grown = prefer_common_values(grown, shape_rows, close, self.middle_slack)
        collapsed = collapse(grown) if self.collapse else grown
        pruned = collapsed
        if held_out is not None:
            pruned = prune_by_held_out_rows(collapsed, held_out)
        elif self.prune == "pessimistic":
            pruned = prune_pessimistically(
                collapsed,
                shape_rows,
                confidence=self.confidence,
                raise_subtrees=self.subtree_raising,
                progress=part_of(progress, _SHARE_OF_GROWING, 1.0),
            )
        report = GrowReport(tree_size(grown), tree_size(collapsed), tree_size(pruned))
        return (with_counts_of(pruned, data) if self.separate_rows else pruned), report


def usable_rows(data: Dataset) -> Dataset:
    """Leave out rows of weight 0, and refuse a table a tree cannot be grown from."""
    if data.n_rows == 0:
        raise DataError(f"rows=0 must be at least 1. Give {data.name!r} rows to grow from.")
    if data.weights is not None and not (data.weights > 0.0).all():
        if not (data.weights >= 0.0).all() or not data.weights.any():
            raise DataError("weights must not be negative, missing or all 0. Correct them.")
        data = data.take(data.weights > 0.0)
    labels = data.values[:, -1]
    if not ((labels >= 0) & (labels < data.n_classes)).all():
        raise DataError(
            f"target={data.schema.target.name!r} must have a known class in every row. "
            "Drop the rows without one."
        )
    return data


def tree_size(tree: CountTree) -> TreeSize:
    """Measure a tree."""
    return TreeSize(tree.n_nodes, tree.n_leaves, tree.max_depth)


def prefer_common_values(
    tree: CountTree, data: Dataset, columns: Iterable[int], slack: float
) -> CountTree:
    """Move thresholds to the most common training value less than the slack below them.

    The program behind the published tables looks for a threshold row by row and only takes
    a value that exceeds the one it has by more than 1e-6. Of several values closer than that
    it keeps the first it meets, which depends on the order of the rows; the most common one
    is the most likely. No training row of the node changes sides: a row above a threshold by
    less than the slack still goes left.

    Parameters
    ----------
    columns : the columns that have values closer than the slack
    """
    thresholds = tree.arrays.threshold.copy()
    numeric = ~np.isnan(thresholds)
    for column in columns:
        nodes = np.flatnonzero(numeric & (tree.arrays.column == column))
        if len(nodes):
            values, counts = np.unique(data.values[:, column], return_counts=True)
            for node in nodes:
                thresholds[node] = _most_common(values, counts, thresholds[node], slack)
    return replace(tree, arrays=tree.arrays._replace(threshold=thresholds))


def _most_common(values: FloatArray, counts: NDArray[np.intp], top: float, slack: float) -> float:
    """Find the most common value up to ``top`` and closer to it than the slack."""
    close = (values <= top) & (top - values < slack)
    return float(values[close][counts[close].argmax()])
