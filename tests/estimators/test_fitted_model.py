import base64
import gzip
import json
import re
import sys
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import probtrees
from probtrees.errors import DataError, OptionError
from probtrees.explain.detail import FIRST_GROUPS
from tests.small_tables import patients

HOSTILE = "<script>alert(1)</script>"


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(3)
    x = random.normal(size=120)
    kind = random.choice(["a", HOSTILE, "c"], 120)
    ill = np.where(x + (kind == "a") > 0.7, "yes", "no")
    return pd.DataFrame({"x": x, "kind": kind, "ill": ill})


@pytest.fixture(scope="module")
def tree(frame):
    return probtrees.fit(probtrees.read_table(frame, target="ill"), "c45", "hgs")


@pytest.fixture(scope="module")
def network(frame):
    return probtrees.fit(probtrees.read_table(frame, target="ill"), "tan", "m-estimate")


def test_a_row_is_explained_by_the_leaf_that_answers(tree, frame):
    for number in (0, 5, 17):
        row = frame.iloc[number]
        explained = tree.explain(row.drop("ill"), outcome="yes")
        said = tree.predict_proba(frame.iloc[[number]])[0, 1]
        assert explained.probability == pytest.approx(said, abs=1e-12)
        assert sum(source.points for source in explained.contributions) == pytest.approx(said)


def test_leaves_and_rules_list_every_leaf(tree):
    leaves = tree.leaves(outcome="yes")
    assert sorted(leaves["node"]) == tree.tree.tree.leaves.tolist()
    assert leaves["rows"].sum() == 120
    assert leaves["rows"].is_monotonic_decreasing
    probs = tree.tree.probs[leaves["node"], 1]
    assert leaves["chance"].tolist() == probs.tolist()
    assert len(tree.rules()) == len(leaves)


def test_a_network_says_what_moved_its_answer(network, frame):
    row = frame.iloc[0]
    explained = network.explain(row.drop("ill"), outcome="yes")
    said = network.predict_proba(frame.iloc[[0]])[0]
    assert explained.posterior == pytest.approx(said, abs=1e-12)
    points = explained.members[0].log_odds(1)
    assert points.sum() == pytest.approx(np.log(said[1] / said[0]))
    assert "kind" in str(explained) or "x" in str(explained)


def test_whatever_is_shown_is_escaped_and_has_both_themes(tree, network, frame):
    row = frame[frame["kind"] == HOSTILE].iloc[0].drop("ill")
    leaf = next(
        n for n in tree.tree.tree.leaves if HOSTILE in tree.explain(leaf=int(n)).rule_sentence
    )
    for shown in (tree, network, tree.plot_leaf(int(leaf)), network.explain(row)):
        html = shown._repr_html_()
        assert "probtrees-light" in html
        assert "probtrees-dark" in html
        assert "<script" not in html  # the frame's is inside an attribute
        assert "://" not in html.replace("http://www.w3.org", "")


def test_the_page_of_a_tree_holds_everything_and_is_packed(tree):
    page = tree.plot(outcome="yes").html
    packed = re.search(r'id="content">([^<]*)</script>', page)[1]
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    smoothed = tree.tree
    assert content["head"]["outcome"] == "yes"
    assert content["head"]["firstGroups"] == FIRST_GROUPS
    assert content["numbers"]["answer"] == pytest.approx(smoothed.probs[:, 1], abs=1e-8)
    for leaf in smoothed.tree.leaves.tolist():
        parts = content["points"][str(leaf)]
        assert len(parts) == smoothed.tree.arrays.depth[leaf] + 2
        assert sum(parts) == pytest.approx(smoothed.probs[leaf, 1], abs=1e-7)
    assert content["themes"]["light"]["paint"] != content["themes"]["dark"]["paint"]
    assert "default-src 'none'" in page
    assert HOSTILE not in page
    assert "<svg" in page[page.index('class="still"') :]


def test_the_page_of_a_network_holds_every_table(network):
    page = network.plot().html
    packed = re.search(r'id="content">([^<]*)</script>', page)[1]
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    assert {int(column) for column in content["tables"]} == {0, 1, 2}
    class_table = content["tables"][str(content["selected"])]
    assert class_table["name"] == "ill"
    counts = network.trees[0].tree.arrays.counts[0]
    assert class_table["contexts"][0][1] == f"{counts.sum():.0f}"
    assert HOSTILE in str(content["tables"]["1"]["values"])
    assert HOSTILE not in page
    assert "<svg" in page[page.index('class="still"') :]


