"""Win-draw-loss: on how many data sets one method beats another, and whether that is luck."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class WinDrawLoss:
    """How often a first method did better than a second one.

    Attributes
    ----------
    wins, draws, losses : data sets on which the first was better, equal, worse
    p_one_sided : the chance of so many wins or more among wins + losses fair coin throws
    p_two_sided : the chance of a result as lopsided either way
    """

    wins: int
    draws: int
    losses: int
    p_one_sided: float
    p_two_sided: float

    @property
    def text(self) -> str:
        """The record as the papers print it: ``96-3-44``."""
        return f"{self.wins}-{self.draws}-{self.losses}"

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain values, ready for JSON."""
        return asdict(self)


def win_draw_loss(
    first: ArrayLike,
    second: ArrayLike,
    *,
    decimals: int | None = None,
    lower_is_better: bool = True,
) -> WinDrawLoss:
    """Count wins, draws and losses over data sets, with a sign test on wins and losses.

    Draws say nothing about which method is better and are left out of the test. Data sets
    on which one of the two is undefined (NaN) are left out altogether.

    Parameters
    ----------
    first, second : a measure of the two methods, one entry per data set
    decimals : round before comparing, as a printed table does; None compares as they are
    lower_is_better : whether a smaller measure wins

    Examples
    --------
    >>> record = win_draw_loss([0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.3, 0.6])
    >>> record.text, record.p_one_sided, record.p_two_sided
    ('3-1-0', 0.125, 0.25)
    """
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    known = ~(np.isnan(a) | np.isnan(b))
    a, b = a[known], b[known]
    if decimals is not None:
        a, b = np.round(a, decimals), np.round(b, decimals)
    better, worse = int((a < b).sum()), int((a > b).sum())
    wins, losses = (better, worse) if lower_is_better else (worse, better)
    return WinDrawLoss(
        wins=wins,
        draws=len(a) - wins - losses,
        losses=losses,
        p_one_sided=binomial_tail(wins, wins + losses),
        p_two_sided=min(1.0, 2 * binomial_tail(max(wins, losses), wins + losses)),
    )


def binomial_tail(successes: int, trials: int) -> float:
    """Give the chance of at least so many heads in fair coin throws, exactly.

    >>> binomial_tail(3, 4)
    0.3125
    """
    heads = sum(math.comb(trials, k) for k in range(successes, trials + 1))
    return heads / (1 << trials)
