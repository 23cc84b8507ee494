"""What is odd about rows that a model is asked about, in words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from probtrees.model.model import Model
from probtrees.table.cells.convert_numbers import TEMPERATURES
from probtrees.table.cells.other_spellings import perhaps_shares
from probtrees.table.dataset import UNSEEN, Column, Dataset
from probtrees.table.encode import CellProblems
from probtrees.table.formats.absent_columns import columns_in_doubt as named_in_doubt
from probtrees.table.infer.coded_missing import says_missing
from probtrees.table.infer.two_scales import BODY_TEMPERATURES, largest_small
from probtrees.table.number_text import CLOCK, short_text
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import NEVER_SEEN
from probtrees.types import FloatArray

OTHER_UNIT = "maybe in another unit than in training"
_LISTED = 3
"""Columns that a sentence names; more are counted."""
_FEWEST_OF_SCALE = 5
"""Fewer numbers tell no scale."""
_NEARLY_ALL = 0.95
"""The part of a column's numbers that must be of another scale."""
_BESIDE = 1.5
"""Numbers may lie so many times beside the range of training."""
_HUNDREDTH = 0.009
"""Powers of ten below this are smaller than a hundredth."""
_SMALLER = ("smaller", "Multiply", "*")
_TEMPERATURE = re.compile(r"temp|°|fever|fieber|fièvre|fiebre|febbre", re.IGNORECASE)
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
_PART_OF_MIDDLE = 20.0
"""Numbers of another scale are at most this part of the middle of training: where most numbers
are small already, small ones are nothing special."""


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
    names = dict.fromkeys(column.source_name for column in model.schema.features)
    for name in (n for n in names if n not in (*said, *model.unused_columns)):
        wrong = [cell for cells in unreadable.values() for cell in cells if _is_of(cell, name)]
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
    names = dict.fromkeys(c.source_name for c in model.schema.features if not c.is_nominal)
    for name in (n for n in names if n not in (*said, *model.unused_columns)):
        wrong = [cell for cells in unreadable.values() for cell in cells if _is_of(cell, name)]
        if 2 * len(wrong) >= n_rows:
            continue
        words = Counter(cell[len(name) + 1 :].rpartition(" is not ")[0] for cell in wrong)
        told = [(w, n) for w, n in words.most_common() if w and not says_missing(w.strip("'\""))]
        if not told:
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


def columns_of_other_scale(model: Model, rows: Dataset) -> dict[str, str]:
    """Name the columns whose numbers seem to be a hundredth of training's, each in a sentence.

    Shares of 1 in columns of percent that reading asks about are not named again, nor are columns
    that another power of ten fits better: kilometres for metres.
    """
    asked = perhaps_shares(model.schema, rows.provenance.notes)
    sentences = {}
    for column, known, edges in _amounts(model, rows):
        is_other_time = _is_time(column) and _unit_of_time(known, edges) != 1
        is_other = is_other_time or _smaller_than_hundredth(column, known, edges) != 1
        if _is_small(known, edges) and column.source_name not in asked and not is_other:
            sentences[column.source_name] = (
                f"Column {column.source_name!r} seems to be in another scale than in training: "
                f"{_from_to(column, known, edges)}."
            )
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
    """Find columns whose numbers are a power of ten away from training's, or °C for °F.

    Of durations and times of day minutes for hours, and the like, are tried first.

    Nearly all are outside the range of training, and inside if they are converted. Those that can
    be multiplied by 100 (see :func:`columns_of_other_scale`) are not among them.
    """
    hundredths = columns_of_other_scale(model, rows)
    asked = perhaps_shares(model.schema, rows.provenance.notes)
    found = {}
    for column, known, edges in _amounts(model, rows):
        name = column.source_name
        if name in (*hundredths, *asked):
            continue
        between = _from_to(column, known, edges)
        times = _unit_of_time(known, edges) if _is_time(column) else 1.0
        times = _power_of_ten(known, edges) if times == 1 else times
        times = _smaller_than_hundredth(column, known, edges) if times == 1 else times
        if times != 1:
            large, undo, sign = ("larger", "Divide", "/") if times > 1 else _SMALLER
            factor = round(max(times, 1 / times))
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


def columns_in_doubt(model: Model, rows: Dataset, layout: ReadOptions) -> frozenset[str]:
    """Name the columns whose unit may be another one than in training, by numbers or names.

    Of what somebody converted or brought to one scale the names are settled, the numbers not.
    """
    by_numbers = {**columns_of_other_scale(model, rows), **columns_of_other_unit(model, rows)}
    by_names = named_in_doubt(model.schema, layout.renamed, layout.converted)
    shares = set(perhaps_shares(model.schema, rows.provenance.notes)).difference(layout.one_scale)
    return frozenset({*by_numbers, *by_names, *shares}.difference(model.unused_columns))


