"""How soon a tree of more than ten thousand nodes can be clicked in a notebook.

    python benchmarks/bench_notebook.py [--runs 5] [--label alone] [--out FILE.csv]

In a real JupyterLab one cell shows a frame with one line in it, the next one the tree; then both
are opened alone, as files. ``written_ms`` is the processor time of writing the output in Python;
``shown_ms`` counts from the frame's arrival on the page to the picture and its panel on the screen,
``click_ms`` from a click on a node to that node's panel, ``processor_ms`` what the thread of the
file's page worked, which other work on the machine does not lengthen. The load of the machine
stands beside them. Needs a Chromium on the PATH and JupyterLab.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Frame, Page, sync_playwright

import probtrees

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 120.0
"""Seconds to wait for anything."""
ONE_LINE = "<body class='alive'><div class='panel'><h2>A line</h2></div>"
CELLS = {
    "one line": (
        "from IPython.display import HTML\n"
        f'HTML("""<iframe title="Picture" sandbox="allow-scripts" srcdoc="{ONE_LINE}"></iframe>""")'
    ),
    "tree": "import probtrees\nprobtrees.load_model('tree.json')",
}
COLUMNS = [
    *("run", "what", "place", "kilobytes", "written_ms", "shown_ms", "click_ms", "processor_ms"),
    "load",
]
WATCH = """() => {
  const now = () => performance.timeOrigin + performance.now();
  const look = () => {
    const root = document.documentElement;
    if (document.querySelector("iframe[title=Picture]")) root.dataset.arrivedAt ??= now();
    if (!document.querySelector("body.alive .panel h2")) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => { root.dataset.shownAt = now(); }));
  };
  look();
}"""
"""Notes when a frame comes onto a page, and when a page has been drawn with its panel."""
CLICK = """async () => {
  const { picture } = document.querySelector(".tree-view").view, { place, scale, offset } = picture;
  const canvas = document.querySelector("canvas.picture"), box = canvas.getBoundingClientRect();
  const x = box.left + place.x.get(1) * scale + offset.x + 20;
  const y = box.top + (place.y.get(1) + place.height.get(1) / 2) * scale + offset.y;
  const begun = performance.now();
  const how = { bubbles: true, clientX: x, clientY: y, pointerId: 1, button: 0 };
  const press = (kind) => canvas.dispatchEvent(new PointerEvent(kind, how));
  press("pointerdown");
  press("pointerup");
  canvas.dispatchEvent(new MouseEvent("click", how));
  while (!document.querySelector(".panel p").textContent.startsWith("Node 1: ")) {
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - begun;
}"""


def large_tree() -> probtrees.FittedModel:
    """Grow a tree of noise, which has more than ten thousand nodes."""
    random = np.random.default_rng(0)
    columns = {f"kind {k}": random.choice(list("abcd"), 28_000) for k in range(12)}
    outcome = random.choice(["ill", "well"], 28_000, p=[0.3, 0.7])
    table = pd.DataFrame({**columns, "health": outcome})
    return probtrees.fit(table, probtrees.C45(collapse=False), "laplace", target="health")


def notebook(*sources: str) -> str:
    """Write a notebook with a cell for every source, none of them run."""
    kernel = {"name": "python3", "display_name": "Python", "language": "python"}
    cells = [
        {
            "cell_type": "code",
            "id": f"cell-{number}",
            "metadata": {},
            "execution_count": None,
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(sources)
    ]
    metadata = {"kernelspec": kernel}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


@contextmanager
def laboratory(home: Path) -> Iterator[tuple[str, Path]]:
    """Start a JupyterLab of its own that asks nobody for news; give its address and its folder."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = home / "notebooks"
    folder.mkdir()
    own = {
        f"JUPYTER_{name}": str(home / name) for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
    }
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
            *(f"--port={port}", f"--ServerApp.root_dir={folder}", "--IdentityProvider.token="),
            *("--LabApp.news_url=None", "--LabApp.expose_app_in_browser=True"),
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **own},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_until_served(f"http://127.0.0.1:{port}/api", process)
        yield f"http://127.0.0.1:{port}", folder
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask a server to stop; one that takes too long on a busy machine is stopped."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_until_served(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(url, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError("JupyterLab did not answer in time")


