"""A running app and a real browser, for the tests that need them."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.manifest_scanner import scan_component_manifests
from streamlit.testing.v1 import AppTest

PATIENCE = 180_000
"""Milliseconds to wait for anything: a cold start compiles, and the machine may be busy."""

expect.set_options(timeout=PATIENCE)

ROOT = Path(__file__).resolve().parents[2]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session", autouse=True)
def installed_packages_are_scanned_once() -> Iterator[None]:
    """Remember which components are installed: AppTest reads all metadata for every page."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def no_page_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for an exception on a page whenever it is run without a browser."""
    run = AppTest._run

    def run_and_look(page: AppTest, *asked: Any, **more: Any) -> AppTest:
        shown = run(page, *asked, **more)
        assert not shown.exception
        return shown

    monkeypatch.setattr(AppTest, "_run", run_and_look)


@pytest.fixture
def patient_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages wait for their jobs, since nobody polls for progress without a browser."""
    monkeypatch.setattr("probtrees.ui.shared.session.jobs.PATIENCE", 120.0)


STILL = """(quiet) => {
  const now = performance.now();
  if (!window.lastChange) {
    window.lastChange = now;
    new MutationObserver(() => { window.lastChange = performance.now(); }).observe(
      document.body, { subtree: true, childList: true, characterData: true });
  }
  const app = document.querySelector('[data-testid="stApp"]');
  const idle = app && app.dataset.testScriptState === "notRunning"
    && app.dataset.testConnectionState === "CONNECTED";
  const waiting = document.querySelector(
    '[data-testid="stProgress"], [data-testid="stSkeleton"], [data-testid="stStatusWidget"],'
    + '[data-stale="true"]');
  if (!idle || waiting) window.lastChange = now;
  return now - window.lastChange > quiet;
}"""
"""Whether no script runs, nothing is stale, and the page has not changed for some milliseconds.

Streamlit's app element names the state of script and connection; a click is sent within the same
event, so a page that is idle and does not change has nothing more to come. Jobs beside the page
show a progress bar while they run."""

QUIET = 250
"""Milliseconds: longer than the browser takes to send a change and to draw the answer."""


def still(page: Page) -> None:
    """Wait until nothing is computed and nothing changes any more."""
    page.locator('[data-testid="stMainBlockContainer"]').wait_for()
    page.wait_for_function(STILL, arg=QUIET)


def settled(page: Page) -> None:
    """Wait until the smoothers and the track record are there and nothing runs any more."""
    page.get_by_text("dashed: overall rate").first.wait_for()
    expect(page.get_by_role("cell", name="…", exact=True)).to_have_count(0)
    page.get_by_text("Track record").first.wait_for()
    still(page)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_healthy(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"the app ended with code {process.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=5) as ok:
                if ok.read() == b"ok":
                    return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise RuntimeError("the app did not answer in time")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask a server to stop; one that takes too long on a busy machine is stopped."""
    process.terminate()
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def served(
    port: int,
    *options: str,
    program: Sequence[str] = (sys.executable, "-m", "probtrees"),
    folder: Path = ROOT,
    said: Any = subprocess.DEVNULL,
    **settings: str,
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Serve the app in a process of its own, with further variables of the environment."""
    process = subprocess.Popen(
        [*program, "app", "--headless", "--port", str(port), *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
        stdout=said,
        stderr=said,
    )
    try:
        _wait_until_healthy(port, process)
        yield f"http://127.0.0.1:{port}", process
    finally:
        _end(process)


@pytest.fixture(scope="session")
def app_url() -> Iterator[str]:
    """The address of an app served for all tests of this process."""
    with served(free_port()) as (url, _):
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A Chromium found on the PATH; required where CI=true, else its absence skips."""
    found = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if found is None:
        reason = "No Chromium on the PATH: install your system's 'chromium' to run browser tests."
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=CHROMIUM_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser: Browser, app_url: str) -> Iterator[object]:
    """Open pages of the app; afterwards check what no page may do: complain or call outside."""
    contexts, complaints, outside = [], [], []

    def open_one(
        path: str = "/", *, width: int = 1280, height: int = 900, dark: bool = False
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else 0)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: outside.append(request.url) if _is_outside(request.url, app_url) else 0,
        )
        page.goto(app_url + path)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert not complaints
    assert not outside


@contextmanager
def alone(browser: Browser, path: Path, **how: Any) -> Iterator[Page]:
    """Open a file as whoever was given it would, and look for what no file must do."""
    context = browser.new_context(**how)
    page, wrong = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", lambda dialog: wrong.append(dialog.message))
    page.on("request", lambda asked: wrong.append(asked.url) if _is_outside(asked.url) else 0)
    page.goto(path.as_uri())
    yield page
    assert page.locator("img[src=x]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert not wrong
    context.close()


def _is_outside(url: str, app_url: str = "file:") -> bool:
    own = (app_url, app_url.replace("http", "ws", 1), "about:", "data:", "blob:")
    return not url.startswith(own)
