import json

import numpy as np
import pytest

from probtrees.experiment.fit import load_model
from probtrees.experiment.validation.validate import validate
from tests.cli.command import refuse, run
from tests.small_tables import patients, write_csv, write_hostile_csv


@pytest.fixture
def new(tmp_path):
    return write_csv(patients(120, seed=1), tmp_path / "new.csv")


class TestValidate:
    def test_json_is_what_python_finds(self, capsys, grown, new):
        found = json.loads(run(capsys, "validate", grown, new, "--json"))
        expected = validate(load_model(grown), str(new)).to_dict()
        assert found == json.loads(json.dumps({**expected, "smoother": "laplace"}))

    def test_learnt_again_saved_and_reported(self, capsys, grown, new, tmp_path):
        out, report = tmp_path / "again.json", tmp_path / "r.html"
        text = run(
            capsys, "validate", grown, new, "--re-estimate", "--prior-weight", "0.5",
            "--smoother", "m-estimate", "--out", out, "--report", report,
        )  # fmt: skip
        assert "Learnt again" in text
        again = load_model(out)
        assert again.smoother == "m-estimate"
        counts = again.tree.tree.arrays.counts[0]
        old = load_model(grown).tree.tree.arrays.counts[0]
        assert np.allclose(counts.sum(), 0.5 * old.sum() + 120)
        page = report.read_text(encoding="utf-8")
        for heading in ("Leaf by leaf", "Column by column", "Numbers learnt again"):
            assert heading in page

    def test_only_columns_that_the_tree_asks_for_are_needed(self, capsys, tmp_path):
        lines = [f"{i % 2},{'ab'[i // 2 % 2]},{i % 7},{'ny'[i % 4 == 3]}" for i in range(200)]
        whole = tmp_path / "t.csv"
        whole.write_text("\n".join(["arm,kind,noise,ill", *lines]))
        run(capsys, "grow", whole, "--out", tmp_path / "m.json")
        less = tmp_path / "less.csv"
        cells = [line.split(",") for line in lines]
        less.write_text("\n".join(["kind,arm,ill", *(f"{k},{a},{c}" for a, k, _, c in cells)]))
        ask = ("validate", tmp_path / "m.json", less, "--json")
        found, expected = (
            json.loads(run(capsys, *ask[:2], table, "--json")) for table in (less, whole)
        )
        assert found["deciles"] == expected["deciles"]
        assert {drift["name"] for drift in found["columns"]} == {"arm", "kind"}
        others = (f"{k}{k},{('on', 'off')[a == '1']},{c}" for a, k, _, c in cells)
        less.write_text("\n".join(["kind,arm,ill", *others]))
        codes = ("--recode", "arm=on=0", "--recode", "arm=off=1", "--recode", "kind=aa=a")
        found = json.loads(run(capsys, *ask, *codes, "--recode", "kind=bb=b"))
        assert found["deciles"] == expected["deciles"]

    def test_other_words_for_the_classes_are_matched_as_the_error_says(
        self, capsys, tmp_path, arms
    ):
        path = tmp_path / "t.csv"
        expected = json.loads(run(capsys, "validate", tmp_path / "m.json", path, "--json"))
        words = {"n": "healthy", "y": "in care"}
        other = [line[:-1] + words[line[-1]] for line in arms]
        path.write_text("\n".join(["arm,kind,ill", *other]))
        ask = ("validate", tmp_path / "m.json", path, "--json")
        said = refuse(capsys, *ask)
        assert "no value that was seen in training, where it had 'n', 'y'" in said
        assert "--recode ill=healthy=VALUE --recode 'ill=in care=VALUE'" in said
        codes = ("--recode", "ill=healthy=n", "--recode", "ill=in care=y")
        assert json.loads(run(capsys, *ask, *codes))["deciles"] == expected["deciles"]

    def test_hostile_names_stay_text(self, capsys, tmp_path):
        path = write_hostile_csv(tmp_path / "h.csv")
        run(capsys, "grow", path, "--out", tmp_path / "h.json", "--smoother", "laplace")
        report = tmp_path / "h.html"
        run(capsys, "validate", tmp_path / "h.json", path, "--report", report)
        assert "<img src=x" not in report.read_text(encoding="utf-8")
