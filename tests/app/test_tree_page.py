"""The Tree page without a browser: what it shows, and what it does with bad input."""

import re
from dataclasses import replace

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from probtrees.draw.charts.decision_table import decision_lines
from probtrees.experiment.fit import fit
from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.inner_models import unseen_scores
from probtrees.experiment.registry import SMOOTHERS
from probtrees.model.predict import predict_proba
from probtrees.score.decision import capacity_threshold, decide
from probtrees.score.unseen_scores import UnseenScores
from probtrees.table.read_table import load_sample
from probtrees.ui.shared.table_source import READING
from probtrees.ui.tree.decide_panel import Acting
from probtrees.ui.tree.shaped_model import ShapedOnShow
from probtrees.ui.tree.shaped_view import POINTS, SHAPED_EXPORTS
from probtrees.ui.tree.tree_page import read_rule
from tests.app.app_page import address, field, give, html_of, press, put, visit

pytestmark = pytest.mark.usefixtures("patient_page")


def open_app(**link: str) -> AppTest:
    return visit("app", link)


def test_opens_with_a_sample_smoothed_and_a_leaf_explained():
    app = open_app()
    text = "\n".join(element.value for element in app.markdown)
    assert "titanic" in text
    assert "2,201 rows" in text
    assert "survived: yes" in html_of(app)
    assert "points" in html_of(app)


@pytest.mark.slow
def test_every_smoother_can_be_chosen():
    app = open_app(sample="stroke")
    for name in SMOOTHERS:
        put(app, "smoother any", name)
        assert not app.error


def test_an_inner_node_of_the_hdp_is_explained_by_its_leaves():
    app = open_app(sample="stroke", smoother="hdp", node="0")
    assert not app.error
    text = "\n".join(element.value for element in app.markdown)
    assert "leaves over their rows" in text
    captions = "\n".join(caption.value for caption in app.caption)
    assert "pulled towards" in captions
    assert "of leaves only" in captions


def test_another_outcome_colours_and_smoothers_to_compare():
    app = open_app()
    put(app, "outcome", 0)
    assert "survived: no" in html_of(app)
    for colour in ("class", "rows", "lift"):
        put(app, "colour", colour)
    put(app, "compare", "mle")
    put(app, "colour", "difference")


def open_tab(app: AppTest, name: str) -> AppTest:
    app.session_state["tree.tab"] = name
    app.run()
    return app


def test_rows_and_words_stand_below_and_leaves_are_pinned_with_a_note():
    app = open_tab(open_app(node="3"), "Rows")
    assert any("145 rows" in element.value for element in app.caption)
    assert set(app.dataframe[0].value["sex"]) == {"female"}
    open_tab(app, "In words")
    assert any("sex = female" in code.value for code in app.code)
    assert any("What not to conclude" in code.value for code in app.code)
    app.button(key="pin").click().run()
    assert [area.label for area in app.text_area] == ["Note"]
    app.button(key="pin").click().run()
    assert not app.text_area


def test_a_row_is_followed_to_its_leaf():
    app = put(open_app(sample="heart"), "beside", "what-if")
    steps = next(table.value for table in app.dataframe if "step" in table.value)
    assert steps["step"].iloc[0] == "all rows"
    fields = [field for field in app.text_input if field.key.startswith("follow.")]
    assert len(fields) > 1
    for typed, said in (
        ("2", ""),
        ("700,5", "Outside of what was seen"),
        ("7,005", "must be clear"),
        ("abc", "must be a number"),
    ):
        fields = [field for field in app.text_input if field.key.startswith("follow.")]
        fields[0].set_value(typed).run()
        assert any(said in element.value for element in app.caption)
    # What cannot be read has no answer.
    assert any("No answer" in element.value for element in app.warning)
    assert not any("% yes" in element.value for element in app.markdown)
    shown = address(app).get("node")
    press(put(app, "Start from row", 2), "Show this leaf in the tree")
    assert address(app)["node"] != shown


