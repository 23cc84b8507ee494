"""Turn a raw table into the numbers and codes of a schema."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.table.cells.arrow_arrays import text_array
from probtrees.table.cells.choices import is_list, pieces_of
from probtrees.table.cells.dates import ages_of, date_part
from probtrees.table.cells.intervals import cuts_of_names
from probtrees.table.cells.misspelt import meant_by
from probtrees.table.cells.numbers_within import read_within
from probtrees.table.cells.other_spellings import known_spellings, meaning_no_mark
from probtrees.table.cells.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.same_words import folded, join_keys
from probtrees.table.cells.spelled_numbers import parse_numbers
from probtrees.table.cells.value_labels import codes_among, labels_of_codes
from probtrees.table.dataset import UNSEEN, Column, Schema
from probtrees.table.spelling import Spelling
from probtrees.types import FloatArray

_TOGETHER = 8
_ROWS_TOGETHER = 8192
_ROWS_PER_TASK = 8 * _ROWS_TOGETHER

_TRUTH = {"0": "false", "1": "true", "false": "0", "true": "1"}
"""Truth values as frames and files write them, each with the other way to write it."""

CellProblems = dict[int, list[str]]
"""What is wrong with rows, by their number from 0."""


@dataclass(frozen=True)
class Encoded:
    """A column on its way into the matrix: numbers, or codes into a table of numbers.

    The first entry of the table belongs to code -1, the missing value.
    """

    values: NDArray[Any]
    table: FloatArray | None = None

    def take(self, rows: slice) -> FloatArray:
        """Return the numbers of some rows."""
        if self.table is None:
            return self.values[rows]
        return self.table.take(self.values[rows] + 1, mode="clip")


def encode(raw: RawTable, schema: Schema) -> FloatArray:
    """Fill the matrix of a schema; a column the table lacks is missing everywhere.

    Raw columns are let go as soon as they are encoded. Eight columns are filled at a time, which
    writes whole cache lines.
    """
    values = np.empty((raw.n_rows, schema.n_columns))
    last_use = {column.source_name: number for number, column in enumerate(schema.columns)}
    seen_on = {column.spelling.at_column for column in schema.columns}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for first in range(0, schema.n_columns, _TOGETHER):
            numbers = range(first, min(first + _TOGETHER, schema.n_columns))
            encoded = [encode_named(raw, schema.columns[number]) for number in numbers]
            _fill(values, first, encoded, pool)
            for number in numbers:
                name = schema.columns[number].source_name
                if last_use[name] == number and name not in seen_on:
                    raw.columns.pop(name, None)
    return values


def _fill(values: FloatArray, first: int, encoded: list[Encoded], pool: ThreadPoolExecutor) -> None:
    """Write columns side by side; numpy lets other threads run while it copies."""

    def fill_some(start: int) -> None:
        stop = min(start + _ROWS_PER_TASK, len(values))
        for begin in range(start, stop, _ROWS_TOGETHER):
            rows = slice(begin, min(begin + _ROWS_TOGETHER, stop))
            for number, column in enumerate(encoded, start=first):
                values[rows, number] = column.take(rows)

    if len(values) <= _ROWS_PER_TASK:
        fill_some(0)
    else:
        list(pool.map(fill_some, range(0, len(values), _ROWS_PER_TASK)))


def encode_named(raw: RawTable, column: Column) -> Encoded:
    """Encode one column of a table, with the dates of another one where it counts days to these."""
    found = raw.columns.get(column.source_name)
    if found is None:
        return Encoded(np.broadcast_to(np.float64(np.nan), raw.n_rows))
    if column.date_part == "age" and column.spelling.at_column in raw.columns:
        return _encode_age(found, raw.columns[column.spelling.at_column], column)
    if column.date_part == "span":
        return _encode_span(found, raw.columns.get(column.spelling.at_column), column)
    return encode_column(found, column)


def _encode_span(found: RawColumn, until: RawColumn | None, column: Column) -> Encoded:
    """Encode the days to a date of the same row; times of day are told to about a minute."""
    begin = _read_dates(found, column).days
    if until is None:
        return Encoded(np.full(len(begin), np.nan))
    return Encoded(np.round(until.as_dates(column.spelling.at_day_first).days - begin, 3))


def _encode_age(found: RawColumn, seen_on: RawColumn, column: Column) -> Encoded:
    """Encode a birth date as the age on a date of the same row, if there is one."""
    born = _read_dates(found, column).days
    seen = seen_on.as_dates(column.spelling.at_day_first).days
    seen = np.where(np.isnan(seen), column.spelling.at_day, seen)
    return Encoded(ages_of(born, seen))


def encode_column(found: RawColumn, column: Column) -> Encoded:
    """Encode one column: numbers as they are, categories and parts of dates as codes."""
    if column.date_part is not None:
        return _encode_date(found, column)
    if column.is_nominal:
        texts = found.without(column.spelling.missing).as_texts()
        labels = labels_of_codes(texts.texts, column.codes, column.value_labels)
        return _encode_categories(texts.respelled(labels) if labels else texts, column)
    if column.value_labels and isinstance(found, Texts):
        found = found.respelled(codes_among(found.texts, column.value_labels))
    found = found.written(column.spelling)
    numbers = found.as_numbers()
    if numbers is not found:
        _refuse_unreadable(found, numbers.missing & ~found.missing, column, "a number")
    _refuse_unreadable(numbers, np.isinf(numbers.values), column, "a finite number")
    return Encoded(numbers.values)


def _encode_date(found: RawColumn, column: Column) -> Encoded:
    assert column.date_part is not None
    dates = _read_dates(found, column)
    if column.date_part == "age":
        parts = ages_of(dates.distinct, column.spelling.at_day)
    else:
        parts = date_part(dates.distinct, column.date_part)
    return Encoded(dates.codes, np.insert(parts, 0, np.nan))


def _read_dates(found: RawColumn, column: Column) -> Dates:
    if isinstance(found, Numbers) and column.spelling.year_first:
        found = found.as_texts()  # 220131 in a frame
    found = found.written(column.spelling)
    dates = found.as_dates(column.day_first)
    _refuse_unreadable(found, dates.missing & ~found.missing, column, "a date")
    return dates


def _refuse_unreadable(
    found: RawColumn, wrong: NDArray[np.bool_], column: Column, what: str
) -> None:
    if wrong.any():
        row = int(wrong.argmax())
        raise DataError(
            f"{column.source_name!r}={found.cell(row)!r} in row {row + 1} must be {what}. Correct "
            "the cell, or leave it empty if the value is not known."
        )


def _encode_categories(found: Texts, column: Column) -> Encoded:
    """Look up codes by spelling; where that fails, by another one, by value, or by interval.

    Other spellings are those in another case; by value 1.0 is 1.
    """
    if column.spelling.choice:
        return _encode_choice(found, column.spelling.choice)
    code_of, texts = column.codes, found.texts
    if column.spelling.joined:
        texts = tuple(join_keys(texts, code_of))
        code_of = dict(zip(join_keys(code_of), code_of.values(), strict=True))
    found_codes = zip(found.texts, texts, strict=True)
    known_codes = (column.codes.get(text, code_of.get(key, UNSEEN)) for text, key in found_codes)
    codes = np.fromiter(known_codes, dtype=np.float64, count=len(texts))
    unknown = codes == UNSEEN
    if unknown.any():
        codes[unknown] = _codes_by_value(found, column)[unknown]
        left = [found.texts[place] for place in np.flatnonzero(codes == UNSEEN).tolist()]
        meant = known_spellings(left, column.codes, column.spelling.empty)
        for place in np.flatnonzero(codes == UNSEEN).tolist():
            codes[place] = column.codes.get(meant.get(found.texts[place], ""), UNSEEN)
        listed = _listed_otherwise(left, column.codes)
        for place in np.flatnonzero(codes == UNSEEN).tolist():
            codes[place] = listed.get(found.texts[place], UNSEEN)
        unmarked = set(meaning_no_mark(left, column.codes, column.spelling.empty))
        codes[[text in unmarked for text in found.texts]] = np.nan
    if column.spelling.joined:
        known = {folded(category): code for category, code in column.codes.items()}
        for place in np.flatnonzero(codes == UNSEEN).tolist():
            codes[place] = known.get(meant_by(folded(found.texts[place]), known) or "", UNSEEN)
    if column.spelling.rest:
        codes[codes == UNSEEN] = column.codes[column.spelling.rest]
    empty = column.spelling.empty
    of_missing = column.codes[empty] if empty else np.nan
    return Encoded(found.codes, np.insert(codes, 0, of_missing))


def _encode_choice(found: Texts, choice: str) -> Encoded:
    """Say of every cell whether an answer is among those that stand in it: no is 0, yes is 1.

    An empty list holds none of them; a cell without a list and without answers says nothing.
    """
    wanted = folded(choice)
    apart = [(pieces_of(text), is_list(text)) for text in found.texts]
    chosen = [
        float(wanted in map(folded, some)) if some or listed else np.nan for some, listed in apart
    ]
    return Encoded(found.codes, np.array([np.nan, *chosen]))


def _listed_otherwise(texts: Iterable[str], codes: Mapping[str, int]) -> dict[str, int]:
    """Find combinations of answers that one table writes as a list and another one in words."""
    texts = list(texts)
    if not any(map(is_list, (*texts, *codes))):
        return {}
    known = {frozenset(map(folded, pieces_of(text))): code for text, code in codes.items()}
    meant = ((text, known.get(frozenset(map(folded, pieces_of(text))))) for text in texts)
    return {text: code for text, code in meant if code is not None}


def _codes_by_value(found: Texts, column: Column) -> FloatArray:
    categories = column.categories or ()
    truth = codes_of_truth(column)
    folded = {category.lower(): code for code, category in enumerate(categories)}
    if found.boolean or folded.keys() == {"false", "true"}:
        folded |= truth
        return np.array(
            [folded.get(text.lower(), UNSEEN) for text in found.texts], dtype=np.float64
        )
    cuts = cuts_of_names(categories)
    if cuts is not None:
        numbers = _amounts(found, column.spelling)
        return np.where(np.isnan(numbers), UNSEEN, np.searchsorted(cuts, numbers))
    within = bool(column.spelling.within)
    numbers = (
        _amounts(found, column.spelling) if within else parse_numbers(found.distinct, found.decimal)
    )
    words = (*(column.codes.keys() - set(categories)), *categories)
    values = zip(parse_numbers(text_array(words)).tolist(), words, strict=True)
    by_value = {value: column.codes[word] for value, word in values if not math.isnan(value)}
    return np.array([by_value.get(number, UNSEEN) for number in numbers.tolist()], dtype=np.float64)


def _amounts(found: Texts, spelling: Spelling) -> FloatArray:
    """Read the number of each distinct text as the column is written that a model learnt from."""
    if spelling.within:
        read = read_within(found.texts, spelling)
        return np.array([np.nan if number is None else float(number) for number in read])
    return (replace(found, known=spelling) if spelling.unit else found).numbers.values


def codes_of_truth(column: Column) -> dict[str, int]:
    """Return the codes of a column's truth values by all their spellings, in small letters.

    A model that was fitted on true and false is asked about 1 and 0, and the other way round.
    """
    folded = {category.lower(): code for category, code in column.codes.items()}
    known = {text: folded[text] for text in _TRUTH if text in folded}
    return known | {_TRUTH[text]: code for text, code in known.items() if _TRUTH[text] not in known}


def blank_unreadable(raw: RawTable, columns: Iterable[Column]) -> CellProblems:
    """Empty the cells of a table that the numbers and dates of columns cannot be read from.

    Returns
    -------
    for every row with such a cell, what it holds: ``age='abc' is not a number``
    """
    problems: CellProblems = {}
    for column in columns:
        found = raw.columns.get(column.source_name)
        if found is None or column.is_nominal:
            continue
        if column.spelling.within:
            _tell_lost(found.without(column.spelling.missing), column, problems)
            continue
        found = found.written(replace(column.spelling, small=0.0))  # scaled when it is encoded
        readable, what = _readable(found, column)
        wrong = np.flatnonzero(readable.missing & ~found.missing).tolist()
        for row in wrong:
            words = f"{column.source_name}={found.cell(row)!r} is not {what}"
            if words not in problems.setdefault(row, []):
                problems[row].append(words)
        if wrong:
            raw.columns[column.source_name] = readable
    return problems


def _tell_lost(found: RawColumn, column: Column, problems: CellProblems) -> None:
    """Tell which cells hold no number where the number in each cell is read."""
    read = found.written(column.spelling)
    for row in np.flatnonzero(read.missing & ~found.missing).tolist():
        words = f"{column.source_name}={found.cell(row)!r} holds no number to read"
        if words not in problems.setdefault(row, []):
            problems[row].append(words)


def _readable(found: RawColumn, column: Column) -> tuple[Numbers | Dates, str]:
    """Read a column as its schema asks, missing where that fails."""
    if column.date_part is not None:
        return found.as_dates(column.day_first), "a date"
    values = found.as_numbers().values
    return Numbers(np.where(np.isinf(values), np.nan, values)), "a number"
