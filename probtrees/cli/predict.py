"""Give every row of a table its class probabilities by a saved model.

The output has one column per class, headed by the class names, and one row per row of
the table, in its order. The table may have its columns in any order and more of them;
it needs no class.
"""

from __future__ import annotations

import argparse
import csv
import io
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
from numpy.typing import ArrayLike

from probtrees.cli.console import Console
from probtrees.cli.options.data_options import (
    add_place_of_table,
    layout_for,
    note_reading,
    note_unmatched,
    note_unused,
)
from probtrees.cli.parser import refuse_together
from probtrees.errors import OptionError
from probtrees.experiment.fit import load_model
from probtrees.machine.atomic_file import atomic_file, place_to_write, write_atomically
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.report.odd_rows import columns_of_other_unit, unreadable_columns
from probtrees.report.scored_table import (
    SCORED_COLUMNS,
    add_decisions,
    check_columns,
    scored_table,
)
from probtrees.report.table_files import (
    DECIMALS,
    FOR_PROGRAMS,
    SEPARATORS,
    CsvStyle,
    csv_bytes,
    json_pieces,
    xlsx_bytes,
)
from probtrees.score.cost import cost_matrix
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_table import WrittenRows, read_rows, read_to_predict, read_written
from probtrees.table.table_report import FORMAT_NAMES
from probtrees.types import FloatArray

