"""What is odd about rows that a model is asked about, in words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.model.model import Model
from probtrees.table.cells.convert_numbers import TEMPERATURES
from probtrees.table.cells.other_spellings import perhaps_shares
from probtrees.table.dataset import UNSEEN, Column, Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.formats.absent_columns import columns_in_doubt as named_in_doubt
from probtrees.table.infer.coded_missing import says_missing
from probtrees.table.number_text import CLOCK, short_text
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import NEVER_SEEN, UnmatchedColumn, find_unmatched
from probtrees.types import FloatArray

OTHER_UNIT = "maybe in another unit than in training"
_LISTED = 3
"""Columns that a sentence names; more are counted."""
_FEWEST_OF_UNIT = 5
"""Fewer numbers tell no unit."""
_NEARLY_ALL = 0.95
"""The part of a column's numbers that must be of another unit."""
_BESIDE = 1.5
"""Numbers may lie so many times beside the range of training."""
_PART_OF_MIDDLE = 20.0
"""Small numbers are at most this part of the middle of training, though they may lie in its range:
some pupils live 5 m from school, and 0.8 to 12 are kilometres."""
_TEMPERATURE = re.compile(r"temp|°|fever|fieber|fièvre|fiebre|febbre", re.IGNORECASE)
_BODIES = {"C": (33.0, 43.0), "F": (91.0, 110.0)}
"""Between these lie temperatures of bodies."""
_DURATION = re.compile(
    r"dauer|durati|durée|duraci[óo]n|duração|durata|czas|zeit|tiempo|(?<![^\W_])times?(?![^\W_])|"
    r"(?<![^\W_])(hours?|stunden|heures?|horas?|minutes?|minuten|minutos?|minuti|minuty|seconds?|"
    r"sekunden|secondes?)(?![^\W_])",
    re.IGNORECASE,
)
"""Names of durations and times of day."""
_UNITS_OF_TIME = frozenset({CLOCK, "h", "hr", "hrs", "std", "min", "mins", "s", "sec", "sek", "d"})
_OF_TIME = tuple(n**sign for n in (60.0, 3600.0, 24.0, 1440.0, 86400.0) for sign in (1, -1))
"""How many times larger a number is in another unit of time."""


def odd_rows(
    model: Model, rows: Dataset, unreadable: CellProblems, doubtful: Collection[str] = ()
) -> list[str]:
    """Name, for every row, cells that could not be read, and values unlike those of training.

    Not those of columns that a tree never asks for. ``doubtful`` columns may be in another unit.
    """
    names = [column.name for column in rows.schema.features]
    said = [""] * rows.n_rows
    for row, cells in unreadable.items():
        said[row] = "; ".join(cells)
    unused = model.unused_columns  # what a tree never asks for may be as it is
    asked = np.array([c.source_name not in unused for c in rows.schema.features], dtype=np.bool_)
    is_doubtful = np.array([c.source_name in doubtful for c in rows.schema.features], np.bool_)
    of_unit = is_doubtful & ~np.isnan(rows.values[:, :-1])
    for words, cells_found in (*_kinds(model, rows), (OTHER_UNIT, of_unit)):
        found = cells_found & asked
        for row in np.flatnonzero(found.any(axis=1)).tolist():
            columns = np.flatnonzero(found[row]).tolist()
            listed = ", ".join(names[column] for column in columns[:_LISTED])
            more = f" and {len(columns) - _LISTED} more" if len(columns) > _LISTED else ""
            joint = "; " if said[row] else ""
            said[row] += f"{joint}{words}: {listed}{more}"
    return said


def unreadable_columns(
    model: Model, unreadable: CellProblems, n_rows: int, said: Collection[str] = ()
) -> list[str]:
    """Name the columns that cannot be read in half of the rows or more: one cell of each.

    Not those that a tree never asks for, nor those that were ``said`` elsewhere.
    """
    sentences = []
    for name, wrong in _unreadable_cells(model, unreadable, said):
        if wrong and 2 * len(wrong) >= n_rows:
            where = "any row" if len(wrong) == n_rows else f"{len(wrong):,} of {n_rows:,} rows"
            sentences.append(
                f"Column {name!r} could not be read in {where} and counts as not recorded there: "
                f"{wrong[0]}. Write it as in the table that the model was learnt from."
            )
    return sentences


