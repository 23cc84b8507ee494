import contextlib
import csv
import io

import numpy as np
import pytest

from probtrees.cli import main
from probtrees.experiment.fit import load_model
from probtrees.model.predict import predict_proba
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.read_table import read_table
from tests.cli.command import rows_of, run


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


class TestScoredFiles:
    def test_columns_beside_the_probabilities(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json")
        told = rows_of(
            run(capsys, "predict", tmp_path / "m.json", table, "--columns", "id,leaf,rule,odd")
        )
        classes = list(load_model(tmp_path / "m.json").schema.classes)
        assert told[0][:1] == ["row"]
        assert told[0][1 : 1 + len(classes)] == classes
        assert told[0][-3:] == ["leaf", "rule", "odd"]
        plain = rows_of(run(capsys, "predict", tmp_path / "m.json", table))
        assert [row[1 : 1 + len(classes)] for row in told[1:]] == [
            [str(float(cell)).removesuffix(".0") for cell in row] for row in plain[1:]
        ]

    def test_csv_for_a_spreadsheet_and_a_workbook(self, capsys, table, tmp_path):
        run(capsys, "grow", table, "--out", tmp_path / "m.json")
        styled = ("--separator", "semicolon", "--decimal", "comma", "--bom")
        run(capsys, "predict", tmp_path / "m.json", table, "--out", tmp_path / "p.csv", *styled)
        text = (tmp_path / "p.csv").read_bytes()
        assert text.startswith(b"\xef\xbb\xbf")
        assert b";" in text.splitlines()[1]
        with contextlib.redirect_stdout(io.StringIO()) as said:
            assert main(["predict", str(tmp_path / "m.json"), str(table), *styled]) == 0
        assert said.getvalue().encode() == text
        run(capsys, "predict", tmp_path / "m.json", table, "--out", tmp_path / "p.xlsx")
        assert sheets_of(tmp_path / "p.xlsx").names == ("Scored",)
