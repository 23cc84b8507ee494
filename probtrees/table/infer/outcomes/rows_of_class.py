"""Say which rows of a column have all one class, or none of some: it may have come after it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.table.cells.raw_table import Numbers, RawColumn, Texts
from probtrees.table.infer.outcomes.held_outcomes import held_by_group, held_outcome
from probtrees.table.infer.outcomes.telling_values import MOST_OUTCOMES, telling_value
from probtrees.table.infer.outcomes.value_ranges import values_of
from probtrees.types import IntArray

_PURE, _COVERED, _FEWEST_ROWS = 0.99, 0.15, 20
"""Rows that are of one class in this share, and are so much of it, may have come after it."""

_ALWAYS = 0.995
"""Words tell a class from the others if they are right in so many of its rows."""

_NAMED = 2


def rows_of_one_class(column: RawColumn, classes: Texts) -> str:
    """Say which rows of a column of two values, or that is often empty or 0, have all one class.

    Or those of one of several words, if that class is a rare one; or which hold a rare class.

    Nothing where there are few of them, or that class is the most frequent one.
    """
    codes = values_of(column)
    filled = ~column.missing
    if isinstance(column, Numbers):
        filled &= column.values != 0
    groups = {}
    values = np.unique(codes[~column.missing])
    for code in values.tolist() if len(values) == 2 else ():
        groups[f"with {column.cell(int((codes == code).argmax()))!r}"] = codes == code
    others = other_values(codes) if isinstance(column, Texts) and len(values) > 2 else None
    if others is not None:
        usual = column.cell(int((~others & ~column.missing).argmax()))
        groups[f"with another value than {usual!r}"] = others & ~column.missing
    if not filled.all():
        words = "in which it is filled in" if column.missing.any() else "in which it is not 0"
        groups[words] = filled
    if column.missing.any():
        groups["in which it is empty"] = column.missing
    for words, group in groups.items():
        number = only_class(group, classes.codes, classes.n_distinct)
        if number is not None:
            known = classes.codes[group & (classes.codes >= 0)]
            share = "all" if (known == number).all() else "nearly all"
            return f"Of {len(known):,} rows {words} {share} are {classes.texts[number]!r}."
    if told := _told_or_held(column, classes, groups):
        return told
    for words, group in groups.items():
        absent = absent_classes(group, classes.codes, classes.n_distinct)
        if absent:
            n_rows = int((group & (classes.codes >= 0)).sum())
            few = int(np.isin(classes.codes[group], absent).sum())
            names = " or ".join(repr(classes.texts[number]) for number in absent[:_NAMED])
            share = "hardly any are" if few else "none are"
            more = " or another" if len(absent) > _NAMED else ""
            return f"Of {n_rows:,} rows {words} {share} {names}{more}."
    return _class_by_words(column, classes)


def _told_or_held(
    column: RawColumn, classes: Texts, groups: Mapping[str, NDArray[np.bool_]]
) -> str:
    """Say which word tells a rare class; or which word, or group of rows, holds one."""
    if isinstance(column, Texts):
        telling = telling_value(column.codes, classes.codes, classes.n_distinct)
        if telling is not None:
            return telling.sentence(column.texts, classes.texts[telling.outcome])
        held = held_outcome(column.codes, classes.codes, classes.n_distinct)
        if held is not None:
            words = f"with {column.texts[held.value]!r}"
            return held.sentence(words, classes.texts[held.outcome])
    for words, group in groups.items():
        held = held_by_group(group, classes.codes, classes.n_distinct)
        if held is not None:
            return held.sentence(words, classes.texts[held.outcome])
    return ""


def _class_by_words(column: RawColumn, classes: Texts) -> str:
    """Say which class of several has words of its own in a column, in nearly all of its rows."""
    if not isinstance(column, Texts) or classes.n_distinct <= 2:
        return ""
    known = classes.codes >= 0
    values, labels = values_of(column)[known], classes.codes[known]
    counts = np.zeros((int(values.max(initial=0)) + 1, classes.n_distinct), dtype=np.int64)
    np.add.at(counts, (values, labels), 1)
    n_rows, of_class = counts.sum(axis=1, keepdims=True), counts.sum(axis=0)
    # Rare words, and words that more rows of other classes have, are taken for the others.
    wrong = np.where((n_rows >= 5) & (2 * counts > n_rows), n_rows - counts, counts).sum(axis=0)
    told = (wrong <= (1 - _ALWAYS) * of_class) & (of_class >= _FEWEST_ROWS)
    if not told.any():
        return ""
    return f"It alone tells {classes.texts[int(told.argmax())]!r} from every other outcome."


def only_class(
    group: NDArray[np.bool_], labels: NDArray[np.integer[Any]], n_classes: int
) -> int | None:
    """Return the class of nearly all rows of a group, if it is no large one anyway."""
    known = labels >= 0
    if not (known & group).any():
        return None
    overall = np.bincount(labels[known], minlength=n_classes)
    counts = np.bincount(labels[known & group], minlength=n_classes)
    n_rows, number = int(counts.sum()), int(counts.argmax())
    is_rare = 2 * overall[number] <= overall.sum()
    is_pure = n_rows >= _FEWEST_ROWS and counts[number] >= _PURE * n_rows
    return number if is_rare and is_pure and counts[number] >= _COVERED * overall[number] else None


def other_values(codes: IntArray) -> NDArray[np.bool_] | None:
    """Return the rows of all values but the one that most rows have, if one has; 0 is missing.

    >>> other_values(np.array([1, 1, 2])), other_values(np.array([], dtype=np.int64))
    (array([False, False,  True]), None)
    """
    usual = int(np.bincount(codes, minlength=1).argmax())
    is_other = codes != usual
    return is_other if usual and 2 * is_other.sum() <= len(codes) else None


def absent_classes(
    group: NDArray[np.bool_], labels: NDArray[np.integer[Any]], n_classes: int
) -> list[int]:
    """Return the classes of most rows, of three or more, if nearly no row of a group has them.

    Nothing where the group is a small part of the other classes, or there are many classes.
    """
    known = labels >= 0
    overall = np.bincount(labels[known], minlength=n_classes)
    inside = np.bincount(labels[known & group], minlength=n_classes)
    n_rows = int(inside.sum())
    if not 2 < (overall > 0).sum() <= MOST_OUTCOMES or n_rows < _FEWEST_ROWS:
        return []
    is_absent = inside <= (1 - _PURE) * n_rows
    present = int(overall[~is_absent].sum())
    few = int(inside[is_absent].sum()) <= (1 - _PURE) * n_rows
    is_remarkable = few and 2 * present <= overall.sum() and n_rows >= _COVERED * present
    found = np.flatnonzero(is_absent & (overall > 0)).tolist() if is_remarkable else []
    return sorted(found, key=lambda number: -int(overall[number]))
