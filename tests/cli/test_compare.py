import json

from probtrees.experiment.evaluation.outside_models import installed
from probtrees.experiment.registry import SMOOTHERS
from tests.cli.command import JSON_KEYS, refuse, run


class TestCompare:
    def test_every_smoother_is_a_row_of_the_table(self, capsys, table):
        text = run(capsys, "compare", table, "--cv", 2, "--set", "hdp.n_iterations=20")
        for name in (*SMOOTHERS, "always the base rate"):
            assert f"\n{name} " in text

    def test_json_is_a_list_of_evaluations(self, capsys, table):
        options = ["--smoothers", "mle,m-estimate", "--set", "m-estimate.strength=3"]
        records = json.loads(run(capsys, "compare", table, "--cv", 3, "--json", *options))
        assert [record["smoother"] for record in records] == ["mle", "m-estimate"]
        keys = [*(key for key in JSON_KEYS if key in records[0]), "standing", "verdict"]
        assert all(list(record) == keys for record in records)
        verdict = records[0]["verdict"]
        assert verdict == records[1]["verdict"]
        assert run(capsys, "compare", table, "--cv", 3, *options).startswith(verdict)
        wide = ["compare", table, "--cv", 3, *options, "--margin"]
        assert "less than .5 (1 decision in 2)" in run(capsys, *wide, 0.5)
        assert "--margin: 2 must be from 0 to 1" in refuse(capsys, *wide, 2)
        one = ["--smoother", "m-estimate", "--set", "smoother.strength=3", "--cv", 3, "--json"]
        alone = json.loads(run(capsys, "evaluate", table, *one))
        assert alone["rmse"] == records[1]["rmse"]

    def test_methods_of_others_stand_in_the_same_table(self, capsys, table):
        options = ["compare", table, "--cv", 2, "--smoothers", "laplace", "--others"]
        records = json.loads(run(capsys, *options, "--json", "--details"))
        assert [record["model"] for record in records] == ["c45", *installed()]
        best = min(records, key=lambda record: record["brier"])
        assert best["difference_to_best"] == 0
        assert all(
            record["brier"] - best["brier"] == record["difference_to_best"] for record in records
        )
        text = run(capsys, *options)
        assert all(f"\n{name} " in text for name in installed())
