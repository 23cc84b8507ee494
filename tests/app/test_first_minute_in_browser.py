"""From a file as people have it to a tree, in a real browser: one drop, one click."""

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
    expect(page.get_by_text("300 rows").first).to_be_visible()
    still(page)
    page.get_by_role("button", name="Grow the tree").click()
    expect(page.locator(".tree-view canvas.picture")).to_be_visible()
    expect(page.get_by_text("own.xlsx").first).to_be_visible()
    still(page)
    page.get_by_role("radio", name="What if").click()
    find = page.get_by_role("textbox", name="or its ID")
    find.fill("P0055")
    find.press("Enter")
    expect(page.get_by_label("Start from row", exact=True)).to_have_value("56")
    still(page)
    page.reload()
    expect(page.get_by_text("own.xlsx").first).to_be_visible()
    assert "probtrees" not in page.evaluate("document.cookie")


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
        with served(port, PROBTREES_TABLES=str(tables)) as (url, _):
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
    path = tmp_path / "one.csv"
    path.write_text("n,a,left\n" + "".join(f"{n},x,no\n" for n in range(40)))
    page.get_by_role("button", name="Change data").click()
    page.locator("input[type=file]").first.set_input_files(path)
    page.wait_for_url("**/data*")
    expect(page.get_by_text("one.csv").first).to_be_visible()
    expect(page.get_by_role("button", name="Grow the tree")).to_be_disabled()


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
