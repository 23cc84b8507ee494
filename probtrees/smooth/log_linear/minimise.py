"""Minimise a smooth loss within bounds, and write coefficients such that signs are bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from probtrees.types import FloatArray, IntArray

SmoothLoss = Callable[[FloatArray], tuple[float, FloatArray]]
"""Gives the loss and its gradient at a point."""


def minimise(
    loss: SmoothLoss,
    start: FloatArray,
    bounds: Sequence[tuple[float | None, float | None]],
    note: Callable[[FloatArray, float], None] | None = None,
    **options: Any,
) -> FloatArray:
    """Run L-BFGS-B from a start, and return where it ends.

    Parameters
    ----------
    bounds : of every entry of the point, from and to; None: as far as it goes
    note : told the point and the loss after every step
    options : when to stop, as scipy's ``minimize`` calls them

    >>> square = lambda x: (float(x @ x - 4 * x.sum()), 2 * x - 4)
    >>> minimise(square, np.ones(2), [(0, 1.5), (None, None)]).round(6).tolist()
    [1.5, 2.0]
    """
    from scipy.optimize import minimize  # noqa: PLC0415  slow to import, seldom needed

    def tell(intermediate_result: Any) -> None:
        if note is not None:
            note(np.array(intermediate_result.x), float(intermediate_result.fun))

    found = minimize(  # type: ignore[call-overload]
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        callback=tell,
        options=options,
    )
    return np.asarray(found.x)


class Differences(NamedTuple):
    """Coefficients written so that a wish of the sign of differences is a bound.

    Of a feature with a sign, those of the other outcomes are replaced by how far they lie from
    that of the one outcome that the wish is about, which must not be below 0. A single column
    of log-odds is such a difference already.

    Attributes
    ----------
    signs : float64[n_features], 0 where a feature is free
    outcome : which one the wish is about
    """

    signs: FloatArray
    outcome: int

    def of(self, coefficients: FloatArray) -> FloatArray:
        """Write coefficients, the intercept first, as differences."""
        if coefficients.shape[1] == 1:
            return self._turned(coefficients)
        found = coefficients.copy()
        lines, signs = self._wished()
        about = coefficients[lines, self.outcome]
        found[lines] = signs * (about[:, None] - coefficients[lines])
        found[lines, self.outcome] = about
        return found

    def coefficients(self, written: FloatArray) -> FloatArray:
        """Return the coefficients again."""
        if written.shape[1] == 1:
            return self._turned(written)
        found = written.copy()
        lines, signs = self._wished()
        about = written[lines, self.outcome]
        found[lines] = about[:, None] - signs * written[lines]
        found[lines, self.outcome] = about
        return found

    def slope(self, slope: FloatArray) -> FloatArray:
        """Turn the slope by coefficients into that by differences."""
        if slope.shape[1] == 1:
            return self._turned(slope)
        found = slope.copy()
        lines, signs = self._wished()
        found[lines] = -signs * slope[lines]
        found[lines, self.outcome] = slope[lines].sum(axis=1)
        return found

    def bounds(self, n_scores: int) -> list[tuple[float | None, float | None]]:
        """Bound every difference that has a sign."""
        bounded = np.zeros((1 + self.signs.size, n_scores), dtype=bool)
        bounded[self._wished()[0]] = True
        if n_scores > 1:
            bounded[:, self.outcome] = False
        return [(0.0 if held else None, None) for held in bounded.ravel()]

    def _turned(self, log_odds: FloatArray) -> FloatArray:
        """Turn the sign of a single column where it is wished to fall; twice, it is as it was."""
        found = log_odds.copy()
        lines, signs = self._wished()
        found[lines] *= signs if self.outcome == 1 else -signs
        return found

    def _wished(self) -> tuple[IntArray, FloatArray]:
        lines = np.flatnonzero(self.signs)
        return lines + 1, self.signs[lines, None]