def _amounts(model: Model, rows: Dataset) -> Iterator[tuple[Column, FloatArray, FloatArray]]:
    """List the columns of amounts with enough numbers: these, and between which training lay."""
    unused = model.unused_columns
    for number, profile in enumerate(model.profile or ()):
        column, edges = rows.schema.columns[number], profile.edges
        known = rows.values[:, number][np.isfinite(rows.values[:, number])]
        is_told = edges is not None and len(edges) > 0 and len(known) >= _FEWEST_OF_SCALE
        is_told = is_told and column.source_name not in unused
        if edges is not None and is_told and column.date_part is None:
            yield column, known, edges


def _is_time(column: Column) -> bool:
    """Whether numbers are durations or times of day, by their unit or name."""
    return column.unit in _UNITS_OF_TIME or _DURATION.search(column.source_name) is not None


def _unit_of_time(known: FloatArray, edges: FloatArray) -> float:
    """Return how many times larger durations are than training's, as minutes than hours; or 1.

    >>> _unit_of_time(np.array([26.0, 55, 90, 130, 293]), np.array([0.05, 1.5, 7.2]))
    60.0
    """
    fitting = [times for times in _OF_TIME if _brings_back(known, times, edges)]
    return min(fitting, key=lambda times: abs(math.log(_ratio(known, edges) / times)), default=1.0)


def _power_of_ten(known: FloatArray, edges: FloatArray) -> float:
    """Return by which power of ten numbers are larger than training's; 1 where by none.

    >>> _power_of_ten(np.array([98.0, 120, 131, 144, 151]), np.array([7.2, 12.1, 16.8]))
    10.0
    """
    times = _nearest_power(known, edges)
    return times if times != 1 and _brings_back(known, times, edges) else 1.0


def _smaller_than_hundredth(column: Column, known: FloatArray, edges: FloatArray) -> float:
    """Return the power of ten if small numbers are a thousandth of training's, or less; else 1.

    They may lie in its range: some pupils live 5 m from school, and 0.8 to 12 are kilometres. Of
    percent a hundredth is meant, however few there are.
    """
    times = _nearest_power(known, edges)
    fits = times < _HUNDREDTH and column.unit != "%" and _is_small(known, edges)
    return times if fits and _are_inside(known / times, edges) else 1.0


def _is_small(known: FloatArray, edges: FloatArray) -> bool:
    """Whether nearly all numbers are far below the middle of training, as those of its parts."""
    largest = float(np.sort(np.abs(known))[math.ceil(_NEARLY_ALL * len(known)) - 1])
    middle = float(np.median(np.abs(edges)))
    return 0 < largest <= min(largest_small(edges), middle / _PART_OF_MIDDLE)


def _nearest_power(known: FloatArray, edges: FloatArray) -> float:
    """Return the power of ten next to how many times larger the middle number is; 1: not told."""
    ratio = _ratio(known, edges)
    return float(10.0 ** round(math.log10(ratio))) if ratio > 0 else 1.0


def _ratio(known: FloatArray, edges: FloatArray) -> float:
    """Return how many times larger the middle number is than training's; 0 where that says little.

    Below zero there is no scale to be found.
    """
    middles = float(np.median(known)), float(np.median(edges))
    return 0.0 if edges[0] < 0 or min(middles) <= 0 else middles[0] / middles[1]


def _brings_back(known: FloatArray, times: float, edges: FloatArray) -> bool:
    """Whether nearly all numbers are outside the range of training, and inside once divided."""
    if _ratio(known, edges) <= 0:
        return False
    lowest, highest = float(edges[0]), float(edges[-1])
    outside = (known < lowest) | (known > highest)
    return bool(outside.mean() >= _NEARLY_ALL) and _are_inside(known / times, edges)


def _are_inside(numbers: FloatArray, edges: FloatArray) -> bool:
    """Whether nearly all numbers are inside the range of training, or a little beside it."""
    lowest, highest = float(edges[0]), float(edges[-1])
    inside = (numbers >= lowest / _BESIDE) & (numbers <= highest * _BESIDE)
    return bool(inside.mean() >= _NEARLY_ALL)


def _other_temperature(name: str, known: FloatArray, edges: FloatArray) -> str:
    """Say how temperatures become those of training; nothing where that is no question.

    They are temperatures by their name, or both could be those of bodies.

    >>> _other_temperature("t1", np.array([36.8, 37.2, 38, 39.9, 40.1]), np.array([97.0, 105.8]))
    'C-F'
    """
    lowest, highest = float(edges[0]), float(edges[-1])
    outside = (known < lowest) | (known > highest)
    beside = (highest - lowest) / 2
    for how, degrees in TEMPERATURES.items():
        there = degrees.of_numbers(known)
        fits = (there >= lowest - beside) & (there <= highest + beside)
        bodies = BODY_TEMPERATURES[how[0]], BODY_TEMPERATURES[how[-1]]
        ends = (known.min(), known.max()), (lowest, highest)
        of_bodies = all(
            low <= a and b <= high for (a, b), (low, high) in zip(ends, bodies, strict=True)
        )
        is_told = of_bodies or _TEMPERATURE.search(name) is not None
        if is_told and min(outside.mean(), fits.mean()) >= _NEARLY_ALL:
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


def _is_of(cell: str, name: str) -> bool:
    return cell.startswith(f"{name}=") and not cell.endswith(NEVER_SEEN)


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
