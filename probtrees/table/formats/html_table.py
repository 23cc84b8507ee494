"""Read a table of a web page, and what many programs save as .xls: HTML, or Excel's XML of 2003.

Nothing of a page is loaded or run: tags that make rows and cells are counted, texts are taken.
A table becomes the CSV that a person would have saved from it, and is then read like any other.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.machine.input_bytes import check_unpacked
from probtrees.table.cells.raw_table import RawTable
from probtrees.table.encodings.known_encodings import find_encoding
from probtrees.table.formats.decode import TextEncoding, decode, detect_encoding
from probtrees.table.formats.delimited import read_delimited
from probtrees.table.formats.format import Format, Sheets
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions

_EXCEL_2003 = b"urn:schemas-microsoft-com:office:spreadsheet"
_BEGINS = re.compile(
    rb"(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<(!doctype html|html|head|body|meta|table|\?xml)", re.I
)
_SAID_ENCODING = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.I)
_MIDNIGHT = re.compile(r"^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?$")
_ROWS, _CELLS, _UNSEEN = ("tr", "row"), ("td", "th", "cell"), ("script", "style", "comment")
_BREAKS = ("br", "p", "div", "li")
_WIDEST = 1000
"""Columns or rows that one cell may span; a page that says more is taken at this."""

_BYTES_PER_CELL = 64


@dataclass
class _Table:
    """The cells of one table as they are found."""

    name: str
    rows: list[list[str]] = field(default_factory=list)
    spans: dict[int, tuple[int, str]] = field(default_factory=dict)
    """Columns that a cell above reaches down to: for how many rows yet, and its text."""

    @property
    def n_cells(self) -> int:
        """Cells that hold something, of rows that have several."""
        filled = (sum(cell != "" for cell in row) for row in self.rows)
        return sum(number for number in filled if number > 1)


class _Reader(HTMLParser):
    """Gathers the tables of a page; one inside a cell of another is a table of its own."""

    def __init__(self, check_size: Callable[[int], None]) -> None:
        super().__init__(convert_charrefs=True)
        self._check_size = check_size
        self._n_cells = 0
        self.tables: list[_Table] = []
        self._open: list[_Table] = []
        self._sheet = ""
        self._cell: list[str] | None = None
        self._span = (1, 1)
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = {name: value or "" for name, value in attrs}
        tag = tag.rpartition(":")[2]
        if tag == "worksheet":
            self._sheet = said.get("ss:name", "")
        elif tag == "table":
            self._end_cell()
            self._open.append(_Table(self._sheet or f"table {len(self.tables) + 1}"))
            self.tables.append(self._open[-1])
        elif tag in _UNSEEN:
            self._unseen += 1
        elif self._open and tag in _ROWS:
            self._end_row()
            self._open[-1].rows.append([])
        elif self._open and self._open[-1].rows and tag in _CELLS:
            self._end_cell()
            self._cell = []
            across = _number(said.get("colspan", ""), 1) + _number(
                said.get("ss:mergeacross", ""), 0
            )
            down = _number(said.get("rowspan", ""), 1) + _number(said.get("ss:mergedown", ""), 0)
            self._span = across, down
            row = self._open[-1].rows[-1]
            row.extend([""] * (_number(said.get("ss:index", ""), 0) - 1 - len(row)))
        elif tag in _BREAKS and self._cell is not None:
            self._cell.append(" ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _BREAKS:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        if tag in _UNSEEN:
            self._unseen = max(0, self._unseen - 1)
        elif tag in _CELLS:
            self._end_cell()
        elif tag in _ROWS:
            self._end_row()
        elif tag == "table" and self._open:
            self._end_row()
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._cell is not None and not self._unseen:
            self._cell.append(data)

    def close(self) -> None:
        super().close()
        self._end_row()

    def _end_row(self) -> None:
        """Fill a row up; a few cells that span very many must not fill the memory."""
        self._end_cell()
        if self._open and self._open[-1].rows:
            _fill_spans(self._open[-1])
            self._n_cells += len(self._open[-1].rows[-1])
            self._check_size(_BYTES_PER_CELL * self._n_cells)

    def _end_cell(self) -> None:
        """Put a cell in its place; what spans rows stands in each, what spans columns in one."""
        if self._cell is None:
            return
        text = " ".join("".join(self._cell).split())
        day = _MIDNIGHT.match(text)
        table, (across, down), self._cell = self._open[-1], self._span, None
        _fill_spans(table)
        row = table.rows[-1]
        for more in range(across):
            said = (day[1] if day else text) if more == 0 else ""
            if down > 1:
                table.spans[len(row)] = (down - 1, said)
            row.append(said)


def _fill_spans(table: _Table) -> None:
    """Repeat in a row what cells of earlier rows reach down to, up to its next own cell."""
    row = table.rows[-1]
    while len(row) in table.spans:
        left, text = table.spans.pop(len(row))
        if left > 1:
            table.spans[len(row)] = (left - 1, text)
        row.append(text)


def _number(text: str, otherwise: int) -> int:
    return min(int(text), _WIDEST) if text.isdecimal() and len(text) < 7 else otherwise


def read_html_table(source: TableSource, options: ReadOptions) -> RawTable:
    """Read the table that is wanted, or the largest one."""
    tables = _tables(source, options.encoding)
    table = _choose(tables, options.sheet, source)
    lines = io.StringIO()
    lines.write("sep=,\n")  # so that decimal commas are never taken for it
    csv.writer(lines, lineterminator="\n").writerows(row for row in table.rows if row)
    text = replace(source.in_utf8(lines.getvalue()), lines_before=-1)
    raw = read_delimited(text, replace(options, encoding=None, sheet=None))
    others = ", ".join(repr(other.name) for other in tables if other is not table)
    also = f", the largest; there are also {others}" if others and options.sheet is None else ""
    note = f"The file is a page whose {table.name!r} is read{also}."
    return replace(raw, notes=(note, *raw.notes))


def _tables_and_choice(source: TableSource, wanted: str | None) -> Sheets:
    tables = _tables(source, None)
    return Sheets(tuple(table.name for table in tables), _choose(tables, wanted, source).name)


def _tables(source: TableSource, said: str | None) -> list[_Table]:
    """List the tables of a page that have cells; of small ones only if there are no others."""
    reader = _Reader(lambda size: check_unpacked(size, source.size, source.name))
    reader.feed(decode(source, _encoding(source, said)))
    reader.close()
    found = [table for table in reader.tables if table.n_cells]
    if not found:
        raise DataError(
            f"{source.where} must hold a table; it is a page without one. Choose another file, or "
            "copy the cells and paste them."
        )
    most = max(table.n_cells for table in found)
    return [table for table in found if table.n_cells * 20 >= most]


def _encoding(source: TableSource, said: str | None) -> TextEncoding:
    """Take what the page says about its encoding unless it is UTF-8 as it stands."""
    found = detect_encoding(source, said)
    declared = _SAID_ENCODING.search(source.head(4096))
    if found.is_plain or found.said or declared is None:
        return found
    try:
        known = find_encoding(declared[1].decode("ascii"))
        source.content().decode(known.codec)
    except (OptionError, UnicodeDecodeError):
        return found
    return TextEncoding(known)


def _choose(tables: Sequence[_Table], wanted: str | None, source: TableSource) -> _Table:
    """Find a table by its name or its number; without a wish the largest."""
    if wanted is None:
        return max(tables, key=lambda table: table.n_cells)
    names = [table.name for table in tables]
    if wanted in names:
        return tables[names.index(wanted)]
    if wanted.isdecimal() and len(wanted) < 7 and 1 <= int(wanted) <= len(tables):
        return tables[int(wanted) - 1]
    raise DataError(
        f"sheet={wanted!r} must be a table of {source.where}, by its name or its number. "
        f"{did_you_mean(wanted, names)}"
    )


def _is_page(name: str, head: bytes) -> bool:
    """Whether a file begins like a page or like Excel's XML, whatever it is named."""
    if not _BEGINS.match(head.replace(b"\0", b"")):
        return False
    low = head.replace(b"\0", b"").lower()
    return b"<?xml" not in low[:100] or b"<table" in low or _EXCEL_2003 in low or b"<html" in low


# Known by its content alone: an archive of data may hold a page about them, which is no table.
HTML = Format("HTML", (), read_html_table, _is_page, sheets=_tables_and_choice)
