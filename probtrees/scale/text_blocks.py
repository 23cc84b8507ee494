"""Delimited text, block by block: whole rows, never the whole file."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace

import numpy as np

from probtrees.errors import DataError
from probtrees.prepare.formats.delimited import HEAD, describe_text, read_block
from probtrees.prepare.formats.sniff import Dialect
from probtrees.prepare.formats.table_source import TableSource
from probtrees.prepare.raw_table import RawTable
from probtrees.prepare.wishes import Wishes
from probtrees.scale.open_text import BROKEN_TEXT, open_text
from probtrees.table_report import Role

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


def read_text(path: str, wishes: Wishes, block_bytes: int) -> Iterator[tuple[int, RawTable]]:
    """Yield the rows of a file block by block, each with the number of its first row."""
    dialect, names = describe_text(_head(path), repr(path))
    unnamed: dict[str, Role] = dict.fromkeys(set(names) - set(names_of_text(path)), "ignore")
    wishes = replace(wishes, roles={**wishes.roles, **unnamed})
    first_row = 0
    for block in _blocks(path, dialect, block_bytes):
        raw = _read(path, block, dialect, wishes, first_row)
        if raw.n_rows:
            yield first_row, raw
        first_row += raw.n_rows


def _read(path: str, block: bytes, dialect: Dialect, wishes: Wishes, first_row: int) -> RawTable:
    digest: Future[str] = Future()
    digest.set_result("")
    name = path if first_row == 0 else f"{path}, from row {first_row + 1} on"
    return read_block(TableSource(name, digest, len(block), data=block), dialect, wishes)


def _blocks(path: str, dialect: Dialect, block_bytes: int) -> Iterator[bytes]:
    """Cut the lines after the names into blocks; a line end inside quotes cuts nothing."""
    quote = dialect.quote.encode()
    rest = b""
    n_skipped = 0
    done = 0
    try:
        with open_text(path) as file:
            while n_skipped <= dialect.skip_lines:
                done += len(file.readline())
                n_skipped += 1
            while piece := file.read(block_bytes):
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


def _last_row_end(block: bytes, quote: bytes) -> int:
    """Find the byte after the last line end that lies outside quotes; 0 if there is none."""
    end = block.rfind(b"\n") + 1
    if not quote or quote not in block or end == 0:
        return end
    cells = np.frombuffer(block, dtype=np.uint8)
    quotes = np.flatnonzero(cells == quote[0])
    ends = np.flatnonzero(cells == ord("\n"))
    outside = ends[np.searchsorted(quotes, ends) % 2 == 0]
    return int(outside[-1]) + 1 if len(outside) else 0


def _cut_short(path: str, done: int) -> DataError:
    after = f"the rows after byte {done:,}" if done else "all rows"
    return DataError(
        f"file={path!r} ({after}) must be complete; it ends too early or is damaged. Copy it "
        "again, or leave it out."
    )
