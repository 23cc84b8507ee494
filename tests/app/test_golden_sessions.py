"""Session files and links of an earlier release bring back what they held, or say what they cannot.

They were written before the reading of tables was rebuilt. What uses a reading that is dropped
("may_refuse") may be left out with a sentence; nothing is brought back otherwise.
"""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.grow.edits import edits_text
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.session.kept_tables import SUFFIX
from probtrees.ui.shared.session.state import EDITS, PINS
from probtrees.ui.shared.table_source import ChosenTable
from tests.app.app_page import address, give, kept, visit

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "sessions.json").read_text("utf-8"))
SESSIONS = {record["name"]: record for record in GOLDEN["sessions"]}
LINKS = {record["name"]: record for record in GOLDEN["links"]}

MOVED = {("tree.tab", "Follow a row"): ("beside", "what-if")}
"""Parts of links that lead to what took the place of theirs."""

pytestmark = pytest.mark.usefixtures("patient_page")


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
