"""A tree that is no better than the base rate says so above its picture."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload

APP = str(Path(__file__).resolve().parents[2] / "app.py")
pytestmark = pytest.mark.usefixtures("patient_page")


def _said(chance: Callable[[int], float]) -> list[str]:
    """Grow the tree of a table whose outcome depends on the age like this."""
    draw, lines = random.Random(4), ["age,site,dose,left"]
    for _ in range(600):
        age = draw.randint(20, 80)
        left = "yes" if draw.random() < chance(age) else "no"
        lines.append(f"{age},{draw.choice('ABCDEF')},{draw.randint(1, 9)},{left}")
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("own.csv", "\n".join(lines).encode())
    app.session_state["reading"] = ReadOptions(roles={"left": "target"})
    app.run()
    assert not app.exception
    return [text.value for text in app.markdown]


def test_a_tree_of_noise_says_that_it_found_nothing_before_anything_of_the_leaf():
    said = _said(lambda _: 0.35)
    mark = ":orange[:material/warning: **Found nothing**]: no better than the base rate."
    assert mark in said
    assert said.index(mark) < said.index("**Every smoother's answer for this node**")


def test_a_good_tree_is_not_marked():
    assert not [text for text in _said(lambda age: age / 80) if ":material/warning:" in text]
