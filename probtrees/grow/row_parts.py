"""Dealing rows to parts that all have their share of every class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Dataset


def deal_rows(data: Dataset, n_parts: int, seed: int) -> NDArray[np.int64]:
    """Give every row the number of a part, in random order but evenly within each class.

    Rows of one group stay together; then the parts are even in groups only.

    >>> from probtrees.dataset import Column, Schema
    >>> data = Dataset(Schema((Column("y", ("a", "b")),)), np.array([[0.0]] * 4 + [[1.0]] * 2))
    >>> np.bincount(deal_rows(data, 2, seed=0)).tolist()
    [3, 3]
    """
    random = np.random.default_rng(seed)
    if data.groups is not None:
        groups, group_of = np.unique(data.groups, return_inverse=True)
        return (random.permutation(groups.shape[0]) % n_parts)[group_of]
    shuffled = random.permutation(data.n_rows)
    by_class = shuffled[np.argsort(data.labels[shuffled], kind="stable")]
    parts = np.empty(data.n_rows, dtype=np.int64)
    parts[by_class] = np.arange(data.n_rows) % n_parts
    return parts
