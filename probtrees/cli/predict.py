"""Give every row of a table its class probabilities by a saved model.

The output has one column per class, headed by the class names, and one row per row of
the table, in its order. The table may have its columns in any order and more of them;
it needs no class.
"""

from __future__ import annotations

import argparse
import io
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv

from probtrees.cli import data_options
from probtrees.cli.console import Console
from probtrees.cli.parser import declare, refuse_together
from probtrees.errors import OptionError
from probtrees.machine.atomic_file import atomic_file, place_to_write, write_atomically
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.report import table_files
from probtrees.report.odd_rows import columns_of_other_unit
from probtrees.report.scored_table import (
    SCORED_COLUMNS,
    DecisionCosts,
    act_or_leave,
    add_decisions,
    check_columns,
    scored_table,
)
from probtrees.scale.passes.open_chunks import open_with_schema
from probtrees.score.decision import threshold_of_costs
from probtrees.score.threshold import cost_matrix
from probtrees.table.dataset import Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.read_table import WrittenRows, read_rows, read_to_predict, read_written
from probtrees.table.table_report import FORMAT_NAMES
from probtrees.types import FloatArray, Progress

EXAMPLES = """\
examples:
  probtrees predict titanic.json passengers.csv
  probtrees predict titanic.json passengers.csv --out probabilities.csv
  probtrees predict titanic.json passengers.xlsx --columns id,leaf,rule,odd --out scored.xlsx
  probtrees predict titanic.json passengers.csv --costs 5:1 --outcome yes --out decisions.csv
  probtrees predict titanic.json passengers.csv --columns leaf --json
  probtrees predict titanic.json 'ships-*.parquet' --chunks --out probabilities.csv
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    columns = "\n            ".join(f"{name}: {words}" for name, words in SCORED_COLUMNS.items())
    data_options.add_model_and_table(
        parser,
        f"""
        data DATA  {FORMAT_NAMES} file, also .gz or .zip
        --out FILE  where to write: .csv, or .xlsx for Excel (default: stdout)
        --columns A,B,...  more than the probabilities: the predicted class, and of these
            {columns}
        --costs COSTS  add the decision of least expected cost. MISS:ALARM, as in 5:1: whether to
            act on a row or leave it; or a row per class in the model's order, a column per
            decision, as in '0,1;5,0', or a CSV file of it without a header
        --outcome CLASS  what is looked for with MISS:ALARM (default: the rarest class)
        --json  write JSON: a list with an object for every row
        """,
    )
    declare(
        parser.add_argument_group("tables too large for memory"),
        """
        --chunks  read and write a chunk at a time; DATA is Parquet or CSV, and may be a
            folder or a pattern
        --memory SIZE  most memory to use (default: 2GB)
        """,
        memory="2GB",
    )
    declare(
        parser.add_argument_group("writing CSV for a spreadsheet"),
        f"""
        --separator {"|".join(table_files.SEPARATORS)}  between cells (comma)
        --decimal {"|".join(table_files.DECIMALS)}  of numbers (point)
        --bom  begin with the mark by which Excel knows UTF-8
        """,
        separator="comma",
        decimal="point",
    )


class Piece(NamedTuple):
    """Rows to score, the cells that cannot be read, and the rows as they are written."""

    data: Dataset
    unreadable: CellProblems
    written: WrittenRows


def run(args: argparse.Namespace, console: Console) -> None:
    """Load, read, predict, write."""
    style = table_files.CsvStyle(
        table_files.SEPARATORS[args.separator], table_files.DECIMALS[args.decimal], args.bom
    )
    is_workbook = args.out is not None and args.out.lower().endswith(".xlsx")
    wanted = None if args.columns is None else [name.strip() for name in args.columns.split(",")]
    check_columns(wanted or ())
    if args.json and (is_workbook or style != table_files.FOR_PROGRAMS):
        raise OptionError("--json must be left out where a spreadsheet is to be written.")
    costs = None if args.costs is None else cost_table(args.costs)
    if args.chunks:
        _check_chunks(args, wanted or (), is_workbook)
    model = data_options.load(args, console)
    decisions = None if costs is None else _decisions(costs, args, model)
    whole = None if args.chunks else _read(args, model, console, wanted)
    is_plain = wanted is None and costs is None and style == table_files.FOR_PROGRAMS
    with console.stage("predicting") as progress:
        pieces = _chunks(args, model, console, progress) if whole is None else [whole]
        tables = (_answers(model, piece, wanted, decisions) for piece in pieces)
        if args.json:
            content = table_files.json_pieces(tables)
        elif is_workbook:
            content = map(table_files.xlsx_bytes, tables)
        else:
            write = _plain_csv if is_plain else partial(table_files.csv_bytes, style=style)
            content = (write(table, is_first=n == 0) for n, table in enumerate(tables))
        _write_pieces(content, args.out)


def _read(
    args: argparse.Namespace, model: Model, console: Console, wanted: Sequence[str] | None
) -> Piece:
    """Read a table, and say what was decided and which columns are unlike training.

    Where columns are ``wanted`` its rows are given as written too; with "odd" among them cells that
    cannot be read are named instead of refused.
    """
    layout = data_options.layout_for(model, args)
    written = WrittenRows({}, (), 0)
    with console.stage(f"reading {args.data}"):
        unreadable: CellProblems = {}
        if "odd" in (wanted or ()):
            data, unreadable = read_rows(args.data, model.schema, layout)
        else:
            data = read_to_predict(args.data, model.schema, layout)
        if wanted is not None:
            written = read_written(args.data, layout)
    data_options.note_reading(data, console)
    for name, unit in columns_of_other_unit(model, data).items():
        again = shlex.join(["--convert", f"{name}={unit.how}"])
        console.note(f"{unit.sentence} {unit.remedy} if that is what it is: {again}.")
    data_options.note_unmatched(args.data, model, data, layout, console, unreadable)
    return Piece(data, unreadable, written)


def _check_chunks(args: argparse.Namespace, wanted: Sequence[str], is_workbook: bool) -> None:
    """Refuse what needs all rows at once."""
    if is_workbook:
        raise OptionError(f"--out {args.out!r} must be a CSV with --chunks. Name it .csv.")
    refuse_together(args, ["--sheet"], "--chunks", "Parquet and CSV have none.")
    for name in wanted:
        if name in ("id", "input", "odd"):
            raise OptionError(
                f"columns={name!r} must be left out with --chunks: only columns of the model are "
                "read then."
            )


def _chunks(
    args: argparse.Namespace, model: Model, console: Console, progress: Progress
) -> Iterator[Piece]:
    """Read a table a chunk at a time; without rows it is one empty chunk."""
    layout = data_options.layout_for(model, args)
    table = open_with_schema(args.data, model.schema, args.memory, layout, to_predict=True)
    data_options.note_reading(table, console)
    done = 0
    for rows in table.chunks():
        yield Piece(rows, {}, WrittenRows({}, (), rows.n_rows))
        done += rows.n_rows
        progress(min(1.0, done / max(1, table.n_rows)), "")
    if done == 0:
        empty = Dataset(model.schema, np.empty((0, model.schema.n_columns)))
        yield Piece(empty, {}, WrittenRows({}, (), 0))


def _decisions(costs: list[list[float]], args: argparse.Namespace, model: Model) -> DecisionCosts:
    """Name the decisions that are charged: the classes, or to act and to leave, or numbers."""
    classes = model.schema.classes
    if [len(row) for row in costs] == [2]:  # of a miss and of a false alarm
        case, ((miss, alarm),) = data_options.chosen_outcome(args, model), costs
        threshold_of_costs(miss, alarm)  # refuses what makes no sense
        return act_or_leave(len(classes), case, miss, alarm)
    n_decisions = cost_matrix(costs, len(classes)).shape[1]
    alike = n_decisions == len(classes)
    return DecisionCosts(costs, classes if alike else range(1, n_decisions + 1))


def _answers(
    model: Model, piece: Piece, wanted: list[str] | None, costs: DecisionCosts | None
) -> pd.DataFrame:
    """Score rows; without a wish for columns only probabilities, and decisions by costs."""
    if wanted is not None:
        return scored_table(model, *piece, wanted, costs=costs)
    classes = list(model.schema.classes)
    n_rows = piece.data.n_rows
    proba = predict_proba(model, piece.data) if n_rows else np.empty((0, len(classes)))
    table = pd.DataFrame(proba, columns=classes)
    if costs is not None:
        add_decisions(table, proba, costs)
    return table


def cost_table(text: str) -> list[list[float]]:
    """Read costs as they are written, or from the file that is named.

    >>> cost_table("0,1; 5,0"), cost_table("5:1")
    ([[0.0, 1.0], [5.0, 0.0]], [[5.0, 1.0]])
    """
    lines = text.split(";")
    if len(lines) == 1 and Path(text).is_file():
        lines = Path(text).read_text(encoding="utf-8-sig").strip().splitlines()
    elif text.count(":") == 1:
        lines = [text.replace(":", ",")]
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


def write_probabilities(proba: FloatArray, data: Dataset, path: str) -> None:
    """Write probabilities in the order of the file the rows came from.

    The header holds the class names as they are. Rows of the file that have no
    probabilities (they had no class to train on, or were never tested) stay empty; a row whose
    copies were tested one by one gets their mean.
    """
    n_rows = max(data.provenance.rows_read, int(data.row_numbers.max(initial=-1)) + 1)
    copies = np.bincount(data.row_numbers, minlength=n_rows)
    sums = [np.bincount(data.row_numbers, column, n_rows) for column in proba.T]
    means = np.column_stack(sums) / np.where(copies > 0, copies, np.nan)[:, None]
    table = pd.DataFrame(means, columns=list(data.schema.classes))
    with place_to_write(path, "file"):
        write_atomically(path, _plain_csv(table))


def _plain_csv(table: pd.DataFrame, *, is_first: bool = True) -> bytes:
    """Write numbers with as many digits as bring them back exactly; NaN stays empty."""
    content = io.BytesIO()
    if is_first:
        content.write(table.head(0).to_csv(index=False, lineterminator="\n").encode())
    arrays = [pa.array(column, from_pandas=True) for column in table.to_numpy().T]
    numbers = pa.table(arrays, names=[str(number) for number in range(len(arrays))])
    pa_csv.write_csv(numbers, content, pa_csv.WriteOptions(include_header=False))
    return content.getvalue()
