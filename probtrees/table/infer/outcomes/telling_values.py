"""Values of a category whose rows all have one rare outcome: perhaps written down after it.

A column as a whole may tell little, and one of its words everything: of the remarks about animals
'removed to factory' stands in the rows of those alone that were found ill.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.table.dataset import Dataset
from probtrees.table.infer.outcomes.held_outcomes import held_by_group, held_outcome
from probtrees.types import IntArray

_RARENESS = ((0.2, 20), (0.05, 10))
"""Of an outcome that at most this share of rows has, a value needs so many rows to be asked about.

Of a frequent outcome many an honest value has all its rows: all penguins of one island are of one
species.
"""
_PURE, _COVERED = 0.99, 0.15
"""Of the rows with the value so many have the outcome, and of those with the outcome the value."""
MOST_OUTCOMES = 10
"""Of more outcomes values tell some by nature, as signs tell diseases."""
_FEWEST_VALUES = 3
"""Columns of two values are looked at as a whole."""


_FEWEST_EACH, _FEWEST_WORDS = 3, 2
"""Of values that tell an outcome together each has so many rows; there are so many, and as many
others."""
_SHOWN = 3


class Telling(NamedTuple):
    """A value whose rows are nearly all of one outcome, or several such.

    Attributes
    ----------
    values, outcome : as codes, the value with most rows first
    n_rows : with the values, and an outcome
    n_of_it : how many of them have the outcome
    """

    values: tuple[int, ...]
    outcome: int
    n_rows: int
    n_of_it: int

    def sentence(self, names: Sequence[str], outcome: str) -> str:
        """Say it in words; ``names`` are those of all values, by code."""
        share = "all" if self.n_of_it == self.n_rows else "nearly all"
        shown = [repr(names[value]) for value in self.values[:_SHOWN]]
        shown += [f"{len(self.values) - _SHOWN} more"] * (len(self.values) > _SHOWN)
        words = " or ".join(filter(None, (", ".join(shown[:-1]), shown[-1])))
        return f"Of {self.n_rows:,} rows with {words} {share} are {outcome!r}."


def telling_value(
    values: NDArray[np.integer[Any]], labels: NDArray[np.integer[Any]], n_classes: int
) -> Telling | None:
    """Return the value with most rows of those that tell a rare outcome; codes below 0 are none.

    Where none does, several of a few rows each may do so together, see :func:`_together`.
    """
    known = (labels >= 0) & (values >= 0)
    if n_classes > MOST_OUTCOMES or not known.any():
        return None
    overall = np.bincount(labels[labels >= 0], minlength=n_classes)
    cells = values[known].astype(np.int64) * n_classes + labels[known]
    n_values = int(values.max()) + 1
    counts: IntArray = np.bincount(cells, minlength=n_values * n_classes).reshape(-1, n_classes)
    n_rows, outcome = counts.sum(axis=1), counts.argmax(axis=1)
    n_of_it, of_outcome = counts.max(axis=1), overall[outcome]
    if np.count_nonzero(n_rows) < _FEWEST_VALUES:
        return None
    is_rare = np.zeros(len(counts), dtype=bool)
    for share, fewest in _RARENESS:
        is_rare |= (of_outcome <= share * overall.sum()) & (n_rows >= fewest)
    is_telling = is_rare & (n_of_it >= _PURE * n_rows) & (n_of_it >= _COVERED * of_outcome)
    if not is_telling.any():
        return _together(counts, overall)
    most = int(np.where(is_telling, n_rows, 0).argmax())
    return Telling((most,), int(outcome[most]), int(n_rows[most]), int(n_of_it[most]))


def _together(counts: IntArray, overall: IntArray) -> Telling | None:
    """Return values of a few rows each that tell a rare outcome together.

    These are all values most of whose rows have it, not only those all of whose rows do: by chance,
    or where a word makes the outcome likely, some values are mixed. ``counts`` are rows by value
    and outcome, ``overall`` those by outcome.
    """
    n_rows = counts.sum(axis=1)
    for outcome in np.argsort(overall, kind="stable").tolist():
        fewest = [n for share, n in _RARENESS if overall[outcome] <= share * overall.sum()]
        values = np.flatnonzero((n_rows >= _FEWEST_EACH) & (2 * counts[:, outcome] > n_rows))
        n_all, n_of_it = int(n_rows[values].sum()), int(counts[values, outcome].sum())
        n_others = np.count_nonzero(n_rows >= _FEWEST_EACH) - len(values)
        is_some = bool(fewest) and len(values) >= _FEWEST_WORDS and n_others >= len(values)
        is_pure = n_of_it >= _PURE * n_all and n_of_it >= _COVERED * overall[outcome]
        if is_some and n_all >= min(fewest) and is_pure:
            order = values[np.argsort(-n_rows[values], kind="stable")]
            return Telling(tuple(order.tolist()), outcome, n_all, n_of_it)
    return None


def columns_with_telling_values(data: Dataset, but: Collection[str] = ()) -> dict[str, str]:
    """Say of columns, ``but`` for some, that rows with one of their values have a rare outcome.

    Or that such an outcome is found nearly only there, see :mod:`held_outcomes
    <probtrees.table.infer.outcomes.held_outcomes>`.
    """
    found: dict[str, str] = {}
    for at, column in enumerate(data.schema.features):
        if column.source_name in but or column.source_name in found:
            continue
        if sentence := _by_value(data, at) or _by_rows(data, at):
            found[column.source_name] = sentence
    return found


def _by_value(data: Dataset, at: int) -> str:
    """Say what a category's values tell or hold."""
    column = data.schema.features[at]
    if not column.is_nominal or column.date_part is not None:
        return ""
    codes = np.nan_to_num(data.values[:, at], nan=-1.0).astype(np.int64)
    categories = column.categories or ()
    telling = telling_value(codes, data.labels, data.n_classes)
    if telling is not None:
        outcome = data.schema.classes[telling.outcome]
        return telling.sentence(categories, outcome)
    held = held_outcome(codes, data.labels, data.n_classes)
    if held is None:
        return ""
    return held.sentence(f"with {categories[held.value]!r}", data.schema.classes[held.outcome])


def _by_rows(data: Dataset, at: int) -> str:
    """Say what the rows hold in which a column is filled in, empty or not 0."""
    values = data.values[:, at]
    empty = np.isnan(values)
    groups = {"in which it is filled in": ~empty, "in which it is empty": empty}
    if not data.schema.features[at].is_nominal:
        groups["in which it is not 0"] = ~empty & (values != 0)
    for words, group in groups.items():
        held = held_by_group(group, data.labels, data.n_classes)
        if held is not None:
            return held.sentence(words, data.schema.classes[held.outcome])
    return ""
