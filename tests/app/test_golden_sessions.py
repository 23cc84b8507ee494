"""Session files and links of an earlier release bring back what they held, or say what they cannot.

They were written before the reading of tables was rebuilt. What uses a reading that is dropped
("may_refuse") may be left out with a sentence; nothing is brought back otherwise.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.grow.edits import edits_text
from probtrees.ui.shared.session.edits import EDITS
from probtrees.ui.shared.session.kept_tables import SUFFIX
from probtrees.ui.shared.session.state import PINS
from probtrees.ui.shared.table_source import ChosenTable

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "sessions.json").read_text("utf-8"))
SESSIONS = {record["name"]: record for record in GOLDEN["sessions"]}
LINKS = {record["name"]: record for record in GOLDEN["links"]}

pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(name: str) -> AppTest:
    return AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=180)


def table_read(page: AppTest) -> Any:
    """Read the table of a page as the page does."""
    kept = {
        name: page.session_state[name]
        for name in ("upload", "sample")
        if name in page.session_state
    }
    source = ChosenTable(kept.get("upload"), kept.get("sample", ""), page.session_state["reading"])
    return source.read()


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_comes_back(name: str) -> None:
    record = SESSIONS[name]
    page = open_page("data").run()
    content = base64.b64decode(record["base64"])
    page.file_uploader[0].set_value((f"my{SUFFIX}", content, "")).run()
    assert not page.exception
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
    page = open_page(record["page"])
    for part, text in record["link"].items():
        page.query_params[part] = text
    page.run()
    assert not page.exception
    said = " ".join(warning.value for warning in page.warning if "link" in warning.icon)
    for part, text in record["link"].items():
        kept = dict(page.query_params).get(part)
        kept = kept[0] if isinstance(kept, list) else kept
        may_go = part in record["may_refuse"] and kept is None and part in said
        assert kept == text or may_go, part
    assert not said or record["may_refuse"]
