"""How quickly the app answers, in a real browser.

    python benchmarks/bench_app.py [--sessions]

Starts the app, warms it up, then measures what a person waits for: the first page, a click
on a node, a change of smoother on trees of growing size, an upload to its preview, and clicks while
another session runs a long job. Needs a Chromium on the PATH.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from string import ascii_lowercase

import numpy as np
import pandas as pd
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
BUSY_SECONDS = 40
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PANEL = '[class*="st-key-leaf_panel"]'
RAW, ADD_ONE = "Raw share (MLE)", "Add one (Laplace)"
FIND_VIEW = (
    "const find = (r) => r.querySelector('.tree-view') || [...r.querySelectorAll('*')]"
    ".map((e) => e.shadowRoot && find(e.shadowRoot)).find(Boolean);"
    "const view = find(document)?.view;"
)


def table(n_rows: int, n_columns: int, path: Path, n_values: int = 8) -> Path:
    """Write a table of noise with some signal; its unpruned tree is large.

    The more values the categories have, the more nodes a tree of the same rows has.
    """
    random = np.random.default_rng(n_rows)
    columns: dict[str, np.ndarray] = {}
    for number in range(n_columns):
        if number % 3:
            columns[f"number {number}"] = random.normal(size=n_rows).round(3)
        else:
            columns[f"kind {number}"] = random.choice(list(ascii_lowercase[:n_values]), n_rows)
    signal = 1.5 * columns["number 1"] - 2 + (columns["kind 0"] == "a")
    columns["sick"] = np.where(random.random(n_rows) < 1 / (1 + np.exp(-signal)), "yes", "no")
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def wait_for_tree(page: Page, more_nodes_than: int = 1) -> int:
    """Wait until a tree is drawn; return its size."""
    page.wait_for_function(
        f"() => {{ {FIND_VIEW} return view && view.state.data && view.picture.drawn.length > 1"
        f" && view.state.data.parent.length > {more_nodes_than}; }}",
        timeout=300_000,
    )
    return int(page.evaluate(f"() => {{ {FIND_VIEW} return view.state.data.parent.length; }}"))


def seconds(work: Callable[[], object]) -> float:
    """Time one piece of work."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def settled(page: Page) -> None:
    """Wait until every smoother has answered and nothing runs any more."""
    page.get_by_text("dashed: overall rate").first.wait_for(timeout=300_000)
    page.wait_for_timeout(1500)
    page.locator('[data-testid="stStatusWidget"]').wait_for(state="detached", timeout=300_000)


def click_a_node(page: Page) -> None:
    """Click a node that is in view and wait until the panel shows it."""
    x, y = page.evaluate(
        f"() => {{ {FIND_VIEW} const p = view.picture;"
        "const n = p.drawn.find((k) => k !== view.state.selected && k !== view.state.top);"
        "return [p.place.x.get(n) * p.scale + p.offset.x + 15,"
        " p.place.y.get(n) * p.scale + p.offset.y + 10]; }"
    )
    before = page.locator(PANEL).inner_text()[:200]
    page.locator("canvas.picture").click(position={"x": x, "y": y})
    page.wait_for_function(
        "([panel, text]) => document.querySelector(panel).innerText.slice(0, 200) !== text",
        arg=[PANEL, before],
    )


def switch_smoother(page: Page, label: str) -> None:
    """Choose another smoother and wait until the picture has its numbers."""
    before = page.evaluate(f"() => {{ {FIND_VIEW} return view.state.data.numbers; }}")
    page.get_by_role("radio", name=label, exact=True).click()
    page.wait_for_function(
        f"(key) => {{ {FIND_VIEW} return view.state.data.numbers !== key; }}", arg=before
    )


def in_the_picture(page: Page) -> dict[str, float]:
    """Measure, in seconds, what the browser alone does: opening, sliding, dragging, zooming."""
    return page.evaluate(
        f"""() => {{ {FIND_VIEW}
        const picture = view.picture, found = {{}};
        const draw = () => {{ picture.drawScene(); picture.drawMinimap(); }};
        const time = (work) => {{
          const start = performance.now();
          work();
          return (performance.now() - start) / 1000;
        }};
        const slide = (to) => time(() => {{ view.slider.value = to; view.slide(); draw(); }});
        const drag = () => time(() => {{ picture.offset.x -= 3; picture.offset.y -= 3; draw(); }});
        const another = {{ ...view.state.data, tree: "another" }};
        found.open = time(() => {{ view.update(another); draw(); }});
        found["slide to half"] = slide(50);
        found["slide to all"] = slide(100);
        found["drag all"] = Math.max(...Array.from({{ length: 10 }}, drag));
        found["zoom all"] = time(() => {{ picture.zoom(1.25); draw(); }});
        slide(35);
        return found; }}"""
    )


