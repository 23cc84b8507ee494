"""Walks in a real browser, in two tabs and with Back: each ends where a fresh start does.

One visitor walks on through all of them, so that every walk begins with what the last ones left.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.app.app_page import clean_table
from tests.app.conftest import PATIENCE, settled, still

pytestmark = pytest.mark.browser

OWN, SAMPLE = clean_table(), "titanic"
LABELS = {"mle": "MLE", "laplace": "Laplace"}


@dataclass
class Tab:
    """One tab, and what its visitor has done in it.

    Attributes
    ----------
    chosen : the smoother by table; others have the usual one
    way : the pages behind Back, the open one last
    """

    page: Page
    table: str = SAMPLE
    chosen: dict[str, str] = field(default_factory=dict)
    way: list[str] = field(default_factory=lambda: ["Tree"])

    def open(self, name: str) -> None:
        """Open a page by the menu."""
        if self.way[-1] != name:
            self.page.get_by_role("link", name=name, exact=True).first.click()
            self.way.append(name)
            self.wait()

    def back(self) -> None:
        if len(self.way) > 1:
            self.page.go_back()
            self.way.pop()
            self.wait()

    def reload(self) -> None:
        self.page.reload()
        self.wait()

    def give(self) -> None:
        self.open("Tree")
        self.page.get_by_role("button", name="Change data").click()
        file = {"name": OWN.name, "mimeType": "text/csv", "buffer": OWN.content}
        self.page.locator("input[type=file]").first.set_input_files(file)  # type: ignore[arg-type]
        self.table = OWN.name
        self.wait()
        self.page.keyboard.press("Escape")

    def smooth(self, name: str) -> None:
        self.open("Tree")
        self.page.get_by_role("radio", name=LABELS[name]).first.click()
        self.chosen[self.table] = name
        self.wait()

    def wait(self) -> None:
        """Wait until the page shows what it is to show: then its address says so."""
        is_tree = self.way[-1] == "Tree"
        marks = ["own=1" if self.table == OWN.name else f"sample={SAMPLE}"]
        if is_tree and self.table in self.chosen:
            marks.append(f"smoother={self.chosen[self.table]}")
        said = "marks => marks.every(mark => location.search.includes(mark))"
        self.page.wait_for_url(re.compile(r"/(tree|start)?\?" if is_tree else r"/data\?"))
        self.page.wait_for_function(said, arg=marks)
        settled(self.page) if is_tree else still(self.page)

    def sees(self) -> dict[str, Any]:
        """Return the tree, the numbers of the leaf in view, and the address."""
        self.open("Tree")
        leaf = self.page.locator('[class*="st-key-of_model_"][class*="_leaf"]').first
        return {
            "tree": self.page.locator(".st-key-data_bar p").first.inner_text(),
            "leaf": leaf.inner_text(),
            "address": dict(parse_qsl(urlsplit(self.page.url).query)),
        }


class Walker:
    """A visitor with two tabs, and what fresh starts of others have shown."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.browser, self.url = browser, url
        context = browser.new_context()
        self.tabs = [Tab(self._open(context)) for _ in range(2)]
        self.seen: dict[tuple[str, str | None], dict[str, Any]] = {}

    def _open(self, context: Any) -> Page:
        page: Page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(self.url)
        settled(page)
        return page

    def step(self, draw: random.Random) -> None:
        """Do something in one of the tabs."""
        tab = draw.choice(self.tabs)
        acts = [tab.back, tab.back, tab.reload, tab.give, lambda: tab.open("Data")]
        acts += [lambda: tab.smooth("mle"), lambda: tab.smooth("laplace")]
        draw.choice(acts)()

    def fresh(self, tab: Tab) -> dict[str, Any]:
        """Return what somebody else sees with the same table and choice."""
        smoother = tab.chosen.get(tab.table)
        if (tab.table, smoother) not in self.seen:
            context = self.browser.new_context()
            other = Tab(self._open(context))
            if tab.table == OWN.name:
                other.give()
            if smoother is not None:
                other.smooth(smoother)
            self.seen[tab.table, smoother] = other.sees()
            context.close()
        return self.seen[tab.table, smoother]


@pytest.fixture(scope="module")
def walker(browser: Browser, app_url: str) -> Iterator[Walker]:
    """The visitor of all walks."""
    found = Walker(browser, app_url)
    yield found
    found.tabs[0].page.context.close()


@pytest.mark.parametrize("seed", range(20))
def test_a_walk_in_two_tabs_ends_where_a_fresh_start_does(walker: Walker, seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(4):
        walker.step(draw)
    for tab in walker.tabs:
        assert tab.sees() == walker.fresh(tab)


def test_a_new_tab_shows_the_sample_and_goes_on_by_one_click(walker: Walker) -> None:
    first = walker.tabs[0]
    first.give()
    for name in LABELS:  # a change, so that this tab is the last one that kept its table
        first.smooth(name)
    page = walker._open(first.page.context)
    new = Tab(page)
    assert new.sees() == walker.fresh(new)
    page.get_by_role("button", name=f"Go on with {OWN.name}").click()
    new.table, new.chosen = first.table, dict(first.chosen)
    new.wait()
    assert new.sees() == walker.fresh(new)
