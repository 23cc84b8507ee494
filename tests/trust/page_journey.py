"""Bad files on the Data page, and what becomes of the other pages: no exception, a way back."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from probtrees.ui.pages import PAGES
from probtrees.ui.shared.session import state
from tests.trust.bad_files import BadFile
from tests.trust.journey import Step, demand

ROOT = Path(__file__).resolve().parents[2]


def page_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Upload a file; if it can be used, use it and look at a page built from it."""
    step("open the Data page")
    page = _open("data")
    step("upload")
    # The browser offers no file with another ending.
    name = file.name if "." in file.name else f"{file.name}.csv"
    page.file_uploader[0].set_value((name, file.content, "text/csv"))
    _run(page)
    use = next((button for button in page.button if button.label == "Grow the tree"), None)
    if use is None or use.disabled:
        demand(bool(page.error), "a table that cannot be used, and no sentence that says why")
        return "sentence"
    step("use")
    use.click()
    _run(page)
    other = chance.choice(PAGES).name
    step(f"look at the {other} page")
    shown = _open(other, page)
    if shown.error:
        demand(state.UPLOAD in shown.session_state, "the table is gone after an error")
    return "result"


def _open(name: str, before: Any = None) -> Any:
    """Open a page, maybe with the session of another one, until its jobs are done."""
    page = AppTest.from_file(str(ROOT / "pages" / f"{name}.py"), default_timeout=180)
    for key in (state.UPLOAD, "reading"):
        if before is not None and key in before.session_state:
            page.session_state[key] = before.session_state[key]
    _run(page)
    return page


def _run(page: Any) -> None:
    """Run a page until its jobs are done."""
    for _ in range(60):
        page.run()
        _check(page)
        if not page.get("progress"):
            break
        time.sleep(0.5)


def _check(page: Any) -> None:
    demand(not page.exception, "; ".join(f"{e.type} {e.message}" for e in page.exception)[:1500])
    for error in page.error:
        demand("Traceback" not in error.value, error.value[:1000])
