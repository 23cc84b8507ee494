"""Colours around the base rate, and what the legend says about them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from probtrees.draw.legend import Legend
from probtrees.draw.palette import PAINTS, Theme, along, lift_reach, relative_to_base


def _lightness(colour: str) -> float:
    """The luma of a colour, which people with any colour vision see alike."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.mark.parametrize("base", [0.3, 0.4, 0.5, 0.65])
def test_a_base_rate_in_the_middle_keeps_its_scale(base: float) -> None:
    chances = np.array([0.0, 0.02, 0.2, base, 0.8, 0.999, 1.0])
    assert lift_reach(chances, base) == (3.0, 3.0)
    clipped = np.clip(chances, 1e-9, 1 - 1e-9)
    distance = np.log(clipped / (1 - clipped)) - np.log(base / (1 - base))
    expected = np.clip(distance / 3, -1, 1)
    assert relative_to_base(chances, base) == pytest.approx(expected)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("base", "chances"), [(0.95, (0.07, 0.3, 0.56)), (0.006, (0.07, 0.3, 0.8))]
)
def test_answers_far_from_an_extreme_base_rate_differ_in_colour(
    base: float, chances: tuple[float, ...], theme: Theme
) -> None:
    places = relative_to_base(np.array(chances), base)
    seen = [_lightness(along(PAINTS[theme].diverging, (place + 1) / 2)) for place in places]
    assert all(abs(one - other) > 4 for one, other in pairwise(seen))


def test_answers_near_an_extreme_base_rate_keep_their_colours() -> None:
    chances = np.array([0.004, 0.006, 0.03])
    assert lift_reach(chances, 0.006) == (3.0, 3.0)
    assert relative_to_base(chances, 0.006)[2] == pytest.approx(0.54, abs=0.01)


def test_the_legend_says_where_a_scale_that_is_drawn_out_ends() -> None:
    chances = np.array([0.07, 0.56, 0.9999])
    legend = Legend("lift", ("no", "yes"), 1, 0.95, reach=lift_reach(chances, 0.95))
    assert legend.ends[0] == "far below (12 % or less)"
    assert legend.ends[2] == "far above · chance of yes"
    rare = Legend("lift", ("no", "yes"), 1, 0.006, reach=lift_reach(np.array([0.4]), 0.006))
    assert rare.ends[2] == "far above (40 % or more) · chance of yes"
    assert Legend("lift", ("no", "yes"), 1, 0.4).ends[0] == "far below"
