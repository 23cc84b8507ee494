"""The files a large table is spread over: looked at, cut into parts, read some rows at a time."""

from __future__ import annotations

import glob
import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as arrow_parquet

from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.scale.files.allowed_folder import TABLE_ENDINGS, place_of, tables_below
from probtrees.scale.files.text_blocks import TextForm, read_text, unreadable
from probtrees.table.findings import Finding
from probtrees.table.formats.arrow import DAMAGED, PARQUET, PARQUET_MARK, name_columns, raw_column
from probtrees.table.formats.open_table import FORMATS
from probtrees.table.formats.source import is_named
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

Source = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class TableFile:
    """One file of a table.

    Attributes
    ----------
    path : where it is
    format : Parquet, or delimited text
    size, modified : bytes, and when it was last changed: how a changed file is noticed
    names : its columns
    kinds : for Parquet what each column holds: "number", "text", "date", "boolean" or "other"
    group_rows : for Parquet the rows of every row group; empty for text
    row_bytes : for text the bytes of a row, as far as its first lines tell
    findings : for text, what was decided about its first lines
    """

    path: str
    format: Literal["parquet", "text"]
    size: int
    modified: int
    names: tuple[str, ...]
    kinds: Mapping[str, str]
    group_rows: tuple[int, ...] = ()
    row_bytes: float = 1.0
    findings: tuple[Finding, ...] = ()

    @property
    def n_rows(self) -> int | None:
        """Number of rows; None if only reading it through would show."""
        return sum(self.group_rows) if self.format == "parquet" else None


def find_files(source: Source, layout: ReadOptions | None = None) -> tuple[TableFile, ...]:
    """List the files of a table and compare their columns, without reading the rows.

    The columns are those that most files have; others that some files have are left out.

    Parameters
    ----------
    source : a file, a folder, a pattern such as ``"2024-*.parquet"``, or a list of these
    layout : how many lines of a text name the columns, and its encoding, where that was said

    Raises
    ------
    DataError : naming the file that cannot be read, lacks a column, or holds another type
    """
    given = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    paths = list(dict.fromkeys(path for entry in given for path in _paths(os.fspath(entry))))
    if not paths:
        raise DataError("source must name at least one file.")
    files = tuple(_look_at(path, layout or ReadOptions()) for path in paths)
    # The columns that most files have; where as many have others, those of the wider one.
    n_alike = Counter(frozenset(file.names) for file in files)
    usual = max(files, key=lambda file: (n_alike[frozenset(file.names)], len(file.names)))
    _check_alike(files, usual)
    return tuple(
        replace(file, names=tuple(name for name in file.names if name in usual.names))
        for file in files
    )


def modified(status: os.stat_result) -> int:
    """Return when a file was changed, in nanoseconds.

    Its time can be set back by whoever writes it; the system's own note of a change cannot.
    """
    return max(status.st_mtime_ns, status.st_ctime_ns)


def changed_meanwhile(column: str) -> DataError:
    """Say that a column has values which an earlier pass over the same rows did not meet."""
    return DataError(
        f"column={column!r} must not change between two passes; it has a value that was not there "
        "before. Leave the files alone while a model is grown."
    )


def check_unchanged(files: Iterable[TableFile]) -> None:
    """Refuse to go on with files that someone writes to: passes would not see the same rows."""
    for file in files:
        try:
            status = os.stat(place_of(file.path))
        except OSError as problem:
            raise unreadable(file.path, problem) from None
        if (status.st_size, modified(status)) != (file.size, file.modified):
            raise DataError(
                f"file={file.path!r} must stay as it is while it is learnt from; it was changed "
                "meanwhile. Run the command again once it is complete."
            )


def _paths(entry: str) -> list[str]:
    """List the files that a path or a pattern names, those in folders too."""
    is_pattern = glob.has_magic(entry) and not os.path.lexists(entry)
    matches = sorted(glob.glob(entry, recursive=True)) if is_pattern else [entry]
    listed = (tables_below(Path(m)) if os.path.isdir(m) else [m] for m in matches)
    found = [str(path) for some in listed for path in some if os.path.lexists(path)]
    if not found:
        path = Path(entry)
        beside = os.listdir(path.parent) if path.parent.is_dir() and not path.exists() else []
        near = did_you_mean(path.name, beside)
        endings = ", ".join(TABLE_ENDINGS[:4])
        advice = near if near.startswith("Did you mean") else f"Files end in {endings}, ..."
        raise DataError(f"files={entry!r} must exist, one table at least. {advice}")
    return found


