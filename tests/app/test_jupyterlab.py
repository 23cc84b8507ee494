"""A tree of ten thousand nodes in JupyterLab, in a real browser; JupyterLab must be installed."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.bench_notebook import CELLS, laboratory, large_tree, notebook
from probtrees.explain.detail import FIRST_GROUPS
from tests.app.conftest import PATIENCE

pytest.importorskip("jupyterlab")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

MEGABYTE = 1_000_000
SHOWN = """() => {
  const pictures = [...document.querySelectorAll("iframe[title=Picture]")];
  return pictures.find((frame) => frame.offsetParent)?.parentElement.className ?? "";
}"""
"""Which of the two pictures is seen: for light or for dark pages."""
CHILD = """({view: {picture: {place, scale, offset}}}) => [
  place.x.get(1) * scale + offset.x + 20,
  (place.y.get(1) + place.height.get(1) / 2) * scale + offset.y,
]"""
"""Where the first child of the root is drawn."""
RUN = """async () => {
  await jupyterapp.shell.currentWidget.sessionContext.ready;
  jupyterapp.commands.execute("notebook:run-all-cells");
}"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    with laboratory(tmp_path) as found:
        yield found


def test_a_large_tree_lives_in_jupyterlab_and_is_a_picture_where_it_is_not_trusted(lab, browser):
    url, folder = lab
    model = large_tree()
    assert model.tree.tree.n_nodes > 10_000
    assert len(model._repr_html_().encode()) < 2 * MEGABYTE
    model.save(folder / "tree.json")
    (folder / "tree.ipynb").write_text(notebook(CELLS["tree"]), "utf-8")
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{url}/lab/tree/tree.ipynb")
    page.locator(".jp-Notebook .jp-CodeCell").wait_for()
    page.evaluate(RUN)
    page.wait_for_function(f"() => ({SHOWN})() === 'probtrees-light'")
    frame = page.frame_locator(".probtrees-light iframe")
    frame.locator("body.alive .panel h2").wait_for()
    assert frame.locator(".panel p").first.inner_text().startswith("Node 0: ")
    groups = frame.locator(".remark").inner_text()
    assert int(groups.split()[1]) <= FIRST_GROUPS
    x, y = frame.locator(".tree-view").evaluate(CHILD)
    frame.locator("canvas.picture").click(position={"x": x, "y": y})
    frame.locator(".panel p", has_text="Node 1: ").wait_for()
    frame.locator(".panel tr").nth(2).wait_for()
    page.evaluate(
        "() => jupyterapp.commands.execute('apputils:change-theme', {theme: 'JupyterLab Dark'})"
    )
    page.wait_for_function(f"() => ({SHOWN})() === 'probtrees-dark'")
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    saved = _wait_until_saved(folder / "tree.ipynb")
    # From somebody else: outputs that were not made here, which JupyterLab does not trust.
    (folder / "theirs.ipynb").write_text(saved.replace("smoothed by", "Smoothed by"), "utf-8")
    page.goto(f"{url}/lab/tree/theirs.ipynb?reset")
    still = page.locator(".jp-OutputArea details")
    still.wait_for()
    assert page.locator("iframe[title=Picture]").count() == 0
    still.locator("summary").click()
    still.locator("img").wait_for()
    assert still.locator("img").evaluate("(image) => image.decode().then(() => image.width)") > 100
    assert errors == []
    assert all(_own(address, url) for address in asked)
    page.close()


def _wait_until_saved(path: Path) -> str:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        saved = path.read_text("utf-8")
        if '"text/html"' in saved:
            return saved
        time.sleep(0.2)
    raise RuntimeError("JupyterLab did not save in time")


def _own(address: str, url: str) -> bool:
    return address.startswith((url, url.replace("http", "ws"), "about:", "data:", "blob:"))
