"""Counts of a network: what does not fit into memory is refused in a sentence."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.scale.learn.network_counts import PairCounts
from probtrees.scale.passes.cell_counts import CellCounts
from probtrees.table.cuts import Cuts
from tests.small_tables import patients


def test_counts_that_do_not_fit_are_refused():
    schema = patients(30, missing=False).schema
    with pytest.raises(DataError, match="smaller k"):
        PairCounts.empty(schema, Cuts({0: np.arange(30.0)}), pairs=True, memory=16)
    with pytest.raises(DataError, match="combinations"):
        CellCounts.empty((0,) * 7, np.array([1000], dtype=np.int64) * 1000)