def _look_at(path: str, layout: ReadOptions) -> TableFile:
    """Read what the file says about itself: the footer of Parquet, the first lines of text."""
    try:
        status = os.stat(place_of(path))
        if not stat.S_ISREG(status.st_mode):  # passes read a file several times
            raise DataError(
                f"file={path!r} must be a file to be read in chunks; it is a pipe or a device. "
                "Write it to a file first."
            )
        with open(place_of(path), "rb") as file:
            mark = file.read(len(PARQUET_MARK))
    except OSError as problem:
        raise unreadable(path, problem) from None
    size, changed = status.st_size, modified(status)
    if mark == PARQUET_MARK or path.lower().endswith(PARQUET.suffixes):
        names, kinds, groups = _look_at_parquet(path)
        return TableFile(path, "parquet", size, changed, names, kinds, groups)
    if any(is_named(path, known.all_suffixes) for known in FORMATS if known.chunks is None):
        raise DataError(
            f"file={path!r} must be Parquet or delimited text to be read in chunks. Save it as one "
            "of these, or leave out --chunks."
        )
    form = TextForm.of(path, layout, to_the_end=True)
    return TableFile(path, "text", size, changed, form.named, {}, (), form.row_bytes, form.findings)


def _look_at_parquet(path: str) -> tuple[tuple[str, ...], dict[str, str], tuple[int, ...]]:
    """Return the names of the columns, what they hold, and the rows of every row group."""
    try:
        with arrow_parquet.ParquetFile(place_of(path)) as file:
            schema, metadata = file.schema_arrow, file.metadata
            groups = tuple(metadata.row_group(g).num_rows for g in range(metadata.num_row_groups))
    except DAMAGED as error:
        raise unreadable(path, error) from None
    names = tuple(n for n in name_columns(schema.names) if not n.startswith("__index_"))
    if not {*names} <= {*schema.names}:
        raise DataError(f"columns of {path!r} must have plain names, each its own. Rename them.")
    return names, {name: _kind_of(schema.field(name).type) for name in names}, groups


_KINDS: dict[str, tuple[Callable[[Any], bool], ...]] = {
    "number": (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal),
    "date": (pa.types.is_date, pa.types.is_timestamp),
    "boolean": (pa.types.is_boolean,),
    "text": (pa.types.is_string, pa.types.is_large_string),
    "anything": (pa.types.is_null,),
}


def _kind_of(arrow_type: Any) -> str:
    """Return what a column of that type holds, in one word."""
    if pa.types.is_dictionary(arrow_type):
        return _kind_of(arrow_type.value_type)
    found = (kind for kind, tests in _KINDS.items() if any(test(arrow_type) for test in tests))
    return next(found, "other")


def _check_alike(files: Sequence[TableFile], usual: TableFile) -> None:
    """Refuse a file that lacks a column, or holds something else in it than most do."""
    for file in files:
        absent = [name for name in usual.names if name not in file.names]
        if absent:
            raise DataError(
                f"file={file.path!r} ({_rows(file)}) must have the column {absent[0]!r} like "
                f"{usual.path!r}. {did_you_mean(absent[0], file.names)} Mend the file, or leave it "
                "out."
            )
    for name in usual.names:
        known = [file for file in files if file.kinds.get(name, "anything") != "anything"]
        counts = Counter(file.kinds[name] for file in known).most_common(1)
        for file in known:
            if file.kinds[name] != counts[0][0]:
                like = next(other for other in known if other.kinds[name] == counts[0][0])
                raise DataError(
                    f"column={name!r} of {file.path!r} ({_rows(file)}) must hold what it holds in "
                    f"{like.path!r}: {counts[0][0]}, not {file.kinds[name]}. Convert it, or leave "
                    "the file out."
                )


def _rows(file: TableFile) -> str:
    return "all rows" if file.n_rows is None else f"rows 1 to {file.n_rows:,}"


DEFAULT_MEMORY = 2 * 1024**3
"""Bytes that learning may take by default."""

_LEAST_MEMORY = 256 * 1024**2
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}

_MOST_ROWS = 1 << 18
"""Larger chunks are no faster: they leave the processor's cache."""

_BLOCK_BYTES = 1 << 24
"""Text that is read at a time."""

