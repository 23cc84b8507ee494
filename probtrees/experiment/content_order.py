"""An order of rows that depends on what they hold, not on where they stand.

Whatever deals rows out by chance (inner parts, bootstrap samples) does so in this order,
so that shuffling a table changes nothing, and the command line, the app and an estimator
that were given the same rows give the same numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from probtrees.dataset import Dataset


def content_order(data: Dataset) -> NDArray[np.int64]:
    """Sort rows by a fingerprint of their values and weight; equal rows keep their order."""
    cells = np.concatenate([data.values.T, data.row_weights[None]]) + 0.0  # one zero
    cells[np.isnan(cells)] = np.nan  # one NaN
    fingerprint = np.zeros(data.n_rows, dtype=np.uint64)
    for column in cells.view(np.uint64):
        fingerprint ^= column
        fingerprint *= np.uint64(0x9E3779B97F4A7C15)
        fingerprint ^= fingerprint >> np.uint64(29)
    return np.argsort(fingerprint, kind="stable")
