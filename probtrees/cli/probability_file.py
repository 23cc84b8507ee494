"""Class probabilities as CSV: a column per class, a row per row of the table."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from probtrees.dataset import Dataset


def write_probabilities(proba: NDArray[np.float64], data: Dataset, path: str | Path | None) -> None:
    """Write probabilities in the order of the file the rows came from.

    The header holds the class names as they are. Rows of the file that have no
    probabilities (they had no class to train on, or were never tested) stay empty.

    Parameters
    ----------
    path : where to write; None: to stdout
    """
    n_rows = max(data.provenance.rows_read, int(data.row_numbers.max(initial=-1)) + 1)
    complete = np.full((n_rows, proba.shape[1]), np.nan)
    complete[data.row_numbers] = proba
    table = pd.DataFrame(complete, columns=list(data.schema.classes))
    table.to_csv(sys.stdout if path is None else path, index=False, lineterminator="\n")
