"""Options of smoothers, loaded models: the Tree page without a browser."""

import shlex
from pathlib import Path

import numpy as np
import pytest

import probtrees
from probtrees.cli import main
from probtrees.draw.tables import leaf_table
from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.experiment.registry import SMOOTHERS
from probtrees.table.read_table import load_sample, sample_path
from probtrees.ui.shared.loaded_model import read_model_bytes
from probtrees.ui.shared.smoother_options import smoother_fields
from probtrees.ui.tree.leaf_list import leaves_csv
from tests.app.app_page import field, html_of, press, put
from tests.app.test_loaded_network import open_page
from tests.app.test_tree_page import open_app
from tests.small_tables import HOSTILE_TARGET, write_hostile_csv

pytestmark = pytest.mark.usefixtures("patient_page")


def test_an_option_changes_the_numbers_and_stays_when_the_smoother_is_switched():
    app = open_app(sample="gene", smoother="m-estimate")
    before = html_of(app)
    field(app, "smooth.m-estimate.strength").set_value("20").run()
    changed = html_of(app)
    assert changed != before
    put(app, "smoother any", "laplace")
    put(app, "smoother any", "m-estimate")
    assert html_of(app) == changed
    press(app, "Back to the defaults")
    assert html_of(app) == before


def test_options_that_do_not_go_together_are_reported_and_not_used():
    app = open_app(sample="gene", smoother="hgs")
    before = html_of(app)
    field(app, "smooth.hgs.weights").set_value("node").run()
    assert "fit='map'" in app.warning[0].value.replace("\\", "")
    assert html_of(app) == before
    field(app, "smooth.hgs.fit").set_value("map").run()
    assert not app.warning
    app = open_app(sample="gene", smoother="m-estimate")
    field(app, "smooth.m-estimate.strength").set_value("much").run()
    assert app.warning


def test_published_hgs_is_no_setting_of_the_other():
    (fit_field,) = [f for f in smoother_fields("hgs") if f.name == "fit"]
    assert fit_field.choices == ("evidence", "map")
    assert "fit" not in [f.name for f in smoother_fields("hgs-published")]


def test_growing_options_that_cannot_be_used_lose_nothing():
    app = open_app(sample="heart")
    field(app, "c45.confidence").set_value(0.0).run()
    assert "confidence" in app.error[0].value
    app.run()
    assert not app.error
    assert "heart" in app.markdown[0].value


@pytest.mark.slow
def test_command_line_and_python_code_make_the_model_on_show(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("heart.csv").write_bytes(Path(sample_path("heart")).read_bytes())
    app = open_app(sample="heart", smoother="m-estimate")
    for key, value in {
        "smooth.m-estimate.strength": "3",
        "c45.min_leaf": 6,
        "c45.collapse": False,
        "c45.prune": "pessimistic",
        "c45.confidence": 0.4,
        "export": True,
    }.items():
        app.session_state[key] = value
    app.run()
    command, code = (block.value for block in app.code[-2:])
    assert main([*shlex.split(command)[1:], "--quiet"]) == 0
    by_command = probtrees.load_model("model.json")
    exec(compile(code, "code", "exec"), {})
    by_code = probtrees.load_model("model.json")
    assert by_command.options["learner"]["confidence"] == 0.4
    assert np.array_equal(by_command.tree.probs, by_code.tree.probs)
    (shown,) = [frame.value for frame in app.dataframe if "rule" in frame.value]
    of_leaf = dict(zip(shown["node"], shown["m-estimate"], strict=True))
    for leaf in by_code.tree.tree.leaves.tolist():
        assert of_leaf[leaf] == pytest.approx(by_code.tree.probs[leaf, 1])


def test_the_leaf_table_knows_the_track_record():
    app = open_app(sample="heart")
    table = app.dataframe[0].value
    assert {"track record", "unseen rows", "disagreement", "observed"} <= set(table.columns)
    assert {entry.label for entry in SMOOTHERS.values()} <= set(table.columns)


@pytest.mark.slow
def test_a_loaded_model_is_shown_like_a_grown_one_without_its_rows():
    model = fit(load_sample("heart"), "c45", "hgs")
    app = open_page(model, "app", **{"tree.tab": "Rows"})
    assert "loaded model" in app.markdown[0].value
    assert "heart disease: yes" in html_of(app)
    assert "Upload the table" in app.info[0].value
    assert any("Track record" in element.value for element in app.markdown)
    put(app, "smoother any", "laplace")
    put(app, "smoother any", "blend")
    assert "asks held-out rows" in app.info[0].value
    for tab in ("In words", "Leaf table"):
        app.session_state["tree.tab"] = tab
        app.run()
    press(app, "Back to the table")
    assert "titanic" in app.markdown[0].value


@pytest.mark.slow
def test_the_trees_of_a_loaded_forest_are_shown_one_by_one():
    model = fit(load_sample("heart"), "forest", "m-estimate")
    app = open_page(model, "app", export=True)
    field(app, "loaded part").select_index(1).run()
    for tab in ("Rows", "In words"):
        app.session_state["tree.tab"] = tab
        app.run()


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[1]", b'{"format": "probtrees-model"}', b"\x1f\x8b\x00", b"\xff\xfe"]
)
def test_what_is_no_model_is_refused_in_one_sentence(content):
    with pytest.raises(DataError) as refused:
        read_model_bytes("<b>.json", content)
    assert "<b>.json" in str(refused.value)
    assert "tmp" not in str(refused.value)


def test_exported_leaves_run_nothing_in_a_spreadsheet(tmp_path):
    data = probtrees.read_table(write_hostile_csv(tmp_path / "h.csv"), target=HOSTILE_TARGET)
    table = leaf_table({"=cmd()": fit(data, "c45", "laplace").tree}, data.schema, 1)
    lines = leaves_csv(table).splitlines()
    assert "'=cmd()" in lines[0]
    assert not [cell for line in lines for cell in line.split(",") if cell.startswith(("=", "+"))]


@pytest.mark.slow
def test_a_link_restores_options_of_smoothers():
    link = {"smooth.m-estimate.strength": "auto", "smooth.hdp.n_iterations": "40"}
    app = open_app(sample="gene", smoother="m-estimate", **link)
    assert not app.warning
    assert field(app, "smooth.m-estimate.strength").value == "auto"
    put(app, "smoother any", "hdp")
    assert field(app, "smooth.hdp.n_iterations").value == 40
    assert "smooth.hdp.seed" not in app.query_params
    app = open_app(**{"smooth.hdp.n_iterations": "-3", "routing": "soft", "calibrate": "platt"})
    for part in ("smooth.hdp.n_iterations", "routing", "calibrate"):
        assert part in app.warning[0].value
