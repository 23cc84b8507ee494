import json

import pytest

from probtrees.experiment.fit import load_model
from tests.cli.command import refuse, run


@pytest.fixture
def shaped(capsys, table, tmp_path):
    path = tmp_path / "m.json"
    quick = ("--set", "model.penalty=1", "--set", "model.freedom=10")
    run(capsys, "grow", table, "--model", "shaped-tree", *quick, "--out", path)
    return path


class TestExplain:
    def test_a_shaped_tree_adds_up_in_print_and_in_json(self, capsys, table, shaped):
        text = run(capsys, "explain", shaped, table, "--row", 3)
        assert "the average row" in text
        assert "together" in text
        record = json.loads(run(capsys, "explain", shaped, table, "--row", 3, "--json"))
        parts = [record["base"], *record["terms"]]
        for outcome, probability in enumerate(record["probability"]):
            total = sum(part["probability"][outcome] for part in parts)
            assert total == pytest.approx(probability, abs=1e-12)

    def test_a_row_may_be_given_by_values(self, capsys, shaped):
        text = run(capsys, "explain", shaped, "--row", "age=70", "--row", "sex=f")
        assert "age 70" in text
        assert "blood not recorded" in text

    def test_trees_and_networks_are_explained_their_way(self, capsys, table, tmp_path):
        for model, word in (("c45", "rows here"), ("nb", "log-odds")):
            path = tmp_path / f"{model}.json"
            run(capsys, "grow", table, "--model", model, "--smoother", "laplace", "--out", path)
            assert word in run(capsys, "explain", path, table, "--row", 2)
            assert json.loads(run(capsys, "explain", path, table, "--row", 2, "--json"))

    def test_a_leaf_and_the_row_of_a_file_of_its_own(self, capsys, table, tmp_path):
        path = tmp_path / "m.json"
        run(capsys, "grow", table, "--smoother", "laplace", "--out", path)
        leaf = json.loads(run(capsys, "explain", path, "--leaf", 1, "--json"))
        assert leaf["node"] == 1
        parts = [part["points"] for part in leaf["contributions"]]
        assert sum(parts) == pytest.approx(leaf["probability"], abs=1e-12)
        assert leaf["rule_sentence"] in run(capsys, "explain", path, "--leaf", 1)
        of_file = run(capsys, "explain", path, "--row", table, "--json")
        assert of_file == run(capsys, "explain", path, table, "--row", 1, "--json")
        assert "without a row" in refuse(capsys, "explain", path, table, "--leaf", 1)

    def test_the_columns_of_a_forest_add_up(self, capsys, table, tmp_path):
        path = tmp_path / "f.json"
        run(capsys, "grow", table, "--model", "forest", "--smoother", "laplace", "--out", path)
        record = json.loads(run(capsys, "explain", path, table, "--json"))
        for outcome, probability in enumerate(record["probability"]):
            added = sum(column["adds"][outcome] for column in record["columns"])
            assert record["base"][outcome] + added == pytest.approx(probability, abs=1e-12)
        (first, *_) = json.loads(run(capsys, "predict", path, table, "--json"))
        assert list(first.values()) == pytest.approx(record["probability"], abs=1e-12)
        assert "together" in run(capsys, "explain", path, table)

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--row", "agee=1"), "Did you mean 'age'?"),
            (("--row", "12"), "COL=VALUE"),
            (("--row", "age=1", "--outcome", "?"), "must be a class"),
        ],
    )
    def test_what_cannot_be_explained_is_said(self, capsys, shaped, words, said):
        assert said in refuse(capsys, "explain", shaped, *words)

    def test_rows_beyond_the_table_are_refused(self, capsys, table, shaped):
        assert "at most" in refuse(capsys, "explain", shaped, table, "--row", 99999)


