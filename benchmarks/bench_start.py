"""How long the very first start takes: a fresh folder for kernels, from the command to the picture.

    python benchmarks/bench_start.py [RUNS]

Every run starts the app twice in a browser: with nothing compiled, and with what the first start
kept, which is the peer; with that a workbook is given to the Data page and grown, too. One more
start of each kind opens the Network page. The seconds count from the command. On a busy machine the
processor seconds of server and compiling process say more; the load is printed beside them. Needs a
Chromium on the PATH.
"""

from __future__ import annotations

import math
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
from bench_app import CHROMIUM_NAMES, ROOT, table, upload, wait_for_tree
from playwright.sync_api import Browser, Error, Page, sync_playwright

N_ROWS = 1_000
WORKBOOK_ROWS = 5_000


def from_workbook(page: Page, file: Path) -> float:
    """Give a workbook to the Data page and grow its tree; return the seconds it takes."""
    page.get_by_role("link", name="Data").click()
    choose = page.locator("section input[type=file]").first
    choose.wait_for(state="attached")
    page.get_by_text("What do you want to know?").first.wait_for()
    given = time.perf_counter()
    choose.set_input_files(file)  # the first click
    page.get_by_text(f"{WORKBOOK_ROWS:,} rows").first.wait_for()
    page.get_by_role("button", name="Grow the tree").click()
    wait_for_tree(page)
    page.get_by_text(file.name).first.wait_for()
    return time.perf_counter() - given


@contextmanager
def served(browser: Browser, home: Path, path: str) -> Iterator[Page]:
    """Start the app with kernels kept in a folder and open one of its pages."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "probtrees", "app", "--headless", "--port", str(port)],
        cwd=ROOT,
        env=_environment(home),
        stdout=subprocess.DEVNULL,
    )
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    try:
        _open(page, f"http://127.0.0.1:{port}{path}")
        yield page
    finally:
        page.close()
        server.terminate()
        server.wait(timeout=20)


def first_network(browser: Browser, home: Path) -> float:
    """Start the app on its Network page; return the seconds to the first network."""
    begun = time.perf_counter()
    with served(browser, home, "/network") as page:
        view = page.locator(".network-view")
        while not view.evaluate("(root) => root.view?.picture?.data?.nodes?.length"):
            time.sleep(0.05)
        return time.perf_counter() - begun


def start(browser: Browser, home: Path, *, workbook: bool = False) -> dict[str, float]:
    """Start the app with kernels kept in a folder; return when what was seen, in seconds."""
    own = table(N_ROWS, 9, home / "own.csv")
    before, begun, seen = os.times(), time.perf_counter(), {}
    with served(browser, home, "/") as page:
        seen["server answers"] = time.perf_counter() - begun
        sample = wait_for_tree(page)
        seen["first picture"] = time.perf_counter() - begun
        page.locator('[class*="st-key-leaf_panel"]').get_by_text("overall rate").first.wait_for()
        seen["first leaf explained"] = time.perf_counter() - begun
        dropped = time.perf_counter()
        upload(page, own, N_ROWS)
        page.keyboard.press("Escape")
        wait_for_tree(page, sample)
        seen["own table to picture"] = time.perf_counter() - dropped
        if workbook:
            own = table(WORKBOOK_ROWS, 9, home / "large.csv")
            pd.read_csv(own).to_excel(home / "large.xlsx", index=False)
            seen["workbook to picture, two clicks"] = from_workbook(page, home / "large.xlsx")
    after = os.times()
    used = after.children_user + after.children_system
    seen["processor time of the server"] = used - before.children_user - before.children_system
    return seen


def finish_compiling(home: Path) -> None:
    """Compile what the processes of the first start had not yet kept when it ended."""
    command = [sys.executable, "-m", "probtrees.experiment.warm_up"]
    subprocess.run(command, cwd=ROOT, env=_environment(home), check=True)


def _environment(home: Path) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(home), "PYTHONPATH": str(ROOT)}


def _open(page: Page, address: str) -> None:
    while True:
        try:
            page.goto(address)
            return
        except Error:  # the server does not listen yet
            time.sleep(0.05)


def main() -> None:
    """Measure and print, run by run."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        sys.exit("No Chromium on the PATH.")
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        for _ in range(runs):
            with tempfile.TemporaryDirectory() as home:
                fresh = start(browser, Path(home))
                finish_compiling(Path(home))
                kept = start(browser, Path(home), workbook=True)
                kept["first network"] = first_network(browser, Path(home))
            with tempfile.TemporaryDirectory() as home:
                fresh["first network"] = first_network(browser, Path(home))
            for what, after in kept.items():
                print(f"{what}: {fresh.get(what, math.nan):.1f} s, with kernels kept {after:.1f} s")
            print(f"load: {os.getloadavg()[0]:.0f} processes on {os.cpu_count()} cores")
        browser.close()


if __name__ == "__main__":
    main()
