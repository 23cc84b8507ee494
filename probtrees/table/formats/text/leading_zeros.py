"""Find columns of codes such as 01067 in the bytes of a delimited file.

Read as numbers they would lose their zeros, and the first rows need not show any. So all bytes are
looked at, a piece at a time; only columns that hold nothing but digits at first are in question.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterator
from contextlib import suppress

import numpy as np

from probtrees.table.cells.padded_codes import has_leading_zeros
from probtrees.table.formats.table_source import TableSource
from probtrees.table.formats.text.sniff import Dialect

_POINTED = re.compile(r"\d{2,4}\.\d{1,3}", re.A)
_POINT = np.uint8(ord("."))
_PIECE = 1 << 18
_MOST_PER_PIECE = 50
_ZERO = np.uint8(ord("0"))
_TEN = np.uint8(10)


def may_hold_codes(cells: Collection[str]) -> bool:
    """Whether cells may be codes: digits alone, three or more in one of them, if there are any.

    Those with a point in them (47.11) all have as many digits.
    """
    if cells and all(map(_POINTED.fullmatch, cells)):
        return len({(len(cell), cell.index(".")) for cell in cells}) == 1
    return all(map(str.isdigit, cells)) and (not cells or max(map(len, cells)) > 2)


def columns_of_codes(source: TableSource, dialect: Dialect, asked: Collection[int]) -> set[int]:
    """Return which of some columns hold a number of three digits or more that begins with 0."""
    found: set[int] = set()
    left = set(asked)
    for piece in _pieces(source) if left else ():
        found |= _codes_in(piece, dialect, left)
        left -= found
        if not left:
            break
    return found


def _pieces(source: TableSource) -> Iterator[bytes]:
    """Yield the bytes in pieces of whole lines."""
    rest = b""
    with io.BytesIO(source.data) if source.data is not None else _open(source) as file:
        while read := file.read(_PIECE):
            piece = rest + read
            end = piece.rfind(b"\n") + 1
            yield piece[:end]
            rest = piece[end:]
    yield rest


def _open(source: TableSource) -> io.BufferedReader:
    assert source.path is not None
    return open(source.path, "rb")


def _codes_in(piece: bytes, dialect: Dialect, asked: set[int]) -> set[int]:
    """Look for 0 and two digits, or one and a point, where a cell begins; its line tells where."""
    text = np.frombuffer(b"\n" + piece + b"\n\n", dtype=np.uint8)
    digits = (text - _ZERO) < _TEN
    third = digits[3:] | (text[3:] == _POINT)
    begins = (text[1:-2] == _ZERO) & digits[2:-1] & third & ~digits[:-3]
    places = np.flatnonzero(begins)
    before = text[places]
    marks = np.frombuffer(f'\r\n"{dialect.quote}{dialect.delimiter} '.encode(), dtype=np.uint8)
    places = places[np.isin(before, marks)]
    step = max(1, len(places) // _MOST_PER_PIECE)
    found: set[int] = set()
    for place in places[::step].tolist():
        start = piece.rfind(b"\n", 0, place) + 1
        stop = piece.find(b"\n", place)
        line = piece[start : len(piece) if stop < 0 else stop].decode("utf-8", errors="replace")
        found |= {
            n for n, cell in enumerate(_cells(line, dialect)) if n in asked and _is_code(cell)
        }
        if found >= asked:
            break
    return found


def _cells(line: str, dialect: Dialect) -> list[str]:
    with suppress(csv.Error, StopIteration):
        return next(csv.reader([line], delimiter=dialect.delimiter, quotechar=dialect.quote))
    return []


def _is_code(cell: str) -> bool:
    plain = cell.strip()
    return has_leading_zeros([plain]) or (
        plain.startswith("0") and _POINTED.fullmatch(plain) is not None
    )
