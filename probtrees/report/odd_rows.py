"""What is odd about rows that a model is asked about, in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.model.model import Model
from probtrees.table.dataset import UNSEEN, Column, Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.match import UnmatchedColumn
from probtrees.table.number_text import short_text
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import find_unmatched
from probtrees.types import FloatArray
from probtrees.words import first_few

_LISTED = 3
"""Columns that a sentence names; more are counted."""
_FEWEST_OF_UNIT = 5
"""Fewer numbers tell no unit."""
_NEARLY_ALL = 0.95
"""The part of a column's numbers that must be of another unit."""
_BESIDE = 1.5
"""Numbers may lie so many times beside the range of training."""


def _asked(model: Model) -> dict[int, Column]:
    """Return the columns that a model asks for, by their place; the others may be as they are."""
    unused = model.unused_columns
    columns = enumerate(model.schema.features)
    return {place: column for place, column in columns if column.source_name not in unused}


def odd_rows(model: Model, rows: Dataset, unreadable: CellProblems) -> list[str]:
    """Name, for every row, cells that could not be read, and values unlike those of training.

    Not those of columns that a tree never asks for.
    """
    said = [list(unreadable.get(row, ())) for row in range(rows.n_rows)]
    asked = _asked(model)
    for words, found in _kinds(model, rows):
        for row in np.flatnonzero(found[:, list(asked)].any(axis=1)).tolist():
            names = [column.name for place, column in asked.items() if found[row, place]]
            more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
            said[row].append(f"{words}: {', '.join(names[:_LISTED])}{more}")
    return ["; ".join(parts) for parts in said]


def strange_columns(model: Model, rows: Dataset, unreadable: CellProblems) -> dict[str, str]:
    """Name the columns that tell the model next to nothing, each in a sentence.

    They cannot be read in half of the rows or more, or have no value that was seen in training.
    Not those that a tree never asks for.
    """
    sentences: dict[str, str] = {}
    cells = [cell for row in unreadable.values() for cell in row]
    for place, column in _asked(model).items():
        name, values = column.source_name, rows.values[:, place]
        wrong = [cell for cell in cells if cell.startswith(f"{name}=")]
        known = values[~np.isnan(values)]
        what = ""
        if wrong and 2 * len(wrong) >= rows.n_rows:
            what = f"could not be read in {len(wrong):,} of {rows.n_rows:,} rows: {wrong[0]}"
        elif column.categories and len(known) > 1 and bool((known == UNSEEN).all()):
            shown = first_few([*map(repr, column.categories)], _LISTED)
            what = f"has no value that was seen in training, where it had {shown}"
        if what:
            sentences[name] = f"Column {name!r} {what}. Write it as in the table of training."
    return sentences


@dataclass(frozen=True)
class OtherUnit:
    """A column that seems to be in another unit than in training.

    Attributes
    ----------
    sentence : what is unlike
    remedy : what would bring it back, as "Divide it by 1,000"
    how : the same as ``converted`` of reading has it, "/1000"
    """

    sentence: str
    remedy: str
    how: str


def columns_of_other_unit(model: Model, rows: Dataset) -> dict[str, OtherUnit]:
    """Find columns of amounts whose numbers are a power of ten away from training's."""
    found: dict[str, OtherUnit] = {}
    asked = _asked(model)
    for place, profile in enumerate(model.profile or ()):
        column, edges, values = asked.get(place), profile.edges, rows.values[:, place]
        known = values[np.isfinite(values)]
        if edges is None or not len(edges) or len(known) < _FEWEST_OF_UNIT:
            continue
        times = _times_larger(known, edges)
        if column is None or column.date_part is not None or times == 1:
            continue
        factor = round(max(times, 1 / times))
        large, undo, sign = ("larger", "Divide", "/") if times > 1 else ("smaller", "Multiply", "*")
        here, there = (
            f"{short_text(float(low), column.unit)} to {short_text(float(high), column.unit)}"
            for low, high in ((known.min(), known.max()), (edges[0], edges[-1]))
        )
        found[column.source_name] = OtherUnit(
            f"Column {column.source_name!r} is about {factor:,} times {large} than in training: "
            f"it goes from {here}, in training from {there}.",
            f"{undo} it by {factor:,}",
            f"{sign}{factor}",
        )
    return found


def _times_larger(known: FloatArray, edges: FloatArray) -> float:
    """Return by which power of ten numbers are larger than training's; 1 where by none.

    Nearly all are outside the range of training, and inside once divided.

    >>> _times_larger(np.array([98.0, 120, 131, 144, 151]), np.array([7.2, 12.1, 16.8]))
    10.0
    """
    middle, here = float(np.median(edges)), float(np.median(known))
    if edges[0] < 0 or min(middle, here) <= 0:  # below zero there is no scale to be found
        return 1.0
    times = 10.0 ** round(math.log10(here / middle))
    is_outside = _share_inside(known, edges) <= 1 - _NEARLY_ALL
    is_mended = _share_inside(known / times, edges, _BESIDE) >= _NEARLY_ALL
    return times if is_outside and is_mended else 1.0


def _share_inside(numbers: FloatArray, edges: FloatArray, beside: float = 1.0) -> float:
    """Return the share of numbers in the range of training, or so many times beside it."""
    return float(((numbers >= edges[0] / beside) & (numbers <= edges[-1] * beside)).mean())


def n_rows_unseen(model: Model, rows: Dataset) -> int:
    """Count the rows with a value that was never seen, in columns that the model asks for."""
    return int((rows.values[:, list(_asked(model))] == UNSEEN).any(axis=1).sum())


def unknown_words(
    source: Any,
    model: Model,
    rows: Dataset,
    layout: ReadOptions,
    unreadable: CellProblems | None = None,
    *,
    with_target: bool = False,
) -> tuple[UnmatchedColumn, ...]:
    """List the columns of a table that hold words unknown to a model: nothing else, or a few.

    The table is read once more for it, if its rows show that it has such columns at all. With its
    target, classes matter too, as where answers are compared with what happened.
    """
    is_strange = (
        n_rows_unseen(model, rows)
        or strange_columns(model, rows, unreadable or {})
        or (with_target and (rows.values[:, -1] == UNSEEN).any())
    )
    if not is_strange:
        return ()
    return find_unmatched(source, model.schema, layout, with_target=with_target)


def _kinds(model: Model, rows: Dataset) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Say which cells are odd in which way."""
    values = rows.values[:, :-1]
    yield "never seen in training", values == UNSEEN
    missing = np.isnan(values)
    lacking = missing.all(axis=0)
    if model.profile is None:
        yield "not recorded", missing
        return
    outside = np.zeros(values.shape, dtype=np.bool_)
    sometimes = np.zeros(values.shape[1], dtype=np.bool_)
    for number, profile in enumerate(model.profile):
        if profile.edges is not None and len(profile.edges):
            lowest, highest = profile.edges[0], profile.edges[-1]
            outside[:, number] = (values[:, number] < lowest) | (values[:, number] > highest)
        sometimes[number] = profile.missing > 0
    yield "outside the range of training", outside
    yield "not recorded, though always in training", missing & ~sometimes
    # In a single row a value may be missing as it was in training.
    never = lacking & sometimes & (len(values) > 1)
    yield "not recorded in any row", missing & never
