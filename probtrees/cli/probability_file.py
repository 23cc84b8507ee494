"""Class probabilities as CSV: a column per class, a row per row of the table."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import NDArray

from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.table.dataset import Dataset


def write_probabilities(proba: NDArray[np.float64], data: Dataset, path: str | Path | None) -> None:
    """Write probabilities in the order of the file the rows came from.

    The header holds the class names as they are. Rows of the file that have no
    probabilities (they had no class to train on, or were never tested) stay empty; a row whose
    copies were tested one by one gets their mean.

    Parameters
    ----------
    path : where to write; None: to stdout
    """
    n_rows = max(data.provenance.rows_read, int(data.row_numbers.max(initial=-1)) + 1)
    complete = np.full((n_rows, proba.shape[1]), np.nan)
    complete[data.row_numbers] = proba
    if data.n_rows > len(np.unique(data.row_numbers)):
        copies = np.bincount(data.row_numbers, minlength=n_rows)[:, None]
        complete = np.column_stack(
            [np.bincount(data.row_numbers, column, n_rows) for column in proba.T]
        ) / np.where(copies > 0, copies, np.nan)
    text = _csv_text(list(data.schema.classes), complete)
    if path is None:
        sys.stdout.write(text)
        return
    with place_to_write(path, "file"):
        write_atomically(path, text)


def _csv_text(names: list[str], columns: NDArray[np.float64]) -> str:
    """Write numbers with as many digits as bring them back exactly; NaN stays empty."""
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(names)
    arrays = [pa.array(column, from_pandas=True) for column in columns.T]
    body = io.BytesIO()
    pa_csv.write_csv(
        pa.table(arrays, names=[str(number) for number in range(len(names))]),
        body,
        pa_csv.WriteOptions(include_header=False),
    )
    return header.getvalue() + body.getvalue().decode("ascii")
