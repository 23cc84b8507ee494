from __future__ import annotations

import numpy as np

from probtrees.grow.split.column_codes import encode_columns
from probtrees.table.dataset import Column, Dataset, Schema


def encode(values, column):
    schema = Schema((column, Column("y", ("a",))))
    return encode_columns(Dataset(schema, np.column_stack([values, np.zeros(len(values))])))


def expected_ranks(values):
    known = np.unique(values[~np.isnan(values)])
    return known, np.where(np.isnan(values), len(known), np.searchsorted(known, values))


def test_many_columns_are_encoded_block_by_block():
    values = np.random.default_rng(0).integers(0, 9, size=(50, 70)).astype(np.float64)
    schema = Schema((*(Column(f"x{i}") for i in range(69)), Column("y", tuple("abcdefghi"))))
    encoded = encode_columns(Dataset(schema, values))
    for column in range(69):
        np.testing.assert_array_equal(encoded.codes[column], expected_ranks(values[:, column])[1])
