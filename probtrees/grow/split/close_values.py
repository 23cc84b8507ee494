"""Thresholds between values that a program cannot tell apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Dataset


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


def _most_common(
    values: NDArray[np.float64], counts: NDArray[np.intp], top: float, slack: float
) -> float:
    """Find the most common value up to ``top`` and closer to it than the slack."""
    close = (values <= top) & (top - values < slack)
    return float(values[close][counts[close].argmax()])
