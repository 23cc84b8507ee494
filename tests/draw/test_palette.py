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


@pytest.mark.parametrize(
    ("base", "settings", "place", "words"),
    [
        (0.95, {"reach": (0.07, 0.56, 0.9999)}, 0, "far below (12 % or less)"),
        (0.95, {"reach": (0.07, 0.56, 0.9999)}, 2, "far above · chance of yes"),
        (0.006, {"reach": (0.4,)}, 2, "far above (40 % or more) · chance of yes"),
        (0.4, {}, 0, "far below"),
        (0.4144, {"root_chance": 0.4152}, 1, "41.4 % of all rows (smoothed 41.5 %)"),
        (0.4144, {"root_chance": 0.4143}, 1, "41.4 % of all rows"),
    ],
)
def test_the_legend_says_where_a_scale_ends_and_what_lies_in_its_middle(
    base, settings, place, words
) -> None:
    if chances := settings.get("reach"):
        settings = {"reach": lift_reach(np.array(chances), base)}
    assert Legend("lift", ("no", "yes"), 1, base, **settings).ends[place] == words


def test_the_legend_of_a_tree_reaches_to_its_farthest_answer(small) -> None:
    legend = Legend.of_tree(small.smoothed, small.schema, 1)
    chances = small.smoothed.probs[:, 1]
    assert legend.reach == lift_reach(chances, 12 / 72)
    assert (legend.base_rate, legend.root_chance) == (12 / 72, chances[0])
    assert (legend.target, legend.names) == ("ill", ("no", "yes"))
