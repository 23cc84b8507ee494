"""Bytes that a user hands over: an open file, an upload, or plain ones; gzipped or not."""

from __future__ import annotations

import gzip
import io
import os
import stat
from pathlib import Path
from typing import Any, NamedTuple

from probtrees.errors import DataError
from probtrees.machine.limits import ServerLimits, machine_memory, shown_bytes

GZIP_MARK = b"\x1f\x8b"
"""How gzipped bytes begin."""
_CHUNK = 1 << 24
HARMLESS = 1 << 28
"""So many bytes may be unpacked from any file, and so many may the numbers of its table take."""
_MOST_TIMES = 200
"""Text packs to a tenth or a fiftieth; what packs to less was made to fill a memory."""

_server_limits: ServerLimits | None = None


class NamedBytes(NamedTuple):
    """The content of a file and its name without the folder, for sentences about it."""

    name: str
    content: bytes


def named_bytes(source: Any) -> NamedBytes | None:
    """Return the bytes of an open file, a pair (name, bytes) or plain bytes; None if it is none.

    Text of an open file is encoded as UTF-8.

    >>> named_bytes(("folder/model.json", b"{}"))
    NamedBytes(name='model.json', content=b'{}')
    """
    if isinstance(source, tuple) and len(source) == 2:
        return NamedBytes(Path(str(source[0])).name, bytes(source[1]))
    if isinstance(source, (bytes, bytearray, memoryview)):
        return NamedBytes("data", bytes(source))
    if isinstance(source, os.PathLike) or not hasattr(source, "read"):
        return None
    content = source.read()
    name = getattr(source, "name", None)
    data = content.encode("utf-8") if isinstance(content, str) else bytes(content)
    return NamedBytes(Path(name).name if isinstance(name, str) else "data", data)


def read_pipe(path: Path) -> bytes:
    """Read all that comes through a pipe, such as ``<(command)`` or standard input.

    Raises
    ------
    DataError : it is no pipe, or more comes than memory holds
    """
    if not stat.S_ISFIFO(path.stat().st_mode):
        raise DataError(
            f"file={str(path)!r} must be a file or a pipe; it is a device. Name a file."
        )
    most = machine_memory() // 4
    with path.open("rb") as pipe:
        content = pipe.read(most)
    if len(content) == most:
        raise DataError(
            f"file={str(path)!r} must fit into memory; {shown_bytes(most)} came through the pipe "
            "and more is to come. Write it to a file, and grow that with --chunks."
        )
    return content


def gunzip(data: bytes, name: str) -> bytes:
    """Return gzipped bytes unpacked.

    Raises
    ------
    EOFError, zlib.error, OSError : the bytes are cut off or damaged
    DataError : they would unpack to very much more than any table does
    """
    unpacked = bytearray()
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        while piece := file.read(_CHUNK):
            unpacked += piece
            check_unpacked(len(unpacked), len(data), name)
    return bytes(unpacked)


def check_unpacked(size: int, packed_size: int, name: str) -> None:
    """Refuse what unpacks to very much more than any table does."""
    if size > HARMLESS and size > _MOST_TIMES * packed_size:
        raise DataError(
            f"{name!r} must not unpack to more than {_MOST_TIMES} times its size; it looks "
            "like a file made to fill the memory. Give it unpacked, or in parts, if it is not."
        )


def check_table_size(n_rows: int, n_columns: int, packed_size: int, name: str) -> None:
    """Refuse a table before it is read: too large for memory, for its file, or for this server.

    Parameters
    ----------
    packed_size : bytes of the file as it was given
    """
    if _server_limits is not None:
        _server_limits.check_table(n_rows, n_columns)
    size = n_rows * n_columns * 8
    check_unpacked(size, packed_size, name)
    if 2 * size > machine_memory():
        raise DataError(
            f"{name!r} must fit into memory; its {n_rows:,} rows of {n_columns:,} columns take "
            f"twice {shown_bytes(size)}. Give fewer rows or columns, or grow it with --chunks."
        )


def limit_tables(limits: ServerLimits) -> None:
    """Let every table that this process reads keep to the limits of a server."""
    global _server_limits  # noqa: PLW0603 - one process, one server
    _server_limits = limits
