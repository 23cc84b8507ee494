"""Bytes that a user hands over: those of an open file, of an upload, or plain ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple


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