def corrections(page: Page) -> str:
    """Make a correction and take it back; say how long each takes to the picture."""
    page.get_by_text("Correct the tree here").click()
    further = page.get_by_role("button", name="anywhere")
    further.wait_for()
    settled(page)
    found = []
    for what, button in (
        ("never use a column", further),
        ("undo", page.get_by_role("button", name="Undo the last correction").first),
    ):
        before = page.evaluate(f"() => {{ {FIND_VIEW} return view.state.data.tree; }}")
        start = time.perf_counter()
        button.click()
        page.wait_for_function(
            f"(key) => {{ {FIND_VIEW} return view?.state.data && view.state.data.tree !== key; }}",
            arg=before,
            timeout=300_000,
        )
        found.append(f"{what} {time.perf_counter() - start:.2f} s")
        settled(page)
    page.get_by_text("Correct the tree here").click()
    return ", ".join(found)


def upload(page: Page, file: Path, n_rows: int) -> None:
    """Upload a table and wait until the page knows it."""
    page.get_by_role("button", name="Change data").click()
    page.locator("input[type=file]").first.set_input_files(file)
    page.get_by_text(f"{n_rows:,} rows").first.wait_for(timeout=300_000)


def measure(browser: Browser, address: str, folder: Path) -> None:
    """Print what a person waits for."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    wait_for_tree(page)
    settled(page)
    page.close()
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    first = seconds(lambda: (page.goto(address), wait_for_tree(page)))
    print(f"first page, kernels warm: {first:.2f} s")
    settled(page)
    for n_rows, n_values in ((60, 8), (1_300, 8), (9_000, 8), (60_000, 26)):
        file = table(n_rows, 9, folder / f"rows{n_rows}.csv", n_values)
        upload(page, file, n_rows)
        page.keyboard.press("Escape")
        size = wait_for_tree(page, 1)
        settled(page)
        size = wait_for_tree(page, 1)
        clicks = [seconds(lambda: click_a_node(page)) for _ in range(5)]
        settled(page)
        switches = [
            seconds(lambda label=label: switch_smoother(page, label))
            for label in (ADD_ONE, RAW, ADD_ONE, RAW)
        ]
        print(
            f"{size:,} nodes: click to panel {np.median(clicks):.2f} s "
            f"(slowest {max(clicks):.2f}), smoother to picture {np.median(switches):.2f} s "
            f"(slowest {max(switches):.2f})"
        )
        alone = ", ".join(f"{what} {took:.2f} s" for what, took in in_the_picture(page).items())
        print(f"{size:,} nodes, in the picture: {alone}")
        print(f"{size:,} nodes, corrections: {corrections(page)}")
    file = table(100_000, 20, folder / "large.csv")
    known = seconds(lambda: upload(page, file, 100_000))
    print(f"upload of 100,000 x 20 until it is known: {known:.2f} s")


def while_another_works(browser: Browser, address: str, folder: Path) -> None:
    """Print how long clicks take while another session compares on a large table."""
    file = table(60_000, 20, folder / "busy.csv")
    busy = browser.new_page(viewport={"width": 1280, "height": 900})
    busy.set_default_timeout(300_000)
    busy.goto(f"{address}/compare?compare.smoothers=hdp,hgs,blend&compare.folds=10")
    upload(busy, file, 60_000)
    busy.keyboard.press("Escape")
    busy.get_by_text("Press Compare").wait_for()
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(f"{address}/?sample=heart")
    wait_for_tree(page)
    settled(page)
    calm = [seconds(lambda: click_a_node(page)) for _ in range(5)]
    busy.get_by_role("button", name="Compare", exact=True).click()
    busy.get_by_text("Comparing: ").first.wait_for()
    start = time.perf_counter()
    clicks, switches = [], []
    while time.perf_counter() - start < BUSY_SECONDS:
        clicks.append(seconds(lambda: click_a_node(page)))
        switches += [
            seconds(lambda label=label: switch_smoother(page, label)) for label in (ADD_ONE, RAW)
        ]
        page.wait_for_timeout(1000)
    at_work = busy.get_by_text("Comparing: ").count() > 0
    print(
        f"while another session {'compares' if at_work else 'compared (it ended early)'}: "
        f"{len(clicks)} clicks to panel, median {np.median(clicks):.2f} s (calm "
        f"{np.median(calm):.2f} s), slowest {max(clicks):.2f} s; smoother to "
        f"picture median {np.median(switches):.2f} s, slowest {max(switches):.2f} s"
    )
    busy.get_by_role("button", name="Cancel").click()
    busy.close()
    page.close()


def main() -> None:
    """Start the app and measure it."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        sys.exit("No Chromium on the PATH.")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "probtrees", "app", "--headless", "--port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5).close()
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.2)
        with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
            browser = playwright.chromium.launch(
                executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
            )
            address = f"http://127.0.0.1:{port}"
            if "--sessions" not in sys.argv:
                measure(browser, address, Path(folder))
            while_another_works(browser, address, Path(folder))
            browser.close()
    finally:
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main()
