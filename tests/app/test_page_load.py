"""How much stands on each page at first sight: its words and its controls."""

import random
from pathlib import Path
from urllib.parse import quote

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

KNOWN = '{"sex":"female","age":"adult"}'
LIMITS = {
    "/?sample=titanic": (200, 24),
    "/data?sample=titanic": (120, 25),
    "/network?sample=titanic": (90, 30),
    "/network?sample=titanic&network.side=Ask": (90, 30),
    "/network?sample=titanic&network.side=Structure": (90, 30),
    f"/network?sample=titanic&network.side=Ask&network.findings={quote(KNOWN)}": (90, 30),
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
        page.get_by_text("Equally good").first.wait_for()
    check(page, path, LIMITS[path], capsys)


def check(page: Page, name: str, limits: tuple[int, int], capsys) -> None:
    page.mouse.move(640, 4)  # away from what explains itself on hover
    page.get_by_test_id("stTooltipContent").wait_for(state="hidden")
    still(page)
    found = page.evaluate(COUNT)
    with capsys.disabled():
        print(f"\n{name}: {found['words']} words, {found['controls']} controls")
    assert found["words"] <= limits[0], found["text"]
    assert found["controls"] <= limits[1], found["names"]


def loans(path: Path) -> Path:
    """Write 600 loans in 12 columns: numbers, codes, words, and an identifier."""
    draw, lines = random.Random(7), ["loan,age,income,amount,months,purpose,home,status,people"]
    lines[0] += ",savings,years,default"
    for row in range(600):
        status, months = draw.choice([1, 1, 2, 2, 3, 4, 4]), draw.choice([6, 12, 24, 36, 48])
        home, savings = draw.choice(["own", "rent", "free"]), draw.choice(["none", "some", "much"])
        risk = 0.12 + 0.2 * (status == 1) - 0.08 * (status == 4) + 0.004 * (months - 24)
        bad = draw.random() < risk + 0.1 * (savings == "none")
        cells = [f"L{row}", draw.randint(19, 75), draw.randint(9, 90) * 500, draw.randint(5, 200)]
        cells += [months, draw.choice(["car", "home", "study"]), home, status, draw.randint(1, 2)]
        lines.append(",".join(map(str, [*cells, savings, draw.randint(0, 20), int(bad)])))
    path.write_text("\n".join(lines))
    return path


def test_ones_own_table_and_a_decision_keep_the_limits_of_the_tree(open_page, tmp_path, capsys):
    page: Page = open_page("/?sample=titanic&beside=decide")
    deciding = page.get_by_text("of 1,000 rows are acted on").first
    deciding.wait_for()
    limits = LIMITS["/?sample=titanic"]
    check(page, "decide", limits, capsys)
    page.get_by_role("radio", name="Explain", exact=True).click()
    page.get_by_role("button", name="Change data").click()
    page.locator("input[type=file]").first.set_input_files(loans(tmp_path / "loans.csv"))
    page.get_by_text("loans.csv").first.wait_for()
    page.get_by_text("Track record").first.wait_for()
    check(page, "own table", limits, capsys)
    page.get_by_role("radio", name="Decide", exact=True).click()
    deciding.wait_for()
    check(page, "own table, decide", limits, capsys)
