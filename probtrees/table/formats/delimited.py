"""Read delimited text: CSV and its relatives.

Arrow's parser does the work. The first rows tell which columns hold numbers; those are parsed
as such at once, texts arrive as codes into their distinct values. If a later cell breaks the
promise of the first rows the file is read again without promises.
"""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import median_low

import pyarrow as pa
import pyarrow.csv as arrow_csv

from probtrees.errors import DataError
from probtrees.table.cells.padded_codes import (
    are_two_digit_codes,
    code_by_name,
    has_leading_zeros,
    other_code,
)
from probtrees.table.cells.raw_table import RawColumn, RawTable, Texts
from probtrees.table.cells.spelled_numbers import all_are_numbers
from probtrees.table.formats.arrow_columns import TEXT_TYPE, ColumnHints, raw_column
from probtrees.table.formats.column_names import (
    check_names,
    looks_like_data,
    rename_repeated,
    repeated_findings,
    settle_unnamed,
    with_numbered_names,
)
from probtrees.table.formats.decode import decode, detect_encoding, encoding_findings
from probtrees.table.formats.format import Format
from probtrees.table.formats.missing_spellings import (
    BLANK_PADDED,
    MISSING_SPELLINGS,
    codes_findings,
    marks_finding,
    marks_kept,
    without_marks,
)
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.blank_rows import without_blank_rows
from probtrees.table.formats.text.decimal_commas import comma_finding
from probtrees.table.formats.text.footer import Footer, find_footer, footer_of
from probtrees.table.formats.text.grouped_points import (
    GroupedPoints,
    columns_in_thousands,
    points_finding,
)
from probtrees.table.formats.text.leading_zeros import columns_of_codes, may_hold_codes
from probtrees.table.formats.text.odd_lines import OddLinesError, lines_left_out
from probtrees.table.formats.text.prepared_text import prepare_text
from probtrees.table.formats.text.printed_table import printed_table
from probtrees.table.formats.text.sniff import DELIMITERS, Dialect
from probtrees.table.formats.text.text_head import (
    HEAD,
    WrittenText,
    findings_above,
    other_names,
    written_in,
)
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import OFFERED, Finding, UnreadableTableError

_BLOCK = 1 << 22
_NULLS = [*MISSING_SPELLINGS, *BLANK_PADDED]
_SHOWN = 20
"""Of so many rows the cells are kept as they stand in the text."""
_LOOKED_AT_AGAIN = 1 << 24
"""In files of so many bytes at most marks for missing values are counted."""


def read_delimited(source: TableSource, options: ReadOptions) -> RawTable:
    """Read a delimited file whose first line names the columns."""
    notes: tuple[str, ...] = ()
    encoding = detect_encoding(source, options.encoding)
    letters = encoding_findings(encoding, "") if encoding.is_plain else ()
    if not encoding.is_plain:
        text = decode(source, encoding)
        source, letters = source.in_utf8(text), encoding_findings(encoding, text)
    printed = None
    if "layout" not in options.as_written:
        dialect = written_in(source, options).dialect
        widths = map(len, (dialect.names, *dialect.rows))
        printed = printed_table(source, median_low(widths))
    if printed is not None:
        source = printed.source
    if options.header_lines == 0:
        options = replace(options, header_lines=1)
        source = with_numbered_names(source, written_in(source, options).dialect)
    prepared = prepare_text(source, options)
    offers = prepared.offers + (() if printed is None else (printed.finding,))
    try:
        raw = _read_rows(prepared.source, prepared.written, options)
    except DataError as problem:
        ways = (*offers, *other_names(prepared.written.dialect), *letters)
        ways = (problem.offer(), *ways) if isinstance(problem, OddLinesError) else ways
        raise UnreadableTableError(problem, tuple(way for way in ways if way.fixes)) from None
    raw = replace(raw, findings=(*letters, *raw.findings))
    if options.schema is not None:
        notes += tuple(found.sentence for found in raw.findings if found.kind not in OFFERED)
    raw = replace(raw, notes=(*notes, *raw.notes), findings=(*offers, *raw.findings))
    raw = replace(raw, left_out=prepared.left_out) if prepared.left_out else raw
    blank = (*(printed.dropped if printed else ()), *prepared.blank_lines)
    return replace(raw, blank_lines=tuple(sorted(blank))) if blank else raw


