"""A sample of rows: the same ones however the table is read."""

import numpy as np

from probtrees.scale.passes.row_sample import RowSample
from tests.small_tables import patients


def test_the_sample_does_not_depend_on_how_it_is_drawn():
    data = patients(90)
    whole = RowSample.empty(data.schema, 20)
    whole.update(data)
    merged = RowSample.empty(data.schema, 20)
    for rows in np.array_split(np.random.default_rng(1).permutation(90), 7):
        one = merged.fresh()
        one.update(data.take(rows))
        merged.merge(one)
    assert np.array_equal(merged.dataset().values, whole.dataset().values, equal_nan=True)
    assert len(set(merged.rows.tolist())) == 20
    assert merged.rows.max() > 60
