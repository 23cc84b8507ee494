"""How quickly the Learn page answers: while somebody drags, and while a class guesses.

    python benchmarks/bench_learn.py [frames] [phones] [links]

``frames``: every step in a real browser, redrawn 300 times with another setting each time: script
and layout of one redraw, by the clock and in processor time of the page's thread, which other work
on the machine does not lengthen, and the frames shown in a second. ``phones``: a hundred phones
join a class session and guess within ten seconds, while they and the projector ask for news.
``links``: sixty sessions open one link. Without a name all three. Needs a Chromium on the PATH.
"""

from __future__ import annotations

import http.client
import json
import random
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from app_sessions import class_opens_link
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from probtrees.ui.learn.lesson_file import STEPS

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REDRAWS = 300
PHONES, SECONDS, NEWS_EVERY = 100, 10.0, 3.0

REDRAW = """async ([step, redraws]) => {
  const find = (root) => root.querySelector(".lesson") ?? [...root.querySelectorAll("*")]
    .map((one) => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
  const view = find(document).view, { lesson } = view, times = [];
  // Every setting of the lesson changes, so nothing can be left as it was.
  const change = (i) => {
    const part = (i % 50) / 50;
    Object.assign(lesson, { strength: 0.1 + 19 * part, branch: 0.1 + 19 * part,
      weight: 0.1 + 19 * part, c: lesson.c.map(() => 0.1 + 50 * part), truth: 0.1 + 0.8 * part,
      counts: lesson.counts.map((count, at) => (at === 3 ? 1 + (i % 40) : count)) });
    if (step === "gibbs") lesson.counts = [...view.data.lesson.counts.split("-").map(Number)];
    if (step === "gibbs") lesson.burn = i % 90;
    view.isDragged = true;
  };
  window.redraw = (i) => { change(i); view.draw(); };
  for (let i = 0; i < redraws; i++) {
    const start = performance.now();
    window.redraw(i);
    view.root.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(redraws / 2)];
}"""

FRAMES = """async () => {
  let frames = 0;
  const start = performance.now();
  while (performance.now() - start < 2000) {
    await new Promise(requestAnimationFrame);
    window.redraw(frames++);
  }
  return frames / 2;
}"""


@contextmanager
def browsing() -> Iterator[Browser]:
    """Start a browser."""
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        sys.exit("No Chromium on the PATH.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def frames(port: int) -> None:
    """Print what a redraw of every step costs, in milliseconds."""
    with browsing() as browser:
        for embed in ("", "&embed=true"):
            page = browser.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(120_000)
            for step in [one["name"] for one in STEPS]:
                page.goto(f"http://127.0.0.1:{port}/learn?step={step}&told=1{embed}")
                clock, processor, rate = _redraw(page, step)
                print(
                    f"{'slide' if embed else 'page'}, {step}: a redraw takes {clock:.1f} ms by the "
                    f"clock, {processor:.1f} ms of the processor; {rate:.0f} frames a second",
                    flush=True,
                )
            page.close()


def _redraw(page: Page, step: str) -> tuple[float, float, float]:
    """Return milliseconds by the clock and of the processor, and frames a second."""
    page.locator(".lesson .tools button").first.wait_for()
    page.locator(".lesson .wait").first.wait_for(state="hidden")
    page.wait_for_timeout(1000)
    watch = page.context.new_cdp_session(page)
    watch.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = _busy(watch)
    clock = float(page.evaluate(REDRAW, [step, REDRAWS]))
    processor = 1000 * (_busy(watch) - before) / REDRAWS
    return clock, processor, float(page.evaluate(FRAMES))


def _busy(watch: CDPSession) -> float:
    """Return the seconds for which the page's thread has worked."""
    found = watch.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in found if one["name"] == "TaskDuration")


