"""Rows of delimiters alone, as spreadsheets save empty lines: they are no rows."""

from __future__ import annotations

import re

from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.sniff import Dialect

_MOST_BYTES = 1 << 26
"""Of larger files no copy is made."""


def without_blank_rows(source: TableSource, dialect: Dialect) -> TableSource:
    """Return the text with such lines emptied; no line changes its number."""
    if len(dialect.names) < 2 or source.size > _MOST_BYTES:
        return source
    mark = dialect.delimiter.encode()
    content = source.content()
    if b"\n" + mark * (len(dialect.names) - 1) not in content:
        return source
    blank = re.compile(rb"(?m)^[ " + re.escape(mark) + rb"]+(?=\r?$)")
    return source.in_utf8(blank.sub(b"", content).decode("utf-8-sig"))
