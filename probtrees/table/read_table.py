"""From a file, an upload or a frame to a Dataset."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from probtrees.errors import DataError, OptionError, ProbTreesWarning
from probtrees.table.cells.encode import CellProblems, blank_unreadable, encode
from probtrees.table.column_profile import ColumnProfile
from probtrees.table.dataset import Dataset, DatePart, Schema
from probtrees.table.describe_repeats import copies_left_out, describe_repeats
from probtrees.table.formats.open_table import OpenedTable, open_table
from probtrees.table.infer.dates.birth_dates import notes_on_dates
from probtrees.table.infer.infer_schema import plan_table
from probtrees.table.infer.numbers_in_texts import IN_TEXTS
from probtrees.table.infer.repeated_identifiers import REPEATED
from probtrees.table.infer.repeated_rows import ask_repeated_rows
from probtrees.table.infer.table_plan import TablePlan
from probtrees.table.infer.unmatched_values import (
    UnmatchedColumn,
    blank_few_words,
    partly_unmatched_columns,
    read_answers,
    refuse_words_for_numbers,
    unmatched_columns,
)
from probtrees.table.infer.words_among_numbers import FEW_WORDS
from probtrees.table.provenance import Provenance
from probtrees.table.read_fields import NEWEST, USUAL_DATE_PARTS, DateOrder, Habit
from probtrees.table.read_options import ReadOptions
from probtrees.table.repeats import RESCALED, ReadRepeats, Repeats, rescaled, scaled_to_rows
from probtrees.table.row_roles import COPIES, identities_of, repeats_earlier, row_roles
from probtrees.table.table_report import PADDED, PERSONS, ColumnType, Role
from probtrees.types import FloatArray
from probtrees.version import __version__


def read_table(  # noqa: PLR0913  each option of reading is an argument
    source: Any,
    target: str | None = None,
    *,
    schema: Schema | None = None,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    bin_target: int | None = None,
    date_parts: Sequence[DatePart] = USUAL_DATE_PARTS,
    missing_spellings: Sequence[str] = (),
    repeats: ReadRepeats = "auto",
    sheet: str | int | None = None,
    missing_in: Mapping[str, Sequence[str]] | None = None,
    join_values: Sequence[str] = (),
    as_written: Sequence[Habit] = (),
    cut_target: float | None = None,
    table: int | None = None,
    header_lines: int = 1,
    not_recorded: Sequence[str] = (),
    date_order: DateOrder | None = None,
    group_values: Sequence[str] = (),
    empty_no: Sequence[str] = (),
    split_choices: Sequence[str] = (),
    one_scale: Sequence[str] = (),
    numbers_in: Sequence[str] = (),
    split_numbers: Sequence[str] = (),
    ages: Sequence[str] = (),
    fill_down: Sequence[str] = (),
    fill_from_same: Sequence[str] = (),
    keep_words: Sequence[str] = (),
    none_is_zero: Sequence[str] = (),
    days_to: Mapping[str, str] | None = None,
    turn_marks: Sequence[str] = (),
    join_outcomes: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    recoded: Mapping[str, Mapping[str, str]] | None = None,
    converted: Mapping[str, str] | None = None,
    encoding: str | None = None,
    odd_lines: str | None = None,
    count_until: str | None = None,
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
    types : by column: numeric, nominal, boolean, date, text, identifier
    bin_target : cut a numeric target into this many classes of about equal size
    date_parts : what to make of a date: days (since 1970-01-01), month, weekday
    missing_spellings : further spellings that mean "missing", such as "unknown"
    missing_in : the same by column, such as ``{"age": ["999"]}``
    join_values : columns whose values that differ only in case and spaces, or seem to say the same,
        are one; dates that a spreadsheet made of ranges (10-Dec) are these ranges
    as_written : habits of people that nothing is done about: title (lines above the names of
        the columns are left out, and units below them), totals (so is a line of totals at the
        end), dashes (are missing), marks (so are "NA", "k.A." and the like), names (lines that
        repeat them are left out), blanks (of a target that is marked or empty mean no), merged
        (cells of a sheet are filled down)
    repeats : what becomes of copies, which are identical rows (the class included) and rows of
        a weight above 1. "together": one observation, kept whole wherever rows are held out;
        "apart": different cases, as in a table of frequencies; "auto": together where some
        numeric feature has more different values than a tenth of the rows, copies counted,
        and more than 10. Rows whose identifiers differ are no copies, unless "together" is said.
        "once": rows that repeat an earlier one in every cell are left out, else as "auto"
    sheet : the sheet of a workbook, or the table of a zip archive, by its name or its number from
        1; the first one that holds a table unless named; "all" reads those of the same columns as
        one table, with a column "sheet" of their names, which is ignored unless it has a role;
        "nearly-all" reads those too in which one column has another name in the same place
    cut_target : cut a numeric target into two classes, up to this number and over it
    table : which table of a sheet or a text that holds several, with blank lines or columns
        between them, by its number from 1; all are read as one unless it is named
    header_lines : how many lines name the columns; two are joined, as in "group name"; 0 if none
        does: they are called "column 1", "column 2", ...
    not_recorded : columns of the schema that the table may lack: they are missing in every row
    date_order : what comes first, day or month, in dates such as 3/4/2020 where nothing in their
        column says so; the rest of the table decides unless it is given
    group_values : columns of which all but the 20 most frequent values are one, "other"
    empty_no : columns that are marked (X) or empty, where empty means no; a target is read so by
        itself
    split_choices : columns of several answers in a cell ("Price, Quality"): one yes/no column for
        each of the 20 most frequent
    one_scale : columns some of whose numbers are a hundredth of what is meant (1.72 among 172, 0.05
        among 5 %), which are multiplied by 100, or °F among °C, which are converted, or commas
        beside points (12,5 and 2.345), which are both decimal marks
    numbers_in : columns of texts ("~40", "87.7 ± 0.5", "13小时") of which the number in each cell
        is read, amounts in several units of one kind converted; a cell without one is missing
    split_numbers : columns of two numbers in a cell ("115/69"), which become two columns
    ages : columns of birth dates that are used as ages in years, or of dates on which something
        began (hire dates) that are used as the years since: on a date of the same row on which
        people were seen (admission, visit, order, ...), else on the newest other date of the table
    fill_down : columns of which every value also stands for the empty cells below it, as in tables
        whose cells were merged
    fill_from_same : columns that say whose row it is: what is empty in the rows that are used is
        taken from other rows of the same one, unless these differ
    keep_words : columns in which dashes and words for "no value", such as "UNK" among numbers, are
        values
    none_is_zero : columns of numbers in which codes that the file labels as none, such as 996 for
        "does not work", or dashes count as 0
    days_to : columns of dates that are used as the days to another date of the same row, such as
        ``{"admitted": "discharged"}``
    turn_marks : columns of marks with tendencies that are read the other way than the marks tell:
        2+ as 2.3 where it was 1.7
    renamed : columns of the table that the schema calls otherwise, such as
        ``{"income": "income (EUR)"}``
    recoded : values of the table that the schema knows by other words, by column, such as
        ``{"sex": {"Male": "1", "Female": "2"}}``; "" stands for a missing value
    converted : columns of numbers in another unit than the schema's, and how they become those:
        ``{"hb": "/10", "temp": "C-F"}``; also "*1000" and "F-C"
    encoding : of a text, by any name it goes by: "cp1251", "windows-1251", "Shift-JIS"; it is found
        by the bytes unless it is named, and said in a note if it is not UTF-8
    odd_lines : "drop" leaves out lines of a text that have another number of cells than there are
        columns; they are refused otherwise
    join_outcomes : values of the target that are one class, such as ["Likely", "Very likely"]; all
        others are one too, "other"
    count_until : the day up to which ages and years are counted where there is a schema: a date
        such as "2026-12-31", or "newest" of the table, if that is later; else the day of training

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
        _column_name(target),
        roles or {},
        types or {},
        bin_target,
        tuple(date_parts),
        tuple(missing_spellings),
        schema,
        repeats,
        {name: tuple(texts) for name, texts in (missing_in or {}).items()},
        tuple(join_values),
        tuple(as_written),
        sheet=None if sheet is None else str(sheet),
        cut_target=cut_target,
        table=table,
        header_lines=header_lines,
        not_recorded=tuple(not_recorded),
        date_order=date_order,
        group_values=tuple(group_values),
        empty_no=tuple(empty_no),
        split_choices=tuple(split_choices),
        one_scale=tuple(one_scale),
        numbers_in=tuple(numbers_in),
        split_numbers=tuple(split_numbers),
        ages=tuple(ages),
        fill_down=tuple(fill_down),
        fill_from_same=tuple(fill_from_same),
        keep_words=tuple(keep_words),
        none_is_zero=tuple(none_is_zero),
        days_to=days_to or {},
        turn_marks=tuple(turn_marks),
        join_outcomes=tuple(join_outcomes),
        renamed=renamed or {},
        recoded={name: tuple(pairs.items()) for name, pairs in (recoded or {}).items()},
        converted=converted or {},
        encoding=encoding,
        odd_lines=odd_lines,
        count_until=count_until,
    )
    opened = open_table(source, read_options)
    plan = plan_table(opened.raw, read_options, opened.where)
    _refuse_or_warn(plan)
    data = encode_planned(opened, plan, read_options)
    if RESCALED in data.provenance.notes:
        warnings.warn(RESCALED, ProbTreesWarning, stacklevel=2)
    return data


def read_to_predict(
    source: Any,
    schema: Schema,
    layout: ReadOptions | None = None,
    profile: Sequence[ColumnProfile] | None = None,
) -> Dataset:
    """Read a table to predict as :func:`read_table` does for a schema, with an eye for names.

    Columns of a file are found regardless of case, spaces, accents, underscores and dots where
    only one can be meant, and cells that are written in another way than in training are read as
    they were there; notes of the provenance say so.

    Parameters
    ----------
    layout : where the table stands in its file, see :attr:`.ReadOptions.layout`; what is said of
        columns that it lacks, and of those that hold weights
    profile : what the columns held in training; it tells 5 % from 0.05
    """
    read_options = _to_predict(layout, schema)
    table = open_table(source, read_options, find_names=True)
    plan = plan_table(table.raw, read_options, table.where, profile)
    unmatched = unmatched_columns(table.raw, schema, _edges_of(profile))
    refuse_words_for_numbers(table.raw, unmatched, read_options.unused)
    _blank_unused(table, read_options)
    words = blank_few_words(table.raw, schema)
    answers, _ = read_answers(table.raw, schema, read_options.unused)
    plan = replace(plan, findings=(*plan.findings, *words, *answers))
    return encode_planned(table, plan, read_options)


def find_unmatched(
    source: Any,
    schema: Schema,
    layout: ReadOptions | None = None,
    profile: Sequence[ColumnProfile] | None = None,
    *,
    with_target: bool = False,
) -> tuple[UnmatchedColumn, ...]:
    """List the columns of a table to predict of whose values the schema knows none, or not some.

    Columns that its model never asks for are not among them.

    Parameters
    ----------
    layout, profile : as in :func:`read_to_predict`
    with_target : whether classes are listed too, where some are unknown
    """
    read_options = _to_predict(layout, schema)
    table = open_table(source, read_options, find_names=True)
    plan_table(table.raw, read_options, table.where, profile)
    found = unmatched_columns(table.raw, schema, _edges_of(profile))
    columns = schema.columns if with_target else schema.features
    found += partly_unmatched_columns(table.raw, columns)
    return tuple(column for column in found if column.name not in read_options.unused)


def _edges_of(profile: Sequence[ColumnProfile] | None) -> dict[str, FloatArray | None]:
    """Return between which numbers the columns of training lay."""
    return {column.name: column.edges for column in profile or ()}


def read_rows(
    source: Any,
    schema: Schema,
    layout: ReadOptions | None = None,
    profile: Sequence[ColumnProfile] | None = None,
) -> tuple[Dataset, CellProblems]:
    """Read a table to predict, row by row as well as it goes.

    Unlike :func:`read_to_predict`, a cell that is no number or date where one is needed does not
    refuse the table: it counts as missing, and what it holds is reported.

    Parameters
    ----------
    layout : where the table stands in its file, see :attr:`.ReadOptions.layout`
    profile : what the columns held in training

    Returns
    -------
    the rows, and by row number what could not be read, or is an answer that the model has no
    column for
    """
    read_options = _to_predict(layout, schema)
    table = open_table(source, read_options, find_names=True)
    plan = plan_table(table.raw, read_options, table.where, profile)
    _blank_unused(table, read_options)
    problems = blank_unreadable(table.raw, schema.features)
    answers, unknown = read_answers(table.raw, schema, read_options.unused)
    for row, cells in unknown.items():
        problems.setdefault(row, []).extend(cells)
    plan = replace(plan, findings=(*plan.findings, *answers))
    return encode_planned(table, plan, read_options), problems


def _to_predict(layout: ReadOptions | None, schema: Schema) -> ReadOptions:
    """Read for a schema; ages and years are those on the newest date unless somebody said when."""
    layout = layout or ReadOptions()
    return replace(layout, schema=schema, count_until=layout.count_until or NEWEST)


def _blank_unused(table: OpenedTable, read_options: ReadOptions) -> None:
    """Empty cells that cannot be read of columns that the model never asks for."""
    features = read_options.schema.features if read_options.schema else ()
    blank_unreadable(table.raw, [c for c in features if c.source_name in read_options.unused])


def _column_name(target: Any) -> str | None:
    """Return a target as columns are called here; classes that are given themselves are none."""
    if target is None or isinstance(target, str):
        return target
    if hasattr(target, "__len__") and not isinstance(target, tuple):
        raise OptionError(
            f"target={type(target).__name__} must be the name of a column. Put the classes into "
            "the table: frame.assign(outcome=y), target='outcome'."
        )
    return str(target)


def _refuse_or_warn(plan: TablePlan) -> None:
    """Raise the first error found; warn of words read as missing, and of columns left out."""
    for finding in plan.all_findings:
        if finding.severity == "error":
            raise DataError(str(finding))
    left_out = {column.name for column in plan.columns if column.role == "ignore"}
    for finding in plan.all_findings:
        is_left = finding.severity == "warning" and finding.column in left_out
        is_lost = finding.texts and finding.kind in (FEW_WORDS, IN_TEXTS)
        if is_lost or (is_left and finding.kind in ("text", "many values", PADDED, PERSONS)):
            warnings.warn(str(finding), ProbTreesWarning, stacklevel=3)
    kinds = ("identifier", REPEATED)
    identifiers = [finding for finding in plan.all_findings if finding.kind in kinds]
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
    """Encode the rows: all of them for a schema that was given, else those to learn from."""
    raw, schema = table.raw, plan.schema
    record = _provenance(table, plan, read_options)
    identities = None
    if plan.given is None and read_options.repeats != "together":
        # A column that somebody set aside may not have been read: it says nothing either way.
        named = (c.name for c in plan.columns if c.type == "identifier" and c.role == "ignore")
        identities = identities_of(raw, [name for name in named if name not in read_options.roles])
    values = encode(raw, schema)
    found = row_roles(raw, read_options.roles)
    again = repeats_earlier(raw) if read_options.repeats == "once" else None
    kept, dropped = found.kept_and_dropped(raw.n_rows, np.isnan(values[:, -1]), again)
    data = Dataset(
        schema,
        values,
        table.data_name,
        found.weights,
        found.groups,
        found.times,
        provenance=record,
        repeats=None,
        identities=identities,
    )
    if plan.given is not None:
        weights = None if found.weights is None else np.nan_to_num(found.weights)
        return replace(data, weights=weights, repeats=_among_rows(read_options))
    if not kept.any():
        raise DataError(
            f"every row was dropped ({', '.join(dropped)}); at least two must remain. Check the "
            "roles of the columns."
        )
    data = data if kept.all() else data.take(kept)
    if data.weights is not None and "weights" not in read_options.as_written:
        data = replace(data, weights=scaled_to_rows(data.weights))
    return _with_repeats(data, replace(record, rows_dropped=dropped), _among_rows(read_options))


def _among_rows(read_options: ReadOptions) -> Repeats:
    """Return what becomes of copies among the rows that are kept."""
    return "auto" if read_options.repeats == "once" else read_options.repeats


def _with_repeats(data: Dataset, record: Provenance, repeats: Repeats) -> Dataset:
    """Scale the weights, decide about copies of rows, and note both."""
    weights = None if data.weights is None else rescaled(data.weights)
    about = [] if weights is data.weights else [RESCALED]
    about += [copies_left_out(n)] if (n := record.rows_dropped.get(COPIES)) else []
    data = replace(data, weights=weights, repeats=repeats)
    notes = (*record.notes, *filter(None, [*about, describe_repeats(data)]))
    return replace(data, provenance=replace(record, notes=notes))


def _provenance(table: OpenedTable, plan: TablePlan, read_options: ReadOptions) -> Provenance:
    notes = table.raw.notes
    notes += tuple(map(str, plan.all_findings))
    if plan.given is None:
        notes += notes_on_dates(plan.schema)
        notes += tuple(map(str, ask_repeated_rows(table.raw, plan, read_options)))
    return Provenance(
        source=table.name,
        sha256=table.sha256,
        rows_read=table.raw.n_rows,
        roles={column.name: column.role for column in plan.columns},
        notes=notes,
        options={} if plan.given is not None else read_options.record,
        version=__version__,
    )
