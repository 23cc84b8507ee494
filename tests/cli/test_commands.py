import csv
import gzip
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pytest

from probtrees.cli import COMMANDS, main
from probtrees.experiment.load_model import load_model
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.model.predict import predict_proba
from probtrees.score.metrics import MEASURES
from probtrees.table.read_table import read_table
from tests.small_tables import patients, write_csv

JSON_KEYS = [
    "dataset", "rows", "classes", "model", "smoother", "folds", *MEASURES, "base_rate",
    "seconds", "nodes", "leaves", "depth",
]  # fmt: skip


@pytest.fixture
def table(tmp_path):
    return str(write_csv(patients(), tmp_path / "patients.csv"))


def run(capsys, *arguments) -> str:
    assert main([str(word) for word in arguments]) == 0
    return capsys.readouterr().out


def refuse(capsys, *arguments) -> str:
    assert main([str(word) for word in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert len(lines) == 1, err
    assert lines[0].startswith("probtrees: ")
    assert "Traceback" not in err
    return lines[0]


def rows_of(text_or_path) -> list[list[str]]:
    if isinstance(text_or_path, str):
        return list(csv.reader(text_or_path.splitlines()))
    with open(text_or_path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


class TestGrow:
    def test_shows_the_tree_as_text(self, capsys, table):
        text = run(capsys, "grow", table)
        assert "age ≤" in text
        assert "C4.5 tree smoothed by" in text

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

    def test_draws_dot_and_svg(self, capsys, table):
        assert run(capsys, "grow", table, "--format", "dot").startswith("digraph")
        picture = run(capsys, "grow", table, "--format", "svg", "--levels", 1)
        assert ET.fromstring(picture.encode()).tag.endswith("svg")

    @pytest.mark.parametrize("model", list(LEARNERS))
    def test_every_model_in_every_format(self, capsys, table, model):
        for style in ("text", "json", "dot"):
            options = ["--smoother", "laplace", "--format", style]
            assert run(capsys, "grow", table, "--model", model, *options)

    @pytest.mark.slow
    def test_writes_a_report_in_one_file(self, capsys, table, tmp_path):
        report = tmp_path / "report.html"
        out = run(capsys, "grow", table, "--smoother", "mle", "--report", report, "--mask", 4)
        assert out.startswith(f"{report}: C4.5 tree smoothed by mle")
        page = report.read_text(encoding="utf-8")
        assert "fewer than 4" in page
        assert "Track record" in page
        assert "mask=-1" in refuse(capsys, "grow", table, "--report", report, "--mask", -1)

    def test_says_what_pruning_removed(self, capsys, table):
        options = ["--prune", "pessimistic", "--no-collapse", "--smoother", "mle"]
        assert "Pruning removed" in run(capsys, "grow", table, *options)
        record = json.loads(run(capsys, "grow", table, *options, "--format", "json"))
        assert record["sizes"]["pruned"]["nodes"] == record["nodes"]

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
        assert record["learner"]["min_leaf"] == 5
        assert record["learner"]["missing"] == "fraction"
        assert record["learner"]["collapse"] is False
        assert record["learner"]["max_depth"] == 3
        assert record["smoother"]["strength"] == 2.5
        assert record["seed"] == 7

    def test_set_reaches_the_model(self, capsys, table):
        options = ["--set", "model.min-leaf=7", "--format", "json"]
        record = json.loads(run(capsys, "grow", table, *options))
        assert record["options"]["learner"]["min_leaf"] == 7

    def test_set_reaches_the_discretizer(self, capsys, table):
        options = ["--model", "nb", "--discretize", "width", "--set", "discretize.n_intervals=3"]
        record = json.loads(run(capsys, "grow", table, *options, "--format", "json"))
        assert len(record["intervals"]["age"]) == 4  # and one for "not recorded"

    def test_saves_the_model_and_says_so(self, capsys, table, tmp_path):
        out = run(capsys, "grow", table, "--out", tmp_path / "m.json")
        assert out.startswith(str(tmp_path / "m.json"))
        assert load_model(tmp_path / "m.json").learner == "c45"


class TestPredict:
    def test_one_column_per_class_one_row_per_row(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json.gz", "--smoother", "laplace")
        run(capsys, "predict", tmp_path / "m.json.gz", table, "--out", tmp_path / "p.csv")
        header, *rows = rows_of(tmp_path / "p.csv")
        model = load_model(tmp_path / "m.json.gz")
        assert header == list(model.schema.classes)
        expected = predict_proba(model, read_table(table, schema=model.schema))
        assert np.array_equal(np.array(rows, dtype=float), expected)

    def test_another_order_of_columns_more_of_them_and_no_class(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json")
        plain = run(capsys, "predict", tmp_path / "m.json", table)
        _, *rows = rows_of(tmp_path / "patients.csv")
        with open(tmp_path / "turned.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["extra", "blood", "age", "sex"])
            writer.writerows(["x", row[2], row[0], row[1]] for row in rows)
        assert run(capsys, "predict", tmp_path / "m.json", tmp_path / "turned.csv") == plain

    def test_rows_without_a_class_are_answered_in_place(self, capsys, tmp_path):
        lines = ["x,y", *(f"{i / 4},{'ab'[i % 2]}" for i in range(20)), "3,", "4,a"]
        path = tmp_path / "t.csv"
        path.write_text("\n".join(lines))
        run(capsys, "grow", path, "--out", tmp_path / "m.json")
        assert len(rows_of(run(capsys, "predict", tmp_path / "m.json", path))) == 23

    def test_odd_class_names_stand_in_the_header_as_they_are(self, capsys, tmp_path):
        names = ['=1+1, "x"', "<b>ü</b>"]
        path = tmp_path / "t.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["x", "y"])
            writer.writerows([i / 4, names[i > 9]] for i in range(20))
        run(capsys, "grow", path, "--out", tmp_path / "m.json")
        run(capsys, "predict", tmp_path / "m.json", path, "--out", tmp_path / "p.csv")
        assert sorted(rows_of(tmp_path / "p.csv")[0]) == sorted(names)

    def test_unseen_values_get_an_answer(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json")
        strange = tmp_path / "s.csv"
        strange.write_text("age,sex,blood\n,x,Z\n50,f,A\n")
        _, *rows = rows_of(run(capsys, "predict", tmp_path / "m.json", strange))
        assert [sum(map(float, row)) for row in rows] == pytest.approx([1, 1])


class TestEvaluate:
    def test_prints_the_json_of_the_contract(self, capsys, table):
        record = json.loads(
            run(capsys, "evaluate", table, "--smoother", "laplace", "--cv", 3, "--json")
        )
        assert list(record) == [*JSON_KEYS, "repeats"]
        assert list(record["base_rate"]) == list(MEASURES)
        assert list(record["seconds"]) == ["grow", "smooth", "predict"]
        assert (record["dataset"], record["rows"], record["classes"]) == ("patients", 90, 2)
        assert (record["model"], record["smoother"], record["folds"]) == ("c45", "laplace", 3)
        assert record["rmse"] < record["base_rate"]["rmse"]

    def test_says_what_became_of_copies(self, capsys, table, tmp_path):
        options = ["--smoother", "laplace", "--cv", 3]
        told = json.loads(run(capsys, "evaluate", table, *options, "--json"))["repeats"]
        assert told["repeated_rows"] == 3
        assert told["copies"] == "together"
        assert told["sentence"] in run(capsys, "evaluate", table, *options)
        words = ["--repeats", 2, "--repeats", "apart"]
        apart = run(capsys, "evaluate", table, *options, *words)
        assert "different cases" in apart
        assert "3 folds x 2" in apart
        path = tmp_path / "t.csv"
        path.write_text("x,y\n" + "\n".join(f"{i / 7},{i % 2}" for i in range(30)))
        assert json.loads(run(capsys, "evaluate", path, *options, "--json"))["repeats"] is None
        assert "cop" not in run(capsys, "evaluate", path, *options)

    def test_a_table_of_frequencies_is_dealt_out_case_by_case(self, capsys, tmp_path):
        path, out = tmp_path / "t.csv", tmp_path / "p.csv"
        path.write_text("x,n,y\np,30,no\np,10,yes\nq,12,no\nq,25,yes\n")
        options = ["--role", "n=weight", "--predictions", out, "--json"]
        record = json.loads(run(capsys, "evaluate", path, *options))
        assert (record["rows"], record["repeats"]["copies"]) == (77, "apart")
        assert len(out.read_text().splitlines()) == 5
        folds = tmp_path / "f.csv"
        folds.write_text("fold\n1\n2\n1\n2\n")
        given = run(capsys, "evaluate", path, "--role", "n=weight", "--folds", folds, "--json")
        assert json.loads(given)["rows"] == 4

    def test_the_seed_repeats_and_repeats_are_averaged(self, capsys, table):
        options = ["evaluate", table, "--smoother", "laplace", "--cv", 3, "--json"]
        first, again, other, mean = (
            json.loads(run(capsys, *options, *more))["brier"]
            for more in (["--seed", 1], ["--seed", 1], ["--seed", 2], ["--repeats", 2])
        )
        assert first == again != other
        assert mean not in (first, other)

    def test_writes_out_of_fold_predictions_that_give_the_scores(self, capsys, table, tmp_path):
        options = ["--smoother", "laplace", "--cv", 3, "--json"]
        options += ["--predictions", tmp_path / "p.csv"]
        record = json.loads(run(capsys, "evaluate", table, *options))
        header, *rows = rows_of(tmp_path / "p.csv")
        data = read_table(table)
        assert header == list(data.schema.classes)
        miss = np.array(rows, dtype=float) - np.eye(2)[data.labels]
        assert record["brier"] == pytest.approx((miss**2).sum(axis=1).mean(), abs=1e-12)

    def test_given_folds(self, capsys, table, tmp_path):
        folds = tmp_path / "folds.csv"
        folds.write_text("row,test_fold\n" + "\n".join(f"{i},{i % 4}" for i in range(90)))
        options = ["--smoother", "laplace", "--folds", folds, "--json"]
        assert json.loads(run(capsys, "evaluate", table, *options))["folds"] == 4

    def test_rows_without_a_class_stay_empty_in_the_predictions(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        lines = ["x,y", *(f"{i / 4},{'ab'[i // 10]}" for i in range(20))]
        lines.insert(5, "3,")
        path.write_text("\n".join(lines))
        folds = tmp_path / "folds.csv"
        folds.write_text("fold\n" + "\n".join(str(i % 2) for i in range(21)))
        options = ["--folds", folds, "--predictions", tmp_path / "p.csv", "--smoother", "mle"]
        run(capsys, "evaluate", path, *options)
        rows = rows_of(tmp_path / "p.csv")[1:]
        assert len(rows) == 21
        assert [i for i, row in enumerate(rows) if row == ["", ""]] == [4]

    def test_the_table_for_people_has_the_base_rate(self, capsys, table):
        text = run(capsys, "evaluate", table, "--smoother", "laplace", "--cv", 3)
        assert "always the base rate" in text
        assert "log_loss" in text

    def test_curtailment_changes_the_answer(self, capsys, table):
        options = ["evaluate", table, "--smoother", "mle", "--cv", 3, "--json"]
        plain = json.loads(run(capsys, *options))
        curtailed = json.loads(run(capsys, *options, "--curtail", 30))
        assert curtailed["rmse"] != plain["rmse"]

    def test_soft_routing(self, capsys, table):
        options = ["evaluate", table, "--smoother", "shrinkage", "--cv", 3, "--json"]
        soft = json.loads(run(capsys, *options, "--routing", "soft"))
        assert soft["rmse"] != json.loads(run(capsys, *options))["rmse"]

    def test_as_published_splits_rows_with_missing_values(self, capsys, table):
        options = ["evaluate", table, "--smoother", "mle", "--cv", 3, "--json"]
        assert (
            json.loads(run(capsys, *options, "--as-published"))["rmse"]
            != (json.loads(run(capsys, *options))["rmse"])
        )


class TestCompare:
    def test_every_smoother_is_a_row_of_the_table(self, capsys, table):
        text = run(capsys, "compare", table, "--cv", 2, "--set", "hdp.n_iterations=20")
        for name in (*SMOOTHERS, "always the base rate"):
            assert f"\n{name} " in text

    def test_json_is_a_list_of_evaluations(self, capsys, table):
        options = ["--smoothers", "mle,m-estimate", "--set", "m-estimate.strength=3"]
        records = json.loads(run(capsys, "compare", table, "--cv", 3, "--json", *options))
        assert [record["smoother"] for record in records] == ["mle", "m-estimate"]
        assert all(list(record) == JSON_KEYS for record in records)
        one = ["--smoother", "m-estimate", "--set", "smoother.strength=3", "--cv", 3, "--json"]
        alone = json.loads(run(capsys, "evaluate", table, *one))
        assert alone["rmse"] == records[1]["rmse"]


class TestRoles:
    def test_groups_and_weights_and_ignored_columns(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        lines = [
            "x,clinic,w,y",
            *(f"{i / 4},c{i % 5},{1 + i % 2},{'ab'[i > 14]}" for i in range(30)),
        ]
        path.write_text("\n".join(lines))
        roles = ["--role", "clinic=group", "--role", "w=weight"]
        options = ["--cv", 3, "--json", "--smoother", "laplace"]
        grouped = json.loads(run(capsys, "evaluate", path, *roles, *options))
        plain = json.loads(run(capsys, "evaluate", path, "--role", "clinic=ignore", *options))
        assert grouped["brier"] != plain["brier"]

    def test_the_target_can_be_binned(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("x,y\n" + "\n".join(f"{i / 4},{i * 1.5}" for i in range(60)))
        options = ["--bin-target", 3, "--format", "json", "--smoother", "mle"]
        assert len(json.loads(run(capsys, "grow", path, *options))["class_names"]) == 3

    def test_a_role_that_cannot_be_parsed(self, capsys, table):
        assert "NAME=VALUE" in refuse(capsys, "grow", table, "--role", "age")


class TestBadInput:
    """One sentence and exit code 2 for everything a user can get wrong."""

    def write(self, tmp_path, content: str | bytes, name: str = "bad.csv"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"\n\n\n",
            b"a,b,y\n",
            b"x,y\n1,a\n2,a\n3,a\n",
            b"y\na\nb\n",
            b"x,x,y\n1,2,a\n3,4,b\n",
            b"x,,y\n1,2,a\n3,4,b\n",
            b"x,y\n1,a\n2,b,c,d\n3\n" * 3,
            bytes(range(256)) * 40,
            b"x,y\ninf,a\n2,b\n-inf,a\n4,b\n",
            b"x,y\n" + b"".join(b"%d,c%d\n" % (i, i) for i in range(10_000)),
            b"PK\x03\x04" + bytes(500),
            b"\x1f\x8b" + bytes(40),
            gzip.compress(b"x,y\n1,a\n" * 100, mtime=0)[:-20],
        ],
        ids=[
            "empty", "blank lines", "header only", "one class", "no usable column",
            "duplicate names", "empty name", "ragged", "binary", "infinite", "10,000 classes",
            "a zip", "not really gzip", "cut-off gzip",
        ],
    )  # fmt: skip
    def test_unusable_tables(self, capsys, tmp_path, content):
        path = self.write(tmp_path, content)
        for command in ("grow", "evaluate"):
            code = main([command, str(path), "--smoother", "laplace", "--quiet"])
            out, err = capsys.readouterr()
            if code == 0:  # reading may have found a way to use it
                assert out
            else:
                assert code == 2
                assert err.count("\n") == 1, err
                assert "must" in err

    def test_files_that_are_not_there(self, capsys, tmp_path):
        assert "nothing.csv" in refuse(capsys, "grow", tmp_path / "nothing.csv")
        assert "nothing.json" in refuse(capsys, "predict", tmp_path / "nothing.json", "x.csv")
        refuse(capsys, "grow", tmp_path)

    def test_a_target_that_is_not_in_the_table(self, capsys, table):
        assert "Did you mean 'state'?" in refuse(capsys, "grow", table, "--target", "stat")

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--smoother", "laplase"], "Did you mean 'laplace'?"),
            (["--model", "c4.5"], "Did you mean 'c45'?"),
            (["--smother", "mle"], "Did you mean '--smoother'?"),
            (["--missing", "valu"], "Did you mean 'value'?"),
            (["--min-leaf", "0"], "min_leaf=0 must be at least 1"),
            (["--min-leaf", "two"], "min_leaf='two' must be a whole number"),
            (["--routing", "wet"], "must be 'hard' or 'soft'"),
            (["--curtail", "many"], "--curtail: invalid float value"),
            (["--seed", "x"], "--seed"),
            (["--set", "strength=2"], "must have the form smoother.FIELD=VALUE"),
            (["--set", "smother.x=2"], "must begin with"),
            (["--set", "smoother.strenth=2"], "option='strenth' must"),
            (["--k", "3"], "option='k' must be an option of 'c45'"),
            (["--model", "kdb", "--k", "-1"], "k=-1 must be at least 0"),
            (["--model", "kdb", "--discretize", "mdl"], "Did you mean 'mdlp'?"),
            (["--discretize", "mdl"], "Did you mean 'mdlp'?"),
            (["--seed", "-1"], "seed=-1 must be at least 0"),
            (["--levels", "-1"], "levels=-1 must be at least 0"),
            (["--model", "nb", "--as-published"], "choose 'c45'"),
            (["extra.csv"], "argument='extra.csv' must not be given here"),
        ],
    )
    def test_wrong_options(self, capsys, table, arguments, words):
        assert words in refuse(capsys, "grow", table, *arguments)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--cv", "1"], "cv=1 must be at least 2"),
            (["--cv", "91"], "cv=91 must be at most the 87 rows"),
            (["--jobs", "0"], "jobs=0 must be at least 1"),
            (["--repeats", "0"], "repeats=0 must be at least 1"),
            (["--repeats", "both"], "repeats='both' must be a number, or one of"),
            (["--repeats", "auto", "--repeats", "apart"], "one number, one word"),
            (["--folds", "no-such-folds.csv"], "no-such-folds.csv"),
        ],
    )
    def test_wrong_folds(self, capsys, table, arguments, words):
        assert words in refuse(capsys, "evaluate", table, *arguments)

    def test_folds_of_the_wrong_length(self, capsys, table, tmp_path):
        path = self.write(tmp_path, "fold\n1\n2\n", "folds.csv")
        assert "one row per data row" in refuse(capsys, "evaluate", table, "--folds", path)

    def test_format_command_and_missing_arguments(self, capsys, table):
        assert "Did you mean 'json'?" in refuse(capsys, "grow", table, "--format", "jsn")
        assert "Did you mean 'grow'?" in refuse(capsys, "grwo", table)
        assert "DATA" in refuse(capsys, "grow")

    def test_model_files_that_are_none(self, capsys, table, tmp_path):
        model = tmp_path / "m.json"
        run(capsys, "grow", table, "--out", model)
        whole = model.read_bytes()
        for content in (whole[:-100], b"", b"[]", b"{}", b"\x80\x04pickle", whole[:200]):
            model.write_bytes(content)
            assert "m.json" in refuse(capsys, "predict", model, table)

    def test_a_table_that_lacks_columns_of_the_model(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json")
        lacking = self.write(tmp_path, "age,height\n40,180\n")
        sentence = refuse(capsys, "predict", tmp_path / "m.json", lacking)
        assert "'sex'" in sentence
        assert "'blood'" in sentence

    def test_places_that_cannot_be_written(self, capsys, table, tmp_path):
        nowhere = tmp_path / "no" / "such" / "folder" / "out"
        assert "out" in refuse(capsys, "grow", table, "--out", nowhere)
        assert "folder/out" in refuse(
            capsys, "evaluate", table, "--smoother", "mle", "--cv", 2, "--predictions", nowhere
        )


class TestConsole:
    @pytest.mark.parametrize("command", list(COMMANDS))
    def test_help_has_examples(self, capsys, command):
        assert main([command, "--help"]) == 0
        text = capsys.readouterr().out
        assert f"probtrees {command}" in text
        assert "examples:" in text

    def test_help_without_a_command(self, capsys):
        assert main([]) == 0
        assert "evaluate" in capsys.readouterr().out
        assert main(["--version"]) == 0
        assert capsys.readouterr().out.startswith("probtrees ")

    def test_a_bug_shows_no_traceback(self, capsys, table, monkeypatch):
        monkeypatch.setattr("probtrees.cli.grow.grow_model", lambda *_: 1 / 0)
        monkeypatch.delenv("PROBTREES_DEBUG", raising=False)
        assert main(["grow", table]) == 1
        assert "ZeroDivisionError" in capsys.readouterr().err
        monkeypatch.setenv("PROBTREES_DEBUG", "1")
        with pytest.raises(ZeroDivisionError):
            main(["grow", table])

    def test_interruption(self, capsys, table, monkeypatch):
        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr("probtrees.cli.grow.grow_model", interrupt)
        assert main(["grow", table]) == 130
        assert capsys.readouterr().err == "probtrees: Interrupted.\n"

    def test_notes_go_to_stderr_unless_quiet(self, capsys, tmp_path):
        path = tmp_path / "t.csv"
        path.write_text("x,same,y\n" + "\n".join(f"{i % 7},1,{'ab'[i % 2]}" for i in range(30)))
        assert main(["grow", str(path)]) == 0
        assert "note: " in capsys.readouterr().err
        assert main(["grow", str(path), "--quiet"]) == 0
        assert capsys.readouterr().err == ""

    def test_runs_as_a_module_and_survives_a_closed_pipe(self, table):
        command = [sys.executable, "-m", "probtrees", "grow", table, "--quiet"]
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(os.environ)
        )
        process.stdout.close()
        errors = process.stderr.read()
        process.stderr.close()
        assert process.wait(timeout=120) == 0
        assert errors == b""


class TestAppOptions:
    @pytest.mark.parametrize(
        ("option", "words"),
        [
            (("--address", "nonsense"), "must be an address of this machine"),
            (("--max-rows", "0"), "PROBTREES_MAX_ROWS: rows=0 must be at least 1"),
            (("--max-upload", "much"), "PROBTREES_MAX_UPLOAD: upload='much' must be a whole"),
            (("--port", "70000"), "must be between 1 and 65535"),
        ],
    )
    def test_bad_ones_give_one_sentence(self, capsys, monkeypatch, option, words):
        monkeypatch.setenv("PROBTREES_MAX_ROWS", "")
        monkeypatch.setenv("PROBTREES_MAX_UPLOAD", "")
        assert words in refuse(capsys, "app", *option)
