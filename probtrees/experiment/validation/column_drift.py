"""How the columns of another table differ from those a model was learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from probtrees.machine.lazy_module import stats
from probtrees.score.calibration_in_large import false_discovery
from probtrees.score.metrics import Figures
from probtrees.score.paired_test import LEVEL
from probtrees.table.column_profile import ColumnProfile
from probtrees.types import FloatArray
from probtrees.words import percent

Verdict = Literal["as before", "slightly different", "clearly different", "very different"]

_CLEAR, _STRONG = 0.1, 0.25
"""From these shares of moved rows on a change is called clear, and strong."""

_FEWEST_EXPECTED = 5.0
"""Cells that expect fewer rows are put together before the test."""


@dataclass(frozen=True)
class ColumnDrift(Figures):
    """One column then and now.

    Attributes
    ----------
    name : of the column
    distance : the share of rows that would have to move to make both tables alike: half the sum
        of differences between the shares of categories, or of tenths of a number (total variation)
    stability : the population stability index of the same shares, half a row added to each
    p_value, adjusted_p : of as large a difference by chance; adjusted for the number of columns
    missing_before, missing_now : shares of rows without a value
    unseen : the share of rows now with a category that training has never met
    outside : the share of rows now below the lowest or above the highest number of training
    """

    name: str
    distance: float
    stability: float
    p_value: float
    adjusted_p: float
    missing_before: float
    missing_now: float
    unseen: float
    outside: float

    @property
    def verdict(self) -> Verdict:
        """The change in plain words: by its size, unless chance explains it."""
        if self.adjusted_p > LEVEL:
            return "as before"
        if self.distance < _CLEAR:
            return "slightly different"
        return "clearly different" if self.distance < _STRONG else "very different"

    @property
    def words(self) -> str:
        """What is behind the verdict, for someone who has never heard of a distance."""
        parts = []
        if self.verdict != "as before":
            parts.append(f"{percent(self.distance)} of the rows have moved")
        if self.unseen > 0:
            parts.append(f"{percent(self.unseen)} have a value never met in training")
        if self.outside > 0:
            parts.append(f"{percent(self.outside)} lie outside the range of training")
        if abs(self.missing_now - self.missing_before) >= 0.01:
            before, now = percent(self.missing_before), percent(self.missing_now)
            parts.append(f"not recorded in {now}, before in {before}")
        return "; ".join(parts)


def column_drift(
    before: Sequence[ColumnProfile], now: Sequence[ColumnProfile]
) -> tuple[ColumnDrift, ...]:
    """Compare two profiles of the same columns, the most changed first."""
    tables = [_cells(*pair) for pair in zip(before, now, strict=True)]
    p_values = [_homogeneity(table) for table in tables]
    adjusted = false_discovery(p_values)
    found = [
        ColumnDrift(
            name=new.name,
            distance=_distance(table),
            stability=_stability(table),
            p_value=p,
            adjusted_p=float(q),
            missing_before=_share(old.missing, old.rows),
            missing_now=_share(new.missing, new.rows),
            unseen=_share(new.unseen, new.rows),
            outside=_share(new.outside, new.rows),
        )
        for old, new, table, p, q in zip(before, now, tables, p_values, adjusted, strict=True)
    ]
    return tuple(sorted(found, key=lambda drift: (drift.adjusted_p > LEVEL, -drift.distance)))


def _cells(old: ColumnProfile, new: ColumnProfile) -> FloatArray:
    """Lay both tables' rows side by side: categories or bins, then unseen, then missing."""
    return np.array([[*each.counts, each.unseen, each.missing] for each in (old, new)])


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _distance(table: FloatArray) -> float:
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1e-300)
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def _stability(table: FloatArray) -> float:
    filled = table[:, table.any(axis=0)] + 0.5
    shares = filled / filled.sum(axis=1, keepdims=True)
    return float(((shares[1] - shares[0]) * np.log(shares[1] / shares[0])).sum())


def _homogeneity(table: FloatArray) -> float:
    """Test by chi-square whether both rows come from one distribution; rare cells are pooled."""
    order = np.argsort(table.sum(axis=0), kind="stable")
    cells = table[:, order][:, table[:, order].any(axis=0)]
    rows = cells.sum(axis=1)
    if not rows.all():
        return 1.0
    # The rarest cells are put together until both tables expect enough rows in them.
    fewest = _FEWEST_EXPECTED * rows.sum() / rows.min()
    n_pooled = int(np.searchsorted(np.cumsum(cells.sum(axis=0)), fewest, side="left")) + 1
    pooled = np.column_stack([cells[:, :n_pooled].sum(axis=1), cells[:, n_pooled:]])
    if pooled.shape[1] < 2:
        return 1.0
    return float(stats.chi2_contingency(pooled, correction=False).pvalue)
