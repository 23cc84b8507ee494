"""A second file on the Data page loses nothing of the table in use; forgetting asks first."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from probtrees.grow.edits import Edit
from probtrees.ui.shared import kept_session
from probtrees.ui.shared.session import state
from probtrees.ui.shared.session.edits import EDITS
from probtrees.ui.shared.session.given_files import Upload
from probtrees.ui.shared.session.kept_tables import KeptTables

DATA = str(Path(__file__).resolve().parents[2] / "pages" / "data.py")
ROWS = "".join(f"P{i:03},{i % 9},{i % 4},{'yn'[i % 2]}\n" for i in range(60))
OWN = Upload("own.csv", f"id,x,w,ill\n{ROWS}".encode())
OTHER = Upload("other.csv", f"no,z,v,dead\n{ROWS}".encode())
BROKEN = Upload("x.docx", b"PK\x03\x04 cut")
CORRECTED = (Edit("never", (), "x"),)


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KeptTables:
    found = KeptTables(tmp_path)
    monkeypatch.setattr(kept_session, "kept_tables", lambda: found)
    monkeypatch.setattr(kept_session, "_visitor", lambda: "me")
    return found


def opened(link: dict[str, str] | None = None) -> AppTest:
    page = AppTest.from_file(DATA, default_timeout=180)
    page.query_params.update(link or {})
    return _ran(page)


def reloaded() -> AppTest:
    return opened({"v": "1", "own": "1"})


def worked_on() -> AppTest:
    """Put a table to use, correct its tree and pin a leaf."""
    page = press(give(opened(), OWN), "Grow the tree")
    page.session_state[EDITS] = CORRECTED
    tree = str((page.session_state["data.draft"].key, ()))
    page.session_state[state.PINS] = {tree: [2]}
    page.session_state[f"{state.NOTE}{tree} 2"] = "look here"
    return _ran(page)


def give(page: AppTest, file: Upload) -> AppTest:
    page.file_uploader[0].set_value((file.name, file.content, "text/csv"))
    return _ran(page)


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click()
    return _ran(page)


def _ran(page: AppTest) -> AppTest:
    page.run()
    assert not page.exception
    return page


def labels(page: AppTest) -> list[str]:
    return [button.label for button in page.button]


def texts(page: AppTest) -> str:
    return "\n".join(str(part.value) for part in (*page.markdown, *page.caption, *page.error))


def check_own(page: AppTest) -> None:
    """Check that the table is in use and on the page with all that belongs to it."""
    assert page.session_state[state.UPLOAD] == OWN
    assert page.session_state[EDITS] == CORRECTED
    assert list(page.session_state[state.PINS].values()) == [[2]]
    assert "The other pages are built from this table." in texts(page)
    assert "it only names the row" in texts(page)
    assert not any(label.startswith("Go back") for label in labels(page))


@pytest.mark.parametrize("file", [OTHER, BROKEN], ids=["good", "broken"])
@pytest.mark.parametrize("reload", [False, True], ids=["at once", "after a reload"])
@pytest.mark.parametrize("way", ["Go back to 'own\\.csv'", "Forget"])
def test_a_second_file_is_dropped_and_nothing_else(
    tables: KeptTables, file: Upload, reload: bool, way: str
) -> None:
    page = give(worked_on(), file)
    page = reloaded() if reload else page
    name = file.name.replace(".", "\\.")
    assert "**own\\.csv** is still in use, with 1 correction and 1 pinned leaf." in texts(page)
    assert "Forget this table" not in labels(page)
    assert "Delete it all" not in labels(page)
    page = press(page, f"Forget '{name}'" if way == "Forget" else way)
    check_own(page)
    assert not tables.has_table("me", file.digest)
    check_own(reloaded())


@pytest.mark.parametrize("file", [OTHER, BROKEN], ids=["good", "broken"])
def test_a_file_that_is_taken_out_of_its_field_leads_back(tables: KeptTables, file: Upload) -> None:
    page = give(worked_on(), file)
    page.file_uploader[0].set_value(None)
    page = _ran(page)
    check_own(page)
    assert not tables.has_table("me", file.digest)
    page = give(page, file)
    assert any(label.startswith("Go back") for label in labels(page))


def test_a_table_in_use_stays_when_it_is_taken_out_of_its_field(tables: KeptTables) -> None:
    page = worked_on()
    page.file_uploader[0].set_value(None)
    check_own(_ran(page))


def test_a_file_that_was_dropped_can_be_given_again(tables: KeptTables) -> None:
    page = press(give(worked_on(), OTHER), "Go back to 'own\\.csv'")
    page = press(give(page, OTHER), "Grow the tree")
    assert page.session_state[state.UPLOAD] == OTHER
    assert tables.load("me")[0] == OTHER


def test_a_sample_that_is_looked_at_leads_back_too_also_by_a_reload(tables: KeptTables) -> None:
    page = press(worked_on(), "Show the sample")
    assert "**titanic** · 2,201 rows" in texts(page)
    assert state.SAMPLE not in page.query_params
    check_own(reloaded())
    check_own(press(page, "Go back to 'own\\.csv'"))
    assert tables.load("me")[0] == OWN


def test_work_is_not_forgotten_unasked(tables: KeptTables) -> None:
    page = worked_on()
    (tree,) = page.session_state[state.PINS]
    note = f"{state.NOTE}{tree} 2"
    assert page.session_state[note] == "look here"
    assert "Forget this table" not in labels(page)  # it only opens the question
    assert "with its **1 correction and 1 pinned leaf**?" in texts(page)
    page = press(page, "Delete it all")
    assert state.UPLOAD not in page.session_state
    assert EDITS not in page.session_state
    assert not page.session_state[state.PINS]
    assert note not in page.session_state
    assert tables.load("me") is None
    page = give(page, OWN)
    assert "Forget this table" in labels(page)
    assert not any(label.startswith("Go back") for label in labels(page))
