import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from probtrees.experiment.content_order import content_order
from tests.small_tables import patients


@given(st.integers(0, 10**6))
def test_shuffled_rows_come_back_in_one_order(seed):
    data = patients(40)
    shuffled = data.take(np.random.default_rng(seed).permutation(40))
    first = data.take(content_order(data)).values
    second = shuffled.take(content_order(shuffled)).values
    assert np.array_equal(first, second, equal_nan=True)


def test_zeros_and_missing_values_have_one_face():
    data = patients(2)
    data.values[:, :3] = [[0.0, 0.0, np.nan], [-0.0, 0.0, -np.nan]]
    data.values[:, 3] = 1
    assert content_order(data).tolist() == [0, 1]
