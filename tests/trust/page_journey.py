"""Bad files on the Data page, and what becomes of the other pages: no exception, a way back."""

import random
from pathlib import Path

from probtrees.ui.pages import PAGES
from probtrees.ui.shared.session import state
from tests.app.app_page import kept, ran, visit
from tests.trust.bad_files import BadFile
from tests.trust.journey import Step, demand


def page_journey(file: BadFile, chance: random.Random, folder: Path, step: Step) -> str:
    """Upload a file; if it can be used, use it and look at a page built from it."""
    step("open the Data page")
    page = visit("data")
    step("upload")
    # The browser offers no file with another ending.
    name = file.name if "." in file.name else f"{file.name}.csv"
    page.file_uploader[0].set_value((name, file.content, "text/csv"))
    ran(page)
    use = next((button for button in page.button if button.label == "Grow the tree"), None)
    if use is None or use.disabled:
        demand(bool(page.error), "a table that cannot be used, and no sentence that says why")
        return "sentence"
    step("use")
    use.click()
    ran(page)
    other = chance.choice(PAGES).name
    step(f"look at the {other} page")
    held = {key: page.session_state[key] for key in ("upload", "reading") if kept(page, key)}
    shown = visit(other, **held)
    if shown.error:
        demand(state.UPLOAD in shown.session_state, "the table is gone after an error")
    return "result"
