"""Read delimited text: CSV and its relatives.

Arrow's parser does the work. The first rows tell which columns hold numbers; those are parsed
as such at once, texts arrive as codes into their distinct values. If a later cell breaks the
promise of the first rows, its column is read again as texts.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.csv as arrow_csv

from probtrees.errors import DataError
from probtrees.table.findings import Finding, UnreadableTableError
from probtrees.table.formats.arrow import MISSING_MARKS, TEXT_TYPE, raw_column
from probtrees.table.formats.decode import decode, decoded, detect_encoding
from probtrees.table.formats.head_and_footer import (
    TAIL,
    Head,
    TextHead,
    describe_text,
    find_footer,
    settle_unnamed,
)
from probtrees.table.formats.sniff import DELIMITERS, is_number, known_cells, with_tabs
from probtrees.table.formats.source import Format, TableSource
from probtrees.table.raw_table import RawColumn, RawTable

if TYPE_CHECKING:
    from probtrees.table.read_options import ReadOptions

_BLOCK = 1 << 22
_MOST_TRIES = 3
_N_SHOWN = 10
_OTHER_WAYS = ("title", "header lines", "no names")
"""Findings about lines above the rows that may mend a text which cannot be read."""

_PIECE = 1 << 20
_BLANK_ROWS_UP_TO = 1 << 26
"""Of larger files no copy is made to leave out rows of nothing but delimiters."""

_NULLS = [*MISSING_MARKS, "None", *(" " * n for n in range(1, 9)), " ?", "? ", " NA", "NA "]
"""What is missing among numbers; frequent marks with white space are listed for Arrow."""

_FAILED = re.compile(r"CSV column #(\d+): CSV conversion error")
_PADDED = re.compile(r"[+-]?0\d+(?:[.,]\d+)?", re.A)
_POWER = re.compile(r"\d{1,4}E\d{1,3}", re.A)
_VERSION = re.compile(r"\d{1,3}\.\d{1,2}", re.A)
_POINTS = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+", re.A)


def read_delimited(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a delimited file."""
    source, letters = decoded(source, options.encoding)
    head = describe_text(
        Head.of(source.head), source.where, options.header_lines, source.lines_before
    )
    source, head = _in_delimiters(source, head)
    source, below = _without_footer(source, head)
    try:
        reader = _Reader(source, head, options)
        reader.check_size()
        columns = reader.read()
    except DataError as problem:
        offers = tuple(f for f in (*head.findings, *letters) if f.kind in _OTHER_WAYS)
        raise UnreadableTableError(problem, offers) from None
    n_rows = max((len(column.missing) for column in columns.values()), default=0)
    findings = (*letters, *head.findings, *below, *settle_unnamed(columns, head.unnamed))
    names = tuple(name for name in head.names if name in columns or not options.keeps(name))
    rows = tuple(row for row in head.rows if len(row) == len(head.names))
    return RawTable(
        columns,
        n_rows,
        names,
        head.dialect.decimal,
        findings,
        first_rows=rows[:_N_SHOWN],
        line_of_first_row=source.lines_before + head.skip_lines + 1,
    )


def read_block(
    block: TableSource, head: TextHead, options: ReadOptions, *, is_last: bool = False
) -> RawTable:
    """Read some whole rows of a file, written as its beginning says; no line names the columns.

    Parameters
    ----------
    block : the rows, see :meth:`.TableSource.of_part`
    head : what :func:`.describe_text` found at the beginning of the file
    is_last : whether these are the last rows of the file, below which there may be totals
    """
    encoding = detect_encoding(block, options.encoding)
    if not encoding.is_plain:
        block = block.with_bytes(decode(block, encoding).encode("utf-8"))
    head = replace(head, skip_lines=0)
    block, head = _in_delimiters(block, head)
    if is_last and (footer := find_footer(block.content(), head, 0)):
        block = block.with_bytes(block.content()[: footer.start])
    columns = _Reader(block, head, options).read() if block.size else {}
    n_rows = max((len(column.missing) for column in columns.values()), default=0)
    return RawTable(columns, n_rows, head.names, head.dialect.decimal)


def _in_delimiters(source: TableSource, head: TextHead) -> tuple[TableSource, TextHead]:
    """Put tabs for blanks that part cells, and empty lines for rows of delimiters alone."""
    if head.dialect.blanks:
        text = with_tabs(source.content().decode("utf-8-sig"), head.dialect.blanks)
        source = source.with_bytes(text.encode())
        return source, replace(head, dialect=replace(head.dialect, blanks=0))
    if len(head.names) < 2 or source.size > _BLANK_ROWS_UP_TO:
        return source, head
    mark = head.dialect.delimiter.encode()
    content = source.content()
    if b"\n" + mark * (len(head.names) - 1) in content:
        blank = re.compile(rb"(?m)^[ " + re.escape(mark) + rb"]+(?=\r?$)")
        source = source.with_bytes(blank.sub(b"", content))
    return source, head