def test_a_notebook_gets_a_frame_that_may_only_draw_and_a_still_picture(tree):
    html = tree._repr_html_()
    assert html.count('<iframe sandbox="allow-scripts" ') == 2
    still = re.search(
        r'<img alt="C4.5[^"]*" [^>]*base64,([^"]*)">', html[html.index("<details>") :]
    )
    assert base64.b64decode(still[1]).startswith(b"<svg")
    assert tree.plot()._repr_html_() == html


def test_files_are_written(tree, tmp_path):
    tree.report(tmp_path / "report.html", outcome="yes", leaves={1: "a note of mine"})
    assert "a note of mine" in (tmp_path / "report.html").read_text(encoding="utf-8")
    for ending, words in (("svg", "<svg"), ("html", "<canvas"), ("dot", "digraph")):
        tree.plot(levels=1).save(tmp_path / f"tree.{ending}")
        assert words in (tmp_path / f"tree.{ending}").read_text(encoding="utf-8")
    with pytest.raises(OptionError, match="must end in one of"):
        tree.plot().save(tmp_path / "tree.bmp")
    assert 'AS "p yes"' in tree.to_sql()
    scope = {}
    exec(compile(tree.to_python(), "rules", "exec"), scope)
    assert set(scope) >= {"predict_proba"}


def test_it_shows_curves_a_row_by_its_terms_and_never_the_tree_alone(tmp_path):
    data = patients(60)
    model = probtrees.fit(data, "shaped-tree", options={"penalty": 1.0, "freedom": 10.0})
    found = model.explain({"age": 70, "sex": "f"}, outcome="sick")
    assert found.ledger(1).sum() == pytest.approx(found.proba[1], abs=1e-12)
    assert "age 70" in found._repr_html_()
    assert str(model) in model._repr_html_()
    assert model.to_sql().startswith("WITH")
    assert "def predict_proba" in model.to_python()
    drawn = model.plot(outcome="sick")
    shown = drawn._repr_html_()
    assert "For sick." in shown
    assert all(f'aria-label="{name}: ' in shown for name in ("age", "sex", "blood"))
    assert shown.count('class="probtrees-') == 2
    drawn.save(tmp_path / "shapes.html")
    assert shown in (tmp_path / "shapes.html").read_text("utf-8")
    with pytest.raises(OptionError, match="must end in"):
        drawn.save(tmp_path / "shapes.svg")
    for show in (model.rules, model.leaves):
        with pytest.raises(DataError):
            show()


def test_a_leaf_whose_rows_have_numbers_of_their_own_is_not_explained():
    options = {"penalty": 1.0, "freedom": 10.0}
    with pytest.raises(OptionError, match="Explain a row"):
        probtrees.fit(patients(60), "shaped-tree", options=options).explain(leaf=1)


def test_what_is_handed_to_shap_sums_to_the_probability(tree, frame, monkeypatch):
    monkeypatch.setitem(sys.modules, "shap", SimpleNamespace(Explanation=SimpleNamespace))
    given = tree.to_shap(frame, outcome="yes")
    answers = tree.predict_proba(frame)[:, 1]
    assert given.base_values + given.values.sum(axis=1) == pytest.approx(answers)
    assert given.feature_names == ["x", "kind"]
    assert set(given.display_data[:, 1]) == {"a", HOSTILE, "c"}
    fitted = probtrees.C45Classifier(smoother="hgs").fit(frame[["x", "kind"]], frame["ill"])
    again = fitted.to_shap(frame[["x", "kind"]], outcome="yes")
    answers = fitted.predict_proba(frame[["x", "kind"]])[:, 1]
    assert again.base_values + again.values.sum(axis=1) == pytest.approx(answers)
    monkeypatch.setitem(sys.modules, "shap", None)
    with pytest.raises(OptionError, match=r"pip install 'probtrees\[shap\]'"):
        tree.to_shap(frame)


def test_shap_takes_it(tree, frame):
    shap = pytest.importorskip("shap")
    assert isinstance(tree.to_shap(frame, outcome="yes"), shap.Explanation)
