"""From bytes to text, whatever encoding they were written in."""

from __future__ import annotations

import codecs

from probtrees.errors import DataError
from probtrees.table.formats.table_source import TableSource

_HEAD = 1 << 16
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PACKED = {
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"BZh": "a bzip2 archive",
    b"\xfd7zXZ": "an xz archive",
    b"%PDF": "a PDF document",
}


class NotTextError(DataError):
    """A file is no text; ``kind`` says what it is instead."""

    def __init__(self, source: TableSource, kind: str) -> None:
        super().__init__(f"{source.where} must be text; it is {kind}. Export the table as CSV.")
        self.kind = kind


def detect_encoding(source: TableSource) -> str:
    """Find the encoding of a text, and refuse what is not text.

    UTF-8 if the bytes are valid, UTF-16 by its mark or its zeros, else Windows-1252, or Latin-1
    if a byte has no letter there.
    """
    head = source.head(_HEAD)
    for mark, kind in _PACKED.items():
        if head.startswith(mark):
            raise NotTextError(source, kind)
    if head.startswith(_UTF16_MARKS):
        return "utf-16"
    if source.scan.has_nul:
        return _utf16_without_mark(source, head)
    if _control_share(head) > 0.01:
        raise NotTextError(source, "a binary file")
    if source.scan.is_utf8:
        return "utf-8-sig"
    return _single_byte_encoding(source)


def decode(source: TableSource, encoding: str) -> str:
    """Return all bytes as text."""
    try:
        return source.content().decode(encoding)
    except UnicodeDecodeError as error:
        raise DataError(
            f"{source.where} must be text in one encoding; byte {error.start} does not fit "
            f"{encoding}. Save it as UTF-8."
        ) from None


def _utf16_without_mark(source: TableSource, head: bytes) -> str:
    """Text in UTF-16 has a zero in every second byte; anything else with zeros is not text."""
    pairs = max(len(head) // 2, 1)
    if head[1::2].count(0) > 0.7 * pairs and head[0::2].count(0) == 0:
        return "utf-16-le"
    if head[0::2].count(0) > 0.7 * pairs and head[1::2].count(0) == 0:
        return "utf-16-be"
    raise NotTextError(source, "a binary file")


def _control_share(head: bytes) -> float:
    controls = len(head.translate(None, delete=bytes(range(32, 256)) + b"\t\r\n\f"))
    return controls / max(len(head), 1)


def _single_byte_encoding(source: TableSource) -> str:
    try:
        source.content().decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"
