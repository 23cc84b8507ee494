"""The beginning of a text: how it is written, and which lines name its columns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from probtrees.table.formats.column_names import looks_like_data
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.header_lines import (
    describing_finding,
    header_finding,
    may_be_a_row,
    no_names_finding,
    title_finding,
    two_lines_would_do,
)
from probtrees.table.formats.text.sniff import Dialect, sniff
from probtrees.table.read_options import ReadOptions
from probtrees.table.table_report import Finding

HEAD = 1 << 17
"""So many bytes tell how a file is written, unless its lines are long."""

LONGEST_HEAD = 1 << 26
"""So many bytes must hold the first lines."""

_LINES = 8
"""Lines that are looked at in any case."""


class Head(NamedTuple):
    """The first bytes of a file; ``complete`` says that these are all."""

    data: bytes
    complete: bool

    @classmethod
    def of(cls, first_bytes: Callable[[int], bytes]) -> Head:
        """Read as much as tells how a file is written: some whole lines, however long they are."""
        size = HEAD
        while True:
            data = first_bytes(size)
            enough = max(data.count(b"\n"), data.count(b"\r")) >= _LINES
            if len(data) < size or enough or size >= LONGEST_HEAD:
                return cls(data, len(data) < size)
            size <<= 3


class WrittenText(NamedTuple):
    """How a text is written, as its first bytes show."""

    head: Head
    dialect: Dialect


def written_in(source: TableSource, options: ReadOptions) -> WrittenText:
    """Find from its first bytes how a text is written."""
    head = Head.of(source.head)
    dialect = describe_text(head, source.where, options)
    return WrittenText(head, replace(dialect, lines_before=source.lines_before))


def describe_text(head: Head, where: str, options: ReadOptions) -> Dialect:
    """Find from its first bytes how a delimited file is written."""
    return sniff(
        head.data.decode("utf-8-sig", errors="ignore"),
        where,
        complete=head.complete,
        title="title" not in options.as_written,
        header_lines=options.header_lines,
        commas="commas" not in options.as_written,
    )


def findings_above(dialect: Dialect) -> tuple[Finding, ...]:
    """List what was decided about the lines of names, and what may be done about them."""
    line = dialect.names_line - len(dialect.described)
    title = (title_finding(dialect.title, line),) if dialect.title else ()
    described: tuple[Finding, ...] = ()
    if dialect.described:
        described = (describing_finding(dialect.described, dialect.is_alone),)
    is_row = may_be_a_row(dialect.names, [dialect.cells(n) for n in range(len(dialect.names))])
    numbered = (no_names_finding(dialect.names),) if is_row else ()
    return (*_two_lines(dialect, dialect.joined), *title, *described, *numbered)


def _two_lines(dialect: Dialect, joined: tuple[str, ...]) -> tuple[Finding, ...]:
    if not joined:
        return ()
    plain = {cell.strip() for cells in (dialect.names, *dialect.rows[:1]) for cell in cells}
    names = [name.strip() for name in dialect.names]
    grouped = all(names) and all(map(str.endswith, joined, names)) and names != list(joined)
    repeated = len(set(names)) < len(names)
    return (header_finding(joined, plain, grouped, repeated),)


def other_names(dialect: Dialect) -> tuple[Finding, ...]:
    """Offer other lines for the names, where those that were taken will not do."""
    if looks_like_data(dialect.names):
        return (no_names_finding(dialect.names),)
    row = dialect.rows[0] if dialect.rows else ()
    return _two_lines(dialect, dialect.joined or two_lines_would_do(dialect.names, row))
