"""Rows that hold a whole rare outcome, and few others: perhaps written down after it.

Whoever failed has a resit, and so have a few who passed. The value does not tell the outcome
nearly always, yet nobody without it has the outcome, which hardly anything known before can say.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.types import IntArray

_RARE, _FEWEST_ROWS = 0.2, 20
"""The outcome is one that at most this share of all rows has, and so many rows at least."""
_HELD, _OTHERS = 0.98, 0.05
"""So much of the outcome has the value, and at most so much of all other rows."""
_MOST_OUTCOMES = 3
"""Of more outcomes each may have a sign of its own by nature, as diseases have."""


class Held(NamedTuple):
    """A value that nearly all rows of a rare outcome have, and few others.

    Attributes
    ----------
    value, outcome : as codes
    n_held, n_of_outcome : rows of the outcome with the value, and all of them
    n_others, n_of_others : the same of the rows that do not have the outcome
    """

    value: int
    outcome: int
    n_held: int
    n_of_outcome: int
    n_others: int
    n_of_others: int

    def sentence(self, rows: str, outcome: str) -> str:
        """Say it in words; ``rows`` says which they are, such as "with 'yes'"."""
        share = f"All {self.n_held:,} rows"
        if self.n_held < self.n_of_outcome:
            share = f"{self.n_held:,} of {self.n_of_outcome:,} rows"
        return (
            f"{share} of {outcome!r}, and {self.n_others:,} of the {self.n_of_others:,} others, "
            f"are rows {rows}."
        )


def held_outcome(
    values: NDArray[np.integer[Any]], labels: NDArray[np.integer[Any]], n_classes: int
) -> Held | None:
    """Return the value that holds a rare outcome, if one does; codes below 0 are none."""
    overall = np.bincount(labels[labels >= 0], minlength=n_classes)
    known = (labels >= 0) & (values >= 0)
    if np.count_nonzero(overall) > _MOST_OUTCOMES or not known.any():
        return None
    n_rows = int(overall.sum())
    cells = values[known].astype(np.int64) * n_classes + labels[known]
    n_values = int(values.max()) + 1
    counts: IntArray = np.bincount(cells, minlength=n_values * n_classes).reshape(-1, n_classes)
    others = counts.sum(axis=1, keepdims=True) - counts
    is_rare = (overall >= _FEWEST_ROWS) & (overall <= _RARE * n_rows)
    is_held = is_rare & (counts >= _HELD * overall) & (others <= _OTHERS * (n_rows - overall))
    if not is_held.any():
        return None
    value, outcome = divmod(int(is_held.argmax()), n_classes)
    return Held(
        value,
        outcome,
        int(counts[value, outcome]),
        int(overall[outcome]),
        int(others[value, outcome]),
        n_rows - int(overall[outcome]),
    )


def held_by_group(
    group: NDArray[np.bool_], labels: NDArray[np.integer[Any]], n_classes: int
) -> Held | None:
    """Return what some rows hold, such as those in which a column is filled in."""
    return held_outcome(np.where(group, 0, -1), labels, n_classes)
