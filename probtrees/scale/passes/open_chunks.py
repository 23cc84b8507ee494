"""Open a table too large for memory: find its files, look through them once, decide its schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.scale.files.file_parts import PIECE_BYTES, FileReader, PartReader, parts_of
from probtrees.scale.files.read_at_once import not_done_in_chunks
from probtrees.scale.files.table_files import Source, TableFile, check_unchanged, find_files
from probtrees.scale.passes.chunked_table import ChunkedTable, path_of
from probtrees.scale.passes.table_scan import TableScan, as_spelled, row_with_text
from probtrees.table.cells.convert_numbers import Converted, conversions
from probtrees.table.cells.recode import Recoded
from probtrees.table.dataset import DatePart, Schema
from probtrees.table.formats.absent_columns import (
    absent_columns,
    note_on_unused,
    notes_on_absent,
    unit_changes,
)
from probtrees.table.formats.column_names import (
    names_written_otherwise,
    note_on_names,
    schema_as_written,
)
from probtrees.table.formats.text.grouped_points import POINTS
from probtrees.table.infer.dates.birth_dates import notes_on_dates
from probtrees.table.infer.dates.counted_until import count_until as count_days_until
from probtrees.table.infer.plan import TablePlan
from probtrees.table.infer.two_scales import in_one_scale
from probtrees.table.provenance import Provenance
from probtrees.table.read_fields import AS_TRAINED, USUAL_DATE_PARTS, DateOrder, Habit
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import ColumnType, Finding, Role
from probtrees.version import __version__

DEFAULT_MEMORY = 2 * 1024**3
"""Bytes that learning may take by default."""

_LEAST_MEMORY = 256 * 1024**2
_MOST_ROWS = 1 << 18
"""Larger chunks are no faster: they leave the processor's cache."""

_TEXT_ROW = 60
"""Bytes that a row of text is taken to have until it is read."""

_BLOCK_BYTES = 1 << 24
"""Text that is read at a time."""

_UNITS = {"": 1, "b": 1, "kb": 1 << 10, "mb": 1 << 20, "gb": 1 << 30, "tb": 1 << 40}


class RunScan(Protocol):
    """How the scan is carried out: here, or by the workers of a cluster."""

    def __call__(
        self, fingerprint: str, reader: PartReader, parts: Sequence[Any], options: ReadOptions
    ) -> TableScan:
        """Scan all parts; the fingerprint shows whether they were scanned before."""
        ...


def open_chunks(  # noqa: PLR0913  each option of reading is an argument
    source: Source,
    target: str | None = None,
    *,
    memory: int | str = DEFAULT_MEMORY,
    roles: Mapping[str, Role] | None = None,
    types: Mapping[str, ColumnType] | None = None,
    scan: RunScan | None = None,
    date_parts: Sequence[DatePart] = USUAL_DATE_PARTS,
    missing_spellings: Sequence[str] = (),
    missing_in: Mapping[str, Sequence[str]] | None = None,
    join_values: Sequence[str] = (),
    as_written: Sequence[Habit] = (),
    header_lines: int = 1,
    date_order: DateOrder | None = None,
    group_values: Sequence[str] = (),
    empty_no: Sequence[str] = (),
    split_choices: Sequence[str] = (),
    one_scale: Sequence[str] = (),
    encoding: str | None = None,
    numbers_in: Sequence[str] = (),
    split_numbers: Sequence[str] = (),
    ages: Sequence[str] = (),
    keep_words: Sequence[str] = (),
    turn_marks: Sequence[str] = (),
    days_to: Mapping[str, str] | None = None,
    join_outcomes: Sequence[str] = (),
    odd_lines: str | None = None,
) -> ChunkedTable:
    """Look through a large table once, and make it ready to be read in passes.

    Files are compared first, by their footers or first lines; then one pass decides types and
    categories by the rules of :func:`~probtrees.table.read_table.read_table`.

    Parameters
    ----------
    source : a file, a folder, a pattern such as ``"2024-*.csv"``, or a list of these; Parquet
        or delimited text
    target : the column to predict; by default the last one
    memory : how much may be held at a time, in bytes or as in "2GB"
    roles, types : by column, as in ``read_table``
    scan : carries out the scan; by default this process, at once
    date_parts, missing_spellings, missing_in, join_values, as_written, header_lines,
    date_order, group_values, empty_no, split_choices, one_scale, encoding, numbers_in,
    split_numbers, ages, keep_words, turn_marks, days_to, join_outcomes, odd_lines : as in
        ``read_table``; title lines are always left out

    Raises
    ------
    DataError : naming file and rows if one of them cannot be read or does not fit the others
    """
    files = find_files(source, header_lines, encoding)
    options = ReadOptions(
        target,
        roles or {},
        types or {},
        date_parts=tuple(date_parts),
        missing_spellings=tuple(missing_spellings),
        missing_in={name: tuple(texts) for name, texts in (missing_in or {}).items()},
        join_values=tuple(join_values),
        as_written=tuple(as_written),
        header_lines=header_lines,
        date_order=date_order,
        group_values=tuple(group_values),
        empty_no=tuple(empty_no),
        split_choices=tuple(split_choices),
        one_scale=tuple(one_scale),
        encoding=encoding,
        numbers_in=tuple(numbers_in),
        split_numbers=tuple(split_numbers),
        ages=tuple(ages),
        keep_words=tuple(keep_words),
        turn_marks=tuple(turn_marks),
        days_to=days_to or {},
        join_outcomes=tuple(join_outcomes),
        odd_lines=odd_lines,
    )
    reader = _reader(memory_bytes(memory), len(files[0].names))
    parts = parts_of(files, reader.rows_at_once)
    fingerprint = fingerprint_of(files, options)
    found = UnscannedTable(reader, parts, files[0].names, _source_name(files), fingerprint, files)
    not_done = not_done_in_chunks(files[0], options)
    if not_done.lines:
        raise DataError(" ".join(not_done.lines))
    try:
        table = open_parts(found, options, scan)
    except DataError as problem:
        raise DataError(" ".join([str(problem), *not_done.columns])) from None
    record = replace(table.provenance, notes=(*table.provenance.notes, *not_done.columns))
    return replace(table, provenance=record)


