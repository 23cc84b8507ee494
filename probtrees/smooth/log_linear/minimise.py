"""Minimise a smooth loss within bounds, and write coefficients such that signs are bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from probtrees.types import FloatArray

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
        loss, start, jac=True, method="L-BFGS-B", bounds=bounds, callback=tell, options=options
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
        return self._mapped(coefficients, np.linalg.inv)

    def coefficients(self, written: FloatArray) -> FloatArray:
        """Return the coefficients again."""
        return self._mapped(written, lambda back: back)

    def slope(self, slope: FloatArray) -> FloatArray:
        """Turn the slope by coefficients into that by differences."""
        return self._mapped(slope, lambda back: back.T)

    def bounds(self, n_scores: int) -> list[tuple[float | None, float | None]]:
        """Bound every difference that has a sign."""
        bounded = np.zeros((1 + self.signs.size, n_scores), dtype=bool)
        bounded[1 + np.flatnonzero(self.signs)] = True
        if n_scores > 1:
            bounded[:, self.outcome] = False
        return [(0.0 if held else None, None) for held in bounded.ravel()]

    def _mapped(self, table: FloatArray, take: Callable[[FloatArray], Any]) -> FloatArray:
        """Turn the lines of features with a sign by what leads back from their differences."""
        found, n_scores = table.copy(), table.shape[1]
        for sign in (-1.0, 1.0):
            lines = 1 + np.flatnonzero(self.signs == sign)
            back = -sign * np.eye(n_scores)
            if n_scores > 1:
                back[self.outcome] = 1.0
            elif self.outcome == 1:
                back = -back
            found[lines] = table[lines] @ take(back)
        return found
