"""Read delimited text: CSV and its relatives.

Arrow's parser does the work. The first rows tell which columns seem to hold numbers; these become
numbers if all their cells do, other texts are codes into their distinct values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cached_property

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from probtrees.errors import DataError
from probtrees.table.arrow_arrays import text_array
from probtrees.table.findings import Finding, UnreadableTableError
from probtrees.table.formats.arrow import MISSING_MARKS, TEXT_TYPE, raw_column
from probtrees.table.formats.head_and_footer import (
    TAIL,
    Footer,
    Head,
    TextHead,
    describe_text,
    find_footer,
)
from probtrees.table.formats.sniff import (
    DELIMITERS,
    decoded,
    is_number,
    lines_of,
    may_be_codes,
    records_of,
    with_tabs,
)
from probtrees.table.formats.source import Format, TableSource
from probtrees.table.raw_table import RawColumn, RawTable
from probtrees.table.read_options import ReadOptions

_BLOCK = 1 << 20

_NO_NUMBER, _NONE = text_array([*MISSING_MARKS, "None"]), pa.nulls(1, pa.string())[0]
"""What is missing among numbers."""

_EXACT = 2**53
"""Below it every whole number is a float of its own; the readings tell of those that are none."""


def read_delimited(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a delimited file."""
    source, letters = decoded(source, options.encoding)
    found = Head.of(lambda size: source.data[:size])
    head = describe_text(found, source.where, options.header_lines, source.lines_before)
    source, head = _in_delimiters(source, head)
    source, head, below = _without_footer(source, head)
    reader = _Reader(source, head, options)
    try:
        reader.check_size()
        raw = reader.read()
    except DataError as problem:
        # What was found about the lines above the rows may mend it.
        raise UnreadableTableError(problem, head.findings) from None
    for name in head.unnamed:  # an empty one as behind a delimiter at the end is none
        if name in raw.columns and raw.columns[name].missing.all():
            del raw.columns[name]
    names = tuple(name for name in head.names if name in raw.columns or not options.keeps(name))
    return replace(raw, names=names, findings=(*letters, *head.findings, *below))


def read_block(
    block: TableSource, head: TextHead, options: ReadOptions, *, is_last: bool = False
) -> RawTable:
    """Read some whole rows of a file, written as its beginning says; no line names the columns.

    Below the last rows there may be totals.
    """
    block, _ = decoded(block, options.encoding)
    block, head = _in_delimiters(block, replace(head, skip_lines=0))
    if is_last and (footer := find_footer(block.data, head, 0)):
        block = block.with_bytes(block.data[: footer.start])
    return _Reader(block, head, options).read() if block.size else RawTable({}, 0, head.names)


def _in_delimiters(source: TableSource, head: TextHead) -> tuple[TableSource, TextHead]:
    """Put tabs for blanks that part cells, and empty lines for last rows of delimiters alone."""
    if head.dialect.blanks:
        text = with_tabs(source.data.decode("utf-8-sig"), head.dialect.blanks)
        source = source.with_bytes(text.encode())
        return source, replace(head, dialect=replace(head.dialect, blanks=0))
    mark, start = head.dialect.delimiter.encode(), max(0, source.size - TAIL)
    start = max(0, source.data.find(b"\n", start)) if start else 0
    tail = source.data[start:]
    if len(head.names) > 1 and b"\n" + mark * (len(head.names) - 1) in tail:
        blank = re.compile(rb"(?m)^[ " + re.escape(mark) + rb"]+(?=\r?$)")
        source = source.with_bytes(source.data[:start] + blank.sub(b"", tail))
    return source, head


