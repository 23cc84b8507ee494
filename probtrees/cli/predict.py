"""Give every row of a table its class probabilities by a saved model.

The output has one column per class, headed by the class names, and one row per row of
the table, in its order. The table may have its columns in any order and more of them;
it needs no class.
"""

from __future__ import annotations

import argparse
import csv
import io
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from probtrees.cli.console import Console
from probtrees.cli.data_options import add_place_of_table
from probtrees.experiment.fit import load_model
from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.report.scored_table import SCORED_COLUMNS, check_columns, scored_table
from probtrees.report.table_files import (
    DECIMALS,
    FOR_PROGRAMS,
    SEPARATORS,
    CsvStyle,
    csv_bytes,
    xlsx_bytes,
)
from probtrees.table.cells.encode import CellProblems
from probtrees.table.dataset import Dataset
from probtrees.table.formats.open_table import FORMAT_NAMES
from probtrees.table.read_table import read_rows, read_table
from probtrees.table.written_rows import read_written
from probtrees.types import FloatArray

EXAMPLES = """\
examples:
  probtrees predict titanic.json passengers.csv
  probtrees predict titanic.json passengers.csv --out probabilities.csv
  probtrees predict titanic.json passengers.xlsx --columns id,leaf,rule,odd --out scored.xlsx
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("model", metavar="MODEL.json", help="written by 'probtrees grow --out'")
    parser.add_argument("data", metavar="DATA", help=f"{FORMAT_NAMES} file, also .gz or .zip")
    add_place_of_table(parser)
    parser.add_argument(
        "--out", metavar="FILE", help="where to write: .csv, or .xlsx for Excel (default: stdout)"
    )
    parser.add_argument(
        "--columns",
        metavar="A,B,...",
        help="more than the probabilities: the predicted class, and of these\n"
        + "\n".join(f"{name}: {words}" for name, words in SCORED_COLUMNS.items()),
    )
    group = parser.add_argument_group("writing CSV for a spreadsheet")
    group.add_argument(
        "--separator", choices=SEPARATORS, default="comma", help="between cells (comma)"
    )
    group.add_argument("--decimal", choices=DECIMALS, default="point", help="of numbers (point)")
    group.add_argument(
        "--bom", action="store_true", help="begin with the mark by which Excel knows UTF-8"
    )


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, predict, write."""
    style = CsvStyle(SEPARATORS[args.separator], DECIMALS[args.decimal], args.bom)
    is_workbook = args.out is not None and args.out.lower().endswith(".xlsx")
    wanted = None if args.columns is None else [name.strip() for name in args.columns.split(",")]
    check_columns(wanted or ())
    with console.stage(f"loading {args.model}"):
        model = load_model(args.model)
    if wanted is not None or is_workbook or style != FOR_PROGRAMS:
        table = _scored(args, model, wanted, console)
        _write(xlsx_bytes(table) if is_workbook else csv_bytes(table, style), args.out)
        return
    with console.stage(f"reading {args.data}"):
        data = read_table(
            args.data, schema=model.schema, sheet=args.sheet, as_written=args.as_written or ()
        )
    _tell(data, console)
    with console.stage("predicting"):
        proba = predict_proba(model, data)
    write_probabilities(proba, data, args.out)


def _scored(
    args: argparse.Namespace, model: Model, wanted: list[str] | None, console: Console
) -> pd.DataFrame:
    """Score a table row by row; without a wish for columns only its probabilities."""
    kept = tuple(args.as_written or ())
    with console.stage(f"reading {args.data}"):
        unreadable: CellProblems = {}
        if wanted is not None and "odd" in wanted:
            data, unreadable = read_rows(args.data, model.schema, args.sheet, kept)
        else:
            data = read_table(args.data, schema=model.schema, sheet=args.sheet, as_written=kept)
        written = None if wanted is None else read_written(args.data, args.sheet, kept)
    _tell(data, console)
    with console.stage("predicting"):
        if wanted is None or written is None:
            return pd.DataFrame(predict_proba(model, data), columns=list(model.schema.classes))
        return scored_table(model, data, unreadable, written, wanted)


def _tell(data: Dataset, console: Console) -> None:
    """Say what was left out or decided while reading."""
    for sentence in data.provenance.notes:
        console.note(sentence)


def _write(content: bytes, path: str | None) -> None:
    if path is None:
        sys.stdout.flush()
        # Who calls the command from Python may have put a plain text stream in its place.
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content.decode("utf-8"))
        return
    with place_to_write(path, "file"):
        write_atomically(path, content)


def write_probabilities(proba: FloatArray, data: Dataset, path: str | Path | None) -> None:
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


def _csv_text(names: list[str], columns: FloatArray) -> str:
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
