"""Combinations that an earlier pass did not meet are refused, before a kernel trusts them."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.passes import cell_counts
from probtrees.scale.passes.cell_counts import CellFinder


@pytest.mark.parametrize("most_dense", [0, 1 << 20])
def test_a_combination_that_was_not_there_is_refused(most_dense, monkeypatch):
    monkeypatch.setattr(cell_counts, "MOST_DENSE", most_dense)
    n_values = np.array([2, 3])
    finder = CellFinder((0, 1), n_values, np.array([0, 4]))
    codes = np.array([[0, 1, 1], [0, 1, 2]], dtype=np.int32)
    assert finder.places(NominalRows(codes[:, :2], n_values, np.ones(2))).tolist() == [0, 1]
    with pytest.raises(DataError, match="must not change between two passes"):
        finder.places(NominalRows(codes, n_values, np.ones(3)))