def open_with_schema(  # noqa: PLR0913  each option of reading is an argument
    source: Source,
    schema: Schema,
    memory: int | str = DEFAULT_MEMORY,
    roles: Mapping[str, Role] | None = None,
    *,
    as_written: Sequence[Habit] = ("totals",),
    header_lines: int = 1,
    not_recorded: Sequence[str] = (),
    unused: Sequence[str] = (),
    renamed: Mapping[str, str] | None = None,
    recoded: Recoded | None = None,
    converted: Converted | None = None,
    one_scale: Sequence[str] = (),
    encoding: str | None = None,
    count_until: str | None = None,
    odd_lines: str | None = None,
    to_predict: bool = False,
) -> ChunkedTable:
    """Make a large table ready to be read for a schema that is already there.

    Nothing is scanned: other columns are ignored, and unknown categories become
    :data:`~probtrees.table.dataset.UNSEEN`. Columns are found regardless of case and spaces where
    only one can be meant. ``n_rows`` is a guess for text.

    Parameters
    ----------
    as_written, header_lines, not_recorded, renamed, one_scale, encoding, odd_lines : as in
        ``read_table``
    recoded, converted : as in :class:`.ReadOptions`
    count_until : the day up to which ages and years are counted; that of training unless said
    unused : columns of the schema that its model never asks for, which the table may lack
    to_predict : the class may be absent, and rows without one are kept
    """
    files = find_files(source, header_lines, encoding)
    names, where = files[0].names, repr(files[0].path)
    trained = schema
    found = names_written_otherwise(schema, names, roles or {}, renamed)
    schema = in_one_scale(schema_as_written(schema, found), one_scale)
    schema, counted = count_days_until(schema, None, count_until or AS_TRAINED)
    roles = {found.get(name, name): role for name, role in (roles or {}).items()}
    changes = unit_changes(trained, renamed or {})
    by_names = {found[n]: changes[n].how for n in changes if n not in (converted or {})}
    as_said = {found.get(name, name): how for name, how in (converted or {}).items()}
    conversions(as_said, schema)  # what is wrong with them is said before anything is read
    absent = absent_columns(
        schema, names, where, [found.get(n, n) for n in not_recorded], set(unused)
    )
    if not to_predict and schema.target.source_name not in names:
        advice = did_you_mean(schema.target.source_name, names)
        raise DataError(
            f"column={schema.target.source_name!r} must be in {where}, since it says what "
            f"happened. {advice}"
        )
    _refuse_filled(schema, unused)
    about_names = (note_on_names(found, renamed or {}, trained, converted or {}),) if found else ()
    notes = (*about_names, *notes_on_absent(absent, unused))
    notes += note_on_unused(absent, unused)
    notes += tuple(map(str, counted))
    layout = ReadOptions(schema=schema, as_written=tuple(as_written), odd_lines=odd_lines)
    not_done = not_done_in_chunks(files[0], layout)
    notes += (*not_done.lines, *not_done.columns)
    if odd_lines is not None and not to_predict:  # while predicting they are counted
        notes += (f"Lines that have not {len(names)} cells are left out.",)
    reader = _reader(memory_bytes(memory), len(files[0].names))
    parts = parts_of(files, reader.rows_at_once)
    rows: dict[int, int] = {}
    for part in parts:
        guess = int(part.weight) // _TEXT_ROW if part.n_rows is None else part.n_rows
        rows[part.stretch] = rows.get(part.stretch, 0) + guess
    return ChunkedTable(
        schema=schema,
        parts=parts,
        reader=reader,
        n_rows=sum(rows.values()),
        missing=(),
        stretch_rows=rows,
        roles=roles,
        as_written=tuple(as_written),
        header_lines=header_lines,
        encoding=encoding,
        odd_lines=odd_lines,
        is_whole=to_predict,
        recoded={found.get(name, name): pairs for name, pairs in (recoded or {}).items()},
        converted=as_said,
        converted_by_names=by_names,
        unused=tuple(found.get(name, name) for name in unused),
        provenance=Provenance(source=_source_name(files), notes=notes, version=__version__),
    )


