"""Correcting the tree on its page: with links and lists, and in a real browser."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect
from streamlit.testing.v1 import AppTest

from probtrees.experiment.registry import LEARNERS
from probtrees.grow.edits import Edit, Step, edits_text
from probtrees.table.read_table import sample_path
from probtrees.ui.shared.exports import Recipe
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.ui.shared.session.state import EDITS
from probtrees.ui.shared.table_source import ChosenTable
from probtrees.ui.tree.corrections import Judged, effect_in_words
from tests.app.app_page import put, visit, words_of
from tests.app.conftest import still
from tests.app.test_tree_in_browser import click_node, wait_for_tree

MALE = (Step("sex", value="male"),)
SPLIT = Edit("split", MALE, "age")


def open_app(edits: str) -> AppTest:
    return visit("app", {EDITS: edits})


@pytest.mark.usefixtures("patient_page")
def test_a_link_brings_corrections_that_can_be_switched_off_undone_and_redone():
    link = edits_text([SPLIT, Edit("stop", (Step("class", value="crew"),))], short=True)
    app = open_app(link)
    assert app.query_params[EDITS] in (link, [link])
    assert "9 leaves, 2 corrections" in words_of(app)
    assert "followed by 5 of 5 inner trees" in words_of(app)
    assert "left out" in words_of(app)
    assert "the tree asks for sex there" in words_of(app)
    (first, _) = [box for box in app.checkbox if (box.key or "").startswith("edit.on")]
    first.uncheck().run()
    assert "10 leaves, 1 correction" in words_of(app)
    app.button(key="edits.Undo").click().run()
    assert "9 leaves, 2 corrections" in words_of(app)
    assert app.session_state[EDITS][0] == SPLIT
    app.button(key="edits.Redo").click().run()
    assert "10 leaves, 1 correction" in words_of(app)


@pytest.mark.usefixtures("patient_page")
def test_damaged_corrections_of_a_link_are_said_to_be_and_those_of_another_table_are_gone():
    app = open_app('[{"do": "spilt"}]')
    assert any("c45.edits" in warning.value for warning in app.warning)
    app = open_app('[{"do": "never", "column": "no such column"}]')
    assert "10 leaves" in words_of(app)
    assert "left out: not a column" in words_of(app)
    app = open_app(edits_text([SPLIT], short=True))
    put(app, "Sample", "iris")
    assert not app.session_state[EDITS] if EDITS in app.session_state else True
    assert "correction" not in words_of(app).partition("**What you see")[0]


@pytest.mark.usefixtures("patient_page")
def test_a_link_of_ones_own_table_names_none_of_its_columns():
    app = open_app("[]")
    content = sample_path("titanic").read_bytes()
    app.session_state["upload"] = Upload("mine.csv", content)
    app.run()
    app.session_state[EDITS] = (SPLIT,)
    app.run()
    assert "1 correction" in words_of(app)
    assert EDITS not in app.query_params


@pytest.mark.parametrize(("after", "is_moved"), [(0.209, False), (0.5, True)])
def test_one_sentence_says_for_how_many_rows_a_chance_changes(after: float, is_moved: bool):
    before, now = (Judged(None, np.array([[0.2], [chance]]), 3) for chance in (0.2, after))
    said = effect_in_words("yes", 0, before, now)
    assert ("changes by more than one percentage point for 1 of 2 rows" in said) == is_moved
    assert ("No row's chance changes" in said) != is_moved


def test_generated_code_holds_the_corrections():
    source = ChosenTable(None, "titanic")
    recipe = Recipe(source, "survived", "c45", (("edits", (SPLIT,)),), smoother="hgs")
    assert "--edits edits.json" in recipe.command_line()
    names: dict[str, object] = {}
    call = re.search(r"C45\((.*)\), ", recipe.python_code())
    exec(f"options = dict({call.group(1)})", names)
    assert LEARNERS["c45"].make(names["options"]).edits == (SPLIT,)


@pytest.mark.browser
def test_an_expert_corrects_a_split_and_takes_it_back(open_page):
    page = open_page("?sample=iris")
    wait_for_tree(page)
    before = page.get_by_text(re.compile(r"· \d+ leaves")).first.inner_text()
    click_node(page, 0)
    still(page)
    page.get_by_role("combobox", name="Split on").click()
    page.get_by_role("option", name=re.compile("sepal")).first.click()
    still(page)
    page.get_by_role("slider", name="Cut at").press("ArrowRight")
    still(page)
    expect(page.get_by_text(re.compile(r"groups become \d+"))).to_be_visible()  # before it is done
    (cut,) = re.findall("cut at ([0-9.]+)", page.get_by_text("dashed: cut at").inner_text())
    page.get_by_role("button", name="Split here").click()
    expect(page.get_by_text(re.compile("On unseen rows")).first).to_be_visible()
    expect(page.get_by_text("A correction; the list of them")).to_be_visible()
    expect(page.get_by_text(re.compile("kinder than new people")).first).to_be_visible()
    page.wait_for_url(re.compile("c45.edits="))
    with page.expect_download() as saved:
        page.get_by_role("button", name="File").click()
        page.get_by_role("button", name="Save (edits.json)").click()
    record = json.loads(Path(saved.value.path()).read_text(encoding="utf-8"))
    assert record["edits"][0]["cut"] == float(cut)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("A correction; the list of them")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"· \d+ leaves")).first).to_have_text(before)
