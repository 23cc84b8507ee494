"""From a table of one's own to a report, saved models, large trees: in a real browser."""

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import alone, settled, still
from tests.app.test_downloads import download
from tests.app.test_tree_in_browser import ask_view, click_node, wait_for_tree
from tests.small_tables import HOSTILE, patients, write_csv, write_hostile_csv

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}


def upload_table(page: Page, path: Path, words: str) -> None:
    page.get_by_role("button", name="Change data").click()
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_text(words).first.wait_for()
    page.keyboard.press("Escape")


def load_model(page: Page, path: Path) -> None:
    page.get_by_role("tab", name="Model", exact=True).click()
    place = page.get_by_test_id("stFileUploader").filter(has_text="Load a model")
    place.locator("input[type=file]").set_input_files(path)


def test_own_table_to_a_report_for_a_committee(open_page, browser, tmp_path):
    table = write_csv(patients(300), tmp_path / "patients.csv")
    page = open_page()
    settled(page)
    upload_table(page, table, "300 rows")
    settled(page)
    page.get_by_role("button", name="Pin", exact=True).click()
    note = page.get_by_role("textbox", name="Note")
    note.fill("Ask the ward <again>.")
    note.press("Tab")
    settled(page)
    page.get_by_role("button", name="Export").click()
    report = tmp_path / "report.html"
    report.write_bytes(download(page, "Report (HTML)").read_bytes())
    with alone(browser, report, **PHONE) as reader:
        title = reader.get_by_role("heading", level=1)
        expect(title).to_have_text("C4.5 tree for state: patients.csv")
        expect(reader.get_by_text("Ask the ward <again>.")).to_be_visible()
        expect(reader.get_by_text(hashlib.sha256(table.read_bytes()).hexdigest())).to_be_visible()
        expect(reader.get_by_text("Variants tried")).to_be_visible()
        expect(reader.locator("svg:visible")).to_have_count(1)
        leaves = reader.locator("table.sortable").last
        rows = leaves.locator("tbody tr td:nth-child(3)")
        leaves.get_by_role("columnheader", name="rows", exact=True).click()
        sizes = [float(text.replace(",", "")) for text in rows.all_inner_texts()]
        assert sizes == sorted(sizes, reverse=True)
        assert reader.evaluate("document.documentElement.scrollWidth") <= 390
        # Of the two pictures the one for light pages has no width on a dark one.
        wide = "Math.max(...[...document.querySelectorAll('.picture')].map((e) => e.scrollWidth))"
        assert reader.evaluate(wide) > 600  # on a phone it is scrolled, and can be read
        reader.set_viewport_size({"width": 1280, "height": 900})
        assert reader.evaluate(wide) <= 1240
        background = reader.evaluate("getComputedStyle(document.body).backgroundColor")
        assert background != "rgb(255, 255, 255)"
    smallest = page.get_by_role("spinbutton", name="Hide counts below")
    smallest.fill("6")
    smallest.press("Tab")
    still(page)
    masked = download(page, "Report (HTML)").read_text(encoding="utf-8")
    assert "Counts from 1 to 5 are hidden" in masked
    assert not re.search(r"[>\s][1-5] (rows|cases|of \d)", masked)


def test_a_saved_model_is_loaded_again_and_a_broken_one_loses_nothing(open_page, tmp_path):
    page = open_page("/?sample=heart&smoother=laplace")
    settled(page)
    page.get_by_role("button", name="Export").click()
    page.get_by_role("tab", name="Model", exact=True).click()
    model, broken = tmp_path / "model.json", tmp_path / "broken.json"
    model.write_bytes(download(page, "Model (JSON)").read_bytes())
    broken.write_bytes(model.read_bytes()[:5000])
    load_model(page, broken)
    expect(page.get_by_role("alert")).to_contain_text("It is cut off or damaged")
    expect(page.get_by_text("303 rows").first).to_be_visible()
    load_model(page, model)
    page.get_by_text("loaded model").first.wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Leaf · Laplace").first).to_be_visible()
    expect(page.get_by_text("Track record.").first).to_be_visible()
    page.get_by_role("tab", name="Rows").click()
    expect(page.get_by_text("Upload the table to see them")).to_be_visible()
    page.get_by_role("button", name="Back to the table").click()
    page.get_by_text("303 rows").first.wait_for()
    expect(page.get_by_text("loaded model")).to_have_count(0)