def _read_rows(source: TableSource, written: WrittenText, options: ReadOptions) -> RawTable:
    """Read a text that is one table; what was decided about it is found again in the findings."""
    source = without_blank_rows(source, written.dialect)
    plan, footer = _Plan.of(source, written, options)
    columns = plan.read()
    n_rows = max((len(column.missing) for column in columns.values()), default=0)
    notes = settle_unnamed(columns, plan.dialect, source.where)
    either = plan.ambiguous_column
    if plan.dialect.decimal == "," and not either:
        notes += ("Numbers are written with a decimal comma.",)
    every_name = tuple(name for name in plan.names if name in columns or not options.keeps(name))
    findings = findings_above(plan.dialect)
    findings += (footer.finding(),) if footer is not None else ()
    if either:
        findings += (comma_finding(*either, plan.dialect.comma_is_open),)
    findings += points_finding(plan.names, plan.dialect, plan.points)
    findings += lines_left_out(len(plan.odd), plan.odd, len(plan.names))
    findings += (*repeated_findings(plan.dialect.names, every_name), *plan.marks(columns))
    raw = RawTable(columns, n_rows, every_name, notes, findings, first_cells=plan.first_cells)
    comma = plan.dialect.keeps_comma_free
    return replace(raw, names_line=plan.dialect.names_line, decimal_comma=comma)


def read_block(
    source: TableSource, dialect: Dialect, options: ReadOptions, *, is_last: bool = False
) -> RawTable:
    """Read some rows of a file, written as its beginning is; no line names the columns.

    Parameters
    ----------
    is_last : whether these are the last rows of the file, below which there may be totals
    """
    names = column_names(dialect, source.where)
    if not (encoding := detect_encoding(source, options.encoding)).is_plain:
        source = source.in_utf8(decode(source, encoding))
    if is_last and "totals" not in options.as_written:
        footer = find_footer(source.content(), dialect, len(names))
        source = source if footer is None else source.cut(footer.start)
    skipped = dialect.delimiter * (len(names) - 1) + "\n"
    source = source.in_utf8(skipped + source.content().decode("utf-8-sig"))
    plan = _Plan(source, replace(dialect, skip_lines=0), names, options)
    columns = plan.read()
    n_rows = max((len(column.missing) for column in columns.values()), default=0)
    comma, odd = dialect.keeps_comma_free, tuple(plan.odd)
    return RawTable(columns, n_rows, names, decimal_comma=comma, odd_lines=odd)


