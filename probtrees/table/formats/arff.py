"""Read ARFF, Weka's format: declarations first, then rows of comma-separated cells.

What the file declares is taken as it stands: the type of every column, the values of a nominal
column, their order, and values that no row has. Files found in the wild are forgiven: comment
and blank lines among the rows, lines that hold nothing but a comma, a comma after a name, tabs,
any mixture of line ends, both kinds of quotes with backslash escapes. A bare ``?`` is missing, a
quoted one is a value. Sparse rows are refused. No pattern can be tried twice on the same
characters: a line takes time in proportion to its length.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from probtrees.errors import DataError
from probtrees.table.formats.arrow import name_columns
from probtrees.table.formats.sniff import decoded
from probtrees.table.formats.source import Format, TableSource
from probtrees.table.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.read_options import ReadOptions

_LINE_ENDS = re.compile(r"[\r\n]+")
_Q = r"'[^'\\]*+(?:\\.[^'\\]*+)*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\""
_COMMA_CELL = re.compile(rf"\s*+(?:({_Q})\s*+(?=,|$)|([^,]*+))(,|$)", re.S)
_SPACED_CELL = re.compile(rf"(?:{_Q})(?!\S)|\S++", re.S)
_NAME = re.compile(rf"\s*+({_Q}|[^\s,{{}}]++)[\s,]*+(.*)", re.S)
_ESCAPE = re.compile(r"\\(.)", re.S)
_ESCAPED_AS = {"n": "\n", "r": "\r", "t": "\t"}
_ROOM = 8
"""So many times the room of a number does a cell take while it is a text."""


_KINDS = {
    **dict.fromkeys(("numeric", "real", "integer"), "numeric"),
    **dict.fromkeys(("string", "date"), "text"),
}


@dataclass(frozen=True)
class _Attribute:
    """One declaration: values for a nominal column, None for a numeric or text one."""

    name: str
    kind: str
    values: tuple[str, ...] | None = None


def read_arff(source: TableSource, options: ReadOptions) -> RawTable:
    """Read all columns of an ARFF file, whatever the options: its lines cannot be read in part."""
    source, letters = decoded(source, options.encoding)
    where = source.where
    lines = _LINE_ENDS.split(source.data.decode("utf-8-sig"))
    attributes, first_row = _read_declarations(lines, where)
    stripped = (line.strip() for line in lines[first_row:])
    rows = [row for row in stripped if row[:1] not in ("", "%") and row != ","]
    source.check_size(len(rows), _ROOM * len(attributes))
    columns = _read_rows(rows, attributes, where)
    return RawTable(columns, len(rows), tuple(columns), findings=letters)


def _read_declarations(lines: list[str], where: str) -> tuple[list[_Attribute], int]:
    """Return the declared columns and the number of the line after ``@data``."""
    attributes: list[_Attribute] = []
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line[:10].lower() == "@attribute":
            attributes.append(_declare(line[10:], where))
        elif line[:5].lower() == "@data":
            if not attributes:
                break
            names = name_columns([attribute.name for attribute in attributes])
            return [replace(a, name=n) for a, n in zip(attributes, names, strict=True)], number
    what = "a line '@data' before its rows" if attributes else "at least one @attribute"
    raise DataError(f"{where} must have {what}; it has none. Check that the ARFF file is complete.")


def _declare(rest: str, where: str) -> _Attribute:
    """Read what follows ``@attribute``: a name, then a list of values or a type."""
    match = _NAME.match(rest)
    name, kind = (_unquoted(match[1]), match[2].strip()) if match else ("", "")
    if kind.startswith("{") and "}" in kind:
        inner = kind[1 : kind.rindex("}")]
        cells = _comma_cells(inner) if "," in inner else _SPACED_CELL.findall(inner)
        values = dict.fromkeys(_unquoted(cell) for cell in cells if cell)
        return _Attribute(name, "nominal", tuple(values))
    known = _KINDS.get(" ".join(kind.split()[:1]).lower())
    if known is None:
        raise DataError(
            f"{where} must give every @attribute a name and a type: {', '.join(_KINDS)} or a list "
            f"of values in braces; found '@attribute{rest[:80]}'. Correct the declaration."
        )
    return _Attribute(name, known)


def _unquoted(token: str) -> str:
    """Remove the quotes around a token and the backslashes inside it."""
    if len(token) >= 2 and token[0] in "'\"" and token[-1] == token[0]:
        return _ESCAPE.sub(lambda match: _ESCAPED_AS.get(match[1], match[1]), token[1:-1])
    return token


def _comma_cells(text: str) -> Iterator[str]:
    """Walk over cells between commas, quotes left on, spaces around them removed.

    >>> list(_comma_cells("1 , 'a, b' ,, x'y"))
    ['1', "'a, b'", '', "x'y"]
    """
    for match in _COMMA_CELL.finditer(text):
        yield match[1] or (match[2] or "").strip()
        if not match[3]:
            return


def _read_rows(rows: list[str], attributes: list[_Attribute], where: str) -> dict[str, RawColumn]:
    """Read the rows, naming row and column of the first cell that is wrong."""
    cells = [_cells_of(row, len(attributes)) for row in rows]
    for number, found in enumerate(cells, start=1):
        if len(found) != len(attributes):
            raise DataError(
                f"row {number} of {where} must have {len(attributes)} cells, as many as there are "
                "@attribute lines. Correct the row, quote values that contain a comma, or save "
                "sparse rows in full."
            )
    columns = zip(*cells, strict=True) if cells else [()] * len(attributes)
    return {a.name: _column(c, a, where) for a, c in zip(attributes, columns, strict=True)}


def _cells_of(row: str, n_cells: int) -> list[str | None]:
    """Cut a row into cells, None where one is missing; into none if it is a sparse row."""
    if row.startswith("{"):
        return []
    if n_cells > 1 and "," not in row:
        return [_cell(cell) for cell in _SPACED_CELL.findall(row)]
    if "'" in row or '"' in row:
        return [_cell(cell) for cell in _comma_cells(row)]
    return [_cell(cell.strip()) for cell in row.split(",")]


def _cell(text: str) -> str | None:
    return None if text in ("?", "") else _unquoted(text)


def _column(cells: Sequence[str | None], attribute: _Attribute, where: str) -> RawColumn:
    """Take the cells of a column as its header declares them."""
    values = attribute.values
    if attribute.kind == "text":
        return Texts.of_cells(cells)
    codes = {value: code for code, value in enumerate(values or ())}
    read: Callable[[str], float] = float if values is None else codes.__getitem__
    found = np.full(len(cells), np.nan if values is None else -1)
    for row, cell in enumerate(cells):
        try:
            found[row] = found[row] if cell is None else read(cell)
        except (ValueError, KeyError):
            what = "a number" if values is None else "one of the values"
            raise DataError(
                f"{attribute.name!r}={cell!r} in row {row + 1} of {where} must be {what} that its "
                "header declares. Correct the cell, or write ? if the value is missing."
            ) from None
    if values is None:
        return Numbers(found, declared=True)
    return Texts.of(found.astype(np.int32), values, declared=True)


def _is_arff(name: str, head: bytes) -> bool:
    """Whether a file begins like an ARFF file, in whatever encoding and under whatever name."""
    plain = head.decode("latin-1").replace("\0", "").lstrip("ÿþï»¿")
    lines = (line.strip().lower() for line in _LINE_ENDS.split(plain))
    first = next((line for line in lines if line and not line.startswith("%")), "")
    return first.startswith(("@relation", "@attribute"))


ARFF = Format("ARFF", (".arff",), read_arff, _is_arff)
