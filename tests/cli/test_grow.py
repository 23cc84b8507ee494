import json
import random
import xml.etree.ElementTree as ET

import pytest

from probtrees.cli import main
from probtrees.experiment.fit import load_model
from probtrees.experiment.registry import LEARNERS
from tests.cli.command import refuse, run


class TestGrow:
    def test_shows_the_tree_as_text_and_draws_it(self, capsys, table):
        text = run(capsys, "grow", table)
        assert "age ≤" in text
        assert "C4.5 tree for state, smoothed by" in text
        assert run(capsys, "grow", table, "--format", "dot").startswith("digraph")
        picture = run(capsys, "grow", table, "--format", "svg", "--levels", 1)
        assert ET.fromstring(picture.encode()).tag.endswith("svg")

    def test_shows_every_node_as_json(self, capsys, table):
        record = json.loads(run(capsys, "grow", table, "--smoother", "laplace", "--format", "json"))
        assert record["class_names"] == ["sick", "well"]
        assert record["nodes"] == len(record["tree"])
        for node in record["tree"]:
            assert sum(node["counts"].values()) == node["rows"]
            assert sum(node["probs"].values()) == pytest.approx(1)
        assert record["tree"][0]["rule"] == "all rows"

    def test_leaves_have_intervals_where_rows_were_held_out(self, capsys, table):
        record = json.loads(run(capsys, "grow", table, "--smoother", "hgs", "--format", "json"))
        for node in record["tree"]:
            assert ("interval" in node) == node["leaf"]
            for lower, upper in node.get("interval", {}).values():
                assert 0 <= lower <= upper <= 1

    def test_follows_the_edits_of_a_file(self, capsys, table, tmp_path):
        edits, out = tmp_path / "edits.json", tmp_path / "m.json"
        edits.write_text('{"probtrees_edits": 1, "edits": [{"do": "stop"}]}')
        run(capsys, "grow", table, "--edits", edits, "--out", out)
        model = load_model(out)
        assert model.tree.tree.n_nodes == 1
        assert model.options["learner"]["edits"] == [{"do": "stop", "at": []}]
        record = json.loads(run(capsys, "grow", table, "--edits", edits, "--format", "json"))
        assert record["edits"][0]["followed"] == record["edits"][0]["inner_trees"]
        assert json.loads(run(capsys, "evaluate", table, "--edits", edits, "--json"))["nodes"] == 1
        arrow = {"do": "add", "from": "sex", "to": "blood"}
        edits.write_text(json.dumps({"probtrees_edits": 1, "edits": [arrow]}))
        said = run(capsys, "grow", table, "--model", "nb", "--edits", edits, "--format", "json")
        assert json.loads(said)["edits"][0]["followed"] == 5
        edits.write_text('{"probtrees_edits": 1, "edits": [{"do": "stop", "at": [{}]}]}')
        assert "edits[0]=" in refuse(capsys, "grow", table, "--edits", edits)
        assert "must be left out with --chunks" in refuse(
            capsys, "grow", table, "--edits", edits, "--chunks"
        )

    @pytest.mark.parametrize(
        "model", [name for name, entry in LEARNERS.items() if entry.takes_smoother]
    )
    def test_every_model_in_every_format(self, capsys, table, model):
        for style in ("text", "json", "dot"):
            options = ["--smoother", "laplace", "--format", style]
            assert run(capsys, "grow", table, "--model", model, *options)

    @pytest.mark.slow
    def test_writes_a_report_in_one_file(self, capsys, table, tmp_path):
        report = tmp_path / "report.html"
        out = run(capsys, "grow", table, "--smoother", "mle", "--report", report, "--mask", 4)
        assert out.startswith(f"{report}: C4.5 tree for state, smoothed by")
        page = report.read_text(encoding="utf-8")
        assert "Counts from 1 to 3 are hidden" in page
        assert "Track record" not in page
        assert "Columns at a glance" not in page
        assert "--mask: -1 must be at least 0" in refuse(
            capsys, "grow", table, "--report", report, "--mask", -1
        )

    def test_a_network_shows_order_parents_and_choices(self, capsys, table):
        options = ["--model", "skdb", "--k", 1, "--smoother", "laplace", "--format", "json"]
        record = json.loads(run(capsys, "grow", table, *options))
        assert sorted(record["order"]) == ["age", "blood", "sex"]
        assert set(record["parents"]) == set(record["attributes"])
        assert record["k"] in (0, 1)

    def test_options_reach_the_learner_and_the_smoother(self, capsys, table):
        options = ["--min-leaf", 5, "--missing", "fraction", "--no-collapse", "--max-depth", 3]
        options += ["--smoother", "m-estimate", "--set", "smoother.strength=2.5", "--seed", 7]
        record = json.loads(run(capsys, "grow", table, *options, "--format", "json"))["options"]
        given = {"min_leaf": 5, "missing": "fraction", "collapse": False, "max_depth": 3}
        assert given.items() <= record["learner"].items()
        assert record["smoother"]["strength"] == 2.5
        assert record["seed"] == 7

    def test_set_reaches_the_discretizer(self, capsys, table):
        options = ["--model", "nb", "--discretize", "width", "--set", "discretize.n_intervals=3"]
        record = json.loads(run(capsys, "grow", table, *options, "--format", "json"))
        assert len(record["intervals"]["age"]) == 4  # and one for "not recorded"


