"""A text before its rows are read: which lines of it are no rows, though they stand among them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.several_tables import (
    FoundTable,
    cut_to,
    join_stacked,
    tables_finding,
    tables_in,
)
from probtrees.table.formats.text.subtotals import leave_out_subtotals
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
    totals = None
    if "totals" not in options.as_written:
        totals = leave_out_subtotals(source, written.dialect, len(written.dialect.names))
    if totals is not None:
        source, offers = totals.source, (*offers, totals.finding())
        written = written_in(source, options)
    left_out = () if totals is None else totals.lines
    return PreparedText(
        source, written, offers, left_out, () if joined is None else joined.blank_lines
    )


def _offers(tables: Sequence[FoundTable], lines_before: int) -> tuple[Finding, ...]:
    return (tables_finding(tables, lines_before),) if tables else ()
