"""A loud line above a tree of one's own: no better than the base rate."""

import random
from collections.abc import Callable

import pytest

from probtrees.ui.shared.session.bounded_cache import Upload
from tests.app.app_page import visit

pytestmark = pytest.mark.usefixtures("patient_page")


def _said(chance: Callable[[int], float]) -> list[str]:
    """Grow the tree of a table whose outcome depends on the age like this."""
    draw, lines = random.Random(4), ["age,site,dose,left"]
    for _ in range(600):
        age = draw.randint(20, 80)
        left = "yes" if draw.random() < chance(age) else "no"
        lines.append(f"{age},{draw.choice('ABCDEF')},{draw.randint(1, 9)},{left}")
    page = visit("tree", upload=Upload("own.csv", "\n".join(lines).encode()))
    return [text.value for text in page.markdown]


def test_a_tree_of_noise_says_that_it_found_nothing_before_anything_of_the_leaf():
    said = _said(lambda _: 0.35)
    mark = ":orange[:material/warning: **Found nothing**]: no better than the base rate."
    assert mark in said
    assert said.index(mark) < said.index("**Every smoother**")


@pytest.mark.slow
def test_a_good_tree_is_not_marked():
    assert not [text for text in _said(lambda age: age / 80) if "Found nothing" in text]
