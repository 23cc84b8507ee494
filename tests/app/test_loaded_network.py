"""Models that come without their rows: counts that answer alike, pages like those of others."""

import json
import re
from dataclasses import replace
from functools import cache
from hashlib import sha256

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from probtrees.errors import DataError
from probtrees.experiment.fit import fit
from probtrees.experiment.grown_model import grow_model
from probtrees.model.model import Model
from probtrees.model.predict import predict_proba
from probtrees.table.dataset import MISSING
from probtrees.table.read_table import load_sample
from probtrees.ui.shared.counts import GrownCounts, SavedCounts
from probtrees.ui.shared.loaded_model import LOADED, Loaded, read_model_bytes
from tests.app.app_page import field, html_of, press, visit, words_of

ROW_TAB = {"network.tab": "Follow a row"}

pytestmark = pytest.mark.usefixtures("patient_page")


@cache
def fitted(sample: str, learner: str, smoother: str) -> Model:
    return fit(load_sample(sample), learner, smoother)


def as_loaded(model: Model) -> Loaded:
    content = json.dumps(model.to_dict()).encode()
    digest = sha256(content).hexdigest()
    return Loaded("mine.json", digest, read_model_bytes("mine.json", content))


def open_page(model: Model, page: str = "network", **session: object) -> AppTest:
    app = visit(page, **{LOADED: as_loaded(model), "smoother": model.smoother, **session})
    assert not app.error
    return app


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sample", "learner", "smoother"),
    [("titanic", "skdb", "m-estimate"), ("titanic", "aode", "hdp"), ("iris", "nb", "laplace")],
)
def test_every_table_is_explained_by_the_numbers_of_the_file(sample, learner, smoother) -> None:
    model = fitted(sample, learner, smoother)
    app = open_page(model, **{"network export": True})
    assert "mine" in app.markdown[0].value
    assert "loaded model" in app.markdown[0].value
    assert "points" in html_of(app)
    assert not app.info
    assert not app.query_params
    choice = field(app, "Table of")
    shown = {model.schema.names[each.tree.target] for each in model.members[0].trees}
    assert set(choice.options) == shown
    column = model.schema.names.index(choice.options[choice.index])
    (smoothed,) = [each for each in model.members[0].trees if each.tree.target == column]
    table = app.dataframe[0].value.to_numpy()[:, -smoothed.tree.n_outcomes :].astype(float)
    expected = smoothed.probs[smoothed.tree.leaves]
    np.testing.assert_allclose(np.sort(table[:, 0]), np.sort(expected[:, 0]), atol=1e-9)
    has_cuts = model.members[0].cuts is not None and bool(model.members[0].cuts.points)
    assert ("Cut at" in words_of(app)) == has_cuts


@pytest.mark.slow
def test_the_answer_for_a_typed_row_is_taken_apart() -> None:
    model = fitted("titanic", "skdb", "m-estimate")
    app = open_page(model, **ROW_TAB)
    field(app, "sex").select_index(1).run()
    row = np.array([[MISSING, 1.0, MISSING, MISSING]])
    asked = replace(load_sample("titanic"), values=row)
    outcome = 1
    (percent,) = re.findall(r"\*\*([\d.]+) %", " ".join(each.value for each in app.markdown))
    assert float(percent) == pytest.approx(100 * predict_proba(model, asked)[0, outcome], abs=0.5)
    added = [float(number) for number in re.findall(r">([+-]\d+\.\d{3})<", html_of(app))]
    assert sum(added[:-1]) == pytest.approx(added[-1], abs=0.003)
    assert "not here" in html_of(app)  # smoothers that ask held-out rows
    assert not [field for field in app.number_input if field.label == "Start from row"]


@pytest.mark.slow
def test_sampling_large_networks_waits_until_it_is_chosen(monkeypatch) -> None:
    monkeypatch.setattr("probtrees.ui.network.network_row.MOST_SAMPLED", 3)
    app = open_page(fitted("titanic", "kdb", "laplace"), **ROW_TAB)
    assert html_of(app).count("if chosen") == 1
    assert "choose it above to ask it" in words_of(app)
    app = open_page(fitted("titanic", "aode", "hdp"), **ROW_TAB)
    assert "if chosen" not in html_of(app)


