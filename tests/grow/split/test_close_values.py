"""Of values too close to tell apart, the most common one is the threshold."""

from __future__ import annotations

import numpy as np

from probtrees.grow.c45 import C45
from probtrees.grow.split.close_values import prefer_common_values
from probtrees.table.dataset import Column, Dataset, Schema


def data_of(values: list[float], labels: list[int]) -> Dataset:
    schema = Schema((Column("x"), Column("y", ("a", "b"))))
    return Dataset(schema, np.column_stack([values, labels]))


def test_the_threshold_moves_to_the_most_common_close_value() -> None:
    values = [1.0, 1.0, 1.0, 1.0 + 5e-7, 2.0, 2.0, 3.0]
    data = data_of(values, [0, 0, 0, 0, 1, 1, 1])
    tree = C45(middle_slack=0).grow(data)
    assert tree.arrays.threshold[0] == 1.0 + 5e-7
    moved = prefer_common_values(tree, data, [0], 1e-6)
    assert moved.arrays.threshold[0] == 1.0
    assert C45(middle_slack=1e-6).grow(data).arrays.threshold[0] == 1.0
    np.testing.assert_array_equal(moved.arrays.counts, tree.arrays.counts)


def test_values_that_can_be_told_apart_stay() -> None:
    data = data_of([1.0, 1.0, 1.5, 2.0, 2.0], [0, 0, 0, 1, 1])
    tree = C45().grow(data)
    np.testing.assert_array_equal(
        prefer_common_values(tree, data, [0], 1e-6).arrays.threshold, tree.arrays.threshold
    )
