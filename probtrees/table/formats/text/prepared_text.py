"""A text before its rows are read: which lines of it are no rows, though they stand among them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.several_tables import (
    FoundTable,
    cut_to,
    join_stacked,
    tables_finding,
    tables_in,
)
from probtrees.table.formats.text.subtotals import MOST_BYTES, leave_out_subtotals
from probtrees.table.formats.text.sums_of_rows import leave_out_sums
from probtrees.table.formats.text.text_head import WrittenText, written_in
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding


class PreparedText(NamedTuple):
    """A text from which lines between the rows that are no rows are left out.

    Attributes
    ----------
    written : how it is written, and which line names its columns
    offers : what was done, and how the text may be read otherwise
    left_out : the lines of totals between the rows
    blank_lines : blank lines between tables that were joined
    """

    source: TableSource
    written: WrittenText
    offers: tuple[Finding, ...]
    left_out: tuple[int, ...] = ()
    blank_lines: tuple[int, ...] = ()


def prepare_text(source: TableSource, options: ReadOptions) -> PreparedText:
    """Find the names of the columns, join tables that stand below each other, drop subtotals."""
    written = written_in(source, options)
    if above := _records_of_several_lines(written):
        source = _in_one_line_each(source, above)
        written = written_in(source, options)
    tables = tables_in(source, written.dialect)
    if options.table is not None:
        source = cut_to(source, written.dialect, options.table)
        written, tables = written_in(source, options), ()
    offers = _offers(tables, source.lines_before)
    joined = None
    if options.table is None and "names" not in options.as_written:
        joined = join_stacked(source, written.dialect)
    if joined is not None:
        source, offers = joined.source, (*offers, joined.finding)
        written = written_in(source, options)
    left_out: list[int] = []
    for leave_out in (
        (leave_out_subtotals, leave_out_sums) if "totals" not in options.as_written else ()
    ):
        totals = leave_out(source, written.dialect, len(written.dialect.names))
        if totals is not None:
            source, offers = totals.source, (*offers, totals.finding())
            written = written_in(source, options)
            left_out = _with_lines(left_out, totals.lines)
    return PreparedText(
        source, written, offers, tuple(left_out), () if joined is None else joined.blank_lines
    )


def _with_lines(left_out: Sequence[int], found: Sequence[int]) -> list[int]:
    """Add lines that were found where others are left out already.

    >>> _with_lines([4, 9], [3, 4, 8])
    [3, 4, 5, 9, 10]
    """
    lines = list(left_out)
    for number in found:
        line = number
        for gone in sorted(left_out):
            line += gone <= line
        lines.append(line)
    return sorted(lines)


def _offers(tables: Sequence[FoundTable], lines_before: int) -> tuple[Finding, ...]:
    return (tables_finding(tables, lines_before),) if tables else ()


def _records_of_several_lines(written: WrittenText) -> list[range]:
    """Find lines that end within a name, as people write them to keep a column narrow."""
    dialect, head = written.dialect, written.head.data.decode("utf-8-sig", errors="replace")
    lines = io.StringIO(head, newline="").readlines()
    reader = csv.reader(lines, delimiter=dialect.delimiter, quotechar=dialect.quote or None)
    found = []
    while (start := reader.line_num) <= dialect.skip_lines and next(reader, None) is not None:
        if reader.line_num > start + 1:
            found.append(range(start, reader.line_num))
    return found


def _in_one_line_each(source: TableSource, records: Sequence[range]) -> TableSource:
    """Join the lines of some records: below them every line is a row, and totals can be told."""
    if source.size > MOST_BYTES:
        return source
    text = source.content().decode("utf-8-sig", errors="replace")
    lines = io.StringIO(text, newline="").readlines()
    for record in reversed(records):
        parts = [line.rstrip("\r\n") for line in lines[record.start : record.stop]]
        lines[record.start : record.stop] = [" ".join(parts) + "\n"]
    n_less = sum(len(record) - 1 for record in records)
    return replace(source.in_utf8("".join(lines)), lines_before=source.lines_before + n_less)
