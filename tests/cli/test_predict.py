import contextlib
import io
import shlex
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from probtrees.cli import main
from probtrees.experiment.fit import load_model
from probtrees.model.predict import predict_proba
from probtrees.scale.files import table_files
from probtrees.scale.passes import open_chunks
from probtrees.table.read_table import read_table
from probtrees.table.table_report import sheets_of
from tests.cli.command import refuse, rows_of, run


class TestPredict:
    def test_one_column_per_class_one_row_per_row(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json.gz", "--smoother", "laplace")
        run(capsys, "predict", tmp_path / "m.json.gz", table, "--out", tmp_path / "p.csv")
        header, *rows = rows_of(tmp_path / "p.csv")
        model = load_model(tmp_path / "m.json.gz")
        assert header == list(model.schema.classes)
        expected = predict_proba(model, read_table(table, schema=model.schema))
        assert np.array_equal(np.array(rows, dtype=float), expected)

    def test_columns_that_the_tree_never_asks_for_are_not_missed(self, capsys, tmp_path):
        lines = [f"{n % 50},{n % 7},{'fm'[n % 3 > 0]},{'ny'[n % 50 > 30]}" for n in range(200)]
        path, new = tmp_path / "t.csv", tmp_path / "new.csv"
        path.write_text("\n".join(["age,dose,sex,ill", *lines]))
        run(capsys, "grow", path, "--out", tmp_path / "m.json")
        new.write_text("Age,sex\n" + "".join(f"{n}00,x\n" for n in range(5, 45, 5)))
        assert main(["predict", str(tmp_path / "m.json"), str(new)]) == 0
        notes = [line for line in capsys.readouterr().err.splitlines() if "note:" in line]
        assert any("100 times larger" in note for note in notes)
        assert not any("'sex'" in note or "'dose'" in note for note in notes)
        new.write_text("age,dose\n3,two\n40,1\n")
        plain = run(capsys, "predict", tmp_path / "m.json", new)
        assert run(capsys, "predict", tmp_path / "m.json", new, "--chunks") == plain


class TestScoredFiles:
    def test_columns_beside_the_probabilities(self, capsys, grown, table):
        scored = rows_of(run(capsys, "predict", grown, table, "--columns", "id,leaf,rule,odd"))
        classes = list(load_model(grown).schema.classes)
        assert scored[0][:1] == ["row"]
        assert scored[0][1 : 1 + len(classes)] == classes
        assert scored[0][-3:] == ["leaf", "rule", "odd"]
        plain = rows_of(run(capsys, "predict", grown, table))
        assert [row[1 : 1 + len(classes)] for row in scored[1:]] == [
            [str(float(cell)).removesuffix(".0") for cell in row] for row in plain[1:]
        ]

    def test_csv_for_a_spreadsheet_and_a_workbook(self, capsys, grown, table, tmp_path):
        styled = ("--separator", "semicolon", "--decimal", "comma", "--bom")
        run(capsys, "predict", grown, table, "--out", tmp_path / "p.csv", *styled)
        text = (tmp_path / "p.csv").read_bytes()
        assert text.startswith(b"\xef\xbb\xbf")
        assert b";" in text.splitlines()[1]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            assert main(["predict", str(grown), str(table), *styled]) == 0
        assert said.getvalue().encode() == text
        run(capsys, "predict", grown, table, "--out", tmp_path / "p.xlsx")
        assert sheets_of(tmp_path / "p.xlsx").names == ("Scored",)


class TestDecisions:
    def test_the_decision_of_least_expected_cost(self, capsys, grown, table, tmp_path):
        classes = list(load_model(grown).schema.classes)
        costs = 1.0 - np.eye(len(classes))
        costs[-1] *= 3
        text = ";".join(",".join(map(str, row)) for row in costs)
        header, *rows = rows_of(run(capsys, "predict", grown, table, "--costs", text))
        assert header == [*classes, "decision", "expected cost"]
        expected = np.array([row[: len(classes)] for row in rows], float) @ costs
        assert [row[-2] for row in rows] == [classes[k] for k in expected.argmin(axis=1)]
        assert [float(row[-1]) for row in rows] == pytest.approx(expected.min(axis=1))
        assert {row[-2] for row in rows} != {rows[0][-2]}
        file = tmp_path / "costs.csv"
        file.write_text(text.replace(";", "\n"))
        assert rows_of(run(capsys, "predict", grown, table, "--costs", file)) == [header, *rows]
        for words in ([], ["--outcome", classes[0]]):
            told = rows_of(run(capsys, "predict", grown, table, "--costs", "5:1", *words))[1:]
            counts = load_model(grown).tree.tree.arrays.counts[0]
            k = 0 if words else int(counts.argmin())
            acts = ["act" if float(row[k]) >= 1 / 6 else "leave" for row in told]
            assert [row[-2] for row in told] == acts
            assert {*acts} == {"act", "leave"}
        more = rows_of(run(capsys, "predict", grown, table, "--costs", text, "--columns", "leaf"))
        assert more[0][-3:] == ["decision", "expected cost", "leaf"]
        assert [row[-3] for row in more[1:]] == [row[-2] for row in rows]


class TestChunks:
    @pytest.mark.parametrize(
        "model", [("c45",), ("c45", "--routing", "soft"), ("kdb",), ("shaped-tree",)], ids="-".join
    )
    def test_the_bytes_are_those_without(self, capsys, table, tmp_path, monkeypatch, model):
        run(capsys, "grow", table, "--model", *model, "--out", tmp_path / "m.json")
        for name in ("_BLOCK_BYTES", "_MOST_ROWS"):
            monkeypatch.setattr(table_files, name, 300)
        for more in (
            (),
            ("--costs", ";".join("0,1,5" for _ in load_model(tmp_path / "m.json").schema.classes)),
            ("--separator", "semicolon", "--decimal", "comma", "--bom"),
            ("--json",),
        ):
            ask = ("predict", tmp_path / "m.json", table, *more, "--out")
            run(capsys, *ask, tmp_path / "whole.csv")
            run(capsys, *ask, tmp_path / "chunks.csv", "--chunks")
            whole = (tmp_path / "whole.csv").read_bytes()
            assert (tmp_path / "chunks.csv").read_bytes() == whole

    def test_rows_without_a_class_totals_and_leaves(self, capsys, grown, table, tmp_path):
        frame = pd.read_csv(table).drop(columns="state")
        frame.to_parquet(tmp_path / "t.parquet", row_group_size=7)
        ask = ("predict", grown, tmp_path / "t.parquet", "--columns", "leaf,rule")
        assert run(capsys, *ask, "--chunks") == run(capsys, *ask)
        with_total = tmp_path / "total.csv"
        with_total.write_text(frame.to_csv(index=False) + "Total,,\n")
        ask = ("predict", grown, with_total)
        whole = run(capsys, *ask)
        assert len(rows_of(whole)) == 1 + len(frame)
        assert run(capsys, *ask, "--chunks") == whole

    @pytest.mark.parametrize("more", [(), ("--chunks",)], ids=["whole", "chunks"])
    def test_a_column_that_the_table_lacks(self, capsys, grown, table, tmp_path, more):
        frame = pd.read_csv(table).drop(columns="state")
        first, *others = frame.columns
        lacking = tmp_path / "lacking.csv"
        frame[others].rename(columns=lambda name: f" {name.upper()}").to_csv(lacking, index=False)
        said = refuse(capsys, "predict", grown, lacking, *more)
        assert f"as if nobody had recorded it: --not-recorded {first}" in said
        assert run(capsys, "predict", grown, lacking, "--not-recorded", first, *more) == run(
            capsys, "predict", grown, _written(frame.assign(**{first: None}), tmp_path), *more
        )
        other = tmp_path / "other.csv"
        frame.rename(columns={first: f"{first} [mg]"}).to_csv(other, index=False)
        said = refuse(capsys, "predict", grown, other, *more)
        rename = ("--rename", f"{first} [mg]={first}")
        assert f"say which is which: {shlex.join(rename)}" in said
        assert run(capsys, "predict", grown, other, *rename, *more) == run(
            capsys, "predict", grown, _written(frame, tmp_path), *more
        )
        frame.rename(columns={first: "zz"}).to_csv(other, index=False)
        assert f"--rename ...={first}" in refuse(capsys, "predict", grown, other, *more)
        said = refuse(capsys, "predict", grown, lacking, "--not-recorded", "nobody", *more)
        assert "column='nobody' must be a column of the model to predict from" in said
        (tmp_path / "none.csv").write_text("other,thing\n1,2\n")
        every = [word for name in frame.columns for word in ("--not-recorded", name)]
        said = refuse(capsys, "predict", grown, tmp_path / "none.csv", *every, *more)
        assert "Check that it is the right file and sheet" in said

    @pytest.mark.parametrize("more", [(), ("--chunks",)], ids=["whole", "chunks"])
    @pytest.mark.usefixtures("arms")
    def test_values_under_other_words(self, capsys, tmp_path, more):
        (tmp_path / "n.csv").write_text("arm,kind\ndrug,x\nnone,y\n")
        (tmp_path / "same.csv").write_text("arm,kind\n1,b\n0,a\n")
        model = tmp_path / "m.json"
        ask = ("predict", model, tmp_path / "n.csv", *more)
        codes = ("--recode", "arm=drug=1", "--recode", "arm=none=0")
        if not more:
            said = refuse(capsys, *ask)
            assert "Say which is which: --recode arm=drug=VALUE --recode arm=none=VALUE." in said
            main(list(map(str, (*ask, *codes))))
            said = capsys.readouterr().err
            assert "'kind' has no value that was seen in training, where it had 'a', 'b'" in said
            assert "--recode kind=x=VALUE --recode kind=y=VALUE." in said
        codes = (*codes, "--recode", "kind=x=b", "--recode", "kind=y=a")
        same = run(capsys, "predict", model, tmp_path / "same.csv")
        assert run(capsys, *ask, *codes) == same
        assert "the form COL=TEXT=VALUE" in refuse(capsys, *ask, "--recode", "arm=drug")

    @pytest.mark.parametrize("more", [(), ("--columns", "odd")], ids=["bare", "odd"])
    @pytest.mark.usefixtures("arms")
    def test_a_word_that_training_had_not(self, capsys, tmp_path, more):
        (tmp_path / "n.csv").write_text("arm,kind\n" + "1,a\n1,b\n1,new\n" * 9)
        ask = ["predict", str(tmp_path / "m.json"), str(tmp_path / "n.csv"), *more]
        main(ask)
        said = capsys.readouterr().err
        assert "column 'kind' has values that were never seen in training" in said.lower()
        assert "--recode kind=new=VALUE." in said
        main([*ask, "--recode", "kind=new=b"])
        assert "never seen" not in capsys.readouterr().err

    @pytest.mark.parametrize("more", [(), ("--chunks",)], ids=["whole", "chunks"])
    def test_numbers_in_another_unit(self, capsys, tmp_path, more):
        lines = [f"{97 + i % 80 / 10:.1f},{i % 9},{'ny'[i % 80 > 50]}" for i in range(300)]
        (tmp_path / "t.csv").write_text("\n".join(["temp,x,ill", *lines]))
        celsius = ["temp,x", "36.5,1", "37,2", "39,3", "40,4", "40.5,5"]
        (tmp_path / "n.csv").write_text("\n".join(celsius))
        (tmp_path / "same.csv").write_text("temp,x\n97.7,1\n98.6,2\n102.2,3\n104,4\n104.9,5\n")
        model = tmp_path / "m.json"
        run(capsys, "grow", tmp_path / "t.csv", "--out", model)
        ask = ("predict", model, tmp_path / "n.csv", *more)
        same = run(capsys, "predict", model, tmp_path / "same.csv")
        assert run(capsys, *ask) != same
        assert run(capsys, *ask, "--convert", "temp=C-F") == same
        for how in ("temp=C", "temp=/0", "temp=1000"):
            assert "must be *NUMBER, /NUMBER, C-F or" in refuse(capsys, *ask, "--convert", how)
        assert "a column of numbers of the model" in refuse(capsys, *ask, "--convert", "ill=/10")

    def test_chunks_are_what_is_read(self, grown, table, monkeypatch):
        monkeypatch.setattr(table_files, "_BLOCK_BYTES", 300)
        schema = load_model(grown).schema
        opened = open_chunks.open_with_schema(table, schema, to_predict=True)
        assert len(list(opened.chunks())) > 2

    def test_what_needs_all_rows_is_refused(self, capsys, grown, table, tmp_path):
        ask = ("predict", grown, table, "--chunks")
        assert "must be a CSV" in refuse(capsys, *ask, "--out", tmp_path / "p.xlsx")
        assert "must be left out" in refuse(capsys, *ask, "--columns", "id,leaf")
        assert "--sheet" in refuse(capsys, *ask, "--sheet", "1")
        assert "256MB" in refuse(capsys, *ask, "--memory", "1MB")


class TestInputsAreNeverLost:
    """No command writes over a file that it reads."""

    @pytest.mark.parametrize(
        ("read", "out"),
        [
            (["t.csv"], "t.csv"),
            (["t.csv"], "link.csv"),
            (["t.csv"], "hard.csv"),
            (["t.csv"], "m.json"),
            (["t.csv", "--chunks"], "./t.csv"),
            (["*.csv", "--chunks"], "t.csv"),
            (["folder", "--chunks"], "folder/t.csv"),
            (["t.csv", "--costs", "costs.csv"], "costs.csv"),
            (["t.csv", "--steps", "steps.json"], "steps.json"),
        ],
    )
    def test_predict(self, capsys, grown, table, tmp_path, monkeypatch, read, out):
        monkeypatch.chdir(tmp_path)
        content = Path(table).read_bytes()
        (tmp_path / "folder").mkdir()
        for name in ("t.csv", "folder/t.csv"):
            (tmp_path / name).write_bytes(content)
        (tmp_path / "link.csv").symlink_to("t.csv")
        (tmp_path / "hard.csv").hardlink_to("t.csv")
        (tmp_path / "costs.csv").write_text("0,1\n5,0\n")
        (tmp_path / "steps.json").write_text("[]")
        before = (tmp_path / out).read_bytes()
        said = refuse(capsys, "predict", grown, *read, "--out", out)
        assert "must not be a file that is read" in said
        assert (tmp_path / out).read_bytes() == before

    def test_other_commands(self, capsys, grown, table, tmp_path):
        for command in (
            ("grow", table, "--out", table),
            ("grow", table, "--report", table),
            ("evaluate", table, "--predictions", table),
            ("validate", grown, table, "--report", grown),
        ):
            assert "must not be a file that is read" in refuse(capsys, *command)
        run(capsys, "predict", grown, table, "--out", tmp_path / "p.csv")
        run(capsys, "predict", grown, table, "--out", tmp_path / "p.csv")  # what is no input may go


def _written(frame, folder):
    frame.to_csv(folder / "filled.csv", index=False)
    return folder / "filled.csv"
