"""A table that tries to run script in every name and value: nothing runs, nothing is fetched."""

from __future__ import annotations

import csv
import io
import random

import pytest

from tests.app.conftest import still
from tests.trust.odd_cells import FORMULAS, MARKUP

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def hostile_table() -> bytes:
    """Columns, categories and classes of markup; the tree has to split on them."""
    chance = random.Random(0)
    first, second = MARKUP[:4], [*MARKUP[4:8], FORMULAS[0]]
    rows = [[MARKUP[8], MARKUP[1], f"{MARKUP[0]} number", MARKUP[2]]]
    for _ in range(240):
        one, two, number = chance.choice(first), chance.choice(second), chance.gauss(0, 1)
        is_ill = (one == first[0]) + (two == second[1]) + number > 0.8
        label = MARKUP[0] if is_ill != (chance.random() < 0.1) else FORMULAS[1]
        rows.append([one, two, f"{number:.3f}", label])
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue().encode()


def check(page) -> None:
    still(page)
    assert page.evaluate("window.pwned === undefined")
    assert page.locator("img[src='x'], svg[onload], a[href^='javascript']").count() == 0
    assert page.get_by_test_id("stException").count() == 0


def test_nothing_runs(open_page) -> None:
    page = open_page("/data")
    page.on("dialog", lambda dialog: pytest.fail(f"a dialog opened: {dialog.message}"))
    uploader = page.get_by_test_id("stFileUploaderDropzoneInput").first
    uploader.wait_for(state="attached")
    still(page)
    uploader.set_input_files(
        {"name": f"{MARKUP[1]}.csv", "mimeType": "text/csv", "buffer": hostile_table()}
    )
    page.get_by_text("240 rows").first.wait_for()
    check(page)
    page.get_by_role("button", name="Grow the tree").click()
    check(page)
    for name in ("Tree", "Network", "Compare", "Learn", "Data", "Tree"):
        page.get_by_role("link", name=name, exact=True).first.click()
        check(page)
    for tab in ("Leaf table", "Rows", "Follow a row", "In words"):
        page.get_by_role("tab", name=tab).first.click()
        check(page)
