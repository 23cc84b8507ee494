"""Colours around the base rate, and what the legend says about them."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.draw.palette import relative_to_base


@pytest.mark.parametrize("base", [0.006, 0.3, 0.5, 0.95])
def test_chances_are_placed_by_their_odds_around_the_base_rate(base: float) -> None:
    chances = np.array([0.0, 0.02, 0.2, base, 0.8, 0.999, 1.0])
    clipped = np.clip(chances, 1e-9, 1 - 1e-9)
    distance = np.log(clipped / (1 - clipped)) - np.log(base / (1 - base))
    assert relative_to_base(chances, base) == pytest.approx(np.clip(distance / 3, -1, 1))
