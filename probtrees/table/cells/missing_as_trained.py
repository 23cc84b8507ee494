"""Cells of a new table that meant missing in training: declared codes, and what somebody said.

A model remembers which texts of a column are no values: 9 where a file of SPSS declares it so, 999
where a person said so. Another program writes them as 9.0, 9,0 or by their label, or writes the
code where training had the label.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.same_words import folded
from probtrees.table.cells.spelled_numbers import ANY_UNIT, CLOCK, spell
from probtrees.table.cells.value_labels import labels_of_codes, number_of
from probtrees.table.dataset import Column, Schema
from probtrees.table.table_report import Finding
from probtrees.words import quoted

_LISTED = 3


def blank_as_trained(
    raw: RawTable, schema: Schema, unused: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Empty the cells that meant missing in training, however they are written; say so once.

    Nothing is said of columns that are ``unused``.
    """
    rows_of: dict[str, int] = {}
    columns_of: dict[str, list[str]] = {}
    for name, column in {c.source_name: c for c in schema.columns}.items():
        found = raw.columns.get(name)
        if found is None or not column.spelling.missing:
            continue
        raw.columns[name], gone = _blanked(found, column)
        for text, n_rows in gone.items() if name not in unused else ():
            rows_of[text] = rows_of.get(text, 0) + n_rows
            columns_of.setdefault(text, []).append(name)
    if not rows_of:
        return ()
    parts = [
        f"{quoted(text)} in {'1 cell' if n == 1 else f'{n:,} cells'} of {_few(columns_of[text])}"
        for text, n in list(rows_of.items())[:_LISTED]
    ]
    more = f"; {len(rows_of) - _LISTED} more" if len(rows_of) > _LISTED else ""
    sentence = f"Read as missing, as in training: {'; '.join(parts)}{more}."
    return (Finding(None, "missing as trained", sentence),)


def _few(names: list[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(map(repr, names[:_LISTED])) + more


def _blanked(found: RawColumn, column: Column) -> tuple[RawColumn, dict[str, int]]:
    """Return a column without such cells, and how many there were of each."""
    if isinstance(found, Numbers):
        kept = found.without(_texts_for_missing(column))
        lost, n_rows = np.unique(found.values[kept.missing & ~found.missing], return_counts=True)
        return kept, dict(zip(map(spell, lost.tolist()), n_rows.tolist(), strict=True))
    if not isinstance(found, Texts) or found.boolean:
        return found, {}
    gone = _meaning_missing(found, column)
    rows = zip(found.texts, found.rows_of.tolist(), strict=True)
    return found.without(gone), {text: n for text, n in rows if n and text in gone}


def _texts_for_missing(column: Column) -> tuple[str, ...]:
    """List what means missing in a column: texts of training, and codes that they are labels of.

    The labels of such codes too. Not codes where a label is a number, since a number may
    then be either.
    """
    said = column.spelling.missing
    labels = labels_of_codes((code for code, _ in column.value_labels), (), column.value_labels)
    found = [code for code, label in labels.items() if label in said]
    found += [x for code, x in labels.items() if code in said and x not in column.codes]
    return tuple(dict.fromkeys((*said, *found)))


def _meaning_missing(found: Texts, column: Column) -> Collection[str]:
    """List the texts that are, in case, by number or behind a unit, one that means missing."""
    missing = _texts_for_missing(column)
    words = set(map(folded, missing))
    numbers = {n for text in missing if (n := number_of(text)) is not None}
    unknown = [text for text in found.texts if text not in column.codes]
    gone = {t for t in unknown if folded(t) in words or number_of(t) in numbers}
    is_amount = not (column.is_nominal or column.date_part or column.spelling.within)
    if numbers and is_amount and column.spelling.unit != CLOCK:
        written = replace(column.spelling, unit=column.spelling.unit or ANY_UNIT)
        values = replace(found, known=written).numbers.values
        gone |= {found.texts[place] for place in np.flatnonzero(np.isin(values, list(numbers)))}
    return gone