def test_importance_is_printed_below_the_model(capsys, tmp_path):
    table = tmp_path / "table.csv"
    lines = [f"{i / 4},{'abc'[i % 3]},{'yes' if i > 50 else 'no'}" for i in range(120)]
    table.write_text("x,kind,y\n" + "\n".join(lines))
    text = run(capsys, "grow", table, "--importance", "--smoother", "laplace")
    said = text[text.index("What is lost on unseen rows") :].splitlines()
    assert said[1].startswith("x: ")
    whole = run(capsys, "grow", table, "--importance", "--smoother", "laplace", "--json")
    assert json.loads(whole)["importance"][0]["column"] == "x"
    refused = refuse(capsys, "grow", table, "--json", "--format", "svg")
    assert "--json must be left out" in refused
    refused = refuse(capsys, "grow", table, "--importance", "--chunks", "--smoother", "laplace")
    assert "--importance must be left out with --chunks" in refused


def test_columns_that_may_be_known_too_late_are_said_last(capsys, tmp_path):
    table = tmp_path / "t.csv"
    lines = [f"{n % 13},{n % 3},{'yn'[n % 3 > 0]},{'yn'[n % 3 > 0]}" for n in range(300)]
    table.write_text("\n".join(["x,visits,a letter,ill", *lines]))
    assert main(["grow", str(table)]) == 0
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first.startswith("note: the last column is the target")
    assert last == (
        "warning: columns 'visits', 'a letter' each predict the class almost alone. Known before "
        "the outcome? To leave them out, add --role visits=ignore --role 'a letter=ignore'"
    )
    found = json.loads(run(capsys, "grow", table, "--json"))["leaks"]
    assert [(leak["column"], leak["errors_avoided"]) for leak in found] == [
        ("visits", 1.0),
        ("a letter", 1.0),
    ]
    assert found[1]["leave_out"] == "--role 'a letter=ignore'"
    alone = ("--role", "visits=ignore", "--role", "a letter=ignore")
    assert json.loads(run(capsys, "grow", table, *alone, "--json"))["leaks"] == []
    main(["evaluate", str(table), "--cv", "2", "--role", "visits=ignore", "--target", "ill"])
    first, *_, last = capsys.readouterr().err.splitlines()
    assert first == last  # before anything is looked at, and below all of it
    assert last.startswith("warning: column 'a letter' predicts the class almost alone.")
    assert last.endswith("To leave it out, add --role 'a letter=ignore'")
    main(["grow", str(table), "--quiet"])
    assert capsys.readouterr().err == ""


def test_a_tree_of_noise_is_said_last_to_have_found_nothing(capsys, tmp_path):
    draw, path = random.Random(4), tmp_path / "noise.csv"
    lines = ["age,site,dose,left"]
    for _ in range(600):
        left = draw.choice(["yes", "no", "no"])
        lines.append(f"{draw.randint(20, 80)},{draw.choice('ABCDEF')},{draw.randint(1, 9)},{left}")
    path.write_text("\n".join(lines))
    assert main(["grow", str(path)]) == 0
    assert "warning: No better than saying the base rate" in capsys.readouterr().err
    told = [line.rsplit(",", 1)[0] + (",yes" if line < "5" else ",no") for line in lines[1:]]
    path.write_text("\n".join([lines[0], *told]))
    assert main(["grow", str(path)]) == 0
    assert "No better than" not in capsys.readouterr().err
