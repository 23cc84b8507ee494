"""Network, Compare, Learn and Data in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import still
from tests.small_tables import write_hostile_csv

pytestmark = pytest.mark.browser

PATHS = ("/", "/network", "/compare", "/learn", "/data")
QUICK = "compare.smoothers=mle,laplace&compare.folds=3"


def go_to(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()
    still(page)


def has_no_sideways_scrolling(page: Page) -> bool:
    return bool(
        page.evaluate(
            "() => document.documentElement.scrollWidth <= window.innerWidth &&"
            " document.querySelector('.stMain').scrollWidth <= window.innerWidth"
        )
    )


def test_compare_and_click_a_bin(open_page):
    page = open_page(f"/compare?sample=stroke&{QUICK}")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("You have compared 2 settings")).to_be_visible()
    page.wait_for_url(re.compile("compare.started=1"))
    dot = page.locator(".js-plotly-plot .scatterlayer .points path").last
    dot.scroll_into_view_if_needed()
    still(page)
    place = dot.bounding_box()
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.get_by_text(re.compile(r"rows given .* to .*"))).to_be_visible()
    page.get_by_role("tab", name="Costs").click()
    expect(page.get_by_text("The table is honest")).to_be_visible()
    page.wait_for_url(re.compile("compare.view=Costs"))


def test_from_a_network_to_a_table_and_to_a_row(open_page):
    page = open_page("/network?sample=titanic&network.learner=kdb")
    expect(page.locator(".network-view canvas.picture")).to_be_visible()
    still(page)
    click_node(page, "age")
    expect(page.get_by_text("Table of")).to_be_visible()
    page.wait_for_url(re.compile("network.column=2"))
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    expect(page.get_by_text(re.compile("weight lies on"))).to_be_visible()
    page.get_by_role("tab", name="Follow a row").click()
    expect(page.get_by_text("What each table adds")).to_be_visible()
    before = page.get_by_text(re.compile("odds of .* to 1")).inner_text()
    still(page)
    page.get_by_role("spinbutton", name="Start from row").fill("2201")
    page.keyboard.press("Enter")
    expect(page.get_by_text(before)).to_have_count(0)
    expect(page.get_by_text(re.compile("odds of .* to 1"))).to_be_visible()


def click_node(page, name: str, value: str | None = None) -> None:
    """Click a box of the network's picture, or one of the values in it."""
    place = page.locator(".network-view").evaluate(
        """(root, [name, value]) => {
          const picture = root.view.picture;
          const node = picture.data.nodes.find((each) => each.lines.join(" ") === name);
          const row = node.values.findIndex(([, label]) => label === value);
          const y = row < 0 ? node.box[1] + 6 : picture.valuesTop(node) + 17 * row + 8;
          const { scale, offset } = picture;
          return [(node.box[0] + 12) * scale + offset.x, y * scale + offset.y];
        }""",
        [name, value],
    )
    page.locator(".network-view canvas.picture").click(position={"x": place[0], "y": place[1]})


def test_a_network_is_asked_by_clicking_what_is_known(open_page):
    page = open_page("/network?sample=titanic&network.learner=kdb&network.side=Ask")
    expect(page.get_by_text("Nothing is known yet")).to_be_visible()
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
    expect(page.get_by_text("Nothing is known yet")).to_be_visible()


LEARN_ANSWERS = (
    "The raw share says 0",
    "a leaf of 5 rows without a case gets 14.3",
    "Observed there: 90.9",
    "33.3\u00a0% of the say",
    "passed up as pseudo-counts",
    "It does not cover that the same rows chose the tree",
    "with weights within",
    "Closest here:",
    "the exact answer is 61.0",
)


def test_learn_step_by_step(open_page):
    page = open_page("/learn")
    for number, answer in enumerate(LEARN_ANSWERS):
        expect(page.get_by_text(answer)).to_have_count(0)
        page.get_by_role("button", name="Reveal").click()
        expect(page.get_by_text(answer).first).to_be_visible()
        expect(page.get_by_text("Your guess")).to_have_count(0)  # the slider was not touched
        expect(page.locator(".lesson button.primary")).to_have_count(1 if number < 8 else 0)
        if number == 2:
            page.get_by_role("button", name="Next node").click()
            page.get_by_role("button", name="Next node").click()
            expect(page.get_by_role("cell", name="men")).to_be_visible()
            expect(page.get_by_role("button", name="Next node")).to_be_hidden()
        if number == 4:
            page.get_by_role("button", name="Seat everybody").click()
            expect(page.get_by_text("Everybody sits.")).to_be_visible()
        page.wait_for_url(re.compile("told=1"))
        if number < 8:
            page.get_by_role("button", name=re.compile("^Next: ")).click()
    page.go_back()
    expect(page.get_by_role("heading", name="Which answer would you defend?")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="And if all ancestors speak at once?")).to_be_visible()
    expect(page.get_by_text("with weights within")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Which answer would you defend?")).to_be_visible()
    still(page)


def test_learn_moves_while_one_drags(open_page):
    page = open_page("/learn?step=1&told=1")
    laplace = page.locator(".axis .mark", has_text="Laplace")
    expect(laplace).to_contain_text("33.3")
    page.get_by_label("men, healthy", exact=True).fill("4")
    page.keyboard.press("Enter")
    expect(laplace).to_contain_text("16.7")
    expect(page.locator(".filled").first).to_contain_text("0.1667")
    page.wait_for_url(re.compile("counts=10-0-0-4-90-900"))
    # A drag that is not yet finished already moves everything.
    handle = page.get_by_label("men, sick", exact=True).bounding_box()
    page.mouse.move(handle["x"] + 5, handle["y"] + 5)
    page.mouse.down()
    page.mouse.move(handle["x"] + 70, handle["y"] + 5, steps=5)
    expect(laplace).not_to_contain_text("16.7")
    page.mouse.up()
    page.wait_for_url(re.compile(r"counts=10-0-[1-9]\d*-4-90-900"))
    page.locator(".legend dt").first.hover()
    expect(page.locator(".node.lit")).to_have_count(1)
    page.get_by_role("button", name="Back").click()
    page.get_by_role("slider", name="Your guess").fill("40")
    page.locator(".lesson h2").click()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Your guess: 40.0")).to_be_visible()
    still(page)


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080)])
def test_a_slide_fills_the_screen_and_nothing_is_cut(open_page, width, height):
    page = open_page("/learn?v=1&told=1&embed=true", width=width, height=height)
    for answer in LEARN_ANSWERS:
        expect(page.get_by_text(answer).first).to_be_visible()
        still(page)
        cut = page.evaluate(SLIDE_CUTS)
        assert cut == [], (answer, cut)
        if answer != LEARN_ANSWERS[-1]:
            page.keyboard.press("ArrowRight")
            page.keyboard.press("ArrowRight")
    expect(page.get_by_role("link", name="Network")).to_be_hidden()


