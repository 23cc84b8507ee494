"""A session saved as a file comes back whole; what was not saved here is refused.

Files and links of an earlier release were written before the reading of tables was rebuilt. What
uses a reading that is dropped ("may_refuse") may be left out with a sentence; nothing is brought
back otherwise.
"""

import base64
import json
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.errors import DataError
from probtrees.grow.edits import Edit, Step, edits_text
from probtrees.machine import input_bytes
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.session.kept_tables import SUFFIX, SavedSession
from probtrees.ui.shared.session.state import EDITS, NOTE, PINS
from probtrees.ui.shared.table_source import ChosenTable
from tests.app.app_page import address, give, kept, visit
from tests.app.conftest import ROOT
from tests.table.formats.test_open_table import archive

pytestmark = pytest.mark.usefixtures("patient_page")

MINE = f"my{SUFFIX}"
CONTENT = ("x,z,ill\n" + "".join(f"{i % 9},{i % 4},{'yn'[i % 2]}\n" for i in range(60))).encode()
OWN = Upload("own.csv", CONTENT)
VIEW: dict[str, Any] = {
    "reading": {"roles": {"ill": "target", "z": "ignore"}, "date_order": "day"},
    "choices": {"smoother": "laplace"},
    "pins": {"a tree": [3, 5], "nonsense": ["x"]},
    "notes": {f"{NOTE}a tree 3": "ask the ward", "upload": "no key of a note"},
}


def saved(with_rows: bool = True, **view: Any) -> bytes:
    return SavedSession.of(OWN, "titanic", {**VIEW, **view}).to_bytes(with_rows=with_rows)


def opened(content: bytes) -> SavedSession:
    return SavedSession.from_bytes(MINE, content)


def test_round_trip() -> None:
    found = opened(saved())
    assert (found.table, found.upload, found.view) == ("own.csv", OWN, VIEW)
    without = opened(saved(with_rows=False))
    assert (without.upload, without.digest) == (None, OWN.digest)
    sample = opened(SavedSession.of(None, "titanic", VIEW).to_bytes())
    assert (sample.table, sample.digest) == ("titanic", "")


def changed(**record: Any) -> bytes:
    usual = {"format": 1, "table": "own.csv", "sha256": OWN.digest, "view": {}}
    return archive(**{"session.json": json.dumps({**usual, **record}), "table": CONTENT})


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "saved here"),
        (CONTENT, "saved here"),
        (saved()[:-40], "saved here"),
        (changed(view=[1]), "saved here"),
        (changed(format=2), "format 1, not 2"),
        (changed(sha256="0"), "saved here"),
        (changed(view={"much": "0" * (1 << 21)}), "saved here"),
    ],
)
def test_what_is_refused(content: bytes, words: str) -> None:
    with pytest.raises(DataError, match=words):
        opened(content)


def test_made_to_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_bytes, "HARMLESS", 1000)
    big = SavedSession.of(Upload("big.csv", b"0" * 1_000_000), "titanic", {}).to_bytes()
    with pytest.raises(DataError, match="fill the memory"):
        opened(big)


def test_opened_on_the_data_page() -> None:
    page = give(visit("data"), saved(), MINE)
    assert page.session_state["upload"] == OWN
    reading: ReadOptions = page.session_state["reading"]
    assert (reading.roles["z"], reading.date_order) == ("ignore", "day")
    assert page.session_state["smoother"] == "laplace"
    assert page.session_state[PINS] == {"a tree": [3, 5]}
    assert page.session_state[f"{NOTE}a tree 3"] == "ask the ward"


def test_corrections_come_with_their_table() -> None:
    edit = Edit("split", (Step("z", at_most=1.0),), "x", 4.5)
    page = visit(
        "data", c45__edits=(Edit("never", (), "age"),)
    )  # another tree was corrected before
    give(page, saved(choices={EDITS: edits_text([edit], short=True)}), MINE)
    assert page.session_state[EDITS] == (edit,)


def test_without_its_rows_it_asks_for_the_table() -> None:
    page = give(visit("data"), saved(with_rows=False), MINE)
    assert "Open 'own.csv' first" in page.error[0].value.replace("\\", "")


GOLDEN = json.loads((ROOT / "tests" / "golden" / "sessions.json").read_text("utf-8"))
SESSIONS = {record["name"]: record for record in GOLDEN["sessions"]}
LINKS = {record["name"]: record for record in GOLDEN["links"]}

MOVED = {("tree.tab", "Follow a row"): ("beside", "what-if")}
"""Parts of links that lead to what took the place of theirs."""


def table_read(page: AppTest) -> Any:
    """Read the table of a page as the page does."""
    upload, sample = kept(page, "upload"), kept(page, "sample", "")
    return ChosenTable(upload, sample, kept(page, "reading", ReadOptions())).read()


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_comes_back(name: str) -> None:
    record = SESSIONS[name]
    page = give(visit("data"), base64.b64decode(record["base64"]), f"my{SUFFIX}")
    if page.error and record["may_refuse"]:
        return
    assert not page.error
    data = table_read(page)
    counts = np.bincount(data.labels, minlength=data.n_classes).tolist()
    assert list(data.schema.names) == record["columns"]
    assert dict(zip(data.schema.classes, counts, strict=True)) == record["class_counts"]
    for key, value in {**record["choices"], **record["notes"]}.items():
        assert page.session_state[key] == value
    if record["pins"]:
        assert dict(page.session_state[PINS]) == record["pins"]
    if record["edits"] is not None:
        assert json.loads(edits_text(page.session_state[EDITS], short=True)) == record["edits"]


@pytest.mark.parametrize("name", LINKS)
def test_a_link_brings_back_its_view(name: str) -> None:
    record = LINKS[name]
    page = visit(record["page"], record["link"])
    said = " ".join(warning.value for warning in page.warning if "link" in warning.icon)
    steps = json.loads(address(page).get("steps", "[]"))
    for part, text in record["link"].items():
        written = address(page).get(part)
        may_go = part in record["may_refuse"] and written is None and part in said
        name, _, column = part.partition(".")
        is_step = {"step": name, "column": column} in [
            {key: step.get(key) for key in ("step", "column")} for step in steps
        ]
        place, wanted = MOVED.get((part, text), (part, text))
        assert address(page).get(place) == wanted or may_go or is_step, part
    assert not said or record["may_refuse"]
