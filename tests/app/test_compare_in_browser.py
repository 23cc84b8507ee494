"""The Compare page in a real browser: a link brings back what was chosen, down to a row."""

import re

import pytest
from playwright.sync_api import expect

from tests.app.conftest import still

pytestmark = pytest.mark.browser

LINK = "/compare?v=1&sample=stroke&compare.smoothers=mle,laplace&compare.folds=3&compare.started=1"


def test_from_a_link_to_the_rows_of_a_cell_to_a_leaf_and_back_to_an_earlier_comparison(open_page):
    chosen = "&compare.view=Threshold&compare.acting=Laplace&compare.threshold=20&compare.cell=1"
    page = open_page(LINK + chosen)
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("forecasts of Laplace, the highest first")).to_be_visible()
    page.reload()
    expect(page.get_by_text("forecasts of Laplace, the highest first")).to_be_visible()
    assert "compare.cell=1" in page.url
    assert "compare.threshold=20" in page.url

    page.get_by_role("tab", name="Earlier comparisons").click()
    expect(page.get_by_text("1 comparison of 2 settings in this session")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="All figures as CSV").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == 4
    assert lines[1].split(",")[2] == "stroke"

    page.goto(
        page.url.split("/compare")[0] + LINK + "&compare.view=Where+they+differ"
        "&compare.dot=5&compare.row=5"
    )
    show = page.get_by_role("button", name="Show this leaf in the tree")
    show.scroll_into_view_if_needed()
    show.click()
    page.wait_for_url(re.compile(r"/(\?|$)"))
    still(page)
    expect(page.locator(".tree-view canvas.picture")).to_be_in_viewport()
    assert page.evaluate("document.querySelector('.stMain').scrollTop") == 0
