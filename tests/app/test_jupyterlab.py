"""A tree of ten thousand nodes in JupyterLab, in a real browser; JupyterLab must be installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import probtrees
from probtrees.explain.detail import FIRST_GROUPS
from tests.app.conftest import PATIENCE, ROOT, end, free_port

pytest.importorskip("jupyterlab")
pytestmark = [pytest.mark.browser, pytest.mark.slow]

MEGABYTE = 1_000_000
NOTEBOOK = {
    "cells": [
        {
            "cell_type": "code",
            "id": "tree",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": "import probtrees\nprobtrees.load_model('tree.json')",
        }
    ],
    "metadata": {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
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


def large_tree() -> probtrees.FittedModel:
    """Grow a tree of noise, which has more than ten thousand nodes."""
    random = np.random.default_rng(0)
    columns = {f"kind {k}": random.choice(list("abcd"), 28_000) for k in range(12)}
    outcome = random.choice(["ill", "well"], 28_000, p=[0.3, 0.7])
    table = pd.DataFrame({**columns, "health": outcome})
    return probtrees.fit(table, probtrees.C45(collapse=False), "laplace", target="health")


@pytest.fixture
def laboratory(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A JupyterLab of its own in a folder of its own, which asks nobody for news."""
    port, folder = free_port(), tmp_path / "notebooks"
    folder.mkdir()
    own = {name: str(tmp_path / name) for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")}
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *(f"--port={port}", f"--ServerApp.root_dir={folder}", "--IdentityProvider.token="),
            *("--LabApp.news_url=None", "--LabApp.expose_app_in_browser=True"),
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            **{f"JUPYTER_{name}": place for name, place in own.items()},
        },
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_served(f"http://127.0.0.1:{port}/api", process)
        yield f"http://127.0.0.1:{port}", folder
    finally:
        end(process)


def _wait_until_served(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError("JupyterLab did not answer in time")


def test_a_large_tree_lives_in_jupyterlab_and_is_a_picture_where_it_is_not_trusted(
    laboratory, browser
):
    url, folder = laboratory
    model = large_tree()
    assert model.tree.tree.n_nodes > 10_000
    assert len(model._repr_html_().encode()) < 2 * MEGABYTE
    model.save(folder / "tree.json")
    (folder / "tree.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
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
