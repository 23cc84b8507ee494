"""Gzip, with an eye on files that are made to burst."""

from __future__ import annotations

import gzip
import io

from probtrees.errors import DataError

MARK = b"\x1f\x8b"
"""How gzipped bytes begin."""
_CHUNK = 1 << 24
_HARMLESS = 1 << 30
_MOST_TIMES = 200
"""Text packs to a tenth or a fiftieth; what packs to less was made to fill a memory."""


def unpack(data: bytes, name: str) -> bytes:
    """Return gzipped bytes unpacked.

    Raises
    ------
    EOFError, zlib.error, OSError : the bytes are cut off or damaged
    DataError : they would unpack to very much more than any table does
    """
    pieces = []
    size = 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
        while piece := file.read(_CHUNK):
            pieces.append(piece)
            size += len(piece)
            if size > _HARMLESS and size > _MOST_TIMES * len(data):
                raise DataError(
                    f"{name!r} must not unpack to more than {_MOST_TIMES} times its size; it looks "
                    "like a file made to fill the memory. Unpack it first if it is not."
                )
    return b"".join(pieces)