EXAMPLES = """\
examples:
  probtrees predict titanic.json passengers.csv
  probtrees predict titanic.json passengers.csv --out probabilities.csv
  probtrees predict titanic.json passengers.xlsx --columns id,leaf,rule,odd --out scored.xlsx
  probtrees predict titanic.json passengers.csv --costs '0,1;5,0' --out decisions.csv
  probtrees predict titanic.json passengers.csv --columns leaf --json
  probtrees predict titanic.json 'ships-*.parquet' --chunks --out probabilities.csv
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
    parser.add_argument(
        "--costs",
        metavar="TABLE",
        help="add the decision of least expected cost: a row per class in the model's order,\n"
        "a column per decision, as in '0,1;5,0', or a CSV file of it without a header",
    )
    parser.add_argument(
        "--json", action="store_true", help="write JSON: a list with an object for every row"
    )
    group = parser.add_argument_group("tables too large for memory")
    group.add_argument(
        "--chunks",
        action="store_true",
        help="read and write a chunk at a time; DATA is Parquet or CSV, and may be a\n"
        "folder or a pattern",
    )
    group.add_argument(
        "--memory", metavar="SIZE", default="2GB", help="most memory to use (default: %(default)s)"
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
    if args.json and (is_workbook or style != FOR_PROGRAMS):
        raise OptionError("--json must be left out where a spreadsheet is to be written.")
    costs = None if args.costs is None else cost_table(args.costs)
    if args.chunks:
        _check_chunks(args, wanted or (), is_workbook)
    with console.stage(f"loading {args.model}"):
        model = load_model(args.model)
    if costs is not None:
        cost_matrix(costs, len(model.schema.classes))
    is_plain = wanted is None and costs is None and style == FOR_PROGRAMS and not args.json
    if args.chunks:
        rows = _pieces(args, model, console)
        if is_plain:
            _write_pieces(_probability_pieces(model, rows), args.out)
        else:
            tables = _scored_pieces(model, rows, wanted, costs)
            _write_pieces(_written(tables, args.json, is_workbook, style), args.out)
    elif is_plain and not is_workbook:
        data, _, _ = _read(args, model, console)
        with console.stage("predicting"):
            proba = predict_proba(model, data)
        write_probabilities(proba, data, args.out)
    else:
        table = _scored(args, model, wanted, costs, console)
        _write_pieces(_written(iter([table]), args.json, is_workbook, style), args.out)


def _read(
    args: argparse.Namespace, model: Model, console: Console, wanted: Sequence[str] | None = None
) -> tuple[Dataset, CellProblems, WrittenRows | None]:
    """Read a table, and say what was decided and which columns are unlike training.

    Where columns are ``wanted`` its rows are given as written too; with "odd" among them cells that
    cannot be read are named instead of refused.
    """
    layout = layout_for(model, args)
    with console.stage(f"reading {args.data}"):
        unreadable: CellProblems = {}
        if "odd" in (wanted or ()):
            data, unreadable = read_rows(args.data, model.schema, layout)
        else:
            data = read_to_predict(args.data, model.schema, layout, model.profile)
        written = None if wanted is None else read_written(args.data, layout)
    note_reading(data, console)
    for name, unit in columns_of_other_unit(model, data).items():
        again = shlex.join(["--convert", f"{name}={unit.how}"])
        console.note(f"{unit.sentence} {unit.remedy} if that is what it is: {again}.")
    unmatched = note_unmatched(args.data, model, data, layout, console, unreadable)
    for sentence in unreadable_columns(model, unreadable, data.n_rows, said=unmatched):
        console.note(sentence)
    note_unused(data, console)
    return data, unreadable, written


def _scored(
    args: argparse.Namespace,
    model: Model,
    wanted: list[str] | None,
    costs: ArrayLike | None,
    console: Console,
) -> pd.DataFrame:
    """Score a table row by row; without a wish for columns only its probabilities."""
    data, unreadable, written = _read(args, model, console, wanted)
    with console.stage("predicting"):
        if wanted is None or written is None:
            return _answers(model, data, costs)
        return scored_table(model, data, unreadable, written, wanted, costs=costs)


def _answers(model: Model, data: Dataset, costs: ArrayLike | None) -> pd.DataFrame:
    """Lay out the probabilities, and what to decide by them if costs are given."""
    proba = predict_proba(model, data)
    table = pd.DataFrame(proba, columns=list(model.schema.classes))
    if costs is not None:
        add_decisions(table, model, proba, costs)
    return table


def _check_chunks(args: argparse.Namespace, wanted: Sequence[str], is_workbook: bool) -> None:
    """Refuse what needs all rows at once."""
    if is_workbook:
        raise OptionError(f"--out {args.out!r} must be a CSV with --chunks. Name it .csv.")
    reason = "Parquet and CSV are read in chunks, which have none."
    refuse_together(args, {"--sheet": reason}, "--chunks")
    for name in wanted:
        if name in ("id", "input", "odd"):
            raise OptionError(
                f"columns={name!r} must be left out with --chunks: only columns of the model are "
                "read then."
            )


def _pieces(args: argparse.Namespace, model: Model, console: Console) -> Iterator[Dataset]:
    """Read the rows a chunk at a time; of a table without rows one empty chunk."""
    # Imported here: what it needs takes long to load and is not needed for small tables.
    from probtrees.scale.passes.open_chunks import open_with_schema  # noqa: PLC0415

    layout = layout_for(model, args)
    table = open_with_schema(args.data, model.schema, args.memory, layout, to_predict=True)
    for sentence in table.provenance.notes:
        console.note(sentence)
    done, is_empty = 0, True
    with console.stage("predicting") as progress:
        for part in table.parts:
            for rows in table.read(part):
                is_empty = False
                yield rows
            done += part.n_rows
            progress(done / max(1, table.n_rows), "")
    if is_empty:
        yield Dataset(model.schema, np.empty((0, model.schema.n_columns)))


def _probability_pieces(model: Model, pieces: Iterable[Dataset]) -> Iterator[bytes]:
    for number, data in enumerate(pieces):
        names = list(model.schema.classes) if number == 0 else None
        proba = predict_proba(model, data) if data.n_rows else np.empty((0, data.n_classes))
        yield _csv_text(names, proba).encode("utf-8")


def _scored_pieces(
    model: Model,
    pieces: Iterable[Dataset],
    wanted: list[str] | None,
    costs: ArrayLike | None,
) -> Iterator[pd.DataFrame]:
    for data in pieces:
        if wanted is None:
            yield _answers(model, data, costs)
        else:
            nothing = WrittenRows({}, (), data.n_rows)
            yield scored_table(model, data, {}, nothing, wanted, costs=costs)


def _written(
    tables: Iterator[pd.DataFrame], as_json: bool, is_workbook: bool, style: CsvStyle
) -> Iterator[bytes]:
    """Write tables that follow each other in the format that was asked for."""
    if as_json:
        yield from json_pieces(tables)
    elif is_workbook:
        yield xlsx_bytes(next(tables))
    else:
        for number, table in enumerate(tables):
            yield csv_bytes(table, style, is_first=number == 0)


def cost_table(text: str) -> list[list[float]]:
    """Read costs as they are written, or from the file that is named.

    >>> cost_table("0,1; 5,0")
    [[0.0, 1.0], [5.0, 0.0]]
    """
    lines = text.split(";")
    if len(lines) == 1 and Path(text).is_file():
        lines = Path(text).read_text(encoding="utf-8-sig").strip().splitlines()
    try:
        rows = [[float(cell) for cell in line.split(",")] for line in lines]
    except ValueError:
        rows = []
    if not rows or len({len(row) for row in rows}) != 1:
        raise OptionError(
            f"costs={text[:80]!r} must be numbers: a row per class, rows separated by ';', "
            "columns by ','."
        )
    return rows


def _write_pieces(pieces: Iterable[bytes], path: str | None) -> None:
    """Write one after the other; a file appears when the last is written."""
    if path is not None:
        with place_to_write(path, "file"), atomic_file(path) as file:
            for content in pieces:
                file.write(content)
        return
    sys.stdout.flush()
    for content in pieces:
        # Who calls the command from Python may have put a plain text stream in its place.
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(content)
        else:
            sys.stdout.write(content.decode("utf-8"))


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


def _csv_text(names: Sequence[str] | None, columns: FloatArray) -> str:
    """Write numbers with as many digits as bring them back exactly; NaN stays empty."""
    header = io.StringIO()
    if names is not None:
        csv.writer(header, lineterminator="\n").writerow(names)
    arrays = [pa.array(column, from_pandas=True) for column in columns.T]
    body = io.BytesIO()
    pa_csv.write_csv(
        pa.table(arrays, names=[str(number) for number in range(len(arrays))]),
        body,
        pa_csv.WriteOptions(include_header=False),
    )
    return header.getvalue() + body.getvalue().decode("ascii")
