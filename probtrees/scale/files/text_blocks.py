"""Delimited text, block by block: whole rows, never the whole file."""

from __future__ import annotations

import codecs
import gzip
import os
import zlib
from collections.abc import Iterator
from dataclasses import replace
from io import BufferedIOBase
from typing import NamedTuple

import numpy as np

from probtrees.errors import DataError
from probtrees.machine.input_bytes import GZIP_MARK
from probtrees.scale import _row_kernels as kernels
from probtrees.scale.files.allowed_folder import place_of
from probtrees.table.findings import Finding, Role
from probtrees.table.formats.delimited import read_block
from probtrees.table.formats.head_and_footer import (
    LONGEST_HEAD,
    TAIL,
    Head,
    TextHead,
    describe_text,
    find_footer,
)
from probtrees.table.formats.sniff import TextEncoding, detect_encoding, encoding_finding
from probtrees.table.formats.source import TableSource
from probtrees.table.raw_table import RawTable
from probtrees.table.read_options import ReadOptions

_LONGEST_ROW = 1 << 26
"""A row longer than so many bytes is taken for one whose quote is never closed."""

_LAST_LINES = 16
"""So many lines at least are looked at for what stands below the rows."""

_LONG_PIECE = 1 << 22
_PLACES, _PLACE_BYTES = 16, 1 << 16
"""In how many places beyond its beginning, and how many bytes of each, letters are looked at."""

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_BROKEN = (OSError, EOFError, zlib.error)
"""What reading a file that is damaged or ends too early may raise."""


class TextForm(NamedTuple):
    """How a text file is written, as its beginning shows.

    Attributes
    ----------
    head : its delimiter, decimal mark and columns
    rows_start : the byte after the line of names
    findings : what was decided about the beginning and the end, and what may be done about it
    encoding : of the text, where it is said or is not UTF-8 as far as was looked
    row_bytes : how long a row is, as far as the beginning tells
    """

    head: TextHead
    rows_start: int
    findings: tuple[Finding, ...] = ()
    encoding: str | None = None
    row_bytes: float = 1.0

    @classmethod
    def of(cls, path: str, layout: ReadOptions, *, to_the_end: bool = False) -> TextForm:
        """Look at the beginning, and refuse text that cannot be cut at line ends.

        ``layout`` says how many lines name the columns, and the encoding, if somebody knows them;
        ``to_the_end``: look also below the rows, for which a packed file is read through.
        """
        first = _head(path)
        letters = _letters(path, first, layout.encoding)
        # A letter that is cut off at the end of the first bytes is left out.
        text = first.data.decode("utf-8" if letters.is_plain else letters.codec, "ignore")
        plain = first if letters.is_plain else first._replace(data=text.encode("utf-8"))
        head = describe_text(plain, repr(path), layout.header_lines)
        if head.dialect.blanks:
            raise DataError(
                f"file={path!r} must have its cells parted by a comma, a semicolon or a tab to be "
                "read in chunks, not by blanks. Save it as CSV or Parquet."
            )
        start = head.rows_start(first.data)
        if start == len(first.data) and not first.complete:
            raise DataError(
                f"line {head.skip_lines} of {path!r} must hold the names of the columns in at most "
                f"{LONGEST_HEAD:,} bytes. Shorten them, or save the table as Parquet."
            )
        findings = head.findings
        if not letters.is_plain:
            findings = (encoding_finding(letters, text), *findings)
        if to_the_end:
            before, tail = _tail(path)
            footer = find_footer(tail, head, 1 if before else head.skip_lines)
            findings += () if footer is None else (footer.finding(),)
        row_bytes = len(first.data) / max(1, first.data.count(b"\n"))
        encoding = None if letters.is_plain else letters.codec
        return cls(head, start, findings, encoding, row_bytes)

    @property
    def named(self) -> tuple[str, ...]:
        """The columns with a name."""
        return tuple(name for name in self.head.names if name not in self.head.unnamed)

    def last_row_end(self, data: bytes, state: int) -> tuple[int, int]:
        """Find the state at the end of some text, and the byte after its last row."""
        cells, dialect = np.frombuffer(data, dtype=np.uint8), self.head.dialect
        found = kernels.walk_rows(cells, state, ord(dialect.delimiter), ord('"'))
        return int(found[0]), int(found[1])


def _head(path: str) -> Head:
    def first_bytes(size: int) -> bytes:
        with _open(path) as file:
            return file.read(size)

    try:
        head = Head.of(first_bytes)
    except _BROKEN as problem:
        raise unreadable(path, problem) from None
    if head.data.startswith(_WIDE) or b"\0" in head.data:
        raise DataError(
            f"file={path!r} (all rows) must be a table in CSV, in UTF-8 or a one-byte encoding, to "
            "be read in chunks. Save it as UTF-8, or as Parquet."
        )
    return head


