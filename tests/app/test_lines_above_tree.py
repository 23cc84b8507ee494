"""Loud lines above a tree of one's own: almost perfect, or no better than the base rate."""

import random
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session.bounded_cache import Upload
from tests.app.app_page import ran, visit, words_of

pytestmark = pytest.mark.usefixtures("patient_page")
LINES = [f"{n % 13},{5 + n * 3 % 40 if n % 3 == 0 else 0},{'yn'[n % 3 > 0]}" for n in range(300)]
TABLE = "\n".join(["x,refund,returned", *LINES]).encode()
QUESTION = "Almost perfect: is 'refund' known before the outcome?"


def _opened(table: bytes = TABLE, column: str = "refund") -> AppTest:
    """Grow the tree with a column that the app would set aside by itself."""
    reading = ReadOptions().with_role(column, "feature")
    return visit("tree", upload=Upload("own.csv", table), reading=reading)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("button", "roles"), [("leave carrying out", "ignore"), ("carrying is known", "feature")]
)
def test_a_click_leaves_the_column_out_or_keeps_it(button: str, roles: str) -> None:
    page = _opened()
    assert QUESTION in words_of(page)
    assert not [b for b in page.button if str(b.key).startswith("data.fix")]  # asked once
    page.button(key=button).click()
    assert QUESTION not in words_of(ran(page))
    assert page.session_state["reading"].roles["refund"] == roles


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
