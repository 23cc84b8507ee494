"""A tree that is almost never wrong asks whether its column may be used."""

from pathlib import Path
from typing import Any

import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.tree.reading_line import KNOWN_LATE
from streamlit.testing.v1 import AppTest

from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload

APP = str(Path(__file__).resolve().parents[2] / "app.py")
pytestmark = pytest.mark.usefixtures("patient_page")
LINES = [f"{n % 13},{5 + n * 3 % 40 if n % 3 == 0 else 0},{'yn'[n % 3 > 0]}" for n in range(300)]
TABLE = "\n".join(["x,refund,returned", *LINES]).encode()


def _opened(table: bytes = TABLE, target: str = "returned") -> AppTest:
    app = AppTest.from_file(APP, default_timeout=180)
    app.session_state[state.UPLOAD] = Upload("own.csv", table)
    app.session_state["reading"] = ReadOptions(roles={target: "target"})
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


def test_a_column_that_tells_one_of_four_outcomes_from_the_others_is_asked_about():
    kinds = ("seal", "bearing", "electrical")
    lines = [
        f"{n % 13},E{n % 4},{kinds[n * 7 // 10 % 3]}" if n % 10 == 0 else f"{n % 13},0,none"
        for n in range(1500)
    ]
    app = _opened("\n".join(["x,alarm,failure", *lines]).encode(), "failure")
    assert "Almost perfect: is 'alarm' known before the outcome?" in _warnings(app)
    assert "avoids 100 % of the mistakes about whether it is 'none'" in _warnings(app)


def _asked_above(app: AppTest) -> list[str]:
    return [str(b.key) for b in app.button if str(b.key).startswith("ignore suspected")]


def test_a_column_that_the_alarm_asks_about_is_not_asked_about_in_the_line_too():
    app = _opened()
    assert _button(app, "leave carrying out")
    assert _asked_above(app) == []
    assert not any("** open" in caption.value for caption in app.caption)
    _button(app, "carrying is known").click().run()
    assert _asked_above(app) == []


def test_a_column_that_was_said_to_be_known_when_reading_raises_no_alarm():
    app = _opened()
    report = inspect_table(("own.csv", TABLE), target="returned")
    found = [f for f in report.column("refund").findings if f.kind in KNOWN_LATE]
    assert found
    marks = [repr((f.kind, f.column, [(x.setting, x.value) for x in f.fixes])) for f in found]
    app.session_state["data.left"] = (Upload("own.csv", TABLE).digest, *marks)
    app.run()
    assert "Almost perfect" not in _warnings(app)