class Phone(threading.Thread):
    """A phone that joins some time, guesses a second later, and asks for news until the end."""

    def __init__(self, port: int, code: str, number: int, end: float) -> None:
        super().__init__()
        self.port, self.place, self.end = port, f"/class/{code}", end
        self.joins_at = random.Random(number).uniform(0, SECONDS - 1.5)
        self.guess = number % 101
        self.waits: list[float] = []
        self.failures: list[int] = []
        self.cookie = ""

    def run(self) -> None:
        """Live for ten seconds."""
        time.sleep(self.joins_at)
        self.ask("GET", self.place, expected=200)
        time.sleep(1)
        self.ask("POST", self.place, {"guess": str(self.guess)}, expected=303)
        while time.monotonic() < self.end - NEWS_EVERY:
            time.sleep(NEWS_EVERY)
            self.ask("GET", f"{self.place}/open", expected=204)

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, *, expected: int
    ) -> None:
        """Send one request and time it."""
        start = time.perf_counter()
        status, _, given = request(self.port, method, path, form, self.cookie)
        self.cookie = given.partition(";")[0] or self.cookie
        self.waits.append(time.perf_counter() - start)
        if status != expected:
            self.failures.append(status)


def request(
    port: int, method: str, path: str, form: dict[str, str] | None = None, cookie: str = ""
) -> tuple[int, bytes, str]:
    """Send one request over a connection of its own; return status, answer and a new cookie."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    kind = {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookie}
    connection.request(method, path, urllib.parse.urlencode(form) if form else None, kind)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content, answer.getheader("Set-Cookie", "")


def opened_room(port: int) -> dict[str, Any]:
    """Open a room on the page of the lesson, which alone can."""
    with browsing() as browser:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}/learn?step={STEPS[1]['name']}")
        page.get_by_role("button", name="Open a room").click()
        page.locator(".room .code").wait_for()
        kept = page.evaluate("() => sessionStorage.getItem('probtrees class room')")
        return dict(json.loads(kept))


def phones(port: int) -> None:
    """Print how long a hundred phones wait, and whether every guess was counted."""
    room = opened_room(port)
    end = time.monotonic() + SECONDS
    all_phones = [Phone(port, room["code"], number, end) for number in range(PHONES)]
    for phone in all_phones:
        phone.start()
    ask = {"key": room["key"], "step": "1"}
    while any(phone.is_alive() for phone in all_phones):
        request(port, "POST", f"/class/{room['code']}/tally", ask)
        time.sleep(1.5)
    tally = json.loads(request(port, "POST", f"/class/{room['code']}/tally", ask)[1])
    waits = [wait for phone in all_phones for wait in phone.waits]
    failures = [status for phone in all_phones for status in phone.failures]
    print(
        f"{PHONES} phones in {SECONDS:.0f} s: {len(waits)} requests, median "
        f"{np.median(waits):.3f} s, 95 of 100 under {np.quantile(waits, 0.95):.3f} s, slowest "
        f"{max(waits):.3f} s; {tally['guesses']} guesses counted, {len(failures)} refused"
    )


def links(port: int) -> None:
    """Print how long sixty sessions wait for one link that nobody has opened before."""
    for step, result in (("gibbs", "guests"), ("verdict", "hdp")):
        shown = f'{result}\\": ['  # as it stands in a message to the browser
        alone = class_opens_link(port, f"v=1&step={step}&told=1&seed=1", shown, 1)
        waits = class_opens_link(port, f"v=1&step={step}&told=1&seed=2", shown)
        print(
            f"one link ({step}): one session {alone[0]:.2f} s, sixty at once median "
            f"{np.median(waits):.2f} s, slowest {waits[-1]:.2f} s"
        )


MEASURES: dict[str, Callable[[int], None]] = {"frames": frames, "phones": phones, "links": links}


def main() -> None:
    """Start the app and measure it."""
    names = sys.argv[1:] or list(MEASURES)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    served = ("--headless", "--address", "127.0.0.1", "--port", str(port))
    server = subprocess.Popen(
        [sys.executable, "-m", "probtrees", "app", *served], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    try:
        for _ in range(300):
            try:
                if request(port, "GET", "/_stcore/health")[0] == 200:
                    break
            except OSError:
                time.sleep(0.2)
        for name in names:
            MEASURES[name](port)
    finally:
        server.terminate()
        server.wait(timeout=20)


if __name__ == "__main__":
    main()
