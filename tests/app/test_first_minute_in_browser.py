"""From a file as people have it to a tree, in a real browser: one drop, one click."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.conftest import PATIENCE, free_port, served, still
from tests.table.formats.test_foreign_files import workbook

pytestmark = pytest.mark.browser


def patients(path: Path) -> Path:
    rows: list[tuple[object, ...]] = [("patient_id", "age", "sex", "diagnosis", "year")]
    rows += [
        (f"P{i:04d}", 20 + i % 60, "fm"[i % 2], "sick" if i % 60 > 40 else "well", 2000 + i % 3)
        for i in range(300)
    ]
    path.write_bytes(workbook({"Read me": [("Patients",)], "Data": rows}, 3, 1))
    return path


def test_a_workbook_becomes_a_tree_and_its_rows_keep_their_names(open_page, tmp_path):
    page = open_page("/data")
    still(page)
    page.locator("input[type=file]").first.set_input_files(patients(tmp_path / "own.xlsx"))
    expect(page.get_by_text("Guessed by its name")).to_be_visible()
    still(page)
    page.get_by_role("button", name="Grow the tree").click()
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    expect(page.get_by_text("own.xlsx").first).to_be_visible()
    still(page)
    page.get_by_role("tab", name="Rows").click()
    find = page.get_by_role("textbox", name="Find a row by its ID")
    find.fill("P0055")
    find.press("Enter")
    still(page)
    elsewhere = page.get_by_role("button", name="Row 56 is elsewhere")
    here = page.get_by_text("1 row of the table")
    expect(elsewhere.or_(here).first).to_be_visible()
    if elsewhere.count():
        elsewhere.click()
        still(page)
    expect(here).to_be_visible()
    page.reload()
    expect(page.get_by_text("own.xlsx").first).to_be_visible()
    assert "probtrees" not in page.evaluate("document.cookie")
    again = page.context.new_page()
    again.goto(page.url.partition("?")[0])
    expect(again.get_by_text("own.xlsx").first).to_be_visible()
    still(again)
    give_on_tree_page(again, other_table(tmp_path / "other.csv"))
    expect(again.get_by_text("other.csv").first).to_be_visible()
    still(again)
    expect(again.get_by_test_id("stPopoverBody")).to_have_count(0)  # it would cover the tree
    for tab, name in ((page, "own.xlsx"), (again, "other.csv")):
        tab.reload()
        expect(tab.get_by_text(name).first).to_be_visible()
        still(tab)


def other_table(path: Path) -> Path:
    rows = (f"{20 + n % 50},{n % 7},{'yn'[n % 3 > 0]}\n" for n in range(90))
    path.write_text("age,dose,ill\n" + "".join(rows))
    return path


def give_on_tree_page(page: Page, path: Path) -> None:
    page.get_by_role("button", name="Change data").click()
    page.locator("input[type=file]").first.set_input_files(path)


@pytest.mark.slow
def test_a_restart_of_the_server_loses_nothing(browser, tmp_path):
    port, tables = free_port(), tmp_path / "tables"
    tables.mkdir(mode=0o700)
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    for start in (1, 2):
        with served(port, PROBTREES_TABLES=str(tables)) as url:
            page.goto(url)
            still(page)
            if start == 1:
                give_on_tree_page(page, other_table(tmp_path / "other.csv"))
            expect(page.get_by_text("other.csv").first).to_be_visible()
            still(page)
    context.close()


def test_a_table_that_cannot_be_used_opens_where_it_is_mended(open_page, tmp_path):
    page = open_page("/?sample=stroke")
    still(page)
    lines = [
        "x,dose,ill",
        *(f"{i % 9},{i % 7 if i % 10 else 'inf'},{'yn'[i % 2]}" for i in range(90)),
    ]
    path = tmp_path / "endless.csv"
    path.write_text("\n".join(lines))
    page.get_by_role("button", name="Change data").click()
    page.locator("input[type=file]").first.set_input_files(path)
    page.wait_for_url("**/data*")
    expect(page.get_by_text("endless.csv").first).to_be_visible()
    expect(page.get_by_role("button", name="Grow the tree")).to_be_disabled()
    page.get_by_role("button", name="Ignore this column").click()
    still(page)
    expect(page.get_by_role("button", name="Grow the tree")).to_be_enabled()


def test_what_is_folded_away_stays_open_when_an_answer_changes_its_number(open_page, tmp_path):
    page = open_page("/data")
    still(page)
    rows = (
        f"P{n:04d};{n % 7},5;{('yes', 'Yes', 'no')[n % 3]};{'yn'[n % 5 > 1]}" for n in range(90)
    )
    path = tmp_path / "visits.csv"
    path.write_text("\n".join(["visit;dose;smoker;ill", *rows]))
    page.locator("input[type=file]").first.set_input_files(path)
    # The number grows until the whole table is checked: wait for the last one.
    page.get_by_text("3 things to know about how the table is read").click()
    said = page.get_by_text("Numbers are written with a decimal comma")
    expect(said.first).to_be_visible()
    page.get_by_role("button", name="Leave it").first.click()
    expect(page.get_by_text("4 things to know about how the table is read")).to_be_visible()
    still(page)
    expect(said.first).to_be_visible()


def test_a_file_dropped_anywhere_is_taken(open_page):
    page = open_page("/?sample=stroke")
    still(page)
    table = "age,sex,ill\n" + "".join(f"{20 + n % 50},{'fm'[n % 2]},{n % 3}\n" for n in range(90))
    drag = """([kind, text]) => {
      const held = new DataTransfer();
      held.items.add(new File([text], "dropped.csv", { type: "text/csv" }));
      const over = document.querySelector(".file-over-page .st-key-drop_zone section");
      const place = over ?? document.querySelector(".stMain");
      place.dispatchEvent(new DragEvent(kind, { dataTransfer: held, bubbles: true }));
      return Boolean(over);
    }"""
    assert not page.evaluate(drag, ["dragenter", table])
    # The page may be drawn again meanwhile: the file stays over it until the field is there.
    zone = "document.querySelector('.st-key-drop_zone section')?.getBoundingClientRect()"
    dropping = f"""text => {{
      ({drag})(["dragover", text]);
      return {zone}?.width > 0.9 * innerWidth && ({drag})(["drop", text]);
    }}"""
    page.wait_for_function(dropping, arg=table)
    expect(page.get_by_text("dropped.csv").first).to_be_visible()
    expect(page.locator(".file-over-page")).to_have_count(0)


NOTE_LOOKS = """() => {
  const app = document.querySelector('[data-testid="stApp"]');
  window.looks = [];
  new MutationObserver(() => {
    const button = document.querySelector(
      '.st-key-three_questions [data-testid="stBaseButton-primary"]');
    if (button) {
      window.looks.push([app.dataset.testScriptState, getComputedStyle(button).animationName]);
    }
  }).observe(app, { attributes: true });
}"""
"""The button is looked up each time: a page that is drawn again may have made another one."""


def test_the_button_that_grows_the_tree_is_at_work_as_soon_as_a_page_is_made(open_page, tmp_path):
    page = open_page("/data")
    still(page)
    page.locator("input[type=file]").first.set_input_files(other_table(tmp_path / "other.csv"))
    expect(page.get_by_text("90 rows").first).to_be_visible()
    still(page)
    page.evaluate(NOTE_LOOKS)
    page.get_by_role("button", name="Grow the tree").click()
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    state, animation = page.evaluate("window.looks")[0]
    assert (state != "notRunning", animation) == (True, "at-work")


def test_every_column_that_may_not_be_used_is_in_sight(open_page, tmp_path):
    names = [f"site of visit {word}" for word in ("one", "two", "three", "four", "five")]
    rows = [f"A,B,C,D,E,{n * 7 % 61},{'yn'[n % 3 > 0]}" for n in range(200)]
    path = tmp_path / "visits.csv"
    path.write_text("\n".join([",".join([*names, "age", "ill"]), *rows]))
    page = open_page("/data")
    still(page)
    page.locator("input[type=file]").first.set_input_files(path)
    tags = page.get_by_test_id("stMultiSelectTagsContainer").first
    expect(tags).to_contain_text(names[-1])
    still(page)
    field = tags.bounding_box()
    assert field is not None
    for name in names:
        place = tags.get_by_text(name, exact=True).first.bounding_box()
        assert place is not None
        assert field["x"] <= place["x"]
        assert place["x"] + place["width"] <= field["x"] + field["width"]
        assert field["y"] <= place["y"] <= field["y"] + field["height"]


def test_every_way_to_cut_a_number_is_in_sight(open_page, tmp_path):
    lines = (f"{20 + n % 40},{'mf'[n % 2]},{n * 7 % 13 + 1}" for n in range(300))
    (tmp_path / "own.csv").write_text("\n".join(["age,sex,grade", *lines]))
    page = open_page("/data")
    page.set_viewport_size({"width": 1280, "height": 900})
    still(page)
    page.locator("input[type=file]").first.set_input_files(tmp_path / "own.csv")
    expect(page.get_by_role("radio", name="each number")).to_be_visible()
    still(page)
    row = page.locator(".stButtonGroup [role=radiogroup]").first
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    assert row.evaluate("row => row.firstChild.offsetLeft >= row.offsetLeft")
