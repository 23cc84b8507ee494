"""Make the pictures of the README and the documents: start the app, drive it, photograph it.

    python docs/make_screenshots.py [NAME ...]

Needs a Chromium on the PATH. Without names all pictures are made.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]


def tree_is_drawn(page: Page) -> None:
    """Wait until the tree is drawn and every smoother has answered."""
    page.locator(".tree-view .bar").wait_for()
    page.get_by_text("dashed: overall rate").first.wait_for(state="attached")  # phones hide it
    page.locator('[data-testid="stStatusWidget"]').wait_for(state="detached")
    page.wait_for_timeout(800)


def page_is_still(page: Page) -> None:
    """Wait until nothing is computed any more."""
    page.locator('[data-testid="stMainBlockContainer"]').wait_for()
    page.wait_for_timeout(6000)
    page.locator('[data-testid="stProgress"]').first.wait_for(state="detached")
    page.locator('[data-testid="stStatusWidget"]').wait_for(state="detached")
    page.wait_for_timeout(2500)


def chart_is_drawn(page: Page) -> None:
    """Wait until the page's first chart is there and nothing is computed any more."""
    page.locator(".js-plotly-plot .main-svg").first.wait_for()
    page_is_still(page)


def methods_are_compared(page: Page) -> None:
    """Start the comparison, which a link never does, and wait until it is drawn."""
    page.get_by_role("button", name="Compare", exact=True).click()
    chart_is_drawn(page)


def lesson_is_drawn(page: Page) -> None:
    """Wait until the lesson is there and the server has nothing more to add to it."""
    page.locator(".lesson .tools button").first.wait_for()
    page_is_still(page)
    page.locator(".lesson .wait:visible").wait_for(state="detached")


def network_is_asked(page: Page) -> None:
    """Wait until everything beside the picture of a network is there."""
    page.get_by_role("button", name="Forget all").wait_for()
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    page_is_still(page)


def class_has_guessed(page: Page) -> None:
    """Open a room, let a class of phones guess, and wait until the projector shows it."""
    lesson_is_drawn(page)
    page.get_by_role("button", name="Open a room").click()
    code = page.locator(".room .code").inner_text()
    place = page.url.split("/learn")[0]
    for guess in (0, 0, 3, 8, 12, 20, 25, 25, 30, 33, 33, 35, 40, 50, 50, 50, 50, 52, 75, 90):
        form = urllib.parse.urlencode({"guess": guess}).encode()
        phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        phone.open(f"{place}/class/{code}").close()
        phone.open(f"{place}/class/{code}", data=form).close()
    page.locator(".classroom .total", has_text="20 guesses").wait_for()
    page.locator("img.qr").wait_for()


@dataclass(frozen=True)
class Picture:
    """One photograph: where, how large, and when it is ready."""

    name: str
    path: str = "/"
    width: int = 1280
    height: int = 900
    dark: bool = False
    ready: Callable[[Page], None] = tree_is_drawn


ASKED = "/network?" + urllib.parse.urlencode(
    {
        "sample": "heart",
        "network.learner": "tan",
        "network.side": "Ask",
        "network.findings": '{"chest pain":"asymptomatic"}',
    }
)

PICTURES = (
    Picture("tree", "/?sample=titanic"),
    Picture("tree-dark", "/?sample=heart", dark=True),
    Picture("tree-phone", "/?sample=titanic", width=390, height=844),
    Picture("network", ASKED, height=1000, ready=network_is_asked),
    Picture("network-dark", "/network?sample=titanic", dark=True, ready=page_is_still),
    Picture("compare", "/compare?sample=heart", height=1000, ready=methods_are_compared),
    Picture("learn", "/learn?step=hgs&told=1", height=1000, ready=lesson_is_drawn),
    Picture(
        "learn-phone", "/learn?step=branch&told=1", width=390, height=844, ready=lesson_is_drawn
    ),
    Picture("slide", "/learn?step=branch&told=1&embed=true", height=720, ready=lesson_is_drawn),
    Picture(
        "slide-restaurant",
        "/learn?step=restaurant&told=1&embed=true",
        height=720,
        ready=lesson_is_drawn,
    ),
    Picture(
        "slide-verdict",
        "/learn?step=verdict&told=1&embed=true",
        height=720,
        dark=True,
        ready=lesson_is_drawn,
    ),
    Picture("class", "/learn?step=constant&embed=true", height=720, ready=class_has_guessed),
    Picture("data", "/data?sample=heart", ready=page_is_still),
)


def main(names: list[str]) -> None:
    """Photograph the wanted pages, or all."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        sys.exit("No Chromium on the PATH: install your system's 'chromium'.")
    IMAGES.mkdir(parents=True, exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Other machines are let in, since only then a class can be photographed.
    served = ("--headless", "--address", "0.0.0.0", "--port", str(port))
    command = [sys.executable, "-m", "probtrees", "app", *served]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/_stcore/health")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGUMENTS)
            for picture in PICTURES:
                if names and picture.name not in names:
                    continue
                context = browser.new_context(
                    viewport={"width": picture.width, "height": picture.height},
                    color_scheme="dark" if picture.dark else "light",
                )
                page = context.new_page()
                page.set_default_timeout(120_000)
                page.goto(f"http://127.0.0.1:{port}{picture.path}")
                picture.ready(page)
                page.screenshot(path=IMAGES / f"{picture.name}.png")
                _make_small(IMAGES / f"{picture.name}.png")
                context.close()
                print(f"docs/images/{picture.name}.png")
            browser.close()
    finally:
        server.terminate()
        server.wait(timeout=20)


def _make_small(file: Path) -> None:
    """Keep 128 colours: pages are drawn with few, and the files shrink to a third."""
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(128, method=Image.Quantize.MAXCOVERAGE)
    small.save(file, optimize=True)


def _wait_for(address: str) -> None:
    for _ in range(300):
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    sys.exit("The app did not start.")


if __name__ == "__main__":
    main(sys.argv[1:])
