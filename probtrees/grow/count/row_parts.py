"""Dealing rows to parts that all have their share of every class."""

from __future__ import annotations

import numpy as np

from probtrees.table.dataset import Dataset
from probtrees.types import IntArray


def deal_rows(data: Dataset, n_parts: int, seed: int) -> IntArray:
    """Give every row the number of a part, in random order but evenly within each class.

    Rows of one group stay together; then the parts are even in groups only. Classes and groups
    take turns as they appear among the rows, so that their codes do not matter.

    >>> from probtrees.table.dataset import Column, Schema
    >>> data = Dataset(Schema((Column("y", ("a", "b")),)), np.array([[0.0]] * 4 + [[1.0]] * 2))
    >>> np.bincount(deal_rows(data, 2, seed=0)).tolist()
    [3, 3]
    """
    random = np.random.default_rng(seed)
    if data.groups is not None:
        group_of = numbered_by_appearance(data.groups)
        return (random.permutation(int(group_of.max(initial=-1)) + 1) % n_parts)[group_of]
    shuffled = random.permutation(data.n_rows)
    class_of = numbered_by_appearance(data.labels)
    by_class = shuffled[np.argsort(class_of[shuffled], kind="stable")]
    parts = np.empty(data.n_rows, dtype=np.int64)
    parts[by_class] = np.arange(data.n_rows) % n_parts
    return parts


def numbered_by_appearance(codes: IntArray) -> IntArray:
    """Give the first code met the number 0, the next new one 1, and so on.

    >>> numbered_by_appearance(np.array([7, 3, 7, 5])).tolist()
    [0, 1, 0, 2]
    """
    _, first, code_of = np.unique(codes, return_index=True, return_inverse=True)
    numbers = np.argsort(np.argsort(first))
    return np.asarray(numbers[code_of], dtype=np.int64)
