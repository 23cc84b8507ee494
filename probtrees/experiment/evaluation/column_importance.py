"""How much each column matters on rows that a model has not seen.

A column's values are shuffled among the rows of a part, and the inner model that has not seen the
part is asked again: what its answers lose is what the column was worth (Breiman 2001, section 10,
with inner evidence in the place of the rows out of a bag). Columns that say the same stand in for
each other: then each seems to matter little.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from probtrees.experiment.grown_model import GrownModel
from probtrees.experiment.inner_models import inner_models
from probtrees.grow.count_tree import CountTree
from probtrees.model.member import WholeMember
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.score.measures import part_shown
from probtrees.score.metrics import brier_score
from probtrees.score.paired_test import corrected_t_test
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, Progress

N_SHUFFLES = 5
"""Times that the values of a column are shuffled in every part."""


@dataclass(frozen=True)
class ColumnImportance:
    """What one column is worth to a model.

    Attributes
    ----------
    column, name : the column
    loss : how much larger the Brier score of unseen rows is when its values are shuffled
    low, high : a 95 % interval of the loss; infinite where there is only one part
    n_splits : splits of the tree on it
    share_asked : the share of the rows on whose way the tree asks for it
    first_depth : how many splits come before the first on it; None without any
    title : its label with the name behind, where it has one
    part_shown : the part of the loss that people are shown: of two outcomes that of one
    """

    column: int
    name: str
    loss: float
    low: float
    high: float
    n_splits: int = 0
    share_asked: float = 0.0
    first_depth: int | None = None
    title: str = ""
    part_shown: float = 1.0

    @property
    def shown(self) -> ColumnImportance:
        """The same with its loss as people are shown it."""
        low, loss, high = (self.part_shown * x for x in (self.low, self.loss, self.high))
        return replace(self, loss=loss, low=low, high=high, part_shown=1.0)

    @property
    def is_clear(self) -> bool:
        """Whether the loss is more than luck: its interval lies above 0."""
        return self.low > 0


def column_importance(
    grown: GrownModel, model: Model, progress: Progress | None = None, seed: int = 0
) -> tuple[ColumnImportance, ...]:
    """Measure what every column is worth on unseen rows, the one worth most first.

    Nothing where there are no inner models. The seed decides how values are shuffled.
    """
    losses, shares = [], []
    n_rows = grown.data.n_rows
    for part, (held_out, inner) in enumerate(inner_models(grown, model, progress)):
        rng = np.random.default_rng((seed, part))
        losses.append(_losses(inner, grown.data.take(held_out), rng))
        shares.append(len(held_out) / max(n_rows - len(held_out), 1))
    if not losses:
        return ()
    found = [
        _importance(model, column, np.array(losses)[:, column], float(np.mean(shares)))
        for column in range(len(model.schema.features))
    ]
    return tuple(sorted(found, key=lambda one: (-one.loss, -one.n_splits, one.column)))


def column_use(tree: CountTree, column: int) -> tuple[int, float, int | None]:
    """Count how often a tree splits on a column, for what share of the rows, and how far down."""
    arrays = tree.arrays
    splits = arrays.column == column
    nodes = np.flatnonzero(splits)
    # A row is counted at the first split on its way only.
    below = np.zeros(tree.n_nodes, dtype=np.bool_)
    for depth in range(1, tree.max_depth + 1):
        level = np.flatnonzero(arrays.depth == depth)
        above = arrays.parent[level]
        below[level] = below[above] | splits[above]
    first = nodes[~below[nodes]]
    share = float(tree.totals[first].sum() / max(float(tree.totals[0]), 1e-300))
    first_depth = int(arrays.depth[nodes].min()) if len(nodes) else None
    return len(nodes), min(share, 1.0), first_depth


def _importance(
    model: Model, column: int, losses: FloatArray, part_share: float
) -> ColumnImportance:
    """Put the losses of all parts together; parts share rows, so the interval is corrected.

    That is the interval of the corrected resampled t-test (Nadeau and Bengio 2003).
    """
    found = corrected_t_test(losses, np.zeros(len(losses)), part_share)
    low = -math.inf if found.lower is None else found.lower
    high = math.inf if found.upper is None else found.upper
    use = column_use(model.tree.tree, column) if model.kind == "tree" else (0, 0.0, None)
    own = model.schema.columns[column]
    part = part_shown("brier", len(model.schema.classes))
    loss = found.difference
    return ColumnImportance(column, own.name, loss, low, high, *use, own.title, part)


def _losses(inner: Model, rows: Dataset, rng: np.random.Generator) -> FloatArray:
    """Shuffle one column after the other, and see by how much the Brier score rises."""
    features = len(inner.schema.features)
    losses = np.zeros(features)
    labels, weights = rows.labels, rows.row_weights
    before = brier_score(predict_proba(inner, rows), labels, weights)
    for column in np.flatnonzero(_asks_for(inner, features)):
        total = 0.0
        for _ in range(N_SHUFFLES):
            values = rows.values.copy()
            values[:, column] = rng.permutation(values[:, column])
            shuffled = Dataset(rows.schema, values)
            total += brier_score(predict_proba(inner, shuffled), labels, weights) - before
        losses[column] = total / N_SHUFFLES
    return losses


def _asks_for(model: Model, n_features: int) -> NDArray[np.bool_]:
    """Mark the columns that a model may ask for; others change nothing and need no shuffling."""
    asked = np.zeros(n_features, dtype=np.bool_)
    for member in model.members:
        # Shapes and tables ask for every column, whatever a tree beside them splits on.
        tables = any(s.tree.target != model.schema.target_column for s in member.trees)
        if tables or isinstance(member, WholeMember):
            return np.ones(n_features, dtype=np.bool_)
        for smoothed in member.trees:
            columns = smoothed.tree.arrays.column
            asked[columns[columns >= 0]] = True
    return asked
