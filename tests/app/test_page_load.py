"""How much stands on each page at first sight: its words and its controls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.app.conftest import settled, still

pytestmark = pytest.mark.browser

COUNT = """() => {
  const seen = (node) => {
    const box = node.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && box.top < innerHeight && box.bottom > 0
      && box.left < innerWidth && box.right > 0
      && node.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const words = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode, owner = text.parentElement;
    const icon = owner.closest('script, style, noscript, span[role=img]')
      || /Icon/.test(owner.dataset.testid);
    if (!icon && text.data.trim() && seen(owner)) words.push(...text.data.trim().split(/\\s+/));
  }
  const fields = '.stSelectbox, .stMultiSelect, .stNumberInput, .stTextInput, .stSlider, '
    + '.stCheckbox, .stFileUploader';
  const kinds = `${fields}, button, a[href], summary, [role=tab], [role=radio], textarea`;
  const all = [...document.querySelectorAll(kinds)].filter(
    (node) => !node.disabled && seen(node) && !/^Help( for |$)/.test(node.ariaLabel || "")
      && !node.closest('[data-testid="stElementToolbar"]'));
  const own = all.filter((node) => !all.some((other) => other !== node && other.contains(node)));
  const name = (node) => (node.ariaLabel || node.innerText || node.dataset.testid || node.tagName);
  return { words: words.length, controls: own.length, text: words.join(" "),
           names: own.map((node) => name(node).trim().replace(/\\s+/g, " ")) };
}"""
"""Words and controls in sight at once. Icons are no words, question marks no controls, and a field
with its arrows and crosses is one control; what comes and goes with the pointer is none."""

LIMITS = {
    "/?sample=titanic": (200, 24),
    "/data?sample=titanic": (120, 25),
    "/network?sample=titanic": (90, 30),
    "/network?sample=titanic&network.side=Ask": (90, 30),
    "/network?sample=titanic&network.side=Structure": (90, 30),
    "/compare?sample=titanic&compare.smoothers=mle,laplace,hgs&compare.folds=3": (120, 25),
}
"""Words and controls that a page may have on a small laptop before anybody scrolls."""


@pytest.mark.parametrize("path", LIMITS)
def test_a_page_is_no_fuller_than_it_was(open_page, path, capsys):
    page: Page = open_page(path)
    if path.startswith("/?"):
        settled(page)
    if path.startswith("/compare"):
        page.get_by_role("button", name="Compare", exact=True).click()
        page.get_by_text("as good as each other").first.wait_for()
    still(page)
    found = page.evaluate(COUNT)
    with capsys.disabled():
        print(f"\n{path}: {found['words']} words, {found['controls']} controls")
    words, controls = LIMITS[path]
    assert found["words"] <= words, found["text"]
    assert found["controls"] <= controls, found["names"]