def _without_footer(source: TableSource, head: TextHead) -> tuple[TableSource, tuple[Finding, ...]]:
    """Leave out lines below the rows; none where a line may end inside quotes out of sight."""
    start = max(0, source.size - TAIL)
    if start and source.scan.has_line_end_in_quotes:
        return source, ()
    footer = find_footer(source.tail(TAIL), head, 1 if start else head.skip_lines)
    if footer is None:
        return source, ()
    return source.with_bytes(source.content()[: start + footer.start]), (footer.finding(),)


@dataclass(frozen=True)
class _Reader:
    """A text, how it is written, and what is wanted from it; columns go by their numbers."""

    source: TableSource
    head: TextHead
    options: ReadOptions

    @cached_property
    def kept(self) -> list[int]:
        """The numbers of the columns to read."""
        return [n for n, name in enumerate(self.head.names) if self.options.keeps(name)]

    def check_size(self) -> None:
        """Refuse a table that is too large, before it is read."""
        source, n_columns = self.source, len(self.kept)
        try:  # a row takes a byte per column at least, so that lines need seldom be counted
            source.check_size(source.size // len(self.head.names), n_columns)
        except DataError:
            # Lines may be empty, cells may hold line ends: there are fewer rows, but not so few.
            lines_per_row = 100 if source.scan.has_line_end_in_quotes else 2
            source.check_size(source.count_lines() // lines_per_row, n_columns)

    def read(self) -> dict[str, RawColumn]:
        """Read the columns that are wanted; each is let go by Arrow once it is converted."""
        if not self.head.rows and self.source.size <= TAIL:
            arrays = [pa.chunked_array([pa.nulls(0)]) for _ in self.kept]
        else:
            arrays = self._table(self._types()).columns
        columns: dict[str, RawColumn] = {}
        for position, number in enumerate(self.kept):
            name = self.head.names[number]
            columns[name] = raw_column(arrays[position], name, self.source.where)
            arrays[position] = None
        return columns

    def _types(self) -> dict[int, pa.DataType | None]:
        """Return Arrow's type for every kept column."""
        decimal, rows = self.head.dialect.decimal, self.head.rows
        as_text = self.options.as_text(self.head.names)
        types: dict[int, pa.DataType | None] = {}
        may_be_codes = set()
        for number in self.kept:
            cells = known_cells(rows, number)
            distinct = set(cells)
            is_plain = bool(cells) and all(is_number(cell, decimal) for cell in distinct)
            if is_plain and self.head.names[number] not in as_text and not _are_codes(distinct):
                types[number] = pa.float64()
                if all(map(str.isdigit, distinct)) and max(map(len, distinct)) > 2:
                    may_be_codes.add(number)
            else:
                repeats = len(distinct) <= max(len(cells) / 2, 50)
                types[number] = TEXT_TYPE if repeats else pa.string()
        return types | dict.fromkeys(self._padded(may_be_codes), TEXT_TYPE)

    def _padded(self, asked: Collection[int]) -> set[int]:
        """Find columns of codes such as 01067 in all bytes: the first rows need not show any.

        A zero and two digits are looked for where a cell begins; the line tells which cell.
        """
        left, found = set(asked), set[int]()
        if not left or self.options.schema is not None:
            return found
        mark, rest = re.escape(self.head.dialect.delimiter.encode()), b""
        code = re.compile(rb"(?:^|(?<=[" + mark + rb"\"\n\r ]))0\d\d")
        for chunk in self.source.chunks(_PIECE):
            piece = rest + chunk
            end = piece.rfind(b"\n") + 1
            for match in _some(code.finditer(piece, 0, end)):
                start, stop = piece.rfind(b"\n", 0, match.start()) + 1, match.end()
                line = piece[start : piece.find(b"\n", stop)].decode("utf-8", errors="replace")
                cells = next(self._records([line]), [])
                found |= {n for n in left if n < len(cells) and _PADDED.fullmatch(cells[n].strip())}
            left -= found
            if not left:
                break
            rest = piece[end:]
        return found

    def _records(self, lines: Sequence[str] | io.StringIO) -> csv.reader:  # type: ignore[valid-type]
        dialect = self.head.dialect
        return csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote)

    def _table(self, types: dict[int, pa.DataType | None]) -> pa.Table:
        """Read the columns that have a type, as quickly as the file allows."""
        block, n_tries = _BLOCK, 0
        while True:
            try:
                return self._parse(types, block)
            except pa.ArrowInvalid as error:
                message = str(error)
            failed = _FAILED.search(message)
            if failed:
                n_tries += 1
                if n_tries < _MOST_TRIES:
                    types = {**types, int(failed.group(1)): TEXT_TYPE}
                else:  # Arrow finds the types itself, which takes longer
                    types = {n: None if _is_float(kind) else kind for n, kind in types.items()}
            elif ("straddling" in message or "out of sync" in message) and block < 1 << 30:
                block <<= 4
            else:
                return self._mended(message)._table(types)

    def _parse(self, types: dict[int, pa.DataType | None], block: int) -> pa.Table:
        dialect = self.head.dialect
        quoted_lines = self.source.scan.has_line_end_in_quotes or dialect.quote == "'"
        return arrow_csv.read_csv(
            self.source.open(),
            read_options=arrow_csv.ReadOptions(
                block_size=block,
                column_names=[str(number) for number in range(len(self.head.names))],
                skip_rows=self.head.skip_lines,
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=dialect.delimiter,
                quote_char=dialect.quote,
                newlines_in_values=quoted_lines,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={str(n): kind for n, kind in types.items() if kind is not None},
                include_columns=[str(number) for number in types],
                null_values=_NULLS,
                strings_can_be_null=False,
                check_utf8=False,
                true_values=[],
                false_values=[],
                decimal_point=dialect.decimal,
            ),
        )

    def _mended(self, message: str) -> _Reader:
        """Drop lines of nothing but white space; if there are none, say what is wrong."""
        text = self.source.content().decode("utf-8-sig")
        mended = re.sub(r"(?m)^[^\S\r\n]+$", "", text)
        if self.head.dialect.delimiter != "\t" and mended != text:
            return replace(self, source=self.source.with_bytes(mended.encode()))
        raise self._diagnosed(text, message)

    def _diagnosed(self, text: str, message: str) -> DataError:
        """Find the first row whose number of cells differs from that of the header."""
        width, skipped = len(self.head.names), self.head.skip_lines
        lines = io.StringIO(text, newline="")
        for _ in range(skipped):
            lines.readline()
        records, row = self._records(lines), 0
        mark = DELIMITERS[self.head.dialect.delimiter]
        try:
            for record in records:
                row += bool(record)
                if record and len(record) != width:
                    unclosed = any("\n" in cell for cell in record)
                    advice = (
                        "A quote that is never closed may be the cause."
                        if unclosed
                        else f"Correct the row, or quote cells that contain a {mark}."
                    )
                    return DataError(
                        f"{self._place(row, skipped + records.line_num)} must have {width} cells, "
                        f"as many as the header; it has {len(record)}. {advice}"
                    )
        except csv.Error as error:
            message = str(error)
        return DataError(
            f"{self.source.where} must be a table of cells separated by a {mark}; reading it "
            f"failed: {message.splitlines()[0]}. Check the file in an editor, or save it as CSV "
            "again."
        )

    def _place(self, row: int, line: int) -> str:
        """Name a row; its line is known only if the file was read from its beginning."""
        before = self.source.rows_before
        if before:
            return f"row {before + row:,} of {self.source.name!r}"
        return f"row {row:,} of {self.source.where} (line {self.source.lines_before + line})"


def _some(matches: object, most: int = 50) -> list[re.Match[bytes]]:
    """Return every few of many matches: a column of codes has them all over."""
    found = list(matches)  # type: ignore[call-overload]
    return found[:: max(1, len(found) // most)]


def _are_codes(cells: Collection[str]) -> bool:
    """Whether cells are spelled in a way that a number would lose: the readings then decide.

    Zeros in front (01067), a power without a sign (3E1), versions (1.9, 1.10), and points before
    three digits each, which may group thousands.

    >>> [_are_codes(c) for c in (["01", "12"], ["3E1"], ["1.9", "1.10"], ["1.234"], ["0.5", "12"])]
    [True, True, True, True, False]
    """
    if any(map(_PADDED.fullmatch, cells)) or all(map(_POWER.fullmatch, cells)):
        return True
    if all(map(_POINTS.fullmatch, cells)):
        return True
    return any(cell.endswith(".10") for cell in cells) and all(map(_VERSION.fullmatch, cells))


def _is_float(kind: pa.DataType | None) -> bool:
    return kind is not None and pa.types.is_float64(kind)


DELIMITED = Format(
    "CSV, TSV",
    (".csv", ".tsv"),
    read_delimited,
    shared_suffixes=(".tab", ".txt", ".data"),
    chunks="lines",
)