def _without_footer(
    source: TableSource, head: TextHead
) -> tuple[TableSource, TextHead, tuple[Finding, ...]]:
    """Leave out totals below the rows; none where a line may end inside quotes out of sight."""
    start = max(0, source.size - TAIL)
    footer: Footer | None = None
    if not start or not source.has_line_end_in_quotes:
        footer = find_footer(source.data[start:], head, 1 if start else head.skip_lines)
    if footer is None:
        return source, head, ()
    if head.rows[-1] == footer.cells:
        head = replace(head, rows=head.rows[:-1])
    source = source.with_bytes(source.data[: start + footer.start])
    return source, head, (footer.finding(),)


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
        # Lines may be empty, cells may hold line ends: there are fewer rows, but not so few.
        lines_per_row = 100 if self.source.has_line_end_in_quotes else 2
        n_lines = self.source.data.count(b"\n") or self.source.data.count(b"\r")
        self.source.check_size(n_lines // lines_per_row, len(self.kept))

    def read(self) -> RawTable:
        """Read the columns that are wanted; each is let go by Arrow once it is converted."""
        table, decimal = self._table(), self.head.dialect.decimal
        n_rows, arrays = table.num_rows, table.columns
        del table
        columns: dict[str, RawColumn] = {}
        for position, number in enumerate(self.kept):
            name, array = self.head.names[number], arrays[position]
            if number in self.numbers and array.type != pa.float64():
                array = _as_numbers(array, decimal, is_whole=self.numbers[number])
            columns[name] = raw_column(array, name, self.source.where)
            arrays[position] = None
        return RawTable(columns, n_rows, self.head.names, decimal)

    @cached_property
    def numbers(self) -> dict[int, bool]:
        """The columns that begin with nothing but plain numbers: whether these are whole.

        Further below such a column there may be codes such as 01067.
        """
        decimal, spelled = self.head.dialect.decimal, self.options.as_text(self.head.names)
        found = {}
        for number in self.kept:
            cells = set(self.head.columns[number]) - {"None"}
            is_plain = bool(cells) and all(is_number(cell, decimal) for cell in cells)
            if is_plain and self.head.names[number] not in spelled and not may_be_codes(cells):
                found[number] = max(map(len, cells)) > 2 and all(map(str.isdigit, cells))
        return found

    def _type_of(self, number: int, *, as_texts: bool) -> pa.DataType:
        """Return how Arrow is to hold a column: texts that repeat themselves each once."""
        cells = self.head.columns[number]
        if number in self.numbers:
            return pa.string() if as_texts or self.numbers[number] else pa.float64()
        return TEXT_TYPE if len(set(cells)) <= max(len(cells) / 2, 50) else pa.string()

    def _table(self) -> pa.Table:
        """Read the columns that are wanted: numbers at once, or as texts where that fails."""
        if self.source.size <= TAIL and not self.head.rows:
            return pa.table({str(number): pa.nulls(0) for number in self.kept})
        block, as_texts = _BLOCK, False
        while True:
            try:
                return self._parse(block, as_texts=as_texts)
            except pa.ArrowInvalid as error:
                message = str(error)
            if "CSV conversion error" in message and not as_texts:
                as_texts = True
            elif ("straddling" in message or "out of sync" in message) and block < 1 << 30:
                block <<= 4
            else:
                raise self._diagnosed(message)

    def _parse(self, block: int, *, as_texts: bool) -> pa.Table:
        return arrow_csv.read_csv(
            self.source.open(),
            read_options=arrow_csv.ReadOptions(
                block_size=block,
                column_names=[str(number) for number in range(len(self.head.names))],
                skip_rows=self.head.skip_lines,
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=self.head.dialect.delimiter,
                newlines_in_values=self.source.has_line_end_in_quotes,
                invalid_row_handler=lambda row: "error" if row.text.strip() else "skip",
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={str(n): self._type_of(n, as_texts=as_texts) for n in self.kept},
                include_columns=[str(number) for number in self.kept],
                null_values=list(MISSING_MARKS),
                strings_can_be_null=bool(self.numbers),  # else they are looked for once each
                check_utf8=False,
                decimal_point=self.head.dialect.decimal,
            ),
        )

    def _diagnosed(self, message: str) -> DataError:
        """Find the first row whose number of cells differs from that of the header."""
        width, skipped, dialect = len(self.head.names), self.head.skip_lines, self.head.dialect
        lines = lines_of(self.source.data.decode("utf-8-sig"))[skipped:]
        mark, row = DELIMITERS[dialect.delimiter], self.source.rows_before
        for record in records_of(lines, dialect, len(lines)):
            row += 1
            if len(record.cells) != width:
                advice = f"Correct the row, or quote cells that contain a {mark}."
                if record.next_line > record.line + 1:
                    advice = "A quote that is never closed may be the cause."
                line = f" (line {self.source.lines_before + skipped + record.next_line})"
                line = "" if self.source.rows_before else line  # known from the first line on
                return DataError(
                    f"row {row:,} of {self.source.name!r}{line} must have {width} cells, as many "
                    f"as the header; it has {len(record.cells)}. {advice}"
                )
        return DataError(
            f"{self.source.where} must be a table of cells separated by a {mark}; reading it "
            f"failed: {message.splitlines()[0]}. Check the file in an editor, or save it as CSV "
            "again."
        )


def _as_numbers(column: pa.ChunkedArray, decimal: str, *, is_whole: bool) -> pa.ChunkedArray:
    """Read texts as numbers if all of them are; whole ones if none is a code or very large."""
    if is_whole:
        is_long = pc.greater(pc.binary_length(column), 2)
        if pc.any(pc.and_(is_long, pc.starts_with(column, "0")), min_count=0).as_py():
            return column
    texts = column
    if decimal == ",":
        if pc.any(pc.match_substring(column, "."), min_count=0).as_py():
            return column  # 1.234 may be thousands
        texts = pc.replace_substring(column, ",", ".")
    try:
        numbers = pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:  # None, or blanks around marks of no value, perhaps
        texts = pc.utf8_trim_whitespace(texts)
        texts = pc.if_else(pc.is_in(texts, value_set=_NO_NUMBER), _NONE, texts)
        try:
            numbers = pc.cast(texts, pa.float64())
        except pa.ArrowInvalid:
            return column
    is_large = is_whole and (pc.max(numbers).as_py() or 0) >= _EXACT
    return column if is_large else numbers


DELIMITED = Format(
    "CSV, TSV",
    (".csv", ".tsv"),
    read_delimited,
    shared_suffixes=(".tab", ".txt", ".data"),
    chunks="lines",
)
