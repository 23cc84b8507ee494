"""Read delimited text: CSV and its relatives.

Arrow's parser does the work. The first rows tell which columns hold numbers; those are parsed
as such at once, texts arrive as codes into their distinct values. If a later cell breaks the
promise of the first rows the file is read again without promises.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from probtrees.errors import DataError
from probtrees.prepare.formats.arrow_columns import TEXT_TYPE, Reading, raw_column
from probtrees.prepare.formats.column_names import check_names, looks_like_data, settle_unnamed
from probtrees.prepare.formats.decode import decode, detect_encoding
from probtrees.prepare.formats.missing_spellings import BLANK_PADDED, MISSING_SPELLINGS
from probtrees.prepare.formats.sniff import DELIMITERS, Dialect, sniff
from probtrees.prepare.formats.table_source import TableSource
from probtrees.prepare.raw_table import RawColumn, RawTable
from probtrees.prepare.spelled_numbers import parse_numbers
from probtrees.prepare.wishes import Wishes

_HEAD = 1 << 18
_BLOCK = 1 << 22
_NULLS = [*MISSING_SPELLINGS, *BLANK_PADDED]


def read_delimited(source: TableSource, wishes: Wishes) -> RawTable:
    """Read a delimited file whose first line names the columns."""
    encoding = detect_encoding(source)
    notes: tuple[str, ...] = ()
    if encoding != "utf-8-sig":
        text = decode(source, encoding)
        source = replace(source, path=None, data=text.encode("utf-8"), has_line_end_in_quotes=True)
        notes += (f"The file was read as {encoding}.",)
    head = source.head(_HEAD)
    dialect = sniff(
        head.decode("utf-8-sig", errors="ignore"), source.where, complete=len(head) < _HEAD
    )
    names = _names(dialect, source.where)
    spelled = wishes.as_text(names)
    as_text = {number for number, name in enumerate(names) if name in spelled}
    kept = [number for number, name in enumerate(names) if wishes.keeps(name)]
    reader = _Reader(source, dialect, len(names))
    table = reader.read(kept, as_text)
    n_rows, arrays = table.num_rows, table.columns
    del table
    columns: dict[str, RawColumn] = {}
    for position, number in enumerate(kept):
        columns[names[number]] = raw_column(
            arrays[position],
            names[number],
            source.where,
            Reading(nulls_known=True, all_codes=wishes.concern(names[number]) or number in as_text),
        )
        arrays[position] = None
    notes += settle_unnamed(columns, dialect.names, source.where)
    if dialect.decimal == ",":
        notes += ("Numbers are written with a decimal comma.",)
    every_name = tuple(name for name in names if name in columns or not wishes.keeps(name))
    return RawTable(columns, n_rows, every_name, notes, dialect.decimal)


def _names(dialect: Dialect, where: str) -> tuple[str, ...]:
    """Name the columns; rows that are one cell longer than their header are understood."""
    names = tuple(name.strip() for name in dialect.names)
    if dialect.rows and all(len(row) == len(names) + 1 for row in dialect.rows):
        trailing = not any(row[-1].strip() for row in dialect.rows)
        names = (*names, "") if trailing else ("row names", *names)
    if looks_like_data(names):
        raise DataError(
            f"line {dialect.skip_lines + 1} of {where} must hold the names of the columns; it "
            f"looks like data: {', '.join(names[:4])}. Add a first line with names."
        )
    return check_names(names, where)


@dataclass(frozen=True)
class _Reader:
    """One file, its dialect and its width; columns are known by their numbers."""

    source: TableSource
    dialect: Dialect
    width: int

    def read(self, kept: Sequence[int], as_text: set[int]) -> pa.Table:
        """Read the kept columns, as quickly as the file allows."""
        types = {number: self._type(number, number in as_text) for number in kept}
        block = _BLOCK
        while True:
            try:
                return self._parse(types, block)
            except pa.ArrowInvalid as error:
                message = str(error)
            if "conversion error" in message and any(map(_is_number, types.values())):
                types = {n: None if _is_number(kind) else kind for n, kind in types.items()}
            elif ("straddling" in message or "out of sync" in message) and block < 1 << 30:
                block <<= 4
            else:
                return self._mend(message).read(kept, as_text)

    def _type(self, number: int, as_text: bool) -> pa.DataType | None:
        """Choose Arrow's type for a column from its first cells; None lets Arrow decide."""
        cells = self.dialect.cells(number)
        if not as_text:
            if not cells:
                return None
            if not np.isnan(parse_numbers(pa.array(cells), self.dialect.decimal)).any():
                return pa.float64()
        repeats = len(set(cells)) <= max(len(cells) / 2, 50)
        return TEXT_TYPE if repeats else pa.string()

    def _parse(self, types: dict[int, pa.DataType | None], block: int) -> pa.Table:
        quoted_lines = self.source.has_line_end_in_quotes or self.dialect.quote == "'"
        return arrow_csv.read_csv(
            self.source.open(),
            read_options=arrow_csv.ReadOptions(
                block_size=block,
                column_names=[str(number) for number in range(self.width)],
                skip_rows=self.dialect.skip_lines,
                skip_rows_after_names=1,
            ),
            parse_options=arrow_csv.ParseOptions(
                delimiter=self.dialect.delimiter,
                quote_char=self.dialect.quote,
                newlines_in_values=quoted_lines,
                invalid_row_handler=None,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={str(n): kind for n, kind in types.items() if kind is not None},
                include_columns=[str(number) for number in types],
                null_values=_NULLS,
                strings_can_be_null=True,
                check_utf8=False,
                true_values=[],
                false_values=[],
                decimal_point=self.dialect.decimal,
            ),
        )

    def _mend(self, message: str) -> _Reader:
        """Drop lines of nothing but white space; if there are none, say what is wrong."""
        text = decode(self.source, "utf-8-sig")
        mended = re.sub(r"(?m)^[^\S\r\n]+$", "", text)
        if self.dialect.delimiter != "\t" and mended != text:
            return replace(self, source=replace(self.source, path=None, data=mended.encode()))
        raise self._diagnose(text, message)

    def _diagnose(self, text: str, message: str) -> DataError:
        """Find the first row whose number of cells differs from that of the header."""
        where = self.source.where
        records = csv.reader(
            io.StringIO(text, newline=""),
            delimiter=self.dialect.delimiter,
            quotechar=self.dialect.quote,
        )
        mark = DELIMITERS[self.dialect.delimiter]
        row = -1
        try:
            for record in records:
                row += bool(record)
                if record and row > 0 and len(record) != self.width:
                    unclosed = any("\n" in cell for cell in record)
                    advice = (
                        "A quote that is never closed may be the cause."
                        if unclosed
                        else f"Correct the row, or quote cells that contain a {mark}."
                    )
                    return DataError(
                        f"row {row} of {where} (line {records.line_num}) must have {self.width} "
                        f"cells, as many as the header; it has {len(record)}. {advice}"
                    )
        except csv.Error as error:
            message = str(error)
        return DataError(
            f"{where} must be a table of cells separated by a {mark}; reading it failed: "
            f"{message.splitlines()[0]}. Check the file in an editor, or save it as CSV again."
        )


def _is_number(kind: pa.DataType | None) -> bool:
    return kind is not None and pa.types.is_float64(kind)
