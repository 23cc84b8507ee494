import numpy as np

from probtrees.grow.split.column_codes import encode_columns
from probtrees.table.dataset import Column, Dataset, Schema


def test_many_columns_are_encoded_block_by_block_as_ranks_with_missing_last():
    values = np.random.default_rng(0).integers(0, 9, size=(50, 70)).astype(np.float64)
    values[3, :-1] = np.nan
    schema = Schema((*(Column(f"x{i}") for i in range(69)), Column("y", tuple("abcdefghi"))))
    encoded = encode_columns(Dataset(schema, values))
    for x, codes in zip(values.T[:-1], encoded.codes, strict=False):
        known = np.unique(x[~np.isnan(x)])
        np.testing.assert_array_equal(
            codes, np.where(np.isnan(x), len(known), np.searchsorted(known, x))
        )
