"""A random forest of C4.5 trees (Breiman 2001)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from probtrees.grow.c45 import usable_rows
from probtrees.grow.count_tree import CountTree
from probtrees.grow.split.growth import Grower, part_of
from probtrees.options import Options, option
from probtrees.table.dataset import Dataset
from probtrees.types import FloatArray, ShareDone


@dataclass(frozen=True)
class Forest(Options):
    """Grow many trees, each from other rows and with other columns to choose from.

    Every tree is grown from a bootstrap sample: as many rows as there are, drawn with
    replacement, so that a row counts 0, 1, 2, ... times. At every node only some columns, drawn
    at random, may be split on; more are drawn if none of them admits a split. The trees split
    as :class:`~probtrees.grow.c45.C45` does, and are neither collapsed nor pruned. Their
    probabilities, smoothed or not, are averaged: smoothing helps the more, the fewer the trees
    (thesis, section 5.3.10).

    Source: Breiman (2001), Random forests.

    Examples
    --------
    >>> import probtrees
    >>> model = probtrees.fit(probtrees.load_sample("stroke"), probtrees.Forest(), "laplace")
    >>> model.predict_proba({"weight": "heavy", "height": "med"}).round(2).tolist()
    [[0.73, 0.27]]
    """

    name: ClassVar[str] = "forest"

    size: int = option(10, minimum=1, maximum=10_000, help="The number of trees.")
    columns_per_node: int | None = option(
        None, minimum=1, help="The columns drawn at every node; log2(columns) + 1 unless given."
    )
    bootstrap: bool = option(
        True, help="Grow every tree from rows drawn with replacement, not from all rows."
    )
    min_leaf: int = option(
        1, minimum=1, help="A split needs at least two branches with this many rows each."
    )
    missing: Literal["value", "fraction"] = option(
        "value",
        help="Treat a missing value as a value of its own, or split its row over all branches.",
    )
    max_depth: int | None = option(
        None, minimum=0, help="The most splits between the root and a leaf."
    )
    seed: int = option(0, minimum=0, help="Decides which rows and columns are drawn.")

    def grow(self, data: Dataset, progress: ShareDone | None = None) -> tuple[CountTree, ...]:
        """Grow the trees from a table's rows."""
        data = usable_rows(data)
        grower = Grower(data, missing_as_value=self.missing == "value")
        n_columns = max(1, len(data.schema.features))
        drawn = self.columns_per_node or int(math.log2(n_columns)) + 1
        trees = []
        for number, child_seed in enumerate(np.random.SeedSequence(self.seed).spawn(self.size)):
            random = np.random.default_rng(child_seed)
            trees.append(
                grower.grow(
                    min_leaf=self.min_leaf,
                    max_depth=self.max_depth,
                    row_weights=self._draw_rows(data, random),
                    columns_per_node=min(drawn, n_columns),
                    seed=int(random.integers(2**31)),
                    progress=part_of(progress, number / self.size, (number + 1) / self.size),
                )
            )
        return tuple(trees)

    def _draw_rows(self, data: Dataset, random: np.random.Generator) -> FloatArray:
        """Return the weight of every row in one tree."""
        if not self.bootstrap:
            return data.row_weights
        drawn = random.integers(data.n_rows, size=data.n_rows)
        return data.row_weights * np.bincount(drawn, minlength=data.n_rows)