class TestShapedTree:
    def test_it_takes_no_smoother(self, capsys, table):
        said = refuse(capsys, "grow", table, "--model", "shaped-tree", "--smoother", "hgs")
        assert "must be left out" in said
        assert "must be left out" in refuse(
            capsys, "compare", table, "--model", "shaped-tree", "--smoothers", "hgs"
        )

    def test_it_is_one_row_of_a_comparison(self, capsys, table):
        quick = ("--set", "model.penalty=1", "--set", "model.freedom=10", "--cv", 2)
        (record,) = json.loads(
            run(capsys, "compare", table, "--model", "shaped-tree", *quick, "--json")
        )
        assert (record["model"], record["smoother"]) == ("shaped-tree", "none")

    def test_a_council_is_printed_and_explained(self, capsys, table, tmp_path):
        path = tmp_path / "c.json"
        report = tmp_path / "c.html"
        files = ("--out", path, "--report", report)
        out = run(capsys, "grow", table, "--model", "council", *files)
        assert "shaped-tree" in out or "soft-tree" in out or "tan" in out
        record = json.loads(run(capsys, "explain", path, table, "--row", 4, "--json"))
        council = dict(zip(*record["council"].values(), strict=True))
        said = run(capsys, "explain", path, table, "--row", 4)
        assert "together" in said
        page = report.read_text("utf-8")
        for name, weight in council.items():
            assert f"{name} (weight {weight:.2f})" in said
            assert f"{name} (weight {weight:.2f})" in page

    def test_a_leaf_says_what_its_rows_are_given(self, capsys, table, tmp_path):
        path, report = tmp_path / "s.json", tmp_path / "s.html"
        quick = ("--set", "model.penalty=1", "--set", "model.freedom=10", "--report", report)
        run(capsys, "grow", table, "--model", "shaped-tree", *quick, "--out", path)
        assert "Leaves of the tree: what their rows are given" in report.read_text("utf-8")
        leaf = load_model(path).trees[0].tree.leaves[0]
        record = json.loads(run(capsys, "explain", path, table, "--leaf", leaf, "--json"))
        assert record["lowest"] <= record["middle"] <= record["highest"]
        assert record["sentence"] in run(capsys, "explain", path, table, "--leaf", leaf)
        assert "must go with a table" in refuse(capsys, "explain", path, "--leaf", leaf)

    def test_a_leaf_of_a_council_says_what_its_rows_are_given(self, capsys, table, tmp_path):
        path, report = tmp_path / "c.json", tmp_path / "c.html"
        sits = ("--model", "council", "--set", "model.members=shaped-tree", "--report", report)
        run(capsys, "grow", table, *sits, "--out", path)
        assert "Leaves of the tree: what their rows are given" in report.read_text("utf-8")
        model = load_model(path)
        leaf = int(model.trees[0].tree.leaves[0])
        record = json.loads(run(capsys, "explain", path, table, "--leaf", leaf, "--json"))
        assert record["lowest"] <= record["middle"] <= record["highest"]
        assert record["sentence"] in run(capsys, "explain", path, table, "--leaf", leaf)
        assert "must go with a table" in refuse(capsys, "explain", path, "--leaf", leaf)
        assert "must be a leaf" in refuse(capsys, "explain", path, table, "--leaf", 999)

    def test_an_ensemble_of_a_council_lists_its_networks(self, capsys, table):
        members = ("--model", "council", "--set", "model.members=eskdb")
        record = json.loads(run(capsys, "grow", table, *members, "--format", "json"))
        assert len(record["members"]) == 10
        assert all("parents" in network for network in record["members"])

    def test_it_is_printed_and_written_out_but_not_drawn(self, capsys, table):
        quick = ("--model", "shaped-tree", "--set", "model.penalty=1", "--set", "model.freedom=10")
        assert "The average row" in run(capsys, "grow", table, *quick)
        record = json.loads(run(capsys, "grow", table, *quick, "--format", "json"))
        assert {"base", "tree", "shapes", "fitted"} <= set(record)
        assert "as text or JSON" in refuse(capsys, "grow", table, *quick, "--format", "dot")