def words_for_numbers(
    model: Model, unreadable: CellProblems, n_rows: int, said: Collection[str] = ()
) -> list[str]:
    """Name the columns some of whose cells are words where a model knows numbers or dates.

    Not words for "no value", nor columns that :func:`unreadable_columns` names.
    """
    sentences = []
    nominal = {column.source_name for column in model.schema.features if column.is_nominal}
    for name, wrong in _unreadable_cells(model, unreadable, {*said, *nominal}):
        words = Counter(cell[len(name) + 1 :].rpartition(" is not ")[0] for cell in wrong)
        told = [(w, n) for w, n in words.most_common() if w and not says_missing(w.strip("'\""))]
        if not told or 2 * len(wrong) >= n_rows:
            continue
        shown = [f"{word} in {n:,}" for word, n in told[:_LISTED]]
        shown += [f"{len(told) - _LISTED} more"] * (len(told) > _LISTED)
        n_cells = sum(n for _, n in told)
        cells = "1 cell" if n_cells == 1 else f"{n_cells:,} cells"
        sentences.append(
            f"{cells} of {name!r} {'is a word' if n_cells == 1 else 'are words'}, which the model "
            f"does not know there: {', '.join(shown)}. They count as not recorded."
        )
    return sentences


def _unreadable_cells(
    model: Model, unreadable: CellProblems, said: Collection[str]
) -> Iterator[tuple[str, list[str]]]:
    """List the columns that a model asks for with their cells that could not be read."""
    names = dict.fromkeys(column.source_name for column in model.schema.features)
    all_cells = [cell for cells in unreadable.values() for cell in cells]
    for name in (n for n in names if n not in (*said, *model.unused_columns)):
        own = [cell for cell in all_cells if cell.startswith(f"{name}=")]
        yield name, [cell for cell in own if not cell.endswith(NEVER_SEEN)]


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
    """Find columns whose numbers are a power of ten away from training's, or °C for °F.

    Of durations and times of day minutes for hours, and the like, are tried first. Those that
    :func:`columns_of_other_scale` names are not among them.
    """
    found = _other_units(model, rows)
    return {name: unit for name, unit in found.items() if unit.how != "*100"}


def columns_of_other_scale(model: Model, rows: Dataset) -> dict[str, str]:
    """Name the columns whose numbers seem to be a hundredth of training's, each in a sentence."""
    found = _other_units(model, rows)
    return {name: unit.sentence for name, unit in found.items() if unit.how == "*100"}


def columns_in_doubt(model: Model, rows: Dataset, layout: ReadOptions) -> frozenset[str]:
    """Name the columns whose unit may be another one than in training, by numbers or names.

    Of what somebody converted or brought to one scale the names are settled, the numbers not.
    """
    by_names = named_in_doubt(model.schema, layout.renamed, layout.converted)
    shares = set(perhaps_shares(model.schema, rows.provenance.notes)).difference(layout.one_scale)
    named = {*_other_units(model, rows), *by_names, *shares}
    return frozenset(named.difference(model.unused_columns))


def _other_units(model: Model, rows: Dataset) -> dict[str, OtherUnit]:
    """Find columns of amounts that would be like training's if they were converted.

    Not those about which reading asks whether they are shares of 1.
    """
    left_out = {*model.unused_columns, *perhaps_shares(model.schema, rows.provenance.notes)}
    found = {}
    for number, profile in enumerate(model.profile or ()):
        column, edges = rows.schema.columns[number], profile.edges
        known = rows.values[:, number][np.isfinite(rows.values[:, number])]
        if edges is None or not len(edges) or len(known) < _FEWEST_OF_UNIT:
            continue
        name = column.source_name
        if name in left_out or column.date_part is not None:
            continue
        between = _from_to(column, known, edges)
        if (times := _times_larger(column, known, edges)) != 1:
            factor = round(max(times, 1 / times))
            large, undo, sign = (
                ("larger", "Divide", "/") if times > 1 else ("smaller", "Multiply", "*")
            )
            found[name] = OtherUnit(
                f"Column {name!r} is about {factor:,} times {large} than in training: {between}.",
                f"{undo} it by {factor:,}",
                f"{sign}{factor}",
            )
        elif how := _other_temperature(name, known, edges):
            here, there = (f"°{letter}" for letter in how.split("-"))
            found[name] = OtherUnit(
                f"Column {name!r} seems to be in {here}, in training it was in {there}: {between}.",
                f"Convert it from {here} to {there}",
                how,
            )
    return found


