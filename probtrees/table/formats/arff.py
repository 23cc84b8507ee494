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
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from probtrees.errors import DataError, did_you_mean
from probtrees.table.cells.arrow_arrays import codes, floats
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.formats.arff_cells import (
    closes,
    comma_cells,
    name_and_rest,
    spaced_cells,
    sparse_cells,
    unquote,
)
from probtrees.table.formats.decode import decode, detect_encoding, encoding_findings
from probtrees.table.formats.format import Format
from probtrees.table.formats.table_source import TableSource
from probtrees.table.read_options import ReadOptions

_LINE_ENDS = re.compile(r"[\r\n]+")
_PADDED_QUOTE = re.compile(r"(?m)(?:^|,)[ \t]++['\"]|['\"][ \t]++(?:,|$)")
_LETTER_ESCAPE = re.compile(r"\\[nrt]")
_CAREFUL = 8
"""So many times the room of a number does a cell take that is read by itself."""
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
    encoding = detect_encoding(source, options.encoding)
    text = decode(source, encoding)
    lines = _LINE_ENDS.split(text)
    attributes, first_row = _read_declarations(lines, where)
    rows = [line for line in lines[first_row:] if _holds_a_row(line)]
    source.check_size(len(rows), len(attributes))
    columns = _read_quickly(rows, attributes)
    if columns is None:
        source.check_size(len(rows), _CAREFUL * len(attributes))
        columns = _read_carefully(rows, attributes, where)
    said = encoding_findings(encoding, text)
    return RawTable(columns, len(rows), tuple(columns), findings=said)


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
            parts = [line[10:]]
            if "{" in line:
                while not closes(parts[-1]) and number < len(lines):
                    parts.append(lines[number].strip())
                    number += 1
            attributes.append(_declare(" ".join(parts), where))
        elif keyword.startswith("@data"):
            _check_names(attributes, where)
            return attributes, number
    raise DataError(
        f"{where} must have a line '@data' before its rows; it has none. Check that the ARFF file "
        "is complete."
    )


def _declare(rest: str, where: str) -> _Attribute:
    """Read what follows ``@attribute``: a name, then a list of values or a type."""
    name, kind_of = name_and_rest(rest)
    if not name or not kind_of:
        raise DataError(
            f"{where} must give every @attribute a name and a type; found '@attribute{rest}'. "
            "Correct the declaration."
        )
    if kind_of.startswith("{"):
        return _Attribute(name, "nominal", _declared_values(kind_of))
    kind = kind_of.split(maxsplit=1)[0].lower()
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
    cells = comma_cells(inner) if "," in inner else spaced_cells(inner)
    values = [unquote(cell) for cell in cells if cell]
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
    cells = [_cells_of(row, n, attributes, where) for n, row in enumerate(rows, start=1)]
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


def _cells_of(row: str, number: int, attributes: list[_Attribute], where: str) -> list[str | None]:
    stripped = row.strip()
    if stripped.startswith("{"):
        dense: list[str | None] = [
            "0" if attribute.kind == "numeric" else (attribute.values or ("",))[0]
            for attribute in attributes
        ]
        found = sparse_cells(stripped, len(attributes))
        if found is None:
            raise DataError(
                f"row {number} of {where} must name columns from 0 to {len(attributes) - 1}, each "
                f"once and with its value, such as {{0 5, 2 red}}; it is {stripped!r}. Correct it."
            )
        for column, cell in found.items():
            dense[column] = _cell(cell)
        return dense
    spaced = len(attributes) > 1 and "," not in stripped
    return [_cell(cell) for cell in (spaced_cells if spaced else comma_cells)(stripped)]


def _cell(text: str) -> str | None:
    return None if text in ("?", "") else unquote(text)


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


ARFF = Format("ARFF", (".arff",), read_arff, _is_arff)