@dataclass(frozen=True)
class _Plan:
    """A file, how it is written, and what is wanted from it."""

    source: TableSource
    dialect: Dialect
    names: tuple[str, ...]
    options: ReadOptions
    odd: list[str] = field(default_factory=list)
    """Lines of another number of cells that are left out, known once rows are read."""

    @classmethod
    def of(
        cls, source: TableSource, written: WrittenText, options: ReadOptions
    ) -> tuple[_Plan, Footer | None]:
        """Name the columns, and leave out the last lines if these are no rows."""
        head, dialect = written
        names = column_names(dialect, source.where)
        footer = None
        if "totals" not in options.as_written:
            footer = footer_of(source, dialect, len(names))
        if footer is not None:
            source = source.cut(footer.start)
            if head.complete:
                dialect = replace(dialect, rows=dialect.rows[: -footer.n_lines])
        plan = cls(source, dialect, names, options)
        plan._check_size()
        return plan, footer

    def _check_size(self) -> None:
        """Refuse a table that is too large, before it is read."""
        source, n_columns = self.source, len(self.kept)
        try:  # a row takes a byte per column at least, so that lines need seldom be counted
            source.check_size(source.size // len(self.names), n_columns)
        except DataError:
            # Lines may be empty, cells may hold line ends: there are fewer rows, but not so few.
            lines_per_row = 100 if source.scan.has_line_end_in_quotes else 2
            source.check_size(source.count_lines() // lines_per_row, n_columns)

    @cached_property
    def kept(self) -> list[int]:
        """The numbers of the columns to read."""
        return [number for number, name in enumerate(self.names) if self.options.keeps(name)]

    @property
    def first_cells(self) -> dict[str, tuple[str, ...]]:
        """The cells of the first rows as they stand in the text, by column."""
        width = len(self.names)
        rows = [row for row in self.dialect.rows if len(row) == width and any(map(str.strip, row))]
        return dict(zip(self.names, zip(*rows[:_SHOWN], strict=True), strict=True)) if rows else {}

    @property
    def ambiguous_column(self) -> tuple[str, list[str]] | None:
        """A kept column whose decimal commas might group thousands, and its first cells."""
        maybe = (n for n in self.dialect.either if n in self.kept)
        return next(((self.names[n], self.dialect.cells(n)) for n in maybe), None)

    @cached_property
    def spelled(self) -> set[str]:
        """The columns to keep as they are spelled."""
        return self.options.as_text(self.names)

    @cached_property
    def types(self) -> dict[int, pa.DataType | None]:
        """Arrow's type for every kept column; None where its first cells are all missing."""
        spelled = {self.names[n] for n in self.points.columns} | self.spelled
        types = {n: self._type(n, self.names[n] in spelled) for n in self.kept}
        numbers = self._may_be_spelled(types)
        maybe = [n for n in numbers if may_hold_codes(self.dialect.cells(n))]
        cells = {n: set(self.dialect.cells(n)) for n in numbers}
        short = {n for n in numbers if are_two_digit_codes(cells[n]) or other_code(cells[n])}
        short |= {n for n in numbers if code_by_name(self.names[n], cells[n])}
        for number in columns_of_codes(self.source, self.dialect, maybe) | short:
            types[number] = TEXT_TYPE
        return types

    @cached_property
    def points(self) -> GroupedPoints:
        """The columns whose points group thousands, though the file has no decimal comma."""
        return columns_in_thousands(self.dialect, self.names, self.options)

    def _may_be_spelled(self, types: dict[int, pa.DataType | None]) -> list[int]:
        """List columns that would be read as numbers, though nobody said that they are."""
        if self.options.schema is not None:
            return []
        return [
            number
            for number, kind in types.items()
            if (kind is None or _is_number(kind))
            and self.options.types.get(self.names[number]) != "numeric"
        ]

    def _type(self, number: int, as_text: bool) -> pa.DataType | None:
        cells = self.dialect.cells(number)
        if not as_text:
            if not cells:
                return None
            if all_are_numbers(cells, self.dialect.decimal) and not has_leading_zeros(cells):
                return pa.float64()
        repeats = len(set(cells)) <= max(len(cells) / 2, 50)
        return TEXT_TYPE if repeats else pa.string()

    def _hints(self, number: int) -> ColumnHints:
        name = self.names[number]
        distinguish = self.options.concern(name) or name in self.spelled
        marks = marks_kept(name, self.options)
        return ColumnHints(nulls_known=True, all_codes=distinguish, marks=marks)

    def marks(self, columns: dict[str, RawColumn]) -> tuple[Finding, ...]:
        """Report what people wrote into cells that are read as missing."""
        said = self.options.schema is not None or "marks" in self.options.as_written
        if said or self.source.size > _LOOKED_AT_AGAIN:
            return ()
        found = {n: columns.get(self.names[n]) for n in self.kept}
        lacking = {n: TEXT_TYPE for n, c in found.items() if c is not None and c.missing.any()}
        if not lacking:
            return ()
        table = self._reader(("",)).read({**lacking})
        cells = dict(zip((self.names[n] for n in lacking), table.columns, strict=True))
        finding = marks_finding(cells)
        return () if finding is None else (finding, *codes_findings(cells))

    def _reader(self, nulls: tuple[str, ...]) -> _Reader:
        odd = None if self.options.odd_lines is None else self.odd
        return _Reader(self.source, self.dialect, len(self.names), nulls, odd)

    def read(self) -> dict[str, RawColumn]:
        """Read the columns that are wanted; each is let go by Arrow once it is converted."""
        kept = {mark for n in self.kept for mark in marks_kept(self.names[n], self.options)}
        nulls = tuple(null for null in _NULLS if null.strip() not in kept)
        table = self._reader(nulls).read(self.types)
        arrays = table.columns
        del table
        columns: dict[str, RawColumn] = {}
        for position, number in enumerate(self.kept):
            name, hints = self.names[number], self._hints(number)
            column = raw_column(arrays[position], name, self.source.where, hints)
            if isinstance(column, Texts):
                decimal = "," if number in self.points.columns else self.dialect.decimal
                column = replace(column, decimal=decimal)
            if kept:
                column = without_marks(column, hints.marks, self.options)
            columns[name] = column
            arrays[position] = None
        return columns


def column_names(dialect: Dialect, where: str) -> tuple[str, ...]:
    """Name the columns; rows that are one cell longer than their header are understood."""
    names = tuple(name.strip() for name in dialect.names)
    if dialect.rows and all(len(row) == len(names) + 1 for row in dialect.rows):
        trailing = not any(row[-1].strip() for row in dialect.rows)
        names = (*names, "") if trailing else ("row names", *names)
    if looks_like_data(names):
        raise DataError(
            f"line {dialect.names_line} of {where} must hold the names of the columns; it "
            f"looks like data: {', '.join(names[:4])}. Add a first line with names."
        )
    return check_names(rename_repeated(names), where)


@dataclass(frozen=True)
class _Reader:
    """One file, its dialect, its width and its missing cells; columns go by their numbers.

    ``odd`` collects lines of another width, which are left out; None: they are refused.
    """

    source: TableSource
    dialect: Dialect
    width: int
    nulls: tuple[str, ...]
    odd: list[str] | None = None

    def read(self, types: dict[int, pa.DataType | None]) -> pa.Table:
        """Read the columns that have a type, as quickly as the file allows."""
        if not self.dialect.rows and self.source.size <= HEAD:
            return pa.table({str(number): pa.nulls(0) for number in types})
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
                return self._mend(message).read(types)

    def _parse(self, types: dict[int, pa.DataType | None], block: int) -> pa.Table:
        if self.odd is not None:
            self.odd.clear()
        quoted_lines = self.source.scan.has_line_end_in_quotes or self.dialect.quote == "'"
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
                invalid_row_handler=None if self.odd is None else self._leave_out,
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types={str(n): kind for n, kind in types.items() if kind is not None},
                include_columns=[str(number) for number in types],
                null_values=list(self.nulls),
                strings_can_be_null=True,
                check_utf8=False,
                true_values=[],
                false_values=[],
                decimal_point=self.dialect.decimal,
            ),
        )

    def _leave_out(self, row: arrow_csv.InvalidRow) -> str:
        if self.odd is not None:
            self.odd.append(row.text)
        return "skip"

    def _mend(self, message: str) -> _Reader:
        """Drop lines of nothing but white space; if there are none, say what is wrong."""
        text = self.source.content().decode("utf-8-sig")
        mended = re.sub(r"(?m)^[^\S\r\n]+$", "", text)
        if self.dialect.delimiter != "\t" and mended != text:
            return replace(self, source=self.source.in_utf8(mended))
        raise self._diagnose(text, message)

    def _diagnose(self, text: str, message: str) -> DataError:
        """Find the first row whose number of cells differs from that of the header."""
        where = self.source.where
        lines = io.StringIO(text, newline="")
        skipped = self.dialect.skip_lines
        for _ in range(skipped):
            lines.readline()
        records = csv.reader(lines, delimiter=self.dialect.delimiter, quotechar=self.dialect.quote)
        mark = DELIMITERS[self.dialect.delimiter]
        row, n_odd, problem = -1, 0, ""
        try:
            for record in records:
                row += bool(record)
                if not record or row == 0 or len(record) == self.width:
                    continue
                n_odd += 1
                if not problem:
                    unclosed = any("\n" in cell for cell in record)
                    advice = (
                        "A quote that is never closed may be the cause."
                        if unclosed
                        else f"Correct the row, or quote cells that contain a {mark}."
                    )
                    problem = (
                        f"{self._place(row, skipped + records.line_num)} must have {self.width} "
                        f"cells, as many as the header; it has {len(record)}. {advice}"
                    )
        except csv.Error as error:
            message = str(error)
        if problem:
            return OddLinesError(problem, n_odd)
        return DataError(
            f"{where} must be a table of cells separated by a {mark}; reading it failed: "
            f"{message.splitlines()[0]}. Check the file in an editor, or save it as CSV again."
        )

    def _place(self, row: int, line: int) -> str:
        """Name a row; its line is known only if the file was read from its beginning."""
        before = self.source.rows_before
        if before:
            return f"row {before + row:,} of {self.source.name!r}"
        return f"row {row:,} of {self.source.where} (line {self.source.lines_before + line})"


def _is_number(kind: pa.DataType | None) -> bool:
    return kind is not None and pa.types.is_float64(kind)


DELIMITED = Format(
    "CSV, TSV",
    (".csv", ".tsv"),
    read_delimited,
    shared_suffixes=(".tab", ".txt", ".data"),
    chunks="lines",
)
