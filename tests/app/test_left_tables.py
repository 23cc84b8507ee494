"""A table that is given again is as it was left, on the Data page and on the Tree page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from probtrees.ui.shared.draft import is_as_guessed
from streamlit.testing.v1 import AppTest

from probtrees.grow.edits import Edit
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared import kept_session
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.edits import EDITS
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.session.kept_tables import KeptTables
from probtrees.ui.shared.table_source import READING, ChosenTable
from tests.app.test_way_back import OTHER, OWN, give, labels, press, texts

APP = str(Path(__file__).resolve().parents[2] / "app.py")
CORRECTED = (Edit("never", (), "x"),)
AS_LEFT = "**own\\.csv** is as you left it"
pytestmark = pytest.mark.usefixtures("patient_page", "tables")


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptTables:
    found = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: found)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    monkeypatch.setattr(kept_session, "_tab", lambda part: "f" * 32 if part == "tab" else "")
    return found


def opened() -> AppTest:
    return on_page(AppTest.from_file(APP, default_timeout=180).run(), "data")


def grown(app: AppTest, file: Upload) -> AppTest:
    """Give a file, put it to use, and look at its tree."""
    return on_page(press(give(app, file), "Grow the tree"), "tree")


def on_page(app: AppTest, name: str) -> AppTest:
    app.switch_page(f"pages/{name}.py").run()
    assert not app.exception
    return app


def corrected() -> AppTest:
    """Use a column that is set aside, grow the tree, correct it, and grow that of another table."""
    page = give(opened(), OWN)
    draft = page.session_state["data.draft"]
    assert draft.reading.roles["w"] == "ignore"
    page.session_state["data.draft"] = replace(
        draft, reading=draft.reading.with_role("w", "feature")
    )
    page = on_page(press(page, "Grow the tree"), "tree")
    page.session_state[EDITS] = CORRECTED
    page = grown(on_page(page.run(), "data"), OTHER)
    assert not page.session_state[EDITS] if EDITS in page.session_state else True
    return on_page(page, "data")


@pytest.mark.parametrize("reload", [False, True], ids=["at once", "after a reload"])
def test_what_was_said_of_a_table_and_its_corrections_are_there_again(reload: bool) -> None:
    page = corrected()
    page = opened() if reload else page
    assert AS_LEFT not in texts(page)
    page = give(page, OWN)
    assert f"{AS_LEFT}, with 1 correction." in texts(page)
    assert page.session_state["data.draft"].reading.roles["w"] == "feature"
    page = on_page(press(page, "Grow the tree"), "tree")
    assert page.session_state[EDITS] == CORRECTED
    assert page.session_state[READING].roles["w"] == "feature"
    assert AS_LEFT not in texts(page)  # once is enough


def test_one_click_starts_afresh() -> None:
    page = press(give(corrected(), OWN), "Start afresh")
    assert AS_LEFT not in texts(page)
    assert page.session_state["data.draft"].reading.roles["w"] == "ignore"
    page = on_page(press(page, "Grow the tree"), "tree")
    assert not page.session_state[EDITS] if EDITS in page.session_state else True
    page = give(on_page(page, "data"), OWN)
    assert "Start afresh" not in labels(page)


def test_a_file_given_on_the_tree_page_is_as_it_was_left_too() -> None:
    page = on_page(corrected(), "tree")
    field = next(field for field in page.file_uploader if "another table" in field.label)
    field.set_value((OWN.name, OWN.content, "text/csv"))
    page.run()
    assert not page.exception
    assert page.session_state[state.UPLOAD] == OWN
    assert page.session_state[EDITS] == CORRECTED
    assert f"{AS_LEFT}, with 1 correction." in texts(page)
    page = press(page, "Start afresh")
    assert page.session_state[READING].roles["w"] == "ignore"
    assert not page.session_state[EDITS] if EDITS in page.session_state else True
    assert AS_LEFT not in texts(page)


def test_a_table_that_is_forgotten_is_new_when_it_is_given_again(tables: KeptTables) -> None:
    page = give(corrected(), OWN)
    page = press(page, "Forget 'own\\.csv'")
    assert OWN.digest not in (tables.load_record("me", "left", "f" * 32) or "")
    page = give(page, OWN)
    assert AS_LEFT not in texts(page)


def test_nothing_is_said_of_a_table_that_nobody_changed() -> None:
    page = on_page(grown(opened(), OWN), "data")
    page = on_page(grown(page, OTHER), "data")
    page = give(page, OWN)
    assert AS_LEFT not in texts(page)


def test_an_answer_after_which_roles_are_guessed_anew_counts_as_a_change() -> None:
    guess = ChosenTable(OWN, "titanic", ReadOptions(roles={"ill": "target"}))
    assert is_as_guessed(guess, {"reason": [guess.key, "by its name"]})
    assert not is_as_guessed(guess, {"reason": ["other", "by its name"]})
    said = replace(guess, reading=replace(guess.reading, numbers_in=("x",)))
    assert not is_as_guessed(said, {"reason": [said.key, "by its name"]})


def test_the_last_answer_before_a_file_is_taken_out_of_its_field_is_kept() -> None:
    page = press(give(opened(), OWN), "Use it anyway")
    roles = page.session_state["data.draft"].reading.roles
    page.file_uploader[0].set_value(None)
    page = give(page.run(), OWN)
    assert f"{AS_LEFT}." in texts(page)
    assert page.session_state["data.draft"].reading.roles == roles
