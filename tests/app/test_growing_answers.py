"""An answer about how to grow the tree of one table never reaches another table."""

from __future__ import annotations

from typing import Any

import pytest
from probtrees.ui.shared.session.growing_answers import (
    ANSWERED,
    Answer,
    read_answers,
    write_answers,
)
from probtrees.ui.shared.session.smaller_tree import check_number
from streamlit.testing.v1 import AppTest

from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.tree.tree_page import FORM
from tests.app.conftest import ROOT

pytestmark = pytest.mark.usefixtures("patient_page")

SEPARATE = "c45.separate_rows"


def _file(name: str, often: int, n_rows: int) -> Upload:
    rows = [f"{n % 11},{n % 7},{'ill' if n % often == 0 else 'well'}" for n in range(n_rows)]
    return Upload(name, "\n".join([f"x{often},z,state", *rows]).encode())


RARE, OTHER = _file("rare.csv", 97, 1500), _file("other.csv", 3, 183)
ANSWER = Answer("separate_rows", True, check_number(RARE.digest))


def _words(page: Any) -> str:
    return " ".join(element.value for element in (*page.markdown, *page.caption))


def _app(upload: Upload, **kept: Any) -> Any:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.UPLOAD] = upload
    for key, value in kept.items():
        app.session_state[key.replace("__", ".")] = value
    app.run()
    assert not app.exception
    return app


def _press(app: Any, label: str) -> Any:
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception
    return app


def _change_to(app: Any, upload: Upload) -> Any:
    app.session_state[state.UPLOAD] = upload
    app.run()
    assert not app.exception
    return app


def test_separate_rows_of_one_table_are_not_those_of_the_next_and_come_back_with_it():
    page = AppTest.from_file(str(ROOT / "pages" / "data.py"), default_timeout=180).run()
    page.file_uploader[0].set_value((RARE.name, RARE.content, "text/csv")).run()
    _press(page, "Use separate rows")
    answers = page.session_state["growing answers"]
    page.file_uploader[0].set_value((OTHER.name, OTHER.content, "text/csv")).run()
    assert "the other half its numbers" not in _words(page)

    app = _app(RARE)
    app.session_state["growing answers"] = answers
    app.run()
    assert app.session_state[SEPARATE] is True
    assert "750 of 1,500" in _words(app)
    _change_to(app, OTHER)
    assert app.session_state[SEPARATE] is False
    assert "half of the rows" not in _words(app)
    _change_to(app, RARE)
    assert app.session_state[SEPARATE] is True


def test_a_link_or_a_kept_session_brings_it_to_its_own_table_alone():
    kept = {"c45__separate_rows": True, "tree__answered": (ANSWER,)}
    assert "750 of 1,500" in _words(_app(RARE, **kept))
    other = _app(OTHER, **kept)
    assert other.session_state[SEPARATE] is False
    assert "half of the rows" not in _words(other)


def test_answers_are_written_into_links_and_read_again():
    answers = (ANSWER, Answer("min_leaf", 20, "c0de"))
    assert read_answers(write_answers(answers)) == answers
    with pytest.raises(ValueError, match="nothing"):
        read_answers("c0de.nothing.20")


def test_all_rows_are_used_again_by_a_click_beside_the_picture():
    app = _app(RARE, c45__separate_rows=True, tree__answered=(ANSWER,))
    _press(app, "Use all rows")
    assert app.session_state[SEPARATE] is False
    assert app.session_state[ANSWERED] == ()
    assert "half of the rows" not in _words(app)


def test_halves_of_the_rows_are_said_of_shapes_too_and_do_not_hold_for_a_council():
    app = _app(RARE, c45__separate_rows=True, tree__answered=(ANSWER,))
    app.session_state[FORM] = "shaped"
    app.run()
    assert "give the tree its splits; what paths and columns add is learnt from all" in _words(app)
    _press(app, "Use all rows")
    assert "give the tree its splits" not in _words(app)
    app = _app(RARE, c45__separate_rows=True, tree__answered=(ANSWER,))
    app.session_state[FORM] = "council"
    app.run()
    assert "does not hold for a council" in _words(app)
    assert "Use all rows" not in [button.label for button in app.button]


def test_what_was_set_by_hand_stays_and_is_said_also_where_the_outcome_is_not_rare():
    app = _app(RARE, c45__separate_rows=True, c45__min_leaf=30)
    assert "set for another table" not in _words(app)
    _change_to(app, OTHER)
    assert "of 183; the others only give the tree its shape" in _words(app)
    assert "Still grown as set for another table: " in _words(app)
    app.switch_page("pages/data.py").run()
    assert "the other half its numbers" in _words(app)
    _press(app, "Take it back")
    assert app.session_state[SEPARATE] is False
    app.switch_page("pages/tree.py").run()
    _press(app, "Grow as usual")
    assert app.session_state["c45.min_leaf"] == 2


def test_an_answer_that_is_overruled_by_hand_is_not_given_again():
    app = _app(RARE, c45__separate_rows=True, tree__answered=(ANSWER,))
    app.session_state[SEPARATE] = False
    app.run()
    _change_to(app, OTHER)
    _change_to(app, RARE)
    assert app.session_state[SEPARATE] is False


def test_a_table_is_not_grown_by_what_is_usual_for_the_sample_before():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=180)
    app.session_state[state.SAMPLE] = "stroke"
    app.run()
    assert app.session_state["c45.min_leaf"] == 1
    _change_to(app, OTHER)
    assert app.session_state["c45.min_leaf"] == 2
