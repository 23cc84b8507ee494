"""Open delimited text, plain or gzipped."""

from __future__ import annotations

import gzip
import zlib
from io import BufferedIOBase

from probtrees.machine.input_bytes import GZIP_MARK

BROKEN_TEXT = (OSError, EOFError, zlib.error)
"""What reading a file that is damaged or ends too early may raise."""


def open_text(path: str) -> BufferedIOBase:
    """Open a file as bytes, decompressed if it is gzipped."""
    if is_packed(path):
        return gzip.open(path, "rb")
    return open(path, "rb")


def is_packed(path: str) -> bool:
    """Whether a file is gzipped."""
    with open(path, "rb") as file:
        return file.read(len(GZIP_MARK)) == GZIP_MARK