def _letters(path: str, head: Head, said: str | None) -> TextEncoding:
    """Find the encoding by the beginning of a file and some places further on."""
    places = [head.data]
    if not head.complete and not _is_packed(path):
        size = os.path.getsize(place_of(path))
        with open(place_of(path), "rb") as file:
            for place in range(1, _PLACES + 1):
                file.seek(size * place // (_PLACES + 1))
                piece = file.read(_PLACE_BYTES)
                places.append(piece[piece.find(b"\n") + 1 : piece.rfind(b"\n") + 1])
    cut = places[0] if head.complete else places[0][: places[0].rfind(b"\n") + 1] or places[0]
    return detect_encoding(TableSource(path, b"\n".join([cut, *places[1:]])), said)


def _tail(path: str) -> tuple[int, bytes]:
    """Return the last bytes of a file, unpacked, and how many come before them."""
    if not _is_packed(path):
        with open(place_of(path), "rb") as file:
            start = max(0, file.seek(0, os.SEEK_END) - TAIL)
            file.seek(start)
            return start, file.read()
    size, tail = 0, b""
    try:
        with _open(path) as unpacked:
            while piece := unpacked.read(_LONG_PIECE):
                size += len(piece)
                tail = (tail + piece)[-TAIL:]
    except _BROKEN as problem:
        raise unreadable(path, problem) from None
    return size - len(tail), tail


def read_text(path: str, options: ReadOptions, block_bytes: int) -> Iterator[tuple[int, RawTable]]:
    """Yield the rows of a file block by block; each with its first row's number."""
    form = TextForm.of(path, options)
    unnamed: dict[str, Role] = dict.fromkeys(form.head.unnamed, "ignore")
    options = replace(options, roles={**options.roles, **unnamed}, encoding=form.encoding)
    first_row = 0
    for block, is_last in _with_last(_blocks(path, form, block_bytes)):
        source = TableSource(path, block, rows_before=first_row)
        raw = read_block(source, head=form.head, options=options, is_last=is_last)
        if raw.n_rows:
            yield first_row, raw
        first_row += raw.n_rows


def _with_last(blocks: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Yield every block, and whether it is the last one.

    A last block of few lines joins the one before: what stands below the rows may begin there.
    """
    held: list[bytes] = []
    for block in blocks:
        held.append(block)
        if len(held) > 2:
            yield held.pop(0), False
    if len(held) > 1 and held[-1].count(b"\n") < _LAST_LINES:
        held[-2:] = [held[-2] + held[-1]]
    for number, block in enumerate(held, start=1):
        yield block, number == len(held)


def _blocks(path: str, form: TextForm, block_bytes: int) -> Iterator[bytes]:
    """Cut lines into blocks, without that of the names; a line end inside quotes cuts nothing."""
    rest, state, done = b"", kernels.ROW_START, form.rows_start
    try:
        with _open(path) as file:
            file.seek(done)
            while piece := file.read(block_bytes):
                state, end = form.last_row_end(piece, state)
                if end:
                    block, rest = rest + piece[:end], piece[end:]
                    yield block
                    done += len(block)
                elif len(rest) > _LONGEST_ROW:
                    raise DataError(
                        f"the row of {path!r} that begins at byte {done:,} must end within "
                        f"{_LONGEST_ROW:,} bytes. A quote that is never closed may be the cause."
                    )
                else:
                    rest += piece
    except _BROKEN as problem:
        raise unreadable(path, problem, f"the rows after byte {done:,}") from None
    if rest.strip():
        yield rest


def _open(path: str) -> BufferedIOBase:
    """Open a file as bytes, decompressed if it is gzipped."""
    if _is_packed(path):
        return gzip.open(place_of(path), "rb")
    return open(place_of(path), "rb")


def _is_packed(path: str) -> bool:
    with open(place_of(path), "rb") as file:
        return file.read(len(GZIP_MARK)) == GZIP_MARK


def unreadable(path: str, problem: BaseException, rows: str = "all rows") -> DataError:
    """Say that a file cannot be opened, or that it is damaged and which rows are lost."""
    reason = getattr(problem, "strerror", None) or (str(problem).splitlines() or ["it is empty"])[0]
    return DataError(
        f"file={path!r} ({rows}) must be readable and complete; reading it failed: "
        f"{reason.rstrip('.')}. Check the path and your permissions, or copy the file again; on a "
        "cluster every worker must see it."
    )
