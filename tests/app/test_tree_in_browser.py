"""The Tree page in a real browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import still

pytestmark = pytest.mark.browser


def wait_for_tree(page: Page) -> None:
    page.locator(".tree-view canvas.picture").wait_for()
    page.wait_for_function(
        "() => { const find = (r) => r.querySelector('.tree-view') || [...r.querySelectorAll('*')]"
        ".map((e) => e.shadowRoot && find(e.shadowRoot)).find(Boolean);"
        "const view = find(document)?.view; return view && view.picture.drawn.length > 1; }"
    )


def ask_view(page: Page, expression: str) -> object:
    return page.locator(".tree-view").evaluate(
        f"(root) => {{ const view = root.view; return {expression}; }}"
    )


def click_node(page: Page, node: int) -> None:
    place = ask_view(
        page,
        f"[view.picture.place.x.get({node}) * view.picture.scale + view.picture.offset.x + 20,"
        f" view.picture.place.y.get({node}) * view.picture.scale + view.picture.offset.y + 12]",
    )
    page.locator("canvas.picture").click(position={"x": place[0], "y": place[1]})


def test_clicking_a_node_explains_it_and_another_smoother_repaints_it(open_page):
    page = open_page()
    wait_for_tree(page)
    assert ask_view(page, "view.picture.drawn.length") == 15
    click_node(page, 3)
    expect(
        page.get_by_text(re.compile("^Rows where sex is female and class is 1st"))
    ).to_be_visible()
    page.wait_for_url(re.compile("node=3"))
    click_node(page, 0)
    expect(page.get_by_text("Inner node · as a group")).to_be_visible()
    expect(page.get_by_text("The split here")).to_be_visible()
    expect(page.get_by_text(re.compile("^On 2,201 unseen rows"))).to_be_visible()
    before = ask_view(page, "view.state.data.answer[12]")
    page.get_by_role("radio", name="MLE").click()
    click_node(page, 3)
    expect(page.get_by_text("Leaf · MLE")).to_be_visible()
    still(page)
    assert ask_view(page, "view.state.data.answer[12]") != before
    assert ask_view(page, "view.picture.place.order.length") == 15


def test_zoom_pan_close_and_keyboard(open_page):
    page = open_page()
    wait_for_tree(page)
    canvas = page.locator("canvas.picture")
    height = "view.picture.place.height.get(0) * view.picture.scale"
    before = ask_view(page, height)
    canvas.hover()
    page.mouse.wheel(0, -400)
    assert ask_view(page, height) == before  # it scrolls the page
    page.keyboard.down("Control")
    page.mouse.wheel(0, -400)
    assert ask_view(page, height) > before
    page.mouse.wheel(0, 9000)
    page.keyboard.up("Control")
    assert ask_view(page, "view.picture.scale >= view.picture.smallestScale()")
    assert ask_view(page, height) > 10
    page.get_by_role("button", name="Fit").click()
    assert ask_view(page, "view.picture.scale") >= 0.75
    canvas.press("x")
    page.wait_for_function("document.fullscreenElement !== null")
    canvas.press("x")
    page.wait_for_function("document.fullscreenElement === null")
    canvas.press("c")
    assert ask_view(page, "view.picture.place.order.length") < 15
    canvas.press("o")
    assert ask_view(page, "view.picture.place.order.length") == 15
    click_node(page, 0)
    canvas.press("ArrowRight")
    canvas.press("ArrowDown")
    assert ask_view(page, "view.state.selected") == 3
    expect(
        page.get_by_text(re.compile("^Rows where sex is female and class is 1st"))
    ).to_be_visible()


def _n_not_drawn(remark: str) -> int:
    """Return how many branches a remark says are not drawn."""
    found = re.search(r"(\d+) branch(?:es)? without rows", remark)
    return int(found[1]) if found else 0


def test_detail_by_importance_says_what_it_tells_and_can_be_read(open_page):
    page = open_page("/?sample=heart")
    wait_for_tree(page)
    remark = page.locator(".remark")
    expect(remark).to_contain_text(
        "These 12 groups tell 89 % of what the 49 leaves tell apart. "
        "1 branch without rows is not drawn."
    )
    assert page.locator("canvas.picture").bounding_box()["y"] < 200
    page.get_by_role("button", name="Fit").click()
    assert ask_view(page, "view.picture.scale") >= 0.75
    assert ask_view(
        page,
        "view.picture.place.order.every((node) => {"
        " const { layout, place, family } = view.picture;"
        " const wide = layout.textWidth(layout.condition(node), 14, 600, family);"
        " return wide <= place.width.get(node) && !layout.condition(node).includes('…'); })",
    )
    slider = page.get_by_label("Detail, from few groups to the whole tree")
    slider.fill("100")
    expect(remark).to_contain_text(
        re.compile(r"All \d+ leaves with rows are shown\. .*The higher a block")
    )
    drawn = ask_view(page, "view.picture.place.order.length")
    assert drawn + _n_not_drawn(remark.inner_text()) == 81
    # Too many for cards: blocks fill the frame, so that the selected leaf is in sight.
    assert ask_view(
        page,
        "((p, f) => p.isBlocks && p.extent().width === f.width && p.extent().height === f.height"
        " && p.drawn.includes(view.state.selected))(view.picture, view.picture.frame())",
    )
    for _ in range(5):
        page.locator("canvas.picture").press("+")
    assert ask_view(page, "view.picture.isBlocks") is False
    expect(remark).to_contain_text(re.compile(r"All \d+ leaves with rows are shown\."))
    slider.fill("0")
    assert ask_view(page, "view.state.shownGroups().groups") < 12
    # A picture file shows as many groups as the screen, once Python has heard of them.
    still(page)
    groups = ask_view(page, "view.state.shownGroups().groups")
    page.get_by_role("button", name="Export").click()
    page.get_by_role("tab", name="Picture").click()
    expect(page.get_by_text(f"as on the screen ({groups} groups)")).to_be_visible()


def test_what_if_lights_the_way_while_one_types(open_page):
    page = open_page("/?sample=heart")
    wait_for_tree(page)
    page.get_by_text("What if", exact=True).click()
    vessels = page.get_by_role("textbox", name="coloured vessels")
    vessels.wait_for()
    still(page)
    before = ask_view(page, "view.state.data.followed[0]")
    vessels.fill("2,0")
    vessels.press("Enter")
    expect(page.get_by_text("81.1 %").first).to_be_visible()
    still(page)
    after = ask_view(page, "view.state.data.followed[0]")
    assert after != before
    # The whole way is in sight, from the root on.
    assert ask_view(
        page,
        "[...view.state.litPath()].every((node) => { const box = view.picture.box(node);"
        " const { scale, offset } = view.picture, { width, height } = view.picture.size();"
        " return box.left * scale + offset.x >= 0 && box.top * scale + offset.y >= 0"
        " && (box.left + box.width - 24) * scale + offset.x <= width"
        " && (box.top + box.height) * scale + offset.y <= height; })",
    )
    page.get_by_text("Columns", exact=True).click()
    marked = page.get_by_role("combobox", name=re.compile("Mark the splits"))
    marked.scroll_into_view_if_needed()  # a list that opens while the page scrolls closes again
    still(page)
    marked.click()
    page.get_by_role("option", name="coloured vessels").click()
    expect(page.locator(".remark")).to_contain_text("coloured vessels: 3 of its 5 splits in sight.")
    assert ask_view(page, "view.state.markOf(2)") == "split"


def test_search_finds_by_text_rows_and_probability(open_page):
    page = open_page()
    wait_for_tree(page)
    search = page.get_by_placeholder("Find: age, rows < 5, chance > 90 %")
    for query, found in (
        ("class = crew", 2),
        ("age", 4),
        ("n < 12", 2),
        ("rows < 12", 2),
        ("chance > 50 %", 6),
        ("chance > 92,5 %, observed > 0,9", 3),
        ("survived = yes, n > 100", 2),
    ):
        search.fill(query)
        expect(page.locator(".matches")).to_have_text(f"{found} found")
    search.press("Enter")
    expect(page.locator(".matches")).to_have_text("1 of 2")
    expect(
        page.get_by_text(re.compile("^Rows where sex is female and class is 1st"))
    ).to_be_visible()


def test_a_phone_shows_the_outline_and_explains_what_is_asked_for(open_page):
    page = open_page("/?sample=heart", width=390, height=844)
    page.locator("[role=treeitem]").first.wait_for()
    # The sheet comes up when a node is asked for, not before.
    expect(page.get_by_role("button", name="Explain the leaf")).to_be_visible()
    expect(page.get_by_text("Leaf · HGS")).to_be_hidden()
    expect(page.get_by_role("treeitem", selected=True)).to_contain_text("ST depression > 0.6")
    page.get_by_role("treeitem").first.click()
    expect(page.get_by_text("Inner node · as a group")).to_be_visible()
    expect(page.get_by_text("heart disease: yes")).to_be_visible()


def test_the_outline_opens_at_its_top_and_then_follows_the_selected_line(open_page):
    page = open_page("/?sample=heart", width=390, height=844)
    page.locator("[role=treeitem]").first.wait_for()
    still(page)
    # The leaf that is explained first lies below what is in sight.
    line = "view.list.querySelector('[aria-selected=\"true\"]')"
    assert ask_view(page, f"{line}.offsetTop - view.list.offsetTop > view.list.clientHeight - 40")
    assert ask_view(page, "view.list.scrollTop") == 0
    last = page.locator("[role=treeitem]").last
    last.click()
    last.press("ArrowUp")
    still(page)
    assert ask_view(page, "view.list.scrollTop") > 0


@pytest.mark.parametrize("address", ["/", "/tree"])
def test_the_menu_marks_the_tree_under_both_its_addresses(open_page, address):
    page = open_page(address)
    expect(page.get_by_role("link", name="Tree", exact=True)).to_have_attribute(
        "aria-current", "page"
    )


def test_a_slider_decides_who_is_acted_on_at_once_and_by_any_rule(open_page):
    page = open_page("/?sample=titanic&beside=decide&decide.rule=4.5:1")
    wait_for_tree(page)
    acting, stops = page.locator(".acting"), page.locator(".acting input")
    stops.press("ArrowRight")  # the stop of the link's own rule goes, and those behind it move up
    page.wait_for_url(re.compile("decide.rule=5%3A1"))
    still(page)
    assert stops.get_attribute("aria-valuetext") == "5"
    expect(acting).to_contain_text("Of 1,000 unseen rows: 906 acted on")
    acted = "view.state.data.acted?.[0] ?? null"  # of all rows; one leaf has a chance below 1 in 6
    assert ask_view(page, acted) == pytest.approx(1 - 168 / 2201)
    stops.press("ArrowLeft")  # one miss is as dear as 4 false alarms
    page.wait_for_url(re.compile("decide.rule=4%3A1"))
    expect(page.get_by_text("of 1,000 rows are acted on (798 to 830)")).to_be_visible()
    page.get_by_role("combobox", name="Act by").click()
    page.get_by_role("option", name="Room for").click()
    page.wait_for_url(re.compile("decide.rule=815%2F1000"))
    still(page)
    assert ask_view(page, acted) == pytest.approx(0.815)
    page.get_by_role("radio", name="Explain", exact=True).click()
    expect(acting).to_be_hidden()
    assert ask_view(page, acted) is None
