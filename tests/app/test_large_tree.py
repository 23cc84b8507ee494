"""Below a tree that nobody could read: what makes it large, and a smaller one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload

APP = str(Path(__file__).resolve().parents[2] / "app.py")
pytestmark = pytest.mark.usefixtures("patient_page")


def _table() -> bytes:
    """Return 900 rows: 150 postcodes, which tell much, and columns that tell little."""
    random = np.random.default_rng(7)
    rows = []
    for n in range(900):
        x, z, w = random.integers(6, size=3)
        code = n * 7919 % 150
        ill = random.random() < (0.85 if code % 2 else 0.1) + 0.1 * (x > 3)
        rows.append(f"P{code},a{x},b{z},c{w},{'yes' if ill else 'no'}")
    return "\n".join(["postcode,x,z,w,ill", *rows]).encode()


def _button(app: AppTest, words: str) -> Any:
    return next(button for button in app.button if words in button.label)


def test_postcodes_are_set_aside_and_the_tree_made_smaller_where_it_stands():
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("own.csv", _table())
    roles = {"postcode": "feature", "ill": "target"}
    app.session_state["reading"] = ReadOptions(roles=roles)
    app.session_state[state.OUTCOME] = 0
    app.run()
    assert "150 different values" in "\n".join(caption.value for caption in app.caption)
    _button(app, "Set it aside").click().run()
    assert not app.exception
    assert app.session_state["reading"].roles["postcode"] == "ignore"
    assert app.session_state[state.OUTCOME] == 0
    assert not [button for button in app.button if button.label == "Set it aside"]
    _button(app, "look for a smaller tree").click().run()
    _button(app, "Grow it with").click().run()
    assert not app.exception
    assert app.session_state["c45.min_leaf"] > 2 or app.session_state["c45.prune"] != "none"
    _button(app, "Back to the tree with").click().run()
    assert app.session_state["c45.min_leaf"] == 2