def _refuse_filled(schema: Schema, unused: Sequence[str]) -> None:
    """Refuse a model of columns that were filled: a chunk does not show what stands above."""
    for column in schema.features:
        spelling = column.spelling
        if (spelling.filled or spelling.filled_by) and column.source_name not in unused:
            how = "down" if spelling.filled else f"from rows of the same {spelling.filled_by!r}"
            raise DataError(
                f"column={column.source_name!r} was filled {how} in training, which is not done in "
                "chunks. Leave out --chunks, or fill the cells of the files themselves."
            )


@dataclass(frozen=True)
class UnscannedTable:
    """Parts of any kind before anyone looked at their rows.

    Attributes
    ----------
    reader, parts : as in :class:`ChunkedTable`
    names : the columns
    source : what people call the data
    fingerprint : as in :class:`ChunkedTable`; empty if a change would not be noticed
    files : as in :class:`ChunkedTable`
    """

    reader: PartReader
    parts: Sequence[Any]
    names: tuple[str, ...]
    source: str
    fingerprint: str = ""
    files: tuple[TableFile, ...] = ()


def open_parts(
    unscanned: UnscannedTable, options: ReadOptions, scan: RunScan | None = None
) -> ChunkedTable:
    """Scan parts of any kind and decide the schema; see :func:`open_chunks`."""
    reader, parts, names = unscanned.reader, unscanned.parts, unscanned.names
    where = repr(unscanned.source)
    options.check_columns(names, where)
    # The last column of the first file is the target of all, in whatever order theirs are.
    options = replace(options, target=options.target_name(names))
    # Columns that are numbers in one chunk and texts in another are read once more as spelled:
    # what a number was spelled like ("1.0") is gone once it is read as one.
    run = scan or scan_here
    seen = run(unscanned.fingerprint, reader, parts, options)
    spelled = options
    if seen.in_conflict:
        spelled = as_spelled(options, seen.in_conflict)
        seen = run(unscanned.fingerprint, reader, parts, spelled)
        seen.options = options
    check_unchanged(unscanned.files)
    plan = seen.plan(names, where)
    if plan.empty_is_class and seen.dropped.get("no class"):
        # Only the whole table shows that empty is an answer: until then such rows had no class.
        filled = spelled.with_fix(None, "empty_no", str(options.target))
        fingerprint = unscanned.fingerprint and f"{unscanned.fingerprint} empty"
        seen = run(fingerprint, reader, parts, filled)
    for finding in plan.all_findings:
        if finding.severity == "error":
            raise DataError(str(_placed(finding, unscanned, seen, options)))
    if seen.n_rows == 0:
        raise DataError(f"every row was dropped ({', '.join(seen.dropped)}). Check the roles.")
    return _opened(unscanned, seen, plan, options)


def _opened(
    unscanned: UnscannedTable, seen: TableScan, plan: TablePlan, options: ReadOptions
) -> ChunkedTable:
    """Make the table of what was seen and decided."""
    found = (*_of_files(unscanned, options), *plan.all_findings)
    record = Provenance(
        source=unscanned.source,
        rows_read=sum(seen.stretch_rows.values()),
        rows_dropped=seen.dropped,
        roles={column.name: column.role for column in plan.columns},
        notes=(*map(str, found), *notes_on_dates(plan.schema)),
        options=options.record,
        version=__version__,
    )
    features = enumerate(plan.schema.features)
    spelled = {column.source_name for column in plan.schema.features if column.spelling.missing}
    filled = {column.source_name for column in plan.schema.features if column.spelling.empty}
    lacking = spelled | {name for name, count in seen.missing.items() if count}
    lacking -= filled
    spans = (column for column in plan.schema.features if column.date_part == "span")
    lacking |= {c.source_name for c in spans if c.spelling.at_column in lacking}
    return ChunkedTable(
        schema=plan.schema,
        parts=tuple(unscanned.parts),
        reader=unscanned.reader,
        n_rows=seen.n_rows,
        missing=tuple(n for n, column in features if column.source_name in lacking),
        stretch_rows=dict(sorted(seen.stretch_rows.items())),
        heaviest=seen.heaviest if "weight" in options.roles.values() else None,
        roles={n: role for n, role in options.roles.items() if role in ("weight", "group", "time")},
        as_written=options.as_written,
        header_lines=options.header_lines,
        encoding=options.encoding,
        odd_lines=options.odd_lines,
        provenance=record,
        fingerprint=unscanned.fingerprint,
        files=unscanned.files,
    )


