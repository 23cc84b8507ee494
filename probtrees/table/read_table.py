"""From a file, an upload or a frame to a Dataset."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.errors import DataError, ProbTreesWarning, did_you_mean
from probtrees.table.cells.encode import CellProblems, blank_unreadable, encode
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.dataset import Dataset, DatePart, Schema
from probtrees.table.describe_repeats import describe_repeats
from probtrees.table.formats.open_table import ALL_SUFFIXES, OpenedTable, open_table
from probtrees.table.infer.infer_schema import TablePlan, blank_out, plan_table
from probtrees.table.provenance import Provenance
from probtrees.table.read_options import DATE_PARTS, ReadOptions
from probtrees.table.repeats import RESCALED, Repeats, rescaled
from probtrees.table.row_roles import row_roles
from probtrees.table.table_report import ColumnType, Role
from probtrees.version import __version__


def read_table(
    source: Any,
    target: str | None = None,
    *,
    schema: Schema | None = None,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    bin_target: int | None = None,
    date_parts: Sequence[DatePart] = DATE_PARTS,
    missing_spellings: Sequence[str] = (),
    repeats: Repeats = "auto",
) -> Dataset:
    r"""Read a table to learn from, or, given a schema, a table to predict.

    Parameters
    ----------
    source : a path, an open file (bytes or text), a pair (name, bytes), or a pandas frame.
        Understood are CSV and relatives, ARFF and Parquet, each also gzipped; the content
        decides, not the name.
    target : the column to predict; the last one unless named
    schema : encode the table for this schema: columns may come in any order, others are
        ignored, unknown categories become :data:`~probtrees.table.dataset.UNSEEN`, the target may
        be absent, and no row is dropped
    roles : by column: feature, target, ignore, weight, group, time
    types : by column: numeric, nominal, boolean, date, text, identifier
    bin_target : cut a numeric target into this many classes of about equal size
    date_parts : what to make of a date: days (since 1970-01-01), month, weekday
    missing_spellings : further spellings that mean "missing", such as "unknown"
    repeats : what becomes of copies, which are identical rows (the class included) and rows of
        a weight above 1. "together": one observation, kept whole wherever rows are held out;
        "apart": different cases, as in a table of frequencies; "auto": together where some
        numeric feature has more different values than a tenth of the rows, copies counted,
        and more than 10

    Raises
    ------
    DataError
        if the table cannot be used, with row and column where one is to blame

    Examples
    --------
    >>> data = read_table(("tiny.csv", b"size,colour,kind\n1,red,a\n2,blue,b\n3,red,a\n"))
    >>> data.schema.names, data.schema.classes
    (('size', 'colour', 'kind'), ('a', 'b'))
    >>> data.values.tolist()
    [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0], [3.0, 1.0, 0.0]]
    """
    read_options = ReadOptions(
        target,
        roles or {},
        types or {},
        bin_target,
        tuple(date_parts),
        tuple(missing_spellings),
        schema,
        repeats,
    )
    table = open_table(source, read_options)
    if schema is not None:
        return _encode_for(table, schema, read_options)
    plan = plan_table(table.raw, read_options, table.where)
    _refuse_or_warn(plan)
    data = encode_planned(table, plan, read_options)
    if RESCALED in data.provenance.notes:
        warnings.warn(RESCALED, ProbTreesWarning, stacklevel=2)
    return data


def read_rows(source: Any, schema: Schema) -> tuple[Dataset, CellProblems]:
    """Read a table to predict, row by row as well as it goes.

    Unlike :func:`read_table`, a cell that is no number or date where one is needed does not
    refuse the table: it counts as missing, and what it holds is reported.

    Returns
    -------
    the rows, and by row number what could not be read
    """
    read_options = ReadOptions(None, {}, {}, None, tuple(DATE_PARTS), (), schema)
    table = open_table(source, read_options)
    problems = blank_unreadable(table.raw, schema)
    return _encode_for(table, schema, read_options), problems


def _encode_for(table: OpenedTable, schema: Schema, read_options: ReadOptions) -> Dataset:
    """Encode every row of a table for a schema that is already there."""
    raw = table.raw
    absent = dict.fromkeys(
        column.source_name for column in schema.features if column.source_name not in raw.columns
    )
    if absent:
        raise DataError(_describe_absent(list(absent), raw, table.where))
    blank_out(raw, read_options.missing_spellings)
    named = {name: role for name, role in read_options.roles.items() if name in raw.columns}
    found = row_roles(raw, named)
    weights = None if found.weights is None else np.nan_to_num(found.weights)
    roles = _roles_for(schema, raw, named)
    record = _provenance(table, roles, raw.notes, {}, {})
    values = encode(raw, schema)
    return Dataset(
        schema,
        values,
        _name(table),
        weights,
        found.groups,
        found.times,
        provenance=record,
        repeats=read_options.repeats,
    )


def _describe_absent(absent: list[str], raw: RawTable, where: str) -> str:
    shown = ", ".join(repr(name) for name in absent[:10]) + (", ..." if len(absent) > 10 else "")
    what, them = ("column", "it") if len(absent) == 1 else ("columns", "them")
    advice = "Add what is missing, or use the table the model was made for."
    suggestion = did_you_mean(absent[0], raw.names)
    if suggestion.startswith("Did you mean"):
        advice = f"{suggestion} Rename it in the table."
    elif len(raw.names) == 1:
        advice = "Check how the cells of the file are separated: only one column was found."
    return f"{what} {shown} must be in {where}, since the model needs {them}. {advice}"


def _roles_for(schema: Schema, raw: RawTable, named: Mapping[str, Role]) -> dict[str, Role]:
    features = {column.source_name for column in schema.features}
    roles: dict[str, Role] = {}
    for name in raw.names:
        is_target = name == schema.target.source_name
        roles[name] = "target" if is_target else "feature" if name in features else "ignore"
    return {**roles, **named}


def _refuse_or_warn(plan: TablePlan) -> None:
    """Raise the first error found; warn of columns that are left out as identifiers."""
    for finding in plan.all_findings:
        if finding.severity == "error":
            raise DataError(str(finding))
    identifiers = [finding for finding in plan.all_findings if finding.kind == "identifier"]
    if identifiers:
        names = ", ".join(repr(finding.column) for finding in identifiers)
        looks = (
            "looks like an identifier and is"
            if len(identifiers) == 1
            else ("look like identifiers and are")
        )
        warnings.warn(
            f"{names} {looks} ignored. Give the role 'feature' to a column to use it anyway.",
            ProbTreesWarning,
            stacklevel=3,
        )


def encode_planned(table: OpenedTable, plan: TablePlan, read_options: ReadOptions) -> Dataset:
    """Encode the rows that can be learnt from, and note what becomes of weights and copies."""
    raw, schema = table.raw, plan.schema
    found = row_roles(raw, read_options.roles)
    roles: dict[str, Role] = {column.name: column.role for column in plan.columns}
    values = encode(raw, schema)
    kept, dropped = found.kept_and_dropped(raw.n_rows, np.isnan(values[:, -1]))
    if not kept.any():
        raise DataError(
            f"every row was dropped ({', '.join(dropped)}); at least two must remain. Check the "
            "roles of the columns."
        )
    notes = (*raw.notes, *(str(finding) for finding in plan.all_findings), *_date_notes(schema))
    record = _provenance(table, roles, notes, dropped, _options(read_options))
    data = Dataset(
        schema,
        values,
        _name(table),
        found.weights,
        found.groups,
        found.times,
        provenance=record,
        repeats=None,
    )
    data = data if kept.all() else data.take(kept)
    weights = None if data.weights is None else rescaled(data.weights)
    about_weights = [] if weights is data.weights else [RESCALED]
    data = replace(data, weights=weights, repeats=read_options.repeats)
    notes = (*notes, *filter(None, [*about_weights, describe_repeats(data)]))
    return replace(data, provenance=replace(record, notes=notes))


def _date_notes(schema: Schema) -> list[str]:
    parts: dict[str, list[str]] = {}
    for column in schema.columns:
        if column.date_part is not None:
            words = {"days": "days since 1970-01-01"}.get(column.date_part, column.date_part)
            parts.setdefault(column.source_name, []).append(words)
    return [f"Column {name!r} is a date, used as {', '.join(p)}." for name, p in parts.items()]


def _options(read_options: ReadOptions) -> dict[str, Any]:
    options: dict[str, Any] = {}
    if read_options.types:
        options["types"] = dict(read_options.types)
    if read_options.bin_target is not None:
        options["bin_target"] = read_options.bin_target
    if read_options.date_parts != DATE_PARTS:
        options["date_parts"] = list(read_options.date_parts)
    if read_options.missing_spellings:
        options["missing_spellings"] = list(read_options.missing_spellings)
    if read_options.repeats != "auto":
        options["repeats"] = read_options.repeats
    return options


def _provenance(
    table: OpenedTable,
    roles: Mapping[str, Role],
    notes: Sequence[str],
    dropped: Mapping[str, int],
    options: Mapping[str, Any],
) -> Provenance:
    return Provenance(
        source=table.name,
        sha256=table.sha256,
        rows_read=table.raw.n_rows,
        rows_dropped=dropped,
        roles=roles,
        notes=tuple(notes),
        options=options,
        version=__version__,
    )


def _name(table: OpenedTable) -> str:
    """Shorten the name of a file to what people call the data."""
    if not table.sha256:
        return "data"
    endings = "|".join(map(re.escape, ALL_SUFFIXES))
    return re.sub(rf"({endings})?(\.gz)?$", "", table.name, flags=re.I)
