"""Coefficients as differences between outcomes, whose signs can be given."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from probtrees.types import FloatArray, IntArray


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
            return self.coefficients(coefficients)  # turned twice it is as it was
        found = coefficients.copy()
        lines, signs = self._wished()
        about = coefficients[lines, self.outcome]
        found[lines] = signs * (about[:, None] - coefficients[lines])
        found[lines, self.outcome] = about
        return found

    def coefficients(self, written: FloatArray) -> FloatArray:
        """Return the coefficients again."""
        found = written.copy()
        lines, signs = self._wished()
        if written.shape[1] == 1:
            found[lines] *= signs if self.outcome == 1 else -signs
            return found
        about = written[lines, self.outcome]
        found[lines] = about[:, None] - signs * written[lines]
        found[lines, self.outcome] = about
        return found

    def slope(self, slope: FloatArray) -> FloatArray:
        """Turn the slope by coefficients into that by differences."""
        found = slope.copy()
        lines, signs = self._wished()
        if slope.shape[1] == 1:
            found[lines] *= signs if self.outcome == 1 else -signs
            return found
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

    def _wished(self) -> tuple[IntArray, FloatArray]:
        lines = np.flatnonzero(self.signs)
        return lines + 1, self.signs[lines, None]