def _times_larger(column: Column, known: FloatArray, edges: FloatArray) -> float:
    """Return how many times larger numbers are than training's; 1: alike, or nothing is told.

    Nearly all are outside the range of training or far below its middle, and inside once divided.

    >>> _times_larger(Column("hb"), np.array([98.0, 120, 131, 144]), np.array([7.2, 12.1, 16.8]))
    10.0
    >>> _times_larger(Column("hours"), np.array([26.0, 90, 293]), np.array([0.05, 1.5, 7.2]))
    60.0
    """
    middle, here = float(np.median(edges)), float(np.median(known))
    if edges[0] < 0 or min(middle, here) <= 0:  # below zero there is no scale to be found
        return 1.0
    ratio, is_small = here / middle, np.quantile(known, _NEARLY_ALL) <= middle / _PART_OF_MIDDLE
    if not is_small and _share_inside(known, edges) > 1 - _NEARLY_ALL:
        return 1.0
    power = 10.0 ** round(math.log10(ratio))
    if is_small:  # a hundredth at least; of percent no less
        power = 0.01 if column.unit == "%" else min(power, 0.01)
    is_time = column.unit in _UNITS_OF_TIME or _DURATION.search(column.source_name) is not None
    for factors in (_OF_TIME if is_time else (), (power,)):
        inside = [f for f in factors if _share_inside(known / f, edges, _BESIDE) >= _NEARLY_ALL]
        if inside:
            return float(min(inside, key=lambda times: abs(math.log(ratio / times))))
    return 1.0


def _share_inside(numbers: FloatArray, edges: FloatArray, beside: float = 1.0) -> float:
    """Return the share of numbers in the range of training, or so many times beside it."""
    return float(((numbers >= edges[0] / beside) & (numbers <= edges[-1] * beside)).mean())


def _other_temperature(name: str, known: FloatArray, edges: FloatArray) -> str:
    """Say how temperatures become those of training; nothing where that is no question.

    They are temperatures by their name, or both could be those of bodies.

    >>> _other_temperature("t1", np.array([36.8, 37.2, 38, 39.9, 40.1]), np.array([97.0, 105.8]))
    'C-F'
    """
    lowest, highest = float(edges[0]), float(edges[-1])
    beside = (highest - lowest) / 2
    for how, degrees in TEMPERATURES.items():
        there = degrees.of_numbers(known)
        fits = (there >= lowest - beside) & (there <= highest + beside)
        ends = ((how[0], known.min(), known.max()), (how[-1], lowest, highest))
        of_bodies = all(_BODIES[unit][0] <= a and b <= _BODIES[unit][1] for unit, a, b in ends)
        is_told = of_bodies or _TEMPERATURE.search(name) is not None
        outside = 1 - _share_inside(known, edges)
        if is_told and min(outside, fits.mean()) >= _NEARLY_ALL:
            return how
    return ""


def _from_to(column: Column, known: FloatArray, edges: FloatArray) -> str:
    """Say between which numbers a column lies here, and lay in training."""
    here, there = (
        f"{short_text(float(low), column.unit)} to {short_text(float(high), column.unit)}"
        for low, high in ((known.min(), known.max()), (edges[0], edges[-1]))
    )
    return f"it goes from {here}, in training from {there}"


def columns_of_other_values(model: Model, rows: Dataset) -> dict[str, str]:
    """Name the columns none of whose values was seen in training, each in a sentence.

    Not those that a tree never asks for.
    """
    sentences: dict[str, str] = {}
    for number, column in enumerate(model.schema.features):
        if column.source_name in model.unused_columns:
            continue
        known = rows.values[:, number][~np.isnan(rows.values[:, number])]
        if column.categories and len(known) > 1 and bool((known == UNSEEN).all()):
            shown = ", ".join(map(repr, column.categories[:_LISTED]))
            more = ", ..." if len(column.categories) > _LISTED else ""
            sentences[column.source_name] = (
                f"Column {column.source_name!r} has no value that was seen in training, where it "
                f"had {shown}{more}. Write its values as there."
            )
    return sentences


def n_rows_unseen(model: Model, rows: Dataset, unreadable: CellProblems | None = None) -> int:
    """Count the rows with a value that was never seen, in columns that the model asks for.

    ``unreadable`` tells of answers of which several stand in a cell.
    """
    unused = model.unused_columns
    asked = [column.source_name not in unused for column in rows.schema.features]
    is_unseen = (rows.values[:, :-1][:, asked] == UNSEEN).any(axis=1)
    for row, cells in (unreadable or {}).items():
        is_unseen[row] |= any(cell.endswith(NEVER_SEEN) for cell in cells)
    return int(is_unseen.sum())


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

    The table is read once more for it, if its rows show that it has such columns at all.

    Parameters
    ----------
    source, layout : the table, and how ``rows`` was read from it
    unreadable : cells that could not be read
    with_target : whether classes matter too, as where answers are compared with what happened
    """
    is_strange = (
        n_rows_unseen(model, rows)
        or columns_of_other_values(model, rows)
        or unreadable_columns(model, unreadable or {}, rows.n_rows)
        or (with_target and (rows.values[:, -1] == UNSEEN).any())
    )
    if not is_strange:
        return ()
    return find_unmatched(source, model.schema, layout, model.profile, with_target=with_target)


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
