"""The Learn page without a browser: its link, a leaf of one's own, and the lesson as a file."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.cli import main
from probtrees.smooth.example_trees import tree_of
from probtrees.table.dataset import Column, Schema
from probtrees.table.read_table import load_sample
from probtrees.ui.learn.learn_page import leaf_that_needs_smoothing, own_leaf
from probtrees.ui.learn.lesson_file import STEPS
from tests.app.app_page import visit

pytestmark = pytest.mark.usefixtures("patient_page")


def open_page(**link: str) -> AppTest:
    return visit("learn", link)


def data_of(page: AppTest) -> dict[str, Any]:
    """Return what the browser is sent."""
    views = page.get("bidi_component")
    (view,) = (view for view in views if "page_watcher" not in view.proto.component_name)
    data: dict[str, Any] = json.loads(view.proto.json)
    return data


def test_a_link_opens_its_step_and_the_page_alone_the_ward() -> None:
    assert data_of(open_page())["source"] == "ward"
    page = open_page(v="1", step="4", told="1", sweeps="120")
    data = data_of(page)
    assert data["lesson"] == {"step": "4", "told": "1", "sweeps": "120"}
    assert data["source"] == "gene"  # as links of before, which named no other
    assert not page.warning
    assert page.query_params["step"] in ("4", ["4"])
    page.session_state["learn.strength"] = "3.5"
    page.run()
    again = data_of(page)
    assert again["lesson"]["strength"] == "3.5"
    assert again["turn"] == data["turn"] + 1  # the browser is told what others have changed
    assert open_page(step="<script>").warning


def test_a_leaf_of_the_own_tree_opens_where_smoothing_matters() -> None:
    data = data_of(open_page(sample="titanic", source="leaf", step="1", told="1"))
    shown, n_rows = data["leaf"], load_sample("titanic").n_rows
    assert sum(shown["counts"][-2:]) <= 30
    assert not shown["editable"]
    assert sum(shown["counts"]) == n_rows
    assert len(shown["counts"]) == 2 * len(shown["ends"])
    whole = shown["whole"]
    leaves = [node for node in range(len(whole["parent"])) if node not in whole["parent"]]
    assert np.sum([whole["counts"][leaf] for leaf in leaves]) == n_rows
    assert whole["counts"][whole["leaf"]][0] == shown["counts"][-2]
    tree = tree_of([2, 2, 0, 0, 0], [[400, 600], [1, 0], [90, 900]])
    assert leaf_that_needs_smoothing(tree, 0) == 3
    assert leaf_that_needs_smoothing(tree_of([0], [[0, 0]]), 0) == 0


def test_leaves_of_three_outcomes_and_trees_of_one_leaf_are_described_too() -> None:
    schema = Schema((Column("x", ("a", "b")), Column("y", ("no", "maybe", "yes"))))
    tree = tree_of([2, 0, 0], [[0, 1, 0], [5, 4, 6]], target=1)
    found = own_leaf(tree, schema, 1, 2)
    assert found["others"] == [6 / 12, 6 / 12]
    assert found["whole"]["counts"][2] == [6, 5, 4]  # the outcome of interest first
    assert found["outcome"] == "y: yes"
    assert found["usual"]["truth"] == round(7 / 19, 2)
    alone = own_leaf(tree_of([0], [[3, 4, 0]], target=1), schema, 0, 0)
    assert (alone["parent"], alone["counts"], alone["whole"]) == ([-1], [3.0, 4.0], None)


def test_the_lesson_is_one_file_without_a_server(tmp_path: Path) -> None:
    place = tmp_path / "lesson.html"
    assert main(["lesson", str(place)]) in (0, None)
    text = place.read_text(encoding="utf-8")
    assert text.count("</script>") == 1
    assert all(json.dumps(step["question"], ensure_ascii=False)[1:-1] in text for step in STEPS)
    assert not re.search(r"(?:src|href|url\()\s*=?\s*[\"'(]?https?:", text)  # asks nobody
    assert len(text) < 250_000
