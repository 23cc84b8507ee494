"""A tree that is almost never wrong asks whether its column may be used."""

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload

APP = str(Path(__file__).resolve().parents[2] / "app.py")
pytestmark = pytest.mark.usefixtures("patient_page")
LINES = [f"{n % 13},{5 + n * 3 % 40 if n % 3 == 0 else 0},{'yn'[n % 3 > 0]}" for n in range(300)]
TABLE = "\n".join(["x,refund,returned", *LINES]).encode()


def _opened() -> AppTest:
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("own.csv", TABLE)
    app.session_state["reading"] = ReadOptions(roles={"returned": "target"})
    return app.run()


def _button(app: AppTest, key: str) -> Any:
    return next(button for button in app.button if button.key == key)


def _warnings(app: AppTest) -> str:
    return " ".join(w.value for w in app.warning).replace("\\", "").replace("\u2060", "")


def test_a_click_leaves_the_column_out():
    app = _opened()
    assert "**Almost perfect: is 'refund' known before the outcome?**" in _warnings(app)
    assert "AUC is 1.000" in _warnings(app)
    _button(app, "leave carrying out").click().run()
    assert not app.exception
    assert app.session_state["reading"].roles["refund"] == "ignore"
    assert "Almost perfect" not in _warnings(app)


def test_a_column_that_is_known_is_asked_about_once():
    app = _opened()
    _button(app, "carrying is known").click().run()
    assert "Almost perfect" not in _warnings(app)
    assert "refund" not in app.session_state["reading"].roles
