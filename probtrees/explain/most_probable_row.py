"""The most probable row of a network whose tables are too large for an exact one: searched for.

Rows are built column by column, parents first, and only the best beginnings are kept (beam
search). The best whole rows are then improved value by value until nothing gets better (iterated
conditional modes: Besag, 1986). What is found is at least as probable as every row that was tried;
that there is no better one is not proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from probtrees.explain.network_sampling import Lookup, Rows, Sampler
from probtrees.types import FloatArray

N_BEGINNINGS = 1000
"""Beginnings of rows that are kept."""

N_IMPROVED = 50
"""Whole rows that are improved value by value."""

_MOST_ROUNDS = 20


def search_most_probable(
    sampler: Sampler, evidence: Mapping[int, FloatArray]
) -> tuple[NDArray[np.int64], float]:
    """Search for the row that is most probable together with what is known.

    Parameters
    ----------
    evidence : by the number of the variable, how well each value fits

    Returns
    -------
    the code of every variable, and the logarithm of the row's probability times how well it fits
    """
    known = sampler.by_column(evidence)
    rows, logs = _beam(sampler, known)
    rows = rows[np.argsort(-logs, kind="stable")[:N_IMPROVED]]
    for _ in range(_MOST_ROUNDS):
        before = rows.copy()
        for column in sampler.tables:
            _improve(sampler, known, rows, column)
        if np.array_equal(before, rows, equal_nan=True):
            break
    logs = _total(sampler, known, rows, sampler.tables)
    best = int(np.argmax(logs))
    return rows[best, list(sampler.places)].astype(np.int64), float(logs[best])


def _beam(sampler: Sampler, known: Mapping[int, FloatArray]) -> tuple[Rows, FloatArray]:
    """Build rows column by column; of all that go on, the most probable are kept."""
    rows = np.full((1, sampler.n_columns), np.nan)
    logs = np.zeros(1)
    for column, table in sampler.tables.items():
        n_values = table.probs.shape[1]
        chances = table.probs[table.contexts(rows)] * known.get(column, 1.0)
        every = (logs[:, None] + _log(chances)).ravel()
        kept = np.argsort(-every, kind="stable")[:N_BEGINNINGS]
        rows, logs = rows[kept // n_values], every[kept]
        rows[:, column] = kept % n_values
    return rows, logs


def _improve(sampler: Sampler, known: Mapping[int, FloatArray], rows: Rows, column: int) -> None:
    """Give every row the best value of one column, all others as they are."""
    n_values = sampler.tables[column].probs.shape[1]
    tried = np.repeat(rows, n_values, axis=0)
    tried[:, column] = np.tile(np.arange(n_values), len(rows))
    changed = [column, *_children(sampler.tables, column)]
    logs = _total(sampler, known, tried, changed)
    rows[:, column] = np.argmax(logs.reshape(len(rows), n_values), axis=1)


def _children(tables: Mapping[int, Lookup], column: int) -> Sequence[int]:
    return [child for child, table in tables.items() if column in table.columns]


def log_probability(
    sampler: Sampler, evidence: Mapping[int, FloatArray], codes: Sequence[int]
) -> float:
    """Return the logarithm of a whole row's probability times how well it fits what is known.

    Parameters
    ----------
    evidence : by the number of the variable, how well each value fits
    codes : of every variable
    """
    rows = np.full((1, sampler.n_columns), np.nan)
    rows[0, list(sampler.places)] = codes
    return float(_total(sampler, sampler.by_column(evidence), rows, sampler.tables)[0])


def _total(
    sampler: Sampler, known: Mapping[int, FloatArray], rows: Rows, columns: Iterable[int]
) -> FloatArray:
    """Return what columns add to the logarithm of every row's probability."""
    total = np.zeros(len(rows))
    for column in columns:
        table = sampler.tables[column]
        codes = rows[:, column].astype(np.int64)
        chances = table.probs[table.contexts(rows), codes]
        if column in known:
            chances = chances * known[column][codes]
        total += _log(chances)
    return total


def _log(chances: FloatArray) -> FloatArray:
    """Return logarithms; impossible rows are still compared by how many such values they have."""
    return np.asarray(np.log(np.maximum(chances, 1e-300)))
