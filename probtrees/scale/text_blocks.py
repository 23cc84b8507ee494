"""Delimited text, block by block: whole rows, never the whole file."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.prepare.formats.delimited import HEAD, describe_text, read_block
from probtrees.prepare.formats.sniff import Dialect
from probtrees.prepare.formats.table_source import TableSource
from probtrees.prepare.raw_table import RawTable
from probtrees.prepare.wishes import Wishes
from probtrees.scale.open_text import BROKEN_TEXT, is_packed, open_text
from probtrees.table_report import Role

_SEARCHED = 1 << 20
"""Bytes at the end of a piece in which the end of a row is looked for."""

_ENDLESS = sys.maxsize

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def names_of_text(path: str) -> tuple[str, ...]:
    """Read the line of names, and refuse text that cannot be cut at line ends.

    Columns without a name, such as the row numbers some programs write first, are left out.
    """
    dialect, names = describe_text(_head(path), repr(path))
    if len(names) != len(dialect.names):
        return names
    return tuple(name for name, given in zip(names, dialect.names, strict=True) if given.strip())


def _head(path: str) -> bytes:
    try:
        with open_text(path) as file:
            head: bytes = file.read(HEAD)
    except BROKEN_TEXT:
        raise _cut_short(path, 0) from None
    if head.startswith(_WIDE) or b"\0" in head:
        raise DataError(
            f"file={path!r} (all rows) must be a table in CSV, in UTF-8 or a one-byte encoding, to "
            "be read in chunks. Save it as UTF-8, or as Parquet."
        )
    return head


def piece_starts(path: str, piece_bytes: int) -> tuple[int, ...]:
    """Cut a long file into pieces of whole rows: where each starts, in bytes.

    Quotes are counted from the beginning, since a line may end inside them. The first piece
    starts at 0, with the names. A gzipped file stays whole: it can only be read from its start.
    """
    starts = [0]
    if os.path.getsize(path) <= piece_bytes or is_packed(path):
        return (0,)
    quote = describe_text(_head(path), repr(path))[0].quote.encode()
    with open_text(path) as file:
        after = quoted = 0
        while piece := file.read(piece_bytes):
            # Only the end of a piece is searched line by line; of the rest the quotes count.
            rest, end = piece[:-_SEARCHED], piece[-_SEARCHED:]
            quoted += rest.count(quote) if quote else 0
            row_end = _last_row_end(end, quote, inside=quoted % 2 == 1)
            quoted += end.count(quote) if quote else 0
            after += len(piece)
            if row_end and len(piece) == piece_bytes:
                starts.append(after - len(end) + row_end)
    return tuple(starts)


def read_text(
    path: str, wishes: Wishes, block_bytes: int, start: int = 0, stop: int | None = None
) -> Iterator[tuple[int, RawTable]]:
    """Yield the rows of a file, or of a piece, block by block; each with its first row's number.

    Rows are numbered within the piece from ``start`` to ``stop``, see :func:`piece_starts`.
    """
    dialect, names = describe_text(_head(path), repr(path))
    unnamed: dict[str, Role] = dict.fromkeys(set(names) - set(names_of_text(path)), "ignore")
    wishes = replace(wishes, roles={**wishes.roles, **unnamed})
    first_row = 0
    for block in _blocks(path, dialect, block_bytes, start, stop):
        try:
            raw = _read(path, block, dialect, wishes, first_row)
        except DataError:
            before = _rows_before(path, dialect, block_bytes, start)
            raw = _read(path, block, dialect, wishes, before + first_row)
        if raw.n_rows:
            yield first_row, raw
        first_row += raw.n_rows


def _rows_before(path: str, dialect: Dialect, block_bytes: int, start: int) -> int:
    """Count the rows before a piece, to say where in the file something is wrong."""
    if start == 0:
        return 0
    blocks = _blocks(path, dialect, block_bytes, 0, start)
    return sum(_count_rows(block, dialect.quote.encode()) for block in blocks)


def _count_rows(block: bytes, quote: bytes) -> int:
    """Count the lines that are not blank."""
    ends = _row_ends(block, quote)
    returns = np.frombuffer(block, dtype=np.uint8)[ends - 1] == ord("\r")
    return int((np.diff(ends, prepend=-1) - returns > 1).sum())


def _read(path: str, block: bytes, dialect: Dialect, wishes: Wishes, first_row: int) -> RawTable:
    digest: Future[str] = Future()
    digest.set_result("")
    source = TableSource(path, digest, len(block), data=block, rows_before=first_row)
    return read_block(source, dialect, wishes)


def _blocks(
    path: str, dialect: Dialect, block_bytes: int, start: int, stop: int | None
) -> Iterator[bytes]:
    """Cut lines into blocks, without that of the names; a line end inside quotes cuts nothing."""
    quote = dialect.quote.encode()
    rest = b""
    done = start
    try:
        with open_text(path) as file:
            file.seek(start)
            for _ in range(0 if start else dialect.skip_lines + 1):
                done += len(file.readline())
            left = _ENDLESS if stop is None else stop - done
            while piece := file.read(min(block_bytes, left)):
                left -= len(piece)
                rest += piece
                end = _last_row_end(rest, quote)
                if end:
                    yield rest[:end]
                    done += end
                    rest = rest[end:]
    except BROKEN_TEXT:
        raise _cut_short(path, done) from None
    if rest.strip():
        yield rest


def _last_row_end(block: bytes, quote: bytes, inside: bool = False) -> int:
    """Find the byte after the last line end that lies outside quotes; 0 if there is none."""
    if not inside and (not quote or quote not in block):
        return block.rfind(b"\n") + 1
    ends = _row_ends(block, quote, inside)
    return int(ends[-1]) + 1 if len(ends) else 0


def _row_ends(block: bytes, quote: bytes, inside: bool = False) -> NDArray[np.intp]:
    """Find all line ends outside quotes; ``inside``: whether the block starts within some."""
    cells = np.frombuffer(block, dtype=np.uint8)
    ends = np.flatnonzero(cells == ord("\n"))
    quotes = np.flatnonzero(cells == quote[0]) if quote else ends[:0]
    outside: NDArray[np.intp] = ends[np.searchsorted(quotes, ends) % 2 == int(inside)]
    return outside


def _cut_short(path: str, done: int) -> DataError:
    after = f"the rows after byte {done:,}" if done else "all rows"
    return DataError(
        f"file={path!r} ({after}) must be complete; it ends too early or is damaged. Copy it "
        "again, or leave it out."
    )
