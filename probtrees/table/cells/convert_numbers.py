"""Numbers of a new table in another unit than a model knows: °C for °F, g/l for g/dl.

Nothing in the cells says so, so a person must: the numbers are then multiplied, divided, or
converted between the scales of temperature.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from probtrees.errors import DataError, OptionError, did_you_mean
from probtrees.table.cells.other_spellings import spelled_back
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.dataset import Column, Schema
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray

Converted = Mapping[str, str]
"""By column, how its numbers become those of training: "*1000", "/10", "C-F" or "F-C"."""

AS_WRITTEN = "*1"
"""How numbers stay as they are, where names say that they are in another unit."""
_OWN_UNIT = re.compile(r"\d\s*(?!e[-+]?\d)[^\W\d_]|\d\s*[%°'\"]", re.IGNORECASE)
_DIGITS = 12
_FACTOR = re.compile(r"([*/])\s*(\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Conversion:
    """A straight line from the numbers of a table to those of training."""

    times: float
    plus: float = 0.0

    @classmethod
    def of(cls, how: str) -> Conversion:
        """Read how numbers are converted.

        >>> Conversion.of("/1000"), Conversion.of("c-f")
        (Conversion(times=0.001, plus=0.0), Conversion(times=1.8, plus=32.0))
        """
        if (known := TEMPERATURES.get(how.upper().replace("°", ""))) is not None:
            return known
        found = _FACTOR.fullmatch(how.strip())
        if found is None or float(found[2]) == 0:
            raise OptionError(
                f"converted={how!r} must be *NUMBER or /NUMBER, or C-F or F-C for temperatures."
            )
        number = float(found[2])
        return cls(number if found[1] == "*" else 1 / number)

    def of_numbers(self, values: FloatArray) -> FloatArray:
        """Convert numbers, without the noise of binary fractions."""
        return np.array([float(f"{v:.{_DIGITS}g}") for v in (values * self.times + self.plus)])


TEMPERATURES = {"C-F": Conversion(1.8, 32.0), "F-C": Conversion(1 / 1.8, -32 / 1.8)}


def conversions(converted: Converted, schema: Schema) -> dict[str, tuple[Column, Conversion]]:
    """Return the columns that are to be converted, and how; refuse what is no number."""
    columns = {
        column.source_name: column
        for column in schema.features
        if not column.is_nominal and column.date_part is None
    }
    for name in converted:
        if name not in columns:
            raise DataError(
                f"converted: column={name!r} must be a column of numbers of the model. "
                f"{did_you_mean(name, list(columns))}"
            )
    return {name: (columns[name], Conversion.of(how)) for name, how in converted.items()}


def convert(raw: RawTable, converted: Converted, schema: Schema) -> tuple[Finding, ...]:
    """Convert the numbers of columns as somebody says, and say so."""
    findings = []
    for name, (column, conversion) in conversions(converted, schema).items():
        if name in raw.columns and converted[name] != AS_WRITTEN:
            raw.columns[name], n_rows = _converted(raw.columns[name], column, conversion)
            cells = "1 cell" if n_rows == 1 else f"{n_rows:,} cells"
            sentence = f"Column {name!r}: {cells} converted as said ({converted[name]})."
            findings.append(Finding(name, "converted", sentence))
    return tuple(findings)


def convert_by_names(raw: RawTable, converted: Converted, schema: Schema) -> None:
    """Convert the numbers of columns as the units in their names say.

    Cells with a unit of their own are in that one, whatever the name says.
    """
    for name, (column, conversion) in conversions(converted, schema).items():
        found = raw.columns.get(name)
        if isinstance(found, Texts):
            own = [text for text in found.texts if _OWN_UNIT.search(text)]
            raw.columns[name], _ = _converted(found, column, conversion, own)
        elif found is not None:
            raw.columns[name], _ = _converted(found, column, conversion)


def _converted(
    found: RawColumn, column: Column, conversion: Conversion, but: Collection[str] = ()
) -> tuple[RawColumn, int]:
    """Convert one column; cells that are no numbers stay as they are, and those of ``but``."""
    if isinstance(found, Numbers):
        return replace(found, values=conversion.of_numbers(found.values)), int(
            (~found.missing).sum()
        )
    if not isinstance(found, Texts):
        return found, 0
    written = found.written(column.spelling)
    values = np.append(conversion.of_numbers(written.numbers.values), np.nan)
    codes, rows = np.unique(found.codes, return_index=True)  # '<5' is another text once it is 5
    comma = "," in (column.spelling.decimal, found.decimal)
    meant = {
        found.texts[code]: spelled_back(value, comma=comma)
        for code, value in zip(codes.tolist(), values[written.codes[rows]].tolist(), strict=True)
        if code >= 0 and not np.isnan(value) and found.texts[code] not in but
    }
    return found.respelled(meant), found.rows_with(meant)