NumberedRows = tuple[int, RawTable]
"""Raw rows, and the number of the first of them within its file."""


def memory_bytes(memory: int | str) -> int:
    """Read an amount of memory.

    >>> memory_bytes("2GB"), memory_bytes("500 MB")
    (2147483648, 524288000)
    """
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?\s*", str(memory).lower())
    if match is None:
        raise OptionError(f"memory={memory!r} must be an amount such as 2GB or 500MB.")
    amount = int(float(match[1]) * _UNITS[match[2]])
    if amount < _LEAST_MEMORY:
        raise OptionError(
            f"memory={memory!r} must be at least 256MB, which the program itself takes."
        )
    return amount


@dataclass(frozen=True)
class FilePart:
    """What one task reads: some row groups of a Parquet file, or a text file.

    Attributes
    ----------
    stretch : the number of the file, within which rows are numbered
    path : where the file is, for workers that were started in another folder too
    n_rows : rows of the part; of text a guess
    groups : the row groups of Parquet; empty for text
    first_row : the number of the part's first row within its file
    """

    stretch: int
    path: str
    n_rows: int
    groups: tuple[int, ...] = ()
    first_row: int = 0


def parts_of(files: Sequence[TableFile], rows_at_once: int) -> tuple[FilePart, ...]:
    """Cut Parquet files into parts of about so many rows; a row group or a text stays whole."""
    parts: list[FilePart] = []
    for number, file in enumerate(files):
        if file.format == "text":
            n_rows = int(file.size / file.row_bytes)
            parts.append(FilePart(number, os.path.abspath(file.path), n_rows))
        else:
            parts += _cut_parquet(number, file, rows_at_once)
    return tuple(parts)


def _cut_parquet(stretch: int, file: TableFile, rows: int) -> Iterator[FilePart]:
    path = os.path.abspath(file.path)
    groups: tuple[int, ...] = ()
    start = gathered = 0
    for group, n_rows in enumerate(file.group_rows):
        if groups and gathered + n_rows > rows:
            yield FilePart(stretch, path, gathered, groups, start)
            groups, start, gathered = (), start + gathered, 0
        groups, gathered = (*groups, group), gathered + n_rows
    if gathered:
        yield FilePart(stretch, path, gathered, groups, start)


@dataclass(frozen=True)
class FileReader:
    """Reads parts of files.

    Attributes
    ----------
    rows_at_once : rows of Parquet held at a time
    block_bytes : bytes of text held at a time
    """

    rows_at_once: int
    block_bytes: int

    @classmethod
    def of_memory(cls, memory: int, n_columns: int) -> FileReader:
        """Choose how much is read at a time: several chunks fit into a part of the memory."""
        rows = memory // 8 // (32 * max(n_columns, 1))
        return cls(min(max(rows, 1024), _MOST_ROWS), min(memory // 128, _BLOCK_BYTES))

    def read(self, part: FilePart, options: ReadOptions) -> Iterator[NumberedRows]:
        """Yield the rows of a part, some at a time."""
        if not part.groups:
            return read_text(part.path, options, self.block_bytes)
        return self._read_parquet(part, options)

    def _read_parquet(self, part: FilePart, options: ReadOptions) -> Iterator[NumberedRows]:
        row, where = part.first_row, repr(part.path)
        stop = row + part.n_rows
        try:
            for batch in self._batches(part, options):
                table = pa.Table.from_batches([batch])
                table.validate(full=True)  # Arrow believes what a file says: codes may be anything
                names = tuple(table.column_names)
                columns = {name: raw_column(table[name], name, where) for name in names}
                yield row, RawTable(columns, table.num_rows, names)
                row += batch.num_rows
        except DAMAGED as error:
            raise unreadable(part.path, error, f"rows {row + 1:,} to {stop:,}") from None

    def _batches(self, part: FilePart, options: ReadOptions) -> Iterator[pa.RecordBatch]:
        path = place_of(part.path)
        kept = [
            field
            for field in arrow_parquet.read_schema(path)
            if options.keeps(field.name) and not field.name.startswith("__index_")
        ]
        texts = [field.name for field in kept if pa.types.is_string(field.type)]
        with arrow_parquet.ParquetFile(
            path, read_dictionary=texts, pre_buffer=False, memory_map=False
        ) as file:
            yield from file.iter_batches(
                self.rows_at_once,
                row_groups=list(part.groups),
                columns=[field.name for field in kept],
                use_threads=False,
            )
