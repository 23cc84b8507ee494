"""From a file, an upload or a frame to a Dataset."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from probtrees.errors import DataError, OptionError, ProbTreesWarning, check_known
from probtrees.machine.bundled import bundled
from probtrees.table.dataset import Column, Dataset, Provenance, Schema
from probtrees.table.encode import CellProblems, encode, row_roles, rows_to_learn_from
from probtrees.table.findings import Role
from probtrees.table.formats.open_table import OpenedTable, open_table
from probtrees.table.infer.identify import is_called_identifier
from probtrees.table.infer.plan import TablePlan, plan_table
from probtrees.table.infer.recognise import ColumnPlan, recognise
from probtrees.table.match import (
    UnmatchedColumn,
    UnmatchedValuesError,
    match_table,
    unmatched_columns,
    with_newest_days,
)
from probtrees.table.raw_table import Numbers, RawColumn
from probtrees.table.read_options import DateOrder, ReadOptions, SaidStep
from probtrees.table.repeats import Repeats, describe_repeats, scaled_to_rows
from probtrees.types import IntArray
from probtrees.version import __version__

if TYPE_CHECKING:
    import pandas as pd


_TOLD = ("identifier", "person", "text", "many values")
"""Kinds of columns that are left out with a warning."""


def read_table(  # noqa: PLR0913  each option of reading is an argument
    source: Any,
    target: str | None = None,
    *,
    schema: Schema | None = None,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, str] | None = None,
    steps: Sequence[SaidStep] = (),
    missing: Sequence[str] = (),
    repeats: Repeats = "auto",
    sheet: str | int | None = None,
    header_lines: int | None = None,
    date_order: DateOrder | None = None,
    encoding: str | None = None,
    renamed: Mapping[str, str] | None = None,
    not_recorded: Sequence[str] = (),
) -> Dataset:
    r"""Read a table to learn from, or, given a schema, a table to predict.

    Parameters
    ----------
    source : a path, an open file (bytes or text), a pair (name, bytes), or a frame of
        pandas, polars or pyarrow, or what frames are made of: lists by column, a list of mappings.
        Understood are CSV and relatives, workbooks (Excel, OpenDocument), Stata, SPSS and SAS,
        JSON, ARFF, Parquet and Feather, each also gzipped or in a zip archive; the content
        decides, not the name.
    target : the column to predict; the last one unless named
    schema : encode the table for this schema: columns may come in any order, others are
        ignored, unknown categories become :data:`~probtrees.table.dataset.UNSEEN`, the target may
        be absent, and no row is dropped
    roles : by column: feature, target, ignore, weight, group, time
    types : by column: numeric, nominal, boolean, date, month, weekday, text, identifier, or the
        name of a reading such as "clock"
    steps : what changes columns, as plain data: ``{"step": "join", "column": "sex"}``,
        ``{"step": "cut", "classes": 3}``; see ``probtrees.table.steps``
    missing : further texts that mean "missing" everywhere, such as "unknown"
    repeats : what becomes of copies, which are identical rows (the class included) and rows of
        a weight above 1. "together": one observation, kept whole wherever rows are held out;
        "apart": different cases, as in a table of frequencies; "auto": together where some
        numeric feature has more different values than a tenth of the rows, copies counted,
        and more than 10
    sheet : the sheet of a workbook, or the table of a zip archive, by its name or its number from
        1; the first one that holds a table unless named
    header_lines : how many lines name the columns; two are joined, as in "group name"; 0 if none
        does: they are called "column 1", "column 2", ...
    date_order : what comes first, day or month, in dates such as 3/4/2020 where nothing in their
        column says so; the rest of the table decides unless it is given
    encoding : of a text, by any name it goes by; it is found by the bytes unless it is named
    renamed : columns of the table that the schema calls otherwise, such as
        ``{"income": "income (EUR)"}``
    not_recorded : columns of the schema that the table may lack: they are missing in every row

    Raises
    ------
    DataError
        if the table cannot be used, with row and column where one is to blame
    OptionError
        if an option is wrong

    Examples
    --------
    >>> data = read_table(("tiny.csv", b"size,colour,kind\n1,red,a\n2,blue,b\n3,red,a\n"))
    >>> data.schema.names, data.schema.classes
    (('size', 'colour', 'kind'), ('a', 'b'))
    >>> data.values.tolist()
    [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    """
    place = {"header_lines": header_lines, "date_order": date_order, "encoding": encoding}
    said: dict[str, Any] = {"schema": schema, "repeats": repeats, **place}
    said |= {"sheet": None if sheet is None else str(sheet), "steps": tuple(steps)}
    said |= {"roles": roles or {}, "types": types or {}, "renamed": renamed or {}}
    said |= {"missing": tuple(missing), "not_recorded": tuple(not_recorded)}
    options = ReadOptions(_column_name(target), **said)
    if schema is not None:
        return read_to_predict(source, schema, options)
    data, plan = read_to_learn(source, options)
    left_out = {column.name for column in plan.columns if column.role == "ignore"}
    for found in plan.all_findings:
        is_aside = found.kind in _TOLD and found.column in left_out
        if is_aside or (found.kind == "missing" and "read as missing" in found.sentence):
            warnings.warn(str(found), ProbTreesWarning, stacklevel=2)
    return data


def read_to_learn(source: Any, options: ReadOptions) -> tuple[Dataset, TablePlan]:
    """Read a table to learn from as :func:`read_table` does, without warnings.

    Who reads in a thread needs it: filters of warnings belong to the whole process. The record has
    the notes.
    """
    table = open_table(source, options)
    plan = plan_table(table.raw, options, table.where)
    if errors := [found for found in plan.all_findings if found.severity == "error"]:
        raise DataError(str(errors[0]))
    return encode_planned(table, plan, options), plan


def _column_name(target: Any) -> str | None:
    """Return a target as columns are called here; classes that are given themselves are none."""
    if target is None or isinstance(target, str):
        return target
    if hasattr(target, "__len__") and not isinstance(target, tuple):
        rule = "must be the name of a column. Add the classes as one: frame.assign(outcome=y)."
        raise OptionError(f"target={type(target).__name__} {rule}")
    return str(target)


def encode_planned(table: OpenedTable, plan: TablePlan, options: ReadOptions) -> Dataset:
    """Encode the rows: all of them for a schema that was given, else those to learn from."""
    raw, roles = table.raw, {column.name: column.role for column in plan.columns}
    found, values = row_roles(raw, roles), encode(raw, plan.schema)
    notes, said = tuple(map(str, plan.all_findings)), {} if options.schema else options.record
    record = Provenance(table.name, table.sha256, raw.n_rows, roles=roles, notes=notes)
    record = replace(record, options=said, version=__version__)
    data = Dataset(plan.schema, values, table.data_name, **found, provenance=record, repeats=None)
    if options.schema is not None:
        weights = None if data.weights is None else np.nan_to_num(data.weights)
        return replace(data, weights=weights, repeats=options.repeats)
    kept, dropped = rows_to_learn_from(found, raw.n_rows, np.isnan(values[:, -1]))
    if not kept.any():
        reasons = ", ".join(dropped)
        raise DataError(f"every row was dropped ({reasons}). Check the roles of the columns.")
    data = data if kept.all() else data.take(kept)
    weights = None if data.weights is None else scaled_to_rows(data.weights)
    data = replace(data, weights=weights, repeats=options.repeats)
    notes = (*record.notes, *filter(None, [describe_repeats(data)]))
    return replace(data, provenance=replace(record, notes=notes, rows_dropped=dropped))


def read_to_predict(source: Any, schema: Schema, layout: ReadOptions | None = None) -> Dataset:
    """Read a table to predict as :func:`read_table` does for a schema.

    Where a column of numbers holds nothing but words, the error names the way to match them.
    """
    table, plan, options = _match(source, schema, layout)
    unmatched = unmatched_columns(table.raw, schema.features)
    if words := [c for c in unmatched if c.is_number and c.name not in options.unused]:
        raise UnmatchedValuesError(words)
    return encode_planned(table, plan, options)


def read_rows(source: Any, schema: Schema, layout: ReadOptions) -> tuple[Dataset, CellProblems]:
    """Read a table to predict, row by row as well as it goes.

    Unlike :func:`read_to_predict`, a cell that is no number or date where one is needed does not
    refuse the table: it counts as missing, and what it holds is told by the number of its row.
    """
    table, plan, options = _match(source, schema, layout)
    problems: CellProblems = {}
    table.raw.problems = problems
    return encode_planned(table, plan, options), problems


def find_unmatched(
    source: Any, schema: Schema, layout: ReadOptions | None = None, *, with_target: bool = False
) -> tuple[UnmatchedColumn, ...]:
    """List the columns of a table to predict that have values which the schema does not know.

    Columns that its model never asks for are not among them; ``with_target`` the target is.
    """
    table, _, options = _match(source, schema, layout)
    found = unmatched_columns(table.raw, schema.columns if with_target else schema.features)
    return tuple(column for column in found if column.name not in options.unused)


def _match(
    source: Any, schema: Schema, layout: ReadOptions | None
) -> tuple[OpenedTable, TablePlan, ReadOptions]:
    """Open a table for a schema and bring its columns to those of the schema."""
    options = replace(layout or ReadOptions(), schema=schema)
    table = open_table(source, options)
    match = match_table(schema, table.raw.names, options, table.where)
    match.bring(table.raw)
    findings = (*table.raw.findings, *match.findings)
    schema, aged = with_newest_days(match.schema, table.raw, options)
    of_rows = [ColumnPlan("text", name=name, role=role) for name, role in match.roles.items()]
    plans = [ColumnPlan("text", (c,), name=c.source_name) for c in schema.features]
    target = ColumnPlan("text", (schema.target,), name=schema.target.source_name, role="target")
    return table, TablePlan((*of_rows, *plans, target), (*findings, *aged)), options


@dataclass(frozen=True)
class WrittenRows:
    """All columns of a file as they were written, and which of them identify the rows.

    A `Dataset` holds what is learnt from. Who looks at a row wants to know whose it is:
    identifiers, dates as dates, categories by name.
    """

    columns: dict[str, RawColumn]
    identifiers: tuple[str, ...]
    n_rows: int

    def frame(self, names: Sequence[str], rows: IntArray | None = None) -> pd.DataFrame:
        """Return some columns of some rows: numbers as numbers, all else as texts or None."""
        import pandas as pd  # noqa: PLC0415  it takes long to load, and most never ask

        cells, chosen = {}, np.arange(self.n_rows) if rows is None else rows
        for name in names:
            column = self.columns[name]
            if type(column) is Numbers:
                cells[name] = pd.Series(column.values[chosen])
                continue
            texts = column.as_texts()
            found = np.array([*texts.texts, None], dtype=object)[texts.codes[chosen]]
            cells[name] = pd.Series(found, dtype=object)  # pandas would make NaN of None
        return pd.DataFrame(cells)

    def find(self, text: str) -> IntArray:
        """Return the rows of which an identifier holds the text, in any case of letters."""
        wanted = text.strip().casefold()
        found = np.zeros(self.n_rows, dtype=np.bool_)
        for name in self.identifiers:
            texts = self.columns[name].as_texts()
            holds = np.array([*(wanted in each.casefold() for each in texts.texts), False])
            found |= holds[texts.codes]
        return np.flatnonzero(found)


def read_written(source: Any, layout: ReadOptions | None = None) -> WrittenRows:
    """Read all columns of a file, whatever they hold; the rows are those of ``read_table``."""
    raw = open_table(source, replace(layout or ReadOptions(), all_columns=True)).raw
    columns = {name: raw.columns[name] for name in raw.names if name in raw.columns}
    # In a short table only the name of a column can tell that it says whose row it is.
    types = {name: recognise(Column(name), columns[name], raw.decimal).type for name in columns}
    named = (n for n, of in types.items() if of == "identifier" or is_called_identifier(n))
    return WrittenRows(columns, tuple(named), raw.n_rows)


def sample_names() -> tuple[str, ...]:
    """List the samples: small tables to try things on.

    >>> "titanic" in sample_names()
    True
    """
    return tuple(sorted(path.stem for path in bundled("sample_data").glob("*.csv")))


def sample_path(name: str) -> Path:
    """Find the file of a sample; blanks and underscores stand for dashes.

    >>> sample_path("tic tac toe").name
    'tic-tac-toe.csv'
    """
    known = name.strip().lower().replace(" ", "-").replace("_", "-")
    check_known("sample", known, sample_names(), "one of the samples", DataError)
    return bundled("sample_data") / f"{known}.csv"


def load_sample(name: str) -> Dataset:
    """Read a sample; its last column is the target.

    >>> load_sample("stroke").n_rows
    15
    """
    return read_table(sample_path(name))
