"""Network, Compare and Data in a real browser, and what all pages have in common."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import still

pytestmark = pytest.mark.browser

COMPARE = "/compare?sample=stroke&compare.smoothers=mle,laplace&compare.folds=3"
PATHS = ("/?sample=heart", "/network", f"{COMPARE}&compare.started=1", "/learn", "/data")


def go_to(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    still(page)


def test_compare_and_click_a_bin(open_page):
    page = open_page(f"{COMPARE}&compare.view=Reliability")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("Click a dot to see its rows.")).to_be_visible()
    page.wait_for_url(re.compile("compare.started=1"))
    dot = page.locator(".js-plotly-plot .scatterlayer .points path").last
    dot.scroll_into_view_if_needed()
    still(page)
    place = dot.bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.get_by_text(re.compile(r"rows given .* to .*"))).to_be_visible()
    page.get_by_role("tab", name="Costs").click()
    expect(page.get_by_text("no row has a say")).to_be_visible()
    page.wait_for_url(re.compile("compare.view=Costs"))


def test_from_a_network_to_a_table_and_to_a_row(open_page):
    page = open_page("/network?sample=titanic&network.learner=kdb")
    expect(page.locator(".network-view canvas.picture")).to_be_visible()
    still(page)
    click_node(page, "age")
    expect(page.get_by_text("Table of")).to_be_visible()
    page.wait_for_url(re.compile("network.column=2"))
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    expect(page.get_by_text("percentage points").first).to_be_visible()
    page.get_by_role("tab", name="Follow a row").click()
    expect(page.get_by_text("What each table adds")).to_be_visible()
    before = page.get_by_text(re.compile("odds of .* to 1")).inner_text()
    still(page)
    page.get_by_role("spinbutton", name="Start from row").fill("2201")
    page.keyboard.press("Enter")
    expect(page.get_by_text(before)).to_have_count(0)
    expect(page.get_by_text(re.compile("odds of .* to 1"))).to_be_visible()


PICTURE = ".network-view canvas.picture"


def place_of(page, name: str, value: str | None = None) -> dict[str, float]:
    """Say where a box of the network's picture is, or one of the values in it."""
    return page.locator(".network-view").evaluate(
        """(root, [name, value]) => {
          const picture = root.view.picture;
          const node = picture.data.nodes.find((each) => each.lines.join(" ") === name);
          const row = node.values.findIndex(([, label]) => label === value);
          const y = row < 0 ? node.box[1] + 6 : picture.valuesTop(node) + 17 * row + 8;
          const { scale, offset } = picture;
          return { x: (node.box[0] + 12) * scale + offset.x, y: y * scale + offset.y };
        }""",
        [name, value],
    )


def click_node(page, name: str, value: str | None = None) -> None:
    """Click a box of the network's picture, or one of the values in it."""
    page.locator(PICTURE).click(position=place_of(page, name, value))


def test_a_network_is_asked_by_clicking_what_is_known(open_page):
    page = open_page("/network?sample=titanic&network.learner=kdb&network.side=Ask")
    expect(page.get_by_text("What to ask next")).to_be_visible()
    still(page)
    click_node(page, "sex", "female")
    expect(page.get_by_role("button", name="sex: female")).to_be_visible()
    expect(page.get_by_text("What moved the answer")).to_be_visible()
    still(page)
    shares = page.locator(".network-view").evaluate(
        "(root) => root.view.picture.data.nodes.map((node) => node.values.map((each) => each[2]))"
    )
    assert all(abs(sum(values) - 1) < 1e-6 for values in shares)
    click_node(page, "sex", "female")
    expect(page.get_by_role("button", name="sex: female")).to_have_count(0)


def test_an_arrow_is_drawn_from_box_to_box(open_page):
    page = open_page("/network?sample=titanic&network.learner=nb&network.side=Structure")
    expect(page.get_by_text("No arrow could have been otherwise")).to_be_visible()
    still(page)
    picture, start, end = page.locator(PICTURE), place_of(page, "sex"), place_of(page, "age")
    picture.drag_to(picture, source_position=start, target_position=end)
    page.wait_for_url(re.compile("network.nb.edits="))
    expect(page.get_by_text("Corrected: Add sex → age.")).to_be_visible()


def test_choices_survive_a_walk_through_the_pages(open_page):
    page = open_page("/?sample=stroke")
    page.get_by_role("radio", name="Laplace").click()
    expect(page.get_by_text("Leaf · Laplace")).to_be_visible()
    for name in ("Network", "Compare", "Learn", "Data", "Tree"):
        go_to(page, name)
    expect(page.get_by_text("Leaf · Laplace")).to_be_visible()
    expect(page.get_by_text("stroke").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_every_page_fits_a_phone(open_page, dark):
    for path in PATHS:
        page = open_page(
            path,
            width=390,
            height=844,
            dark=dark,
        )
        still(page)
        assert page.evaluate(
            "document.documentElement.scrollWidth <= window.innerWidth &&"
            " document.querySelector('.stMain').scrollWidth <= window.innerWidth"
        ), path
        background = page.evaluate(
            "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
        )
        assert (background == "rgb(255, 255, 255)") != dark
        page.context.close()