def _page(browser: Browser) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(f"({WATCH})()")
    return page


def _noted(page: Page | Frame, what: str) -> float:
    """Wait until a page has noted a time, and return it."""
    root = page.locator(f"html[data-{what}]")
    root.wait_for(state="attached")
    return float(root.get_attribute(f"data-{what}") or 0)


def in_the_laboratory(browser: Browser, url: str, name: str) -> tuple[float, float | None]:
    """Run the only cell of a notebook; return when its frame was drawn, and what a click took."""
    page = _page(browser)
    page.goto(f"{url}/lab/tree/{name}.ipynb?reset")
    page.locator(".jp-Notebook .jp-CodeCell").wait_for()
    page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.ready.then(() => {})")
    page.evaluate("() => { jupyterapp.commands.execute('notebook:run-all-cells'); }")
    page.locator("iframe[title=Picture]").first.wait_for()
    held = page.locator("iframe[title=Picture]").first.element_handle()
    frame = held.content_frame() if held is not None else None
    if frame is None:
        raise RuntimeError("The cell shows no frame")
    shown = _noted(frame, "shown-at") - _noted(page, "arrived-at")
    click = float(frame.evaluate(CLICK)) if name == "tree" else None
    page.close()
    return shown, click


def alone(browser: Browser, file: Path) -> tuple[float, float]:
    """Open a file; return when it was drawn, and what its thread worked, in milliseconds."""
    page = _page(browser)
    watch = page.context.new_cdp_session(page)
    watch.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(file.as_uri())
    shown = _noted(page, "shown-at") - float(page.evaluate("performance.timeOrigin"))
    found = watch.send("Performance.getMetrics")["metrics"]
    busy = next(float(one["value"]) for one in found if one["name"] == "TaskDuration")
    page.close()
    return shown, 1000 * busy


def measure(runs: int) -> pd.DataFrame:
    """Show both things in both places as often as asked."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        sys.exit("No Chromium on the PATH.")
    rows = []
    with tempfile.TemporaryDirectory() as home, laboratory(Path(home)) as (url, folder):
        model = large_tree()
        model.save(folder / "tree.json")
        model.plot().save(folder / "tree.html")
        (folder / "one line.html").write_text(f"<!doctype html>{ONE_LINE}", "utf-8")
        begun = time.process_time()
        html = model._repr_html_()
        written = {"tree": 1000 * (time.process_time() - begun), "one line": 0.0}
        kilobytes = {"tree": len(html.encode()) / 1000, "one line": 0.0}
        for name, source in CELLS.items():
            (folder / f"{name}.ipynb").write_text(notebook(source), "utf-8")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            for run in range(runs):
                for what in CELLS:
                    load = os.getloadavg()[0]
                    shown, click = in_the_laboratory(browser, url, what)
                    by_itself, busy = alone(browser, folder / f"{what}.html")
                    size = kilobytes[what], written[what]
                    rows += [
                        (run, what, "JupyterLab", *size, shown, click, None, load),
                        (run, what, "file", *size, by_itself, None, busy, load),
                    ]
                    print(*rows[-2:], sep="\n", flush=True)
            browser.close()
    return pd.DataFrame(rows, columns=COLUMNS).round(1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--label", default="", help="what to call these runs in the file")
    parser.add_argument("--out", type=Path, help="a file to add them to")
    given = parser.parse_args()
    results = measure(given.runs)
    results.insert(0, "label", given.label)
    if given.out is not None:
        results.to_csv(given.out, mode="a", header=not given.out.exists(), index=False)
    print(results.groupby(["place", "what"])[["shown_ms", "click_ms", "processor_ms"]].median())


if __name__ == "__main__":
    main()
