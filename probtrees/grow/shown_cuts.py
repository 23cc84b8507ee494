"""Cuts of numbers as people read them: those that were computed, with no more decimals than help.

A tree cuts at a value of the table, 4.08333 where values are twelfths. Whoever reads "≤ 4.1" sees
the same rows on both sides, and new ones too: no twelfth lies between. A cut that people write,
40.9, is shown as it is. The tree keeps its cut, and so do saved models and code.
"""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Dataset
from probtrees.table.readings.spellings import CLOCK

_CLOSE = 1e-6
"""What lies above a cut by less than this goes left."""
_MOST_DECIMALS = 12
_WRITTEN_DECIMALS = 4
"""A number with more of them was computed."""
_WRITTEN_OTHERWISE = ("date", CLOCK)


def with_shown_cuts(data: Dataset, tree: CountTree) -> Dataset:
    """Note in the schema how the cuts of a tree are shown that can be shown shorter."""
    cuts_of: dict[int, set[float]] = {}
    arrays = tree.arrays
    for column, cut in zip(arrays.column.tolist(), arrays.threshold.tolist(), strict=True):
        if not math.isnan(cut) and cut != round(cut, _WRITTEN_DECIMALS):
            cuts_of.setdefault(column, set()).add(cut)
    columns = list(data.schema.columns)
    for number, cuts in cuts_of.items():
        own = columns[number]
        if own.two_values or own.unit in _WRITTEN_OTHERWISE:
            continue
        known = data.values[:, number]
        values = np.unique(known[np.isfinite(known)])
        pairs = ((cut, shown_cut(cut, _first_beyond(values, cut))) for cut in sorted(cuts))
        columns[number] = replace(own, shown_cuts=tuple((c, s) for c, s in pairs if c != s))
    return replace(data, schema=replace(data.schema, columns=tuple(columns)))


def _first_beyond(values: np.ndarray, cut: float) -> float:
    """Return the next value above a cut, or nearer one that a new row could have."""
    gaps = np.diff(values)
    gap = gaps[gaps > _CLOSE].min(initial=math.inf)
    return float(min([cut + gap / 2, *values[np.searchsorted(values, cut + _CLOSE) :][:1]]))


def shown_cut(cut: float, above: float) -> float:
    """Return the number with the fewest decimals from the cut to the value above it, without that.

    >>> shown_cut(4.08333, 4.16667), shown_cut(4.08333, 5.5), shown_cut(0.125, 0.126)
    (4.1, 5.0, 0.125)
    """
    exact = Decimal(f"{cut:.12g}")  # without float noise
    for decimals in range(_MOST_DECIMALS):
        # A nought is never negative.
        shown = float(exact.quantize(Decimal(1).scaleb(-decimals), ROUND_CEILING)) + 0.0
        if cut - _CLOSE < shown < above - _CLOSE:
            return shown
    return cut