SLIDE_CUTS = """() => {
  const root = [...document.querySelectorAll("*")]
    .map((one) => one.shadowRoot?.querySelector(".lesson")).find(Boolean);
  const parts = "h2, p:not(.spoken), .node, .slider, .chart, dd, .filled, .tools button";
  const cut = [...root.querySelectorAll(parts)].filter((one) => {
    const box = one.getBoundingClientRect();
    const isOut = box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1;
    return box.height > 0 && (isOut || box.top < -1);
  }).map((one) => one.className.baseVal ?? one.className ?? one.tagName);
  if (document.scrollingElement.scrollHeight > innerHeight) cut.push("the page scrolls");
  return cut;
}"""
"""What reaches beyond the screen."""


def test_a_lesson_on_a_leaf_of_the_tree(open_page):
    page = open_page("/learn?sample=stroke&source=leaf&step=1&told=1")
    expect(page.get_by_text("Laplace adds one row of every outcome")).to_be_visible()
    expect(page.get_by_role("combobox", name="Leaf")).to_be_visible()
    assert "node=" in page.url


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/?sample=iris&smoother=laplace", "Leaf · Add one (Laplace)"),
        ("/network?sample=iris&network.learner=nb", "Naive Bayes"),
        (f"/compare?sample=iris&{QUICK}&compare.started=1", "You have compared 2 settings"),
        ("/learn?sample=iris&source=leaf&step=1&told=1", "Laplace adds one row of every outcome"),
        ("/data?sample=iris&role.sepal length=ignore", "this one read otherwise"),
    ],
)
def test_a_link_opens_every_page_as_it_was(open_page, path, words):
    page = open_page(path)
    expect(page.get_by_text(words).first).to_be_visible()
    expect(page.get_by_text("iris").first).to_be_visible()
    page.get_by_role("button", name="Link").click()
    expect(page.get_by_text("It works only on this computer.").first).to_be_visible()


def test_choices_survive_a_walk_through_the_pages(open_page):
    page = open_page("/?sample=stroke")
    page.get_by_role("radio", name="Laplace").click()
    expect(page.get_by_text("Leaf · Add one (Laplace)")).to_be_visible()
    for name in ("Network", "Compare", "Learn", "Data", "Tree"):
        go_to(page, name)
    expect(page.get_by_text("Leaf · Add one (Laplace)")).to_be_visible()
    expect(page.get_by_text("stroke").first).to_be_visible()


@pytest.mark.parametrize("dark", [False, True])
def test_every_page_fits_a_phone(open_page, dark):
    for path in PATHS:
        page = open_page(
            path if path != "/compare" else f"/compare?sample=stroke&{QUICK}&compare.started=1",
            width=390,
            height=844,
            dark=dark,
        )
        still(page)
        assert has_no_sideways_scrolling(page), path
        background = page.evaluate(
            "getComputedStyle(document.querySelector('.stApp')).backgroundColor"
        )
        assert (background == "rgb(255, 255, 255)") != dark
        page.context.close()


def test_a_broken_file_is_explained_and_the_table_stays(open_page, tmp_path):
    broken = tmp_path / "broken.csv"
    broken.write_bytes(b"a,b\n1,2\n3\n\x00\xff\xfe")
    page = open_page("/data")
    page.locator("input[type=file]").first.set_input_files(broken)
    expect(page.get_by_role("alert").first).to_be_visible()
    expect(page.get_by_text("The other pages still show")).to_be_visible()
    go_to(page, "Tree")
    expect(page.get_by_text("titanic").first).to_be_visible()


def test_hostile_names_and_values_are_only_text_on_every_page(open_page, tmp_path):
    page = open_page("/data")
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.locator("input[type=file]").first.set_input_files(write_hostile_csv(tmp_path / "h.csv"))
    expect(page.get_by_text("160 rows").first).to_be_visible()
    page.get_by_role("button", name="Grow the tree").click()
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    go_to(page, "Network")
    expect(page.locator(".network-view canvas.picture")).to_be_visible()
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    page.get_by_role("tab", name="Follow a row").click()
    expect(page.get_by_text("What each table adds")).to_be_visible()
    go_to(page, "Compare")
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.get_by_text("You have compared")).to_be_visible()
    go_to(page, "Learn")
    page.get_by_role("radio", name="a leaf of my tree").click()
    page.get_by_role("button", name="Reveal").click()
    expect(page.get_by_text("The raw share says")).to_be_visible()
    still(page)
    assert not dialogs
    assert page.locator("img[src=x]").count() == 0
