"""Colours around the base rate, and what the legend says about them."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.draw.legend import Legend
from probtrees.draw.palette import relative_to_base


@pytest.mark.parametrize("base", [0.006, 0.3, 0.5, 0.95])
def test_chances_are_placed_by_their_odds_around_the_base_rate(base: float) -> None:
    chances = np.array([0.0, 0.02, 0.2, base, 0.8, 0.999, 1.0])
    clipped = np.clip(chances, 1e-9, 1 - 1e-9)
    distance = np.log(clipped / (1 - clipped)) - np.log(base / (1 - base))
    assert relative_to_base(chances, base) == pytest.approx(np.clip(distance / 3, -1, 1))


@pytest.mark.parametrize(
    ("base", "settings", "place", "words"),
    [
        (0.4, {}, 0, "far below"),
        (0.4144, {"root_chance": 0.4152}, 1, "41.4 % of all rows (smoothed 41.5 %)"),
        (0.4144, {"root_chance": 0.4143}, 1, "41.4 % of all rows"),
    ],
)
def test_the_legend_says_what_lies_in_the_middle_of_its_scale(base, settings, place, words) -> None:
    assert Legend("lift", ("no", "yes"), 1, base, **settings).ends[place] == words


def test_the_legend_of_a_tree_names_its_numbers(small) -> None:
    legend = Legend.of_tree(small.smoothed, small.schema, 1)
    chances = small.smoothed.probs[:, 1]
    assert (legend.base_rate, legend.root_chance) == (12 / 72, chances[0])
    assert (legend.target, legend.names) == ("ill", ("no", "yes"))
