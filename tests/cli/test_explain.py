"""``probtrees explain``, and models that are fitted as a whole."""

import json

import pytest

from probtrees.cli import main
from tests.cli.command import refuse, run
from tests.small_tables import patients, write_csv

QUICK = ("--set", "model.penalty=1", "--set", "model.freedom=10")
MODELS = {
    "c45": ("--smoother", "laplace"),
    "nb": ("--smoother", "laplace"),
    "forest": ("--smoother", "laplace"),
    "shaped-tree": QUICK,
    "council": ("--members", "shaped-tree"),
}


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return str(write_csv(patients(), tmp_path_factory.mktemp("explain") / "patients.csv"))


@pytest.fixture(scope="module")
def folder(table, tmp_path_factory):
    """Models of every kind, those that are fitted as a whole with a report."""
    folder = tmp_path_factory.mktemp("models")
    for name, options in MODELS.items():
        given = ["grow", table, "--model", name, *options, "--out", str(folder / f"{name}.json")]
        report = [] if "--smoother" in options else ["--report", str(folder / f"{name}.html")]
        assert main([*given, *report, "--quiet"]) == 0
    return folder


def adds_up(base, parts, probability):
    for outcome, whole in enumerate(probability):
        added = base[outcome] + sum(part[outcome] for part in parts)
        assert added == pytest.approx(whole, abs=1e-12)


def test_a_shaped_tree_adds_up_in_print_and_in_json(capsys, table, folder):
    ask = ("explain", folder / "shaped-tree.json", table, "--row", 3)
    text = run(capsys, *ask)
    assert "the average row" in text
    assert "together" in text
    record = json.loads(run(capsys, *ask, "--json"))
    terms = [term["probability"] for term in record["terms"]]
    adds_up(record["base"]["probability"], terms, record["probability"])
    text = run(capsys, *ask[:2], "--row", "age=70", "--row", "sex=f")
    assert "age 70" in text
    assert "blood not recorded" in text


def test_trees_networks_and_forests_are_explained_their_way(capsys, table, folder):
    for model, word in (("c45", "of the weight"), ("nb", "log-odds"), ("forest", "together")):
        ask = ("explain", folder / f"{model}.json", table, "--row", 2)
        assert word in run(capsys, *ask)
        record = json.loads(run(capsys, *ask, "--json"))
    adds_up(record["base"], [part["adds"] for part in record["columns"]], record["probability"])
    answers = json.loads(run(capsys, "predict", folder / "forest.json", table, "--json"))
    assert list(answers[1].values()) == pytest.approx(record["probability"], abs=1e-12)


def test_a_leaf_and_the_row_of_a_file_of_its_own(capsys, table, folder):
    path = folder / "c45.json"
    leaf = json.loads(run(capsys, "explain", path, "--leaf", 1, "--json"))
    assert leaf["node"] == 1
    parts = [part["points"] for part in leaf["contributions"]]
    assert sum(parts) == pytest.approx(leaf["probability"], abs=1e-12)
    assert leaf["rule_sentence"] in run(capsys, "explain", path, "--leaf", 1)
    of_file = run(capsys, "explain", path, "--row", table, "--json")
    assert of_file == run(capsys, "explain", path, table, "--row", 1, "--json")
    assert "without a row" in refuse(capsys, "explain", path, table, "--leaf", 1)


@pytest.mark.parametrize("name", ["shaped-tree", "council"])
def test_a_leaf_whose_rows_have_numbers_of_their_own_is_not_explained(capsys, folder, name):
    assert "Explain a row" in refuse(capsys, "explain", folder / f"{name}.json", "--leaf", 1)


def test_a_shaped_tree_takes_no_smoother_and_is_printed_but_not_drawn(capsys, table):
    shaped = ("--model", "shaped-tree", *QUICK)
    said = refuse(capsys, "grow", table, *shaped, "--smoother", "hgs")
    assert "must be left out" in said
    assert "must be left out" in refuse(capsys, "compare", table, *shaped, "--smoothers", "hgs")
    assert "as text or JSON" in refuse(capsys, "grow", table, *shaped, "--format", "dot")
    assert "The average row" in run(capsys, "grow", table, *shaped)
    record = json.loads(run(capsys, "grow", table, *shaped, "--format", "json"))
    assert {"base", "tree", "shapes", "fitted"} <= set(record)
    (record,) = json.loads(run(capsys, "compare", table, *shaped, "--cv", 2, "--json"))
    assert (record["model"], record["smoother"]) == ("shaped-tree", "none")


def test_points_of_a_shaped_tree_are_written_by_name_and_measured_on_rows(
    capsys, table, folder, tmp_path
):
    model = folder / "shaped-tree.json"
    text = run(capsys, "points", model)
    assert "sum  risk" in text
    assert "unseen rows" in text
    for name, start in (("card.html", "<!DOCTYPE"), ("card.svg", "<svg"), ("card.txt", "Points")):
        run(capsys, "points", model, "--out", tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert "must end in one of .html" in refuse(
        capsys, "points", model, "--out", tmp_path / "card.pdf"
    )
    record = json.loads(run(capsys, "points", model, table, "--format", "json"))
    assert record["loss"]["rows"] == 90
    assert all(
        low <= risk["risk"] <= high for risk in record["risks"] for low, high in [risk["interval"]]
    )
    turned = json.loads(run(capsys, "points", model, "--outcome", "well", "--format", "json"))
    assert turned["log_odds_of_no_points"] == -record["log_odds_of_no_points"]
    assert "shaped tree of two" in refuse(capsys, "points", folder / "c45.json")
    assert "must be an outcome" in refuse(capsys, "points", model, "--outcome", "ill")