def test_what_asks_held_out_rows_is_said_and_the_saved_numbers_stay() -> None:
    app = open_page(fitted("titanic", "skdb", "m-estimate"), smoother="hgs")
    (said,) = app.info
    assert "asks held-out rows" in said.value
    assert "saved with (m\\-estimate)" in said.value
    assert "Leaf · m-estimate" in html_of(app)


@pytest.mark.slow
def test_the_losses_are_shown_without_rows() -> None:
    app = open_page(fitted("titanic", "skdb", "m-estimate"), **{"network.side": "Structure"})
    assert len(app.get("plotly_chart")) == 1
    assert any("chose 3 attributes and k = 1" in words.proto.help for words in app.markdown)


@pytest.mark.slow
def test_back_to_the_table_shows_its_network_again() -> None:
    app = open_page(fitted("titanic", "kdb", "hgs"), sample="iris")
    press(app, "Back to the table")
    assert "iris" in app.markdown[0].value
    assert LOADED not in app.session_state


@pytest.mark.slow
@pytest.mark.parametrize(
    ("learner", "start", "leads_to"),
    [("kdb", "export", "Table of"), ("c45", "network export", "Compare with")],
)
def test_a_loaded_file_is_shown_on_the_page_of_its_kind(learner, start, leads_to) -> None:
    app = visit("app", **{start: True})
    if learner == "c45":
        app.switch_page("pages/network.py").run()
    place = field(app, "Load a model")
    content = json.dumps(fitted("titanic", learner, "laplace").to_dict()).encode()
    place.set_value(("mine.json", content, "application/json")).run()
    assert "loaded model" in app.markdown[0].value
    assert leads_to in [box.label for box in app.selectbox]


def test_the_tree_page_goes_on_with_the_table() -> None:
    app = open_page(fitted("titanic", "kdb", "hgs"), "tree")
    assert "loaded model" not in app.markdown[0].value
    assert "titanic" in app.markdown[0].value


def test_a_smoother_that_nobody_knows_is_named() -> None:
    content = replace(fitted("titanic", "nb", "laplace"), smoother="<b>").to_dict()
    with pytest.raises(DataError, match="must name a smoother that is known here"):
        read_model_bytes("mine.json", json.dumps(content).encode())


def silent(share: float, words: str) -> None:
    """Report nothing."""


@pytest.mark.parametrize("learner", ["c45", "nb"])
def test_counts_are_smoothed_alike_with_and_without_rows(learner: str) -> None:
    data = load_sample("titanic")
    grown = GrownCounts(grow_model(data, learner), data)
    saved = SavedCounts(fit(data, learner, "laplace"))
    assert grown.rows is data
    assert saved.rows is None
    for name in ("laplace", "m-branch"):
        ours = saved.smooth(name, (), silent)
        theirs = grown.smooth(name, (), silent)
        assert ours.smoother == theirs.smoother == name
        assert ours.options["smoother"] == theirs.options["smoother"]
        assert ours.provenance.source == "titanic.csv"
        for one, other in zip(ours.trees, theirs.trees, strict=True):
            np.testing.assert_array_equal(one.probs, other.probs)


def test_what_needs_rows_says_that_there_are_none() -> None:
    data = load_sample("titanic")
    saved = SavedCounts(fit(data, "c45", "laplace"))
    assert saved.can_smooth("laplace", ())
    assert not saved.can_smooth("hgs", ())
    with pytest.raises(DataError, match="does not hold"):
        saved.smooth("hgs", (), silent)


def test_a_saved_smoother_that_needs_rows_keeps_the_numbers_of_the_file() -> None:
    model = fit(load_sample("titanic"), "c45", "hgs")
    saved = SavedCounts(model)
    assert saved.can_smooth("hgs", ())
    assert saved.smooth("hgs", (), silent) is model


def test_one_tree_of_a_forest_stands_alone() -> None:
    model = fit(load_sample("titanic"), "forest", "laplace")
    alone = SavedCounts(model).tree(1, 0)
    assert alone.members[0].trees == (model.members[1].trees[0].tree,)
    assert alone.saved.track_record is None