def test_columns_and_two_rows_stand_beside_the_picture_and_a_link_brings_them_back():
    app = put(open_app(sample="heart"), "beside", "columns")
    assert any("Columns at a glance" in element.value for element in app.markdown)
    put(app, "beside", "what-if")
    assert any("not asked" in box.label for box in (*app.text_input, *app.selectbox))
    assert not any("Every smoother" in element.value for element in app.markdown)
    put(app, "Two rows side by side", True)
    put(app, "follow b.2.0.", "41,5")
    assert any("Their ways part" in element.value for element in app.markdown)
    assert address(app)["follow.typed2"] == "0:41.5"
    again = open_app(**address(app))
    assert field(again, "follow b.2.0.").value == "41.5"
    assert any("Their ways part" in element.value for element in again.markdown)


def test_typed_values_of_ones_own_table_stay_out_of_the_link():
    rows = "\n".join(
        f"{i / 4},{'abc'[i % 3]},{'yes' if i > 30 or i % 9 == 0 else 'no'}" for i in range(60)
    )
    app = give(open_app(), f"length,kind,ill\n{rows}\n")
    put(app, "beside", "what-if")
    put(app, "follow.1.0.", "6.5")
    assert "6.5" not in str(dict(app.query_params))


@pytest.mark.parametrize("rule", ["20%", "5:1", "50/1000"])
def test_a_linked_decision_shows_what_comes_of_it_on_unseen_rows(rule):
    app = open_app(**{"sample": "titanic", "beside": "decide", "decide.rule": rule})
    grown = grow_model(load_sample("titanic"), "c45")
    scores = unseen_scores(grown, grown.smooth("hgs"))
    kind, value = read_rule(rule)
    yes = list(grown.data.schema.classes).index("yes")
    found = decide(scores.proba[:, yes], scores.labels == yes, **{kind: value})
    shown = html_of(app)
    if kind == "capacity":  # says nothing about what a false alarm costs
        assert "benefit</span>" not in shown
        found = replace(found, net_benefit=None)
    for value, interval, _, _ in decision_lines(found, ""):
        assert f"<b>{value}</b>" in shown
        assert interval in shown
    assert app.query_params["decide.rule"] == rule


@pytest.mark.parametrize(
    ("room", "at", "lot"), [(0.05, 0.5, 0.5), (0.1, 0.5, 1), (0.3, 0.3, 2 / 3), (0.4, 0.3, 1)]
)
def test_files_draw_lots_in_the_group_where_room_ends(room, at, lot):
    rule, answers, rows = ("capacity", room), np.array([0.1, 0.3, 0.5]), np.array([60, 30, 10.0])
    ends = [capacity_threshold(answers, rows, room)]
    found = Acting(rule, rule, answers, rows, [rule], ends, 1, None).in_files
    assert found == (1, at, pytest.approx(lot))
    assert found.done(at) == ("by lot" if lot < 1 else "act")
    assert found.done(at - 0.1) == "leave"
    # The last of rows whose chances all differ is left alone.
    alone = Acting(rule, rule, answers, rows / 100, [rule], ends, 1, None).in_files
    assert alone == (1, at if lot == 1 else {0.5: 1.0, 0.3: 0.5}[at], 1)


def test_a_row_of_the_group_where_room_ends_is_decided_by_lot():
    data = load_sample("titanic")
    chances = predict_proba(fit(data, "c45", "hgs"), data)[:, data.schema.classes.index("yes")]
    link = {"sample": "titanic", "beside": "what-if", "decide.rule": "20/1000"}
    app = put(open_app(**link), "Start from row", 1 + int(chances.argmax()))
    said = " ".join(m.value for m in app.markdown)
    assert "**By lot.** The decision is to act above a chance of" in said


def test_a_number_beyond_the_rows_is_said_to_be_extrapolated_where_a_shape_goes_on():
    app = put(open_app(**{"sample": "heart", "tree.form": "shaped"}), "cholesterol", "900")
    said = " ".join(c.value for c in app.caption)
    assert "its shape is extrapolated; trust the answer less" in said
    assert "nearest rows" not in said


