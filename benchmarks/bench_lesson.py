"""How long the lesson works on a frame, in the browser's own trace.

    python benchmarks/bench_lesson.py

Opens the lesson as a phone does, 390 x 844 with the processor throttled 4 times, drags the slider
of the concentration and plays the walk from the root, and adds up script, style and layout frame by
frame. Times are those of the page's thread, so that other work on this machine does not count. The
aim is 8 ms. Needs a Chromium on the PATH.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from probtrees.ui.learn.lesson_file import lesson_html

SIZE, THROTTLED, AIM = {"width": 390, "height": 844}, 4, 8.0
FRAME = "PrePaint"
"""What follows script, style and layout once in every frame."""
WORK = ("FireAnimationFrame", "EventDispatch", "TimerFire", "UpdateLayoutTree", "Layout")


def drag_concentration(page: Page) -> None:
    """Move the first slider of c to and fro, once a frame."""
    page.evaluate(
        """() => new Promise((done) => {
          const slider = document.querySelector("label.slider[data-group] input");
          const [low, high] = [Number(slider.min), Number(slider.max)];
          let frame = 0;
          const step = () => {
            slider.value = low + (high - low) * (0.5 + 0.45 * Math.sin(frame / 9));
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            frame += 1;
            if (frame < 120) requestAnimationFrame(step); else done();
          };
          requestAnimationFrame(step);
        })"""
    )


def walk(page: Page) -> None:
    """Play the walk from the root to the leaf."""
    page.get_by_role("button", name="Walk from the root").click()
    page.wait_for_timeout(4000)


def milliseconds(trace: bytes) -> list[float]:
    """Add up what the page's thread worked for each frame."""
    events = [event for event in json.loads(trace)["traceEvents"] if event.get("ph") == "X"]
    (thread,) = {(one["pid"], one["tid"]) for one in events if one["name"] == "FireAnimationFrame"}
    own = [event for event in events if (event["pid"], event["tid"]) == thread]
    ends = sorted(event["ts"] for event in own if event["name"] == FRAME)
    sums, busy = np.zeros(len(ends) + 1), 0.0
    for event in sorted(own, key=lambda event: event["ts"]):
        if event["name"] in WORK and event["ts"] >= busy:  # a script's time has what it lays out
            busy = event["ts"] + event["dur"]
            sums[np.searchsorted(ends, event["ts"])] += event.get("tdur", 0) / 1000
    return sums[sums > 0].tolist()


def measure(browser: Browser, url: str, act: Callable[[Page], None]) -> list[float]:
    """Trace what somebody does."""
    page = browser.new_page(viewport=SIZE, device_scale_factor=2)
    page.goto(url)
    page.wait_for_timeout(2000)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    act(page)
    found = milliseconds(browser.stop_tracing())
    page.close()
    return found


def main() -> None:
    """Print a line for each thing that moves."""
    place = Path(tempfile.mkdtemp()) / "lesson.html"
    place.write_text(lesson_html(), encoding="utf-8")
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    program = next(filter(None, map(shutil.which, names)), None)
    tried = {"dirichlet": drag_concentration, "branch": walk}
    with sync_playwright() as playwright:
        args = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=program, args=args)
        for step, act in tried.items():
            for source in ("ward", "gene"):
                url = f"{place.as_uri()}?source={source}&step={step}&told=1"
                found = measure(browser, url, act)
                middle, high = np.quantile(found, [0.5, 0.95])
                print(
                    f"{step}, {source}: {len(found)} frames, median {middle:.1f} ms, 95 % within "
                    f"{high:.1f} ms, at most {max(found):.1f} ms (aim {AIM:.0f} ms)"
                )


if __name__ == "__main__":
    main()
