"""C4.5: a decision tree by gain ratio (Quinlan 1993)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import deal_rows
from probtrees.grow.count_tree import CountTree
from probtrees.grow.edited_tree import GrowingRows, NodeRows, edit_tree, with_weights
from probtrees.grow.edits import Edit, read_edits
from probtrees.grow.prune import (
    collapse,
    count_joined_unlike,
    count_rows,
    prune_by_held_out_rows,
    prune_pessimistically,
    with_counts_of,
)
from probtrees.grow.split.growth import Grower, part_of
from probtrees.options import Options, option
from probtrees.table.dataset import Dataset, Schema
from probtrees.types import FloatArray, ShareDone
from probtrees.words import plural

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
    """What cutting back removed: the size as grown, after the collapse, and after pruning.

    Attributes
    ----------
    joined_unlike : leaves that the collapse made of branches whose outcomes plainly differ
    """

    grown: TreeSize
    collapsed: TreeSize
    pruned: TreeSize
    joined_unlike: int = 0

    @classmethod
    def of(cls, grown: CountTree, collapsed: CountTree, pruned: CountTree) -> GrowReport:
        """Compare a tree as grown with what is left of it."""
        unlike = 0 if collapsed is grown else count_joined_unlike(grown)
        trees = (grown, collapsed, pruned)
        first, then, last = (TreeSize(t.n_nodes, t.n_leaves, t.max_depth) for t in trees)
        return cls(first, then, last, unlike)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Say in plain words what was removed."""
        said = []
        merged = self.grown.leaves - self.collapsed.leaves
        if self.collapsed != self.grown:
            said.append(
                f"Collapsing joined {plural(merged, 'leaves')} to others: they do not change the "
                "predicted class; without it the tree tells more chances apart."
            )
        if self.joined_unlike:
            said.append(
                f"In {self.joined_unlike} of the leaves so made chances plainly differ: grow "
                "without collapsing to see them."
            )
        if self.pruned != self.collapsed:
            before, after = self.collapsed, self.pruned
            said.append(
                f"Pruning removed {before.nodes - after.nodes} of {before.nodes} nodes and "
                f"{before.leaves - after.leaves} of {before.leaves} leaves."
            )
        return tuple(said)

    @property
    def notes(self) -> dict[str, Any]:
        """What a model keeps of it."""
        sizes = {name: asdict(getattr(self, name)) for name in ("grown", "collapsed", "pruned")}
        joined = {"joined_unlike": self.joined_unlike} if self.joined_unlike else {}
        return {"removed": list(self.sentences), "sizes": sizes, **joined}


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
        label="Rows in two branches of a split",
        help="A split needs at least two branches with this many rows each; others may have fewer.",
    )
    collapse: bool = option(
        True,
        flag=True,
        label="Merge leaves that predict the same class",
        help="Cut off splits that do not reduce the errors on the training rows.",
    )
    missing: Literal["value", "fraction"] = option(
        "value",
        flag=True,
        label="What is not recorded",
        help="Treat a missing value as a value of its own, or split its row over all branches.",
    )
    max_depth: int | None = option(
        None,
        flag=True,
        minimum=0,
        label="Most splits on the way to a leaf",
        help="The most splits between the root and a leaf.",
    )
    prune: Literal["none", "pessimistic", "reduced-error"] = option(
        "none",
        flag=True,
        label="Pruning",
        help="Cut off splits that seem not to help with new rows: by C4.5's pessimistic "
        "estimate, or by the errors on a third of the rows held out of growing.",
    )
    confidence: float = option(
        0.25,
        above=0,
        maximum=0.5,
        label="Confidence of pruning",
        help="Pessimistic pruning: smaller values prune more.",
    )
    subtree_raising: bool = option(
        True, help="Pessimistic pruning: a branch may also take the place of its parent."
    )
    separate_rows: bool = option(
        False,
        label="Other rows for counts than for splits",
        help="Choose the splits with one half of the rows and count the other half in them, so "
        "that no row speaks for its own split.",
    )
    middle_slack: float = option(
        0.0,
        minimum=0.0,
        maximum=1e-5,
        label="Slack of cuts",
        help="A value above the middle of a cut by less than this still becomes the threshold; "
        "1e-6 in the program behind the published tables.",
    )
    edits: tuple[Edit, ...] = option(
        (),
        help="Corrections by somebody who knows the subject: splits, stops and columns not to be "
        "used, at nodes named by the conditions on the way to them (docs/edits.md).",
        reader=read_edits,
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
        """Grow a tree, and report what the collapse and pruning removed, edits aside."""
        rows, counted = self._deal(usable_rows(data))
        growing = _Growing(self, rows)
        tree, report = growing.whole(progress)
        if self.edits:
            tree = edit_tree(tree, rows, self.edits, growing)
        return (tree if counted is None else with_counts_of(tree, counted)), report

    def _deal(self, data: Dataset) -> tuple[GrowingRows, Dataset | None]:
        """Deal the rows to those that choose splits, those that prune, and those that count."""
        shape, counted, held_out = data, None, None
        if self.separate_rows and data.n_rows >= 2:
            half = deal_rows(data, 2, self.seed)
            shape, counted = data.take(half == 0), data.take(half == 1)
        if self.prune == "reduced-error" and shape.n_rows >= 3:
            third = deal_rows(shape, 3, self.seed + 1)
            shape, held_out = shape.take(third > 0), shape.take(third == 0)
        return GrowingRows(shape, held_out, self.missing == "value"), counted


@dataclass
class _Growing:
    """Grows the whole tree, or what hangs below a node, from one table."""

    learner: C45
    rows: GrowingRows
    _growers: dict[frozenset[int], Grower] = field(default_factory=dict)

    def whole(self, progress: ShareDone | None) -> tuple[CountTree, GrowReport]:
        """Grow the tree, and report what was cut back."""
        rows = self.rows.in_root()
        grown = self._grow(rows, self.learner.max_depth, part_of(progress, 0.0, _SHARE_OF_GROWING))
        collapsed = collapse(grown) if self.learner.collapse else grown
        pruned = self._prune(collapsed, rows, part_of(progress, _SHARE_OF_GROWING, 1.0))
        return pruned, GrowReport.of(grown, collapsed, pruned)

    def __call__(
        self, rows: NodeRows, depth: int, never: frozenset[int], *, freely: bool = False
    ) -> CountTree:
        """Grow what hangs below a node, as in the whole tree: with cuts at values of all rows."""
        limit = self.learner.max_depth
        if freely:
            grown = self._grow(rows, None, None, never)
            held_out = self._held_out(rows)
            if held_out is None:
                return grown
            counts = grown.arrays.counts + count_rows(grown, held_out)[0]
            arrays = grown.arrays._replace(counts=counts, weight=counts.sum(axis=1))
            return replace(grown, arrays=arrays)
        grown = self._grow(rows, None if limit is None else max(limit - depth, 0), None, never)
        collapsed = collapse(grown) if self.learner.collapse else grown
        return self._prune(collapsed, rows, None)

    def best_cut(self, rows: NodeRows, column: int) -> float | None:
        """Return where C4.5 cuts a number among the rows of a node."""
        others = frozenset(range(self.rows.shape.schema.target_column)) - {column}
        stump = self._grow(rows, 1, None, others)
        return None if stump.n_nodes == 1 else float(stump.arrays.threshold[0])

    def _grow(
        self,
        rows: NodeRows,
        max_depth: int | None,
        progress: ShareDone | None,
        never: frozenset[int] = frozenset(),
    ) -> CountTree:
        """Grow as deep as it goes, without some columns."""
        learner, data = self.learner, self.rows.shape
        if never not in self._growers:
            self._growers[never] = Grower(
                _without(data, never), missing_as_value=self.rows.missing_as_value
            )
        grower = self._growers[never]
        grown = grower.grow(
            min_leaf=learner.min_leaf,
            max_depth=max_depth,
            middle_slack=learner.middle_slack,
            row_weights=rows.shape,
            progress=progress,
        )
        kept = np.array([k for k in range(data.schema.target_column) if k not in never], dtype=int)
        close = [int(kept[k]) for k in grower.columns_with_close_values(learner.middle_slack)]
        if never:
            grown = _renumbered(grown, kept, data.schema.target_column)
        return prefer_common_values(grown, data, close, learner.middle_slack)

    def _prune(self, tree: CountTree, rows: NodeRows, progress: ShareDone | None) -> CountTree:
        """Cut back what seems not to help with new rows."""
        learner, held_out = self.learner, self._held_out(rows)
        if held_out is not None:
            return prune_by_held_out_rows(tree, held_out)
        if learner.prune != "pessimistic":
            return tree
        return prune_pessimistically(
            tree,
            with_weights(self.rows.shape, rows.shape),
            confidence=learner.confidence,
            raise_subtrees=learner.subtree_raising,
            progress=progress,
        )

    def _held_out(self, rows: NodeRows) -> Dataset | None:
        if self.rows.held_out is None or rows.held_out is None:
            return None
        return with_weights(self.rows.held_out, rows.held_out)


def _without(data: Dataset, never: frozenset[int]) -> Dataset:
    """Return the rows without some columns."""
    if not never:
        return data
    kept = [k for k in range(data.schema.n_columns) if k not in never]
    schema = Schema(tuple(data.schema.columns[k] for k in kept))
    return replace(data, schema=schema, values=np.ascontiguousarray(data.values[:, kept]))


def _renumbered(tree: CountTree, kept: NDArray[Any], target: int) -> CountTree:
    """Give the splits the column numbers of the whole table."""
    column = tree.arrays.column.copy()
    column[column >= 0] = kept[column[column >= 0]]
    return replace(tree, target=target, arrays=tree.arrays._replace(column=column))


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
