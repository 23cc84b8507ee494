"""Tables as files that spreadsheets open: CSV in the spelling of a country, and Excel's own."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from probtrees.draw.escape import csv_text
from probtrees.errors import OptionError
from probtrees.table.number_text import spell

SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t"}
DECIMALS = {"point": ".", "comma": ","}
_MOST_ROWS = 1_048_575
_LONGEST_CELL = 32_767


@dataclass(frozen=True)
class CsvStyle:
    """How a CSV is written: for programs at first, for spreadsheets of some countries by choice.

    Attributes
    ----------
    separator, decimal : the characters between cells and inside numbers
    mark : begin with the mark by which Excel knows that the text is UTF-8
    """

    separator: str = ","
    decimal: str = "."
    mark: bool = False

    def __post_init__(self) -> None:
        if self.separator == self.decimal:
            raise OptionError(
                f"separator={self.separator!r} must differ from the decimal mark. Choose a "
                "semicolon."
            )


FOR_PROGRAMS = CsvStyle()
FOR_ANYBODY = CsvStyle(mark=True)
"""What programs and Excel alike expect where numbers are written with a decimal point."""

FOR_EXCEL = CsvStyle(";", ",", True)
"""What Excel expects where numbers are written with a decimal comma."""


def csv_bytes(
    table: pd.DataFrame, style: CsvStyle = FOR_PROGRAMS, *, is_first: bool = True
) -> bytes:
    """Write a table as CSV, text that a spreadsheet would run made harmless.

    Of a table written in pieces only the first has the names of the columns, and the mark.
    """
    text = io.StringIO()
    writer = csv.writer(
        text, delimiter=style.separator, lineterminator="\r\n" if style.mark else "\n"
    )
    if is_first:
        writer.writerow([csv_text(str(name)) for name in table.columns])
    columns = [_spelled(table.iloc[:, number], style) for number in range(table.shape[1])]
    writer.writerows(zip(*columns, strict=True))
    return text.getvalue().encode("utf-8-sig" if style.mark and is_first else "utf-8")


def json_pieces(tables: Iterable[pd.DataFrame]) -> Iterator[bytes]:
    """Write tables that follow each other as one JSON list, an object for every row."""
    between = b"[\n"
    for table in tables:
        plain = table.astype(object).where(table.notna(), None)
        for row in plain.to_dict("records"):
            yield between + json.dumps(row, ensure_ascii=False, allow_nan=False).encode("utf-8")
            between = b",\n"
    yield b"[]\n" if between == b"[\n" else b"\n]\n"


def _spelled(column: pd.Series[Any], style: CsvStyle) -> list[str]:
    if column.dtype.kind in "iuf":
        cells = ["" if np.isnan(number) else spell(float(number)) for number in column.tolist()]
        return [cell.replace(".", style.decimal) for cell in cells]
    return ["" if pd.isna(cell) else csv_text(str(cell)) for cell in column.tolist()]


def xlsx_bytes(table: pd.DataFrame) -> bytes:
    """Write a table as an Excel table: numbers as numbers, texts as texts, never as formulas."""
    import xlsxwriter  # noqa: PLC0415  slow to import, seldom needed

    if len(table) > _MOST_ROWS:
        raise OptionError(
            f"rows={len(table):,} must be at most {_MOST_ROWS:,} in an Excel sheet. Write a CSV."
        )
    content, headings = io.BytesIO(), _headings(table)
    plain = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(content, plain) as book:
        sheet = book.add_worksheet("Scored")
        sheet.write_row(0, 0, headings)
        for number in range(table.shape[1]):
            for row, cell in enumerate(table.iloc[:, number].tolist(), start=1):
                if isinstance(cell, str):
                    sheet.write_string(row, number, cell[:_LONGEST_CELL])
                elif not pd.isna(cell) and np.isfinite(cell):
                    sheet.write_number(row, number, cell)
        if table.size:
            columns = [{"header": heading} for heading in headings]
            area = (0, 0, len(table), table.shape[1] - 1)
            sheet.add_table(*area, {"columns": columns, "name": "Scored"})
        sheet.freeze_panes(1, 0)
        sheet.autofit()
    return content.getvalue()


def _headings(table: pd.DataFrame) -> list[str]:
    """Name the columns as an Excel table allows: each once, whatever the case of the letters."""
    seen: set[str] = set()
    headings = []
    for given in table.columns:
        heading = str(given)[:200] or "column"
        while heading.casefold() in seen:
            heading += "'"
        seen.add(heading.casefold())
        headings.append(heading)
    return headings
