"""The Learn page in a real browser: the steps, slides, a leaf of one's own, and a class."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from probtrees.ui.learn.lesson_file import STEPS, lesson_html
from tests.app.conftest import PATIENCE, alone, free_port, served, still

pytestmark = pytest.mark.browser

LEARN_ANSWERS = (
    "The raw share says 0",
    "a leaf of 1 row without a case gets 33.3",
    "M-branch lets every node borrow",
    "33.3\u00a0% of the say",
    "passed up in place of",
    "Each sweep seats everybody again",
    "HGS needs no walk and no sampler",
    "Closest here:",
    "HDP learns one c for each level and says",
)


def test_learn_step_by_step(open_page):
    page = open_page("/learn?source=gene&step=raw")
    for number, answer in enumerate(LEARN_ANSWERS):
        expect(page.get_by_text(answer)).to_have_count(0)
        page.get_by_role("button", name="Reveal").click()
        expect(page.get_by_text(answer).first).to_be_visible()
        expect(page.get_by_text("Your guess")).to_have_count(0)  # the slider was not touched
        expect(page.locator(".lesson button.primary")).to_have_count(1 if number < 8 else 0)
        if number == 2:
            expect(page.get_by_text("its walk ends at 19.3")).to_be_visible()
            page.get_by_role("button", name="Walk from the root").click()
            expect(page.locator(".voices")).to_contain_text("everybody, 1,001 rows")
            expect(page.locator(".voices")).to_contain_text("like gene, 4 rows")
        if number == 4:
            expect(page.get_by_text("Everybody sits.")).to_be_visible()
            page.get_by_role("button", name="Empty the restaurant").click()
            expect(page.get_by_text("Everybody sits.")).to_have_count(0)
            page.get_by_role("button", name="Seat everybody").click()
            expect(page.get_by_text("Everybody sits.")).to_be_visible()
        page.wait_for_url(re.compile("told=1"))
        if number < 8:
            page.get_by_role("button", name=re.compile("^Next: ")).click()
    page.go_back()
    expect(page.get_by_role("heading", name="Which method would you defend?")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="And if all ancestors speak at once?")).to_be_visible()
    expect(page.get_by_text("HGS needs no walk and no sampler")).to_be_visible()
    page.go_forward()
    expect(page.get_by_role("heading", name="Which method would you defend?")).to_be_visible()
    still(page)


def test_learn_moves_while_one_drags(open_page):
    page = open_page("/learn?source=gene&step=1&told=1")
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
    for typed in ("-5", "2,5"):
        page.get_by_label("men, healthy", exact=True).fill(typed)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text(f"“{typed}” for men, healthy must be")
        expect(page.get_by_label("men, healthy", exact=True)).to_have_value("4")
    page.locator(".legend dt").first.hover()
    expect(page.locator(".node.lit")).to_have_count(1)
    page.locator(".legend dt[data-symbol=n]").hover()
    expect(page.get_by_label("men, healthy", exact=True)).to_have_class("lit")
    page.get_by_role("button", name="Counts as in the example").click()
    expect(laplace).to_contain_text("33.3")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Back").click()
    page.get_by_role("slider", name="Your guess").fill("40")
    page.locator(".lesson h2").click()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Your guess: 40.0")).to_be_visible()
    expect(page.get_by_text("let the truth be 40.0")).to_be_visible()
    still(page)


def test_a_slide_fills_the_screen_and_nothing_is_cut(open_page):
    page = open_page("/learn?v=1&source=gene&told=1&embed=true", width=1280, height=720)
    for answer in LEARN_ANSWERS:
        expect(page.get_by_text(answer).first).to_be_visible()
        if answer == LEARN_ANSWERS[2]:
            for node in ("gene, 11 rows", "men, 1 row"):  # the key walks before it goes on
                page.keyboard.press("ArrowRight")
                expect(page.locator(".voices")).to_contain_text(node)
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


def test_the_lesson_as_a_file_computes_everything_itself(browser: Browser, tmp_path) -> None:
    place = tmp_path / "lesson.html"
    place.write_text(lesson_html(), encoding="utf-8")
    with alone(browser, place) as page:
        expect(page.get_by_role("button", name="A ward whose truth is known")).to_be_visible()
        page.get_by_role("slider", name="Your guess").click()  # in its middle, which moves nothing
        page.get_by_role("button", name="Reveal").click()
        expect(page.get_by_text("points from the truth of 34.6")).to_be_visible()
        for step, answer in (("gibbs", "With 90 % probability"), ("verdict", "Closest here:")):
            page.goto(f"{place.as_uri()}?step={step}&told=1")
            expect(page.get_by_text(re.compile(answer.replace(" ", "\\s")))).to_be_visible()
        # The picture has the counts of the other steps; nature draws in the same ward.
        expect(page.locator(".picture .node.asked")).to_contain_text("1 of 1")
        expect(page.locator(".game .node.asked")).to_contain_text("0 of 4")
        page.locator(".game").get_by_role("button", name="HGS", exact=True).click()
        expect(page.get_by_text("real signal: HGS said")).to_be_visible()
        expect(page.locator(".game .mark.truth")).to_contain_text("25.0")
        page.get_by_role("button", name="Next round").click()
        expect(page.get_by_text("Round 2 of 10")).to_be_visible()
        page.goto(f"{place.as_uri()}?source=ward&step=restaurant&told=1")
        seated = page.locator(".axis .mark.main")
        said = re.search(
            r"[\d.]+", page.get_by_text("Everybody sits.").inner_text().split(", ")[-1]
        )
        assert said is not None
        assert said.group() in seated.inner_text()  # the number line follows who sits where
        page.set_viewport_size({"width": 390, "height": 844})
        for step in STEPS:
            page.goto(f"{place.as_uri()}?step={step['name']}&told=1")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, step["name"]


@pytest.fixture
def class_server() -> Iterator[str]:
    """An app that lets phones in."""
    with served(free_port(), "--no-keep", "--address", "0.0.0.0") as (url, _):
        yield url


def test_a_class_guesses_with_its_phones(browser: Browser, class_server: str) -> None:
    teacher, phone = browser.new_page(), browser.new_page()
    for page in (teacher, phone):
        page.set_default_timeout(PATIENCE)
    teacher.goto(f"{class_server}/learn?source=gene&step=constant&embed=true")
    teacher.get_by_role("button", name="QR code").click()
    code = teacher.get_by_role("img", name="QR code of this step")
    expect(code).to_be_visible()
    assert code.evaluate("async (one) => { await one.decode(); return one.naturalWidth; }") > 0
    teacher.get_by_role("button", name="Open a room").click()
    place = class_server + "/class/" + (teacher.locator(".room .code").text_content() or "")
    phone.goto(place)
    expect(phone.get_by_role("heading")).to_have_text("What do a few imagined rows make of it?")
    expect(phone.get_by_text("the leaf 0 of 1, its parent 10 of 11")).to_be_visible()
    expect(phone.locator(".node", has_text="women")).to_be_visible()  # the tree, too
    phone.get_by_role("slider").fill("30")
    expect(phone.locator(".axis .mark.guess")).to_contain_text("30.0")
    phone.get_by_role("button", name="Send").click()
    expect(phone.get_by_text("Your guess is in")).to_be_visible()
    expect(teacher.get_by_text("1 guess", exact=True)).to_be_visible()
    expect(teacher.locator(".crowd i")).to_have_count(1)  # on the number line itself
    teacher.get_by_role("button", name="Hide the guesses").click()
    expect(teacher.locator(".crowd")).to_be_hidden()
    teacher.locator(".lesson h2").click()
    teacher.keyboard.press("Space")
    expect(teacher.locator(".crowd i")).to_have_count(1)
    expect(phone.get_by_text("Laplace says 33.3\u00a0%.")).to_be_visible()  # nobody has touched it
    expect(phone.get_by_text("Your guess: 30 %.")).to_be_visible()
    expect(phone.locator(".axis .mark", has_text="Laplace")).to_contain_text("33.3")
    expect(phone.locator(".crowd i")).to_have_count(1)
    # The room stays with the tab; phones are asked again once the server has heard of the step.
    asked = f"step={[step['name'] for step in STEPS].index('verdict')}"
    with teacher.expect_response(lambda answer: asked in (answer.request.post_data or "")):
        teacher.goto(f"{class_server}/learn?source=gene&step=verdict&embed=true")
    expect(teacher.get_by_text("0 guesses", exact=True)).to_be_visible()
    phone.get_by_role("radio", name="M-branch").check()
    phone.get_by_role("button", name="Send").click()
    expect(teacher.locator(".choice", has_text="M-branch")).to_contain_text("1")
    teacher.get_by_role("button", name="Close the room").click()
    expect(teacher.locator(".room .code")).to_have_count(0)
    over = phone.get_by_role("heading", name="The session is over")
    expect(over).to_be_visible()  # nobody has touched it
    expect(phone.get_by_role("cell", name="3.3 points")).to_be_visible()  # what one guessed
    for page in (teacher, phone):
        page.close()
