"""Tables that try to run script, and pages of others that ask: nothing runs, nothing is told."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pandas as pd
import pytest

from tests.app.conftest import still
from tests.trust.odd_cells import FORMULAS, MARKUP

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def hostile_table() -> bytes:
    """Columns, categories and classes of markup; the tree has to split on them."""
    random = np.random.default_rng(0)
    one = random.choice(MARKUP[:4], 240)
    two = random.choice([*MARKUP[4:8], FORMULAS[0]], 240)
    number = random.normal(size=240)
    risk = 1 * (one == MARKUP[0]) + (two == MARKUP[5]) + number
    label = np.where((risk > 0.8) ^ (random.random(240) < 0.1), MARKUP[0], FORMULAS[1])
    columns = {MARKUP[8]: one, MARKUP[1]: two, f"{MARKUP[0]} number": number, MARKUP[2]: label}
    return pd.DataFrame(columns).to_csv(index=False).encode()


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
    for tab in ("Leaf table", "Rows", "In words"):
        page.get_by_role("tab", name=tab).first.click()
        check(page)


_CONNECT = """(place) => new Promise((done) => {
  const socket = new WebSocket(place);
  socket.onmessage = () => done("heard the app");
  socket.onclose = (event) => done(`closed ${event.code}`);
  socket.onopen = () => setTimeout(() => done("connected"), 2000);
})"""


@pytest.mark.parametrize("named", ["localhost", "127.0.0.1"])
def test_a_page_on_another_port_hears_nothing(browser, app_url, named) -> None:
    """Cookies know no ports: such a page would be sent the table that the visitor kept."""
    own = app_url.replace("127.0.0.1", named)
    place = f"{own.replace('http', 'ws')}/_stcore/stream"
    page = browser.new_page()
    page.goto(own)
    still(page)
    assert page.evaluate(_CONNECT, place) in ("connected", "heard the app")
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        page.goto(f"http://{named}:{server.server_port}/")
        assert page.evaluate(_CONNECT, place).startswith("closed")
        page.close()
        server.shutdown()