def test_codes_are_named_once_and_used_everywhere():
    app = open_app(**{"sample": "heart", "beside": "columns", "tree.column": "11"})
    for code in "0123":
        app.text_input(key=f"coloured vessels {code}").set_value(f"vessels: {code}")
    press(app, "Use it everywhere")
    assert not [field for field in app.text_input if field.label == "0 is"]  # no codes are left
    (step,) = app.session_state[READING].steps
    assert step["values"] == {code: f"vessels: {code}" for code in "0123"}


def test_a_council_shows_its_members_and_takes_a_row_apart():
    link = {"sample": "iris", "tree.form": "council", "tree.council": "nb,soft-tree"}
    app = open_app(**link)
    assert field(app, "Who sits on the council").value == ["nb", "soft-tree"]
    shown = html_of(app)
    assert "shaped-tree" not in shown
    assert "weight, from 0 to 2" in shown
    assert "together: " in shown
    assert any("(weight " in caption.value for caption in app.caption)
    assert "unseen rows: right for" in shown
    labels = [button.proto.label for button in app.get("download_button")]
    assert {"Report (HTML)", "Model (JSON)", "Python"} <= set(labels)


def test_shapes_stand_beside_the_tree_and_one_row_is_taken_apart():
    app = open_app(**{"sample": "stroke", "tree.form": "shaped", "shaped.none": "1-99"})
    shown = html_of(app)
    assert "unseen rows: right for" in shown
    assert "than that of the tree alone" in shown or "as that of the tree alone" in shown
    (none,) = app.multiselect  # no column is a number, so that none can rise or fall
    assert none.value == [1]  # a link may name columns that the table does not have
    assert any("height has no shape" in text.value for text in app.markdown)
    assert any("--set model.banned=height" in code.value for code in app.code)
    assert "percentage points" in shown
    assert "the path" in shown
    assert "together: " in shown
    assert "strength" in shown
    assert any("of 100 such rows lie" in caption.value for caption in app.caption)
    labels = [button.proto.label for button in app.get("download_button")]
    assert {"SQL", "Python", "Report (HTML)", "Model (JSON)"} <= set(labels)
    assert html_of(put(app, "Start from row", 2)) != shown
    assert any("Mean chance of the rows of each group" in c.value for c in app.caption)
    assert {"To fill in or print (HTML)", "Picture (SVG)"} <= set(labels)
    before = html_of(app)
    assert html_of(put(app, "What columns add", "points")) != before


def test_files_of_a_shaped_tree_say_on_whom_to_act_also_when_the_page_is_gone():
    app = open_app(**{"sample": "stroke", "tree.form": "shaped", "decide.rule": "30%"})
    said = " ".join(c.value for c in [*app.caption, *app.markdown])
    assert "The decision is to act from a chance of 30.0 % on." in said
    assert re.search(r"Act from -?\d+ points? on; .*\d+ missed, by the whole model", said)
    model = fit(load_sample("stroke"), "shaped-tree", options={"penalty": 1.0, "freedom": 10.0})
    rule, rows = ("threshold", 0.3), np.array([0.2, 0.4])
    scores = UnseenScores(np.stack([1 - rows, rows], 1), np.array([0, 1]), rows, rows, rows)
    acting = Acting(rule, rule, rows, rows, [rule], [(0.3, 1.0)], 1, scores)
    shown = ShapedOnShow(model, None, "key", 1, acting=acting)
    tabs = {tab.title: (tab.ask(shown), tab.exports) for tab in (*SHAPED_EXPORTS[:2], POINTS)}
    st.session_state.clear()
    files = {e.name: e.write(asked) for asked, exports in tabs.values() for e in exports}
    assert ">= 0.3 THEN 'act' ELSE 'leave' END AS \"decision\"" in files["model.sql"]
    assert 'return "act" if chance >= 0.3 else "leave"' in files["model.py"]
    for name in ("report.html", "points.html", "points.svg", "points.txt"):
        assert "act from a chance of 30.0 %" in files[name]
