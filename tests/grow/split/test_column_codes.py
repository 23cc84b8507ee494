from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from probtrees.grow.split.column_codes import encode_columns
from probtrees.table.dataset import UNSEEN, Column, Dataset, Schema


def encode(values, column):
    schema = Schema((column, Column("y", ("a",))))
    return encode_columns(Dataset(schema, np.column_stack([values, np.zeros(len(values))])))


def expected_ranks(values):
    known = np.unique(values[~np.isnan(values)])
    return known, np.where(np.isnan(values), len(known), np.searchsorted(known, values))


@given(
    arrays(
        np.float64,
        st.integers(1, 60),
        elements=st.one_of(
            st.integers(-3, 3).map(float),
            st.just(-0.0),
            st.just(np.nan),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
    )
)
def test_numbers_become_their_ranks(values):
    encoded = encode(values, Column("x"))
    known, ranks = expected_ranks(values)
    np.testing.assert_array_equal(encoded.distinct[0], known)
    np.testing.assert_array_equal(encoded.codes[0], ranks)
    assert encoded.has_missing[0] == np.isnan(values).any()
    assert encoded.n_codes[0] == len(known)


def test_categories_keep_their_codes_and_unknown_ones_count_as_missing():
    encoded = encode(np.array([0, 2, np.nan, UNSEEN, 1]), Column("x", ("a", "b", "c")))
    assert encoded.codes[0].tolist() == [0, 2, 3, 3, 1]
    assert encoded.n_codes[0] == 3
    assert encoded.has_missing[0]


def test_many_columns_are_encoded_block_by_block():
    values = np.random.default_rng(0).integers(0, 9, size=(50, 70)).astype(np.float64)
    schema = Schema((*(Column(f"x{i}") for i in range(69)), Column("y", tuple("abcdefghi"))))
    encoded = encode_columns(Dataset(schema, values))
    for column in range(69):
        np.testing.assert_array_equal(encoded.codes[column], expected_ranks(values[:, column])[1])
