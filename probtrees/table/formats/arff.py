"""Read ARFF, Weka's format: declarations first, then rows of comma-separated cells.

What the file declares is taken as it stands: the type of every column, the values of a nominal
column, their order, and values that no row has. Files found in the wild are forgiven: comment
and blank lines among the rows, lines that hold nothing but a comma, a comma after a name, tabs,
any mixture of line ends, both kinds of quotes with backslash escapes, sparse rows. A bare ``?``
is missing, a quoted one is a value.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from probtrees.errors import DataError, did_you_mean
from probtrees.table.cells.arrow_arrays import codes, floats
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.formats.decode import decode, detect_encoding
from probtrees.table.formats.format import Format
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions

_LINE_ENDS = re.compile(r"[\r\n]+")
_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_NAME = re.compile(rf"\s*({_QUOTED}|[^\s,{{}}]+)[\s,]*(.*)", re.DOTALL)
_CELL = re.compile(rf"\s*({_QUOTED}|[^,]*?)\s*(,|$)", re.DOTALL)
_SPACED_CELL = re.compile(rf"\s*({_QUOTED}|\S+)(\s+|$)")
_SPARSE_CELL = re.compile(rf"\s*(\d+)\s+({_QUOTED}|[^,}}]+?)\s*(,|$)")
_PADDED_QUOTE = re.compile(r"(?m)(?:^|,)[ \t]+['\"]|['\"][ \t]+(?:,|$)")
_LETTER_ESCAPE = re.compile(r"\\[nrt]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED_AS = {"n": "\n", "r": "\r", "t": "\t"}
_NUMERIC_TYPES = ("numeric", "real", "integer")


@dataclass(frozen=True)
class _Attribute:
    """One declaration: values for a nominal column, None for a numeric or text one."""

    name: str
    kind: str
    values: tuple[str, ...] | None = None


def _is_arff(name: str, head: bytes) -> bool:
    """Whether a file begins like an ARFF file, in whatever encoding and under whatever name."""
    plain = head.decode("latin-1").replace("\0", "").lstrip("ÿþï»¿")
    for line in _LINE_ENDS.split(plain):
        stripped = line.strip().lower()
        if stripped and not stripped.startswith("%"):
            return stripped.startswith(("@relation", "@attribute"))
    return False


def read_arff(source: TableSource, options: ReadOptions) -> RawTable:
    """Read all columns of an ARFF file, whatever the options: its lines cannot be read in part."""
    where = source.where
    lines = _LINE_ENDS.split(decode(source, detect_encoding(source)))
    attributes, first_row = _read_declarations(lines, where)
    rows = [line for line in lines[first_row:] if _holds_a_row(line)]
    columns = _read_quickly(rows, attributes)
    if columns is None:
        columns = _read_carefully(rows, attributes, where)
    return RawTable(columns, len(rows), tuple(columns))


def _holds_a_row(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and stripped[0] != "%" and stripped != ","


def _read_declarations(lines: list[str], where: str) -> tuple[list[_Attribute], int]:
    """Return the declared columns and the number of the line after ``@data``."""
    attributes: list[_Attribute] = []
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        number += 1
        keyword = line[:10].lower()
        if keyword.startswith("@attribute"):
            while "{" in line and not _closes(line) and number < len(lines):
                line += " " + lines[number].strip()
                number += 1
            attributes.append(_declare(line[10:], where))
        elif keyword.startswith("@data"):
            _check_names(attributes, where)
            return attributes, number
    raise DataError(
        f"{where} must have a line '@data' before its rows; it has none. Check that the ARFF file "
        "is complete."
    )


def _closes(line: str) -> bool:
    """Whether the list of values opened in a declaration also ends there."""
    return "}" in re.sub(_QUOTED, "", line)


def _declare(rest: str, where: str) -> _Attribute:
    """Read what follows ``@attribute``: a name, then a list of values or a type."""
    match = _NAME.match(rest)
    if match is None or not match.group(2).strip():
        raise DataError(
            f"{where} must give every @attribute a name and a type; found '@attribute{rest}'. "
            "Correct the declaration."
        )
    name, rest = _unquote(match.group(1)), match.group(2).strip()
    if rest.startswith("{"):
        return _Attribute(name, "nominal", _declared_values(rest))
    kind = rest.split()[0].lower()
    if kind in _NUMERIC_TYPES:
        return _Attribute(name, "numeric")
    if kind in ("string", "date"):
        return _Attribute(name, kind)
    raise DataError(
        f"@attribute {name!r} of {where} has the type {kind!r}, which must be numeric, real, "
        "integer, string, date or a list of values in braces. Correct the declaration."
    )


def _declared_values(rest: str) -> tuple[str, ...]:
    inner = rest[1 : rest.rindex("}")] if "}" in rest else rest[1:]
    cells = _split(inner, _CELL if "," in inner else _SPACED_CELL)
    values = [_unquote(cell) for cell in cells if cell]
    return tuple(dict.fromkeys(values))


def _check_names(attributes: list[_Attribute], where: str) -> None:
    if not attributes:
        raise DataError(f"{where} must declare at least one @attribute. Check that it is complete.")
    seen: set[str] = set()
    for attribute in attributes:
        if attribute.name in seen:
            raise DataError(
                f"column={attribute.name!r} of {where} must be declared once; the name occurs "
                "twice. Rename one of the two columns."
            )
        seen.add(attribute.name)


def _read_quickly(rows: list[str], attributes: list[_Attribute]) -> dict[str, RawColumn] | None:
    """Read the rows with Arrow's parser; None where it would not understand them."""
    body = "\n".join(rows)
    single, double = "'" in body, '"' in body
    unusual = (single and double) or (len(attributes) > 1 and "," not in body)
    if not rows or unusual or rows[0].lstrip().startswith("{"):
        return None
    if (single or double) and (_PADDED_QUOTE.search(body) or _LETTER_ESCAPE.search(body)):
        return None
    names = [str(number) for number in range(len(attributes))]
    text_type = pa.dictionary(pa.int32(), pa.string())
    types = {
        name: pa.float64() if attribute.kind == "numeric" else text_type
        for name, attribute in zip(names, attributes, strict=True)
    }
    quote: str | bool = "'" if single else '"' if double else False
    try:
        table = arrow_csv.read_csv(
            io.BytesIO(body.encode()),
            read_options=arrow_csv.ReadOptions(column_names=names),
            parse_options=arrow_csv.ParseOptions(
                quote_char=quote, double_quote=False, escape_char="\\" if quote else False
            ),
            convert_options=arrow_csv.ConvertOptions(
                column_types=types,
                null_values=["?", "", " ?", "? ", " ? ", "\t?"],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    if table.num_rows != len(rows):
        return None
    columns: dict[str, RawColumn] = {}
    for name, attribute in zip(names, attributes, strict=True):
        column = _from_arrow(table[name], attribute)
        if column is None:
            return None
        columns[attribute.name] = column
    return columns


def _from_arrow(column: pa.ChunkedArray, attribute: _Attribute) -> RawColumn | None:
    if attribute.kind == "numeric":
        return Numbers(floats(column), declared=True)
    single = column.unify_dictionaries().combine_chunks()
    if isinstance(single, pa.ChunkedArray):
        single = single.chunk(0)
    found = [text.strip() for text in single.dictionary.to_pylist()]
    positions = codes(single.indices)
    values = attribute.values if attribute.values is not None else tuple(dict.fromkeys(found))
    known = {value: code for code, value in enumerate(values)}
    if any(text not in known for text in found):
        return None
    code_of = np.array([known[text] for text in found] + [-1], dtype=np.int32)
    return Texts.of(code_of[positions], values, declared=attribute.values is not None)


def _read_carefully(
    rows: list[str], attributes: list[_Attribute], where: str
) -> dict[str, RawColumn]:
    """Read the rows cell by cell, naming row and column of the first cell that is wrong."""
    cells = [_cells_of(row, attributes) for row in rows]
    for number, found in enumerate(cells, start=1):
        if len(found) != len(attributes):
            raise DataError(
                f"row {number} of {where} must have {len(attributes)} cells, as many as there are "
                f"@attribute lines; it has {len(found)}. Correct the row, or quote values that "
                "contain a comma."
            )
    return {
        attribute.name: _careful_column([row[number] for row in cells], attribute, where)
        for number, attribute in enumerate(attributes)
    }


def _cells_of(row: str, attributes: list[_Attribute]) -> list[str | None]:
    stripped = row.strip()
    if stripped.startswith("{"):
        dense: list[str | None] = [
            "0" if attribute.kind == "numeric" else (attribute.values or ("",))[0]
            for attribute in attributes
        ]
        for match in _SPARSE_CELL.finditer(stripped[1:].rstrip("}")):
            if int(match.group(1)) < len(dense):
                dense[int(match.group(1))] = _cell(match.group(2))
        return dense
    spaced = len(attributes) > 1 and "," not in stripped
    return [_cell(cell) for cell in _split(stripped, _SPACED_CELL if spaced else _CELL)]


def _cell(text: str) -> str | None:
    return None if text in ("?", "") else _unquote(text)


def _careful_column(cells: list[str | None], attribute: _Attribute, where: str) -> RawColumn:
    if attribute.kind == "numeric":
        numbers = np.full(len(cells), np.nan)
        for row, cell in enumerate(cells):
            if cell is not None:
                numbers[row] = _number(cell, row, attribute.name, where)
        return Numbers(numbers, declared=True)
    found = (cell for cell in cells if cell is not None)
    values = attribute.values if attribute.values is not None else tuple(dict.fromkeys(found))
    known = {value: code for code, value in enumerate(values)}
    found_codes = np.full(len(cells), -1, dtype=np.int32)
    for row, cell in enumerate(cells):
        if cell is None:
            continue
        if cell not in known:
            raise DataError(
                f"{attribute.name!r}={cell!r} in row {row + 1} of {where} must be one of the "
                f"values declared in its header. {did_you_mean(cell, values)}"
            )
        found_codes[row] = known[cell]
    return Texts.of(found_codes, values, declared=attribute.values is not None)


def _number(cell: str, row: int, name: str, where: str) -> float:
    try:
        return float(cell)
    except ValueError:
        raise DataError(
            f"{name!r}={cell!r} in row {row + 1} of {where} must be a number, as its header "
            "declares. Correct the cell, or write ? if the value is missing."
        ) from None


def _split(text: str, cell: re.Pattern[str]) -> Iterator[str]:
    """Walk over the cells of a line."""
    position = 0
    while position <= len(text):
        match = cell.match(text, position)
        if match is None:
            return
        yield match.group(1)
        if match.end() == len(text) and not match.group(2).startswith(","):
            return
        position = match.end()


def _unquote(token: str) -> str:
    """Remove the quotes around a token and the backslashes inside it."""
    if len(token) >= 2 and token[0] in "'\"" and token[-1] == token[0]:
        return _ESCAPE.sub(
            lambda match: _ESCAPED_AS.get(match.group(1), match.group(1)), token[1:-1]
        )
    return token


ARFF = Format("ARFF", (".arff",), read_arff, _is_arff)
