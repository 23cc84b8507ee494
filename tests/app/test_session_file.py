"""A session saved as a file comes back whole; what was not saved here is refused."""

import io
import json
import zipfile
from typing import Any

import pytest

from probtrees.errors import DataError
from probtrees.grow.edits import Edit, Step, edits_text
from probtrees.machine import input_bytes
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.session.kept_tables import SUFFIX, SavedSession
from probtrees.ui.shared.session.state import EDITS, NOTE, PINS
from tests.app.app_page import give, visit

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
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        usual = {"format": 1, "table": "own.csv", "sha256": OWN.digest, "view": {}}
        packed.writestr("session.json", json.dumps({**usual, **record}))
        packed.writestr("table", CONTENT)
    return content.getvalue()


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
