"""Turn a raw table into the numbers and codes of a schema: steps, then readings, then codes.

Also the columns that say something about rows rather than describe them: weight, group, time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.table.arrow_arrays import text_array
from probtrees.table.dataset import UNSEEN, Column, Schema
from probtrees.table.findings import ROW_ROLES, Role
from probtrees.table.raw_table import RawTable, Texts
from probtrees.table.readings.dates import date_part
from probtrees.table.readings.find_reading import find_reading, read_cells, read_texts
from probtrees.table.readings.numbers import parse_plain
from probtrees.table.readings.reading import PLAIN
from probtrees.table.readings.words import spelled_alike
from probtrees.table.repeats import row_blocks
from probtrees.table.steps import apply_steps
from probtrees.types import BoolArray, FloatArray

CellProblems = dict[int, list[str]]
"""What is wrong with rows, by their number from 0."""


def encode(raw: RawTable, schema: Schema) -> FloatArray:
    """Fill the matrix of a schema; a column the table lacks is missing everywhere.

    Categories are looked up while so many rows are written as stay in the processor's cache.
    """
    values = np.empty((raw.n_rows, schema.n_columns))
    columns = [_to_look_up(raw, column) for column in schema.columns]
    for rows in row_blocks(raw.n_rows, 4 * schema.n_columns):
        part = [cells[rows] if table is None else table[cells[rows]] for table, cells in columns]
        values[rows] = np.array(part).T
    raw.columns.clear()
    return values


def encode_named(raw: RawTable, column: Column) -> FloatArray:
    """Encode one column: numbers as they are, categories and parts of dates as codes."""
    table, cells = _to_look_up(raw, column)
    return np.asarray(cells if table is None else table[cells])


def _to_look_up(raw: RawTable, column: Column) -> tuple[FloatArray | None, NDArray[Any]]:
    """Return the values of a column, or a table of values and the place of each in it."""
    found = apply_steps(raw, column)
    if found is None:
        return None, np.full(raw.n_rows, np.nan)
    if column.is_nominal and column.date_part is None:
        texts = found.as_texts()
        return np.append(category_codes(texts.texts, column, raw.decimal), np.nan), texts.codes
    part = None if column.date_part in ("age", "span") else column.date_part
    is_date = part is not None
    values, unread = read_cells(found, column.reading, is_date=is_date, decimal=raw.decimal)
    what = "a number" if column.date_part is None else "a date"
    raw.check_cells(found, unread, column.source_name, what)
    if (infinite := np.isinf(values)).any():
        raw.check_cells(found, infinite, column.source_name, "a finite number")
        values = np.where(infinite, np.nan, values)
    return None, values if part is None else date_part(values, part)


def category_codes(texts: Sequence[str], column: Column, decimal: str = ".") -> FloatArray:
    """Look up the codes of texts; where that fails, by value, or by another spelling.

    By value 1.0 is 1; other spellings are those in another case, with other accents, and other
    words for yes and no: a model that was fitted on true and false is asked about 1 and 0.
    """
    codes = np.array([column.codes.get(text, UNSEEN) for text in texts], dtype=np.float64)
    unknown = np.flatnonzero(codes == UNSEEN)
    if len(unknown):
        left = [texts[place] for place in unknown.tolist()]
        known = parse_plain(text_array(column.codes)).tolist()
        by_value = dict(zip(known, column.codes.values(), strict=True))
        numbers, _ = read_texts(text_array(left), column.reading, decimal=decimal)
        codes[unknown] = [by_value.get(number, UNSEEN) for number in numbers.tolist()]
        meant = spelled_alike(left, column.categories or ())
        for place in np.flatnonzero(codes == UNSEEN).tolist():
            codes[place] = column.codes.get(meant.get(texts[place], ""), UNSEEN)
    if rest := next((s.settings["rest"] for s in column.steps if s.settings.get("rest")), ""):
        codes[codes == UNSEEN] = column.codes[rest]
    return codes


def cell_value(text: str, column: Column) -> float:
    """Read one text that somebody typed as a number, hours or days; NaN where it does not fit."""
    is_date = column.date_part is not None
    return float(read_cells(Texts.of_cells([text]), column.reading, is_date=is_date)[0][0])


def row_roles(raw: RawTable, roles: Mapping[str, Role]) -> dict[str, Any]:
    """Read what columns say of rows: the weights, groups and times of a ``Dataset``.

    Weights and times are NaN where missing. A row whose group is missing is a group of its own.
    """
    found: dict[str, Any] = {}
    for name, role in roles.items():
        column = raw.columns.get(name)
        if column is None or role not in ROW_ROLES:
            continue
        if role == "group":
            texts = column.as_texts()
            groups = texts.codes.astype(np.int64)
            alone = np.flatnonzero(groups < 0)
            groups[alone] = texts.n_distinct + np.arange(len(alone))
            found["groups"] = groups
            continue
        reading, what = PLAIN, "a date or a number"
        if isinstance(column, Texts):
            kinds = ("numeric" if role == "weight" else "", "date")
            read = (find_reading(column, raw.decimal, kind).reading for kind in kinds)
            reading = next(filter(None, read), PLAIN)
        values, wrong = read_cells(column, reading, decimal=raw.decimal)
        if role == "weight":
            wrong, what = wrong | (values < 0) | np.isinf(values), "a weight of at least 0"
        # These are always refused: what is told of a model's columns is not told of rows.
        replace(raw, problems=None, unused=()).check_cells(column, wrong, name, what)
        found[f"{role}s"] = values
    return found


def rows_to_learn_from(
    roles: Mapping[str, FloatArray], n_rows: int, class_missing: BoolArray | None
) -> tuple[BoolArray, dict[str, int]]:
    """Find the rows to learn from, and count the others by the first reason that applies."""
    reasons = {} if class_missing is None else {"no class": class_missing}
    reasons |= {"no weight": ~(roles["weights"] > 0)} if "weights" in roles else {}
    reasons |= {"no time": np.isnan(roles["times"])} if "times" in roles else {}
    kept, dropped = np.ones(n_rows, dtype=np.bool_), {}
    for reason, applies in reasons.items():
        if count := int((applies & kept).sum()):
            dropped[reason] = count
            kept &= ~applies
    return kept, dropped
