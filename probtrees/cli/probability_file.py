"""Class probabilities as CSV: a column per class, a row per row of the table."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from probtrees.dataset import Dataset
from probtrees.errors import DataError
from probtrees.whole_file import write_whole


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
    text = table.to_csv(index=False, lineterminator="\n")
    if path is None:
        sys.stdout.write(text)
        return
    try:
        write_whole(path, text)
    except OSError as problem:
        reason = problem.strerror or problem
        raise DataError(f"file={str(path)!r} must be a place to write. {reason}.") from None