def _of_files(unscanned: UnscannedTable, options: ReadOptions) -> list[Finding]:
    """Return what was decided about the first lines and the last ones.

    The first file stands for all; what is left out below the rows of another is added.
    """
    first, *others = [file.findings for file in unscanned.files] or [()]
    below = [finding for found in others for finding in found if finding.kind == "totals"]
    settled = {"totals": "totals", "commas": "decimal comma", "points": POINTS}
    kinds = {settled.get(habit) for habit in options.as_written}
    return [finding for finding in (*first, *below) if finding.kind not in kinds]


def scan_here(
    fingerprint: str, reader: PartReader, parts: Sequence[Any], options: ReadOptions
) -> TableScan:
    """Scan all parts, one after the other."""
    found = TableScan(options)
    for part in parts:
        scan_part(found, reader, part, options)
    return found


def scan_part(found: TableScan, reader: PartReader, part: Any, options: ReadOptions) -> TableScan:
    """Add the rows of one part to a scan."""
    for _, raw in reader.read(part, options):
        found.update(part.stretch, raw)
    return found


def memory_bytes(memory: int | str) -> int:
    """Read an amount of memory.

    >>> memory_bytes("2GB"), memory_bytes("500 MB")
    (2147483648, 524288000)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?b?)\s*", str(memory).lower())
    unit = match and match.group(2).replace("i", "")
    if match is None or (unit and unit.rstrip("b") + "b" not in _UNITS):
        raise OptionError(f"memory={memory!r} must be an amount such as 2GB or 500MB.")
    amount = float(match.group(1)) * _UNITS[unit.rstrip("b") + "b" if unit else ""]
    if amount < _LEAST_MEMORY:
        raise OptionError(
            f"memory={memory!r} must be at least 256MB, which the program itself takes."
        )
    return int(amount)


def _reader(memory: int, n_columns: int) -> FileReader:
    """Choose how much is read at a time, so that several chunks fit into a part of the memory."""
    rows = memory // 8 // (32 * max(n_columns, 1))
    rows = int(min(max(rows, 1024), _MOST_ROWS))
    return FileReader(rows, min(memory // 128, _BLOCK_BYTES))


def _source_name(files: Sequence[TableFile]) -> str:
    first = re.split(r"[\\/]", files[0].path)[-1]
    return first if len(files) == 1 else f"{first} and {len(files) - 1} more"


def fingerprint_of(files: Sequence[TableFile], options: ReadOptions) -> str:
    """Describe files, options and the way of cutting text, so that a change of any shows."""
    listed = [(file.path, file.size, file.modified) for file in files]
    return repr(
        (
            listed,
            PIECE_BYTES,
            options.target,
            sorted(options.roles.items()),
            sorted(options.types.items()),
            *((options.record,) if options.record.keys() - {"types"} else ()),
        )
    )


def _placed(
    finding: Finding, unscanned: UnscannedTable, seen: TableScan, options: ReadOptions
) -> Finding:
    """Give a finding about a cell, which the scan made without them, its file and row."""
    if finding.cell is None or finding.column is None:
        return finding
    # A scan counts values and forgets where they stood, so the cell is looked for again.
    spelled = as_spelled(options, (finding.column,))
    for part in unscanned.parts:
        for first_row, raw in unscanned.reader.read(part, spelled):
            row = row_with_text(raw, finding.column, finding.cell.text)
            if row >= 0:
                number = _rows_before(part, unscanned.parts, seen) + first_row + row + 1
                return finding.in_file(path_of(part), number)
    return finding


def _rows_before(part: Any, parts: Sequence[Any], seen: TableScan) -> int:
    """Count the rows of a file that come before the stretch of a part."""
    same_file = {other.stretch for other in parts if path_of(other) == path_of(part)}
    return sum(seen.stretch_rows.get(n, 0) for n in same_file if n < part.stretch)