def test_a_hostile_table_stays_text_in_all_reports(open_page, browser, tmp_path):
    page = open_page()
    page.on("dialog", lambda dialog: pytest.fail(f"script ran: {dialog.message}"))
    settled(page)
    upload_table(page, write_hostile_csv(tmp_path / "hostile.csv"), "160 rows")
    settled(page)
    report = tmp_path / "report.html"
    page.get_by_role("button", name="Export").click()
    report.write_bytes(download(page, "Report (HTML)").read_bytes())
    with alone(browser, report) as reader:
        expect(reader.get_by_text(HOSTILE[0]).first).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Compare", exact=True).click()
    # The usual comparison of a small table starts by itself.
    expect(page.locator(".js-plotly-plot .scatterlayer").first).to_be_visible()
    still(page)
    page.get_by_role("button", name="Export").click()
    report.write_bytes(download(page, "Report (HTML)").read_bytes())
    with alone(browser, report, **PHONE) as reader:
        charts = reader.locator(".js-plotly-plot .scatterlayer")
        expect(charts).to_have_count(8)  # one of all, one of each smoother
        expect(reader.get_by_role("cell", name="Always the base rate")).to_be_visible()


IN_SIGHT = """view.picture.drawn.find((node) => {
    const { place, scale, offset, canvas } = view.picture;
    const x = place.x.get(node) * scale + offset.x + 20;
    const y = place.y.get(node) * scale + offset.y + 12;
    return node > 0 && x > 0 && y > 0 && x < canvas.clientWidth && y < canvas.clientHeight * 0.6;
})"""
"""A node that can be clicked, clear of the small map in the corner."""


def noise(n_rows: int, path: Path) -> Path:
    """A table without any pattern: a tree grown to the end has about as many nodes as rows."""
    random = np.random.default_rng(n_rows)
    lines = [
        ",".join([*("xyz"[value] for value in row), "yes" if chance < 0.4 else "no"])
        for row, chance in zip(
            random.integers(0, 3, (n_rows, 10)), random.random(n_rows), strict=True
        )
    ]
    path.write_text("a,b,c,d,e,f,g,h,i,j,ill\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("n_rows", "n_nodes"), [(550, 500), (3000, 3000), (9700, 10000)])
def test_large_trees_are_drawn_and_clicked(open_page, tmp_path, n_rows, n_nodes):
    page = open_page("/")
    wait_for_tree(page)
    upload_table(page, noise(n_rows, tmp_path / "noise.csv"), f"{n_rows:,} rows")
    expect(page.get_by_text("ill: yes").first).to_be_visible()
    choices = "smoother=m-branch&c45.min_leaf=1&c45.collapse=False"
    page.goto(f"{page.url.split('?')[0]}?v=1&own=1&{choices}")  # they belong to this table
    expect(page.get_by_text(f"{n_rows:,} rows").first).to_be_visible()
    wait_for_tree(page)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=stStatusWidget]')", timeout=180_000
    )
    assert ask_view(page, "view.state.data.parent.length") >= n_nodes * 0.8
    assert ask_view(page, "view.picture.drawn.length") <= 200
    shown = int(ask_view(page, IN_SIGHT))
    click_node(page, shown)
    page.wait_for_url(re.compile(f"node={shown}(&|$)"))
    expect(page.get_by_text(re.compile("^(Inner node|Leaf) · "))).to_be_visible()
