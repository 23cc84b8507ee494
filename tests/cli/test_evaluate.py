import json

import numpy as np
import pytest

from probtrees.score.measures import main_measures
from probtrees.table.read_table import read_table
from tests.cli.command import JSON_KEYS, rows_of, run


class TestEvaluate:
    def test_prints_the_json_of_the_contract(self, capsys, table):
        record = json.loads(
            run(capsys, "evaluate", table, "--smoother", "laplace", "--cv", 3, "--json")
        )
        assert list(record) == [*JSON_KEYS, "repeats"]
        names = [*(measure.name for measure in main_measures()), "brier_binary"]
        assert list(record["base_rate"]) == names
        assert record["brier_binary"] == record["brier"] / 2
        assert list(record["seconds"]) == ["grow", "smooth", "predict"]
        assert (record["dataset"], record["rows"], record["classes"]) == ("patients", 90, 2)
        assert (record["model"], record["smoother"], record["folds"]) == ("c45", "laplace", 3)
        assert record["rmse"] < record["base_rate"]["rmse"]

    def test_says_what_became_of_copies(self, capsys, table, tmp_path):
        options = ["--smoother", "laplace", "--cv", 3]
        repeats = json.loads(run(capsys, "evaluate", table, *options, "--json"))["repeats"]
        assert repeats["repeated_rows"] == 3
        assert repeats["copies"] == "together"
        assert repeats["sentence"] in run(capsys, "evaluate", table, *options)
        words = ["--repeats", 2, "--repeats", "apart"]
        apart = run(capsys, "evaluate", table, *options, *words)
        assert "different cases" in apart
        assert "3 folds, 2 times" in apart
        path = tmp_path / "t.csv"
        path.write_text("x,y\n" + "\n".join(f"{i / 7},{i % 2}" for i in range(30)))
        assert json.loads(run(capsys, "evaluate", path, *options, "--json"))["repeats"] is None
        assert "cop" not in run(capsys, "evaluate", path, *options)

    def test_writes_out_of_fold_predictions_that_give_the_scores(self, capsys, table, tmp_path):
        options = ["--smoother", "laplace", "--cv", 3, "--json"]
        options += ["--predictions", tmp_path / "p.csv"]
        record = json.loads(run(capsys, "evaluate", table, *options))
        header, *rows = rows_of(tmp_path / "p.csv")
        data = read_table(table)
        assert header == list(data.schema.classes)
        miss = np.array(rows, dtype=float) - np.eye(2)[data.labels]
        assert record["brier"] == pytest.approx((miss**2).sum(axis=1).mean(), abs=1e-12)

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
