"""Points out of a number: 3/10 in training and 3 in a new table, or the other way round.

Pain, marks and grades are written with what they are out of, or without. Where every number of the
new table fits, they are read as in training, and a sentence says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from probtrees.table.cells.numbers_within import FIRST, SECOND, THE_NUMBER
from probtrees.table.cells.raw_table import Numbers, RawColumn, RawTable, Texts
from probtrees.table.cells.special_numbers.points import POINTS, most_points, points_of
from probtrees.table.cells.value_labels import number_of
from probtrees.table.dataset import Column, Schema
from probtrees.table.table_report import Finding
from probtrees.types import FloatArray

_FEWEST = 2
"""A single value with a stroke may be a fraction."""


def read_points_as_trained(
    raw: RawTable, schema: Schema, edges: Mapping[str, FloatArray | None]
) -> tuple[Finding, ...]:
    """Write points out of a number as the model knows them, and say which were written otherwise.

    Parameters
    ----------
    edges : by column, between which numbers training lay
    """
    findings = []
    for name in dict.fromkeys(column.source_name for column in schema.features):
        columns = [column for column in schema.features if column.source_name == name]
        found = raw.columns.get(name)
        if not isinstance(found, Texts | Numbers):
            continue
        written, sentence = _as_trained(found, columns, edges)
        if sentence:
            raw.columns[name] = written
            said = f"Column {name!r}: {sentence}"
            findings.append(Finding(name, "points", said))
    return tuple(findings)


def _as_trained(
    found: RawColumn, columns: list[Column], edges: Mapping[str, FloatArray | None]
) -> tuple[RawColumn, str]:
    """Write one column as in training; nothing is said where nothing differs."""
    first, texts = columns[0], found.as_texts()
    of_points = bool(most_points(first.spelling.unit))
    if first.categories is not None or first.spelling.within == FIRST or of_points:
        most = _out_of(columns, edges)
        meant = _with_most(texts, most, first.categories) if most else {}
        words = f"read as points out of {most}, as in training"
    else:
        meant = _without_most(texts, first, edges.get(first.name))
        words = "read without what they are out of, as in training"
    if not meant:
        return found, ""
    n_rows = texts.rows_with(meant)
    cells = "1 cell is" if n_rows == 1 else f"{n_rows:,} cells are"
    text, to = next(iter(meant.items()))
    return texts.respelled(meant), f"{cells} {words}: {text!r} is {to!r}."


def _out_of(columns: list[Column], edges: Mapping[str, FloatArray | None]) -> str:
    """Return what the points of training are out of, if that is one whole number."""
    categories = columns[0].categories
    if categories is not None:
        points = [POINTS.fullmatch(text) for text in categories]
        found = {match["most"] for match in points if match} if all(points) else set()
        return found.pop() if len(found) == 1 else ""
    if most := most_points(columns[0].spelling.unit):
        return most
    second = (edges.get(c.name) for c in columns if c.spelling.within == SECOND)
    known = next((ends for ends in second if ends is not None and len(ends)), None)
    if known is None or len(set(known.tolist())) > 1 or known[0] % 1 or known[0] <= 0:
        return ""
    return str(int(known[0]))


def _with_most(texts: Texts, most: str, categories: Iterable[str] | None) -> dict[str, str]:
    """Put behind plain numbers what they are out of; nothing unless all of them fit."""
    numbers = {t: n for t in texts.texts if (n := number_of(t)) is not None}
    values = np.array(list(numbers.values()))
    if not len(values) or values.min() < 0 or values.max() > float(most):
        return {}
    if values.max() <= 1 < float(most) and (values % 1).any():
        return {}  # shares of 1, which are other points
    if categories is None:
        return {text: f"{text}/{most}" for text in numbers}
    by_points = {points_of(category): category for category in categories}
    return {text: by_points[n] for text, n in numbers.items() if n in by_points}


def _without_most(texts: Texts, column: Column, edges: FloatArray | None) -> dict[str, str]:
    """Leave out what points are out of, where training had whole numbers up to that."""
    is_plain = column.date_part is None and column.spelling.within in ("", THE_NUMBER)
    points = {text: match for text in texts.texts if (match := POINTS.fullmatch(text))}
    if edges is None or not len(edges) or not is_plain or len(points) < _FEWEST:
        return {}
    out_of = {float(match["most"]) for match in points.values()}
    most = max(out_of)
    fits = len(out_of) == 1 and all(points_of(text) <= most for text in points)
    known = edges[0] >= 0 and 1 < edges[-1] <= most and not (edges % 1).any()
    return {text: match["points"] for text, match in points.items()} if fits and known else {}
