"""A tree and a network in a notebook, in a real browser: drawn, walked, and nobody is asked."""

import pytest

import probtrees
from tests.app.conftest import alone
from tests.small_tables import patients

pytestmark = pytest.mark.browser


def test_pictures_of_a_notebook_are_walked_and_taken_apart(browser, tmp_path):
    model = probtrees.fit(patients(120), "c45", "laplace")
    place = tmp_path / "notebook.html"
    html = f"<!doctype html><body data-jp-theme-light=false>{model._repr_html_()}"
    place.write_text(html, encoding="utf-8")
    with alone(browser, place) as page:
        frame = page.frame_locator(".probtrees-dark iframe")
        frame.locator("body.alive .panel h2").wait_for()
        assert page.locator(".probtrees-light iframe").is_hidden()
        # A frame gets the keys of the page only once it has been clicked.
        canvas = frame.locator("canvas.picture")
        canvas.click(position={"x": 3, "y": 3})
        canvas.press("ArrowRight")
        panel = frame.locator(".panel")
        panel.locator("h2").filter(has_not_text="48.8 %").wait_for()
        canvas.press("ArrowDown")
        panel.locator("tr").nth(3).wait_for()
    network = probtrees.fit(patients(120), "tan", "laplace")
    network.plot().save(tmp_path / "network.html")
    with alone(browser, tmp_path / "network.html") as page:
        page.locator("body.alive .panel h2").wait_for()
        first = page.locator(".panel h2").inner_text()
        page.locator("canvas.picture").focus()
        page.keyboard.press("ArrowRight")
        page.locator(".panel h2").filter(has_not_text=first).wait_for()
        page.locator(".panel tr").nth(2).wait_for()


def test_without_scripts_a_file_shows_a_still_picture(browser, tmp_path):
    model = probtrees.fit(patients(120), "c45", "laplace")
    model.plot().save(tmp_path / "tree.html")
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "tree.html").as_uri())
    page.locator(".still svg").first.wait_for()
    assert page.locator(".tree-view").is_hidden()
    context.close()
