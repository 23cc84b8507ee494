"""Every file the Tree page offers, downloaded in a real browser, opened and checked."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from playwright.sync_api import Page

import probtrees
from probtrees.draw.points_card import points_file
from probtrees.explain.points_card import points_card
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.read_table import sample_path
from tests.app.conftest import alone, settled

pytestmark = pytest.mark.browser


def download(page: Page, name: str) -> Path:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name, exact=True).click()
    page.mouse.move(0, 0)  # or the button's tooltip lies over what is clicked next
    return Path(waiting.value.path())


def test_pictures_model_and_leaves(open_page, tmp_path):
    page = open_page("/?sample=titanic&smoother=laplace")
    settled(page)
    page.get_by_role("button", name="Export").click()
    report = download(page, "Report (HTML)").read_text(encoding="utf-8")
    assert "C4.5 tree for survived: titanic.csv" in report
    page.get_by_role("tab", name="Tables").click()
    with download(page, "Leaves (CSV)").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert float(rows[0]["Laplace"]) == pytest.approx(193 / 864)
    page.get_by_role("tab", name="Picture").click()
    svg = ET.fromstring(download(page, "SVG").read_bytes())
    assert any(
        "class = crew" in (text.text or "") for text in svg.iter() if text.tag.endswith("text")
    )
    assert download(page, "PNG").read_bytes().startswith(b"\x89PNG")
    assert download(page, "PDF").read_bytes().startswith(b"%PDF")
    assert download(page, "DOT").read_text(encoding="utf-8").startswith("digraph")
    page.get_by_role("tab", name="Model", exact=True).click()
    model = tmp_path / "model.json"
    model.write_bytes(download(page, "Model (JSON)").read_bytes())
    assert json.loads(model.read_text(encoding="utf-8"))["smoother"] == "laplace"
    assert probtrees.load_model(model).tree.tree.n_leaves == 10
    page.get_by_role("tab", name="Code").click()
    scores: dict = {}
    exec(download(page, "Rules (Python)").read_text(encoding="utf-8"), scores)
    crew = scores["predict_proba"]({"class": "crew", "sex": "male", "age": "adult"})
    assert crew[1] == pytest.approx(193 / 864)
    assert "SELECT" in download(page, "Rules (SQL)").read_text(encoding="utf-8")
    page.get_by_role("tab", name="Score a file").click()
    place = page.get_by_test_id("stFileUploader").filter(has_text="A table with the same columns")
    place.locator("input[type=file]").set_input_files(sample_path("titanic"))
    page.get_by_text("2,201 rows scored, 0 with unseen values").wait_for()
    written = download(page, "CSV").read_bytes()
    assert written.startswith(b"\xef\xbb\xbf")  # or Excel garbles what is not ASCII
    scored = written.decode("utf-8-sig").splitlines()
    assert scored[0] == (
        "class,sex,age,survived,P(survived: no),P(survived: yes),predicted survived,leaf,rule,odd"
    )
    assert len(scored) == 1 + 2201
    assert sheets_of(download(page, "Excel (.xlsx)")).names == ("Scored",)
    assert download(page, "CSV with decimal comma").read_bytes()[:9] == b"\xef\xbb\xbfclass;"


def test_a_points_card_is_printed_on_one_page_with_nothing_over_anything(browser, tmp_path):
    model = probtrees.fit(probtrees.load_sample("heart"), "shaped-tree")
    file = tmp_path / "points.html"
    file.write_text(points_file(points_card(model, 1), "html"), encoding="utf-8")
    with alone(browser, file, viewport={"width": 718, "height": 1047}) as page:
        for size in ("A4", "Letter"):
            assert len(re.findall(rb"/Type /Page\b", page.pdf(format=size))) == 1
        page.get_by_label("age").fill("60")
        page.emulate_media(media="print")
        wide = "(all) => all.filter((box) => box.scrollWidth > box.clientWidth + 1).length"
        assert page.locator(".risks div, td, th").evaluate_all(wide) == 0
        assert re.fullmatch(
            r"Sum -?\d+, risk [\d.]+ % \(.*\)", page.locator("#answer").inner_text()
        )
