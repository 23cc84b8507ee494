import gzip

import pytest

from probtrees.cli import main
from tests.cli.command import refuse, run


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
            (["--min-leaf", "0"], "--min-leaf 0 must be at least 1"),
            (["--min-leaf", "two"], "--min-leaf two must be a whole number"),
            (["--routing", "wet"], "must be one of its choices. Choose one of 'hard', 'soft'"),
            (["--curtail", "many"], "--curtail many must be a number or none"),
            (["--seed", "x"], "--seed x must be a whole number"),
            (["--set", "strength=2"], "must have the form smoother.FIELD=VALUE"),
            (["--set", "smother.x=2"], "must begin with"),
            (["--set", "smoother.strenth=2"], "option='strenth' must"),
            (["--k", "3"], "--k must be an option of 'c45'"),
            (["--model", "kdb", "--k", "-1"], "--k -1 must be at least 0"),
            (["--model", "kdb", "--discretize", "mdl"], "Did you mean 'mdlp'?"),
            (["--discretize", "mdl"], "Did you mean 'mdlp'?"),
            (["--seed", "-1"], "--seed -1 must be at least 0"),
            (["--levels", "-1"], "--levels -1 must be at least 0"),
            (["--model", "nb", "--as-published"], "choose 'c45'"),
            (["extra.csv"], "argument='extra.csv' must not be given here"),
        ],
    )
    def test_wrong_options(self, capsys, table, arguments, words):
        assert words in refuse(capsys, "grow", table, *arguments)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--cv", "1"], "--cv 1 must be at least 2"),
            (["--cv", "91"], "--cv 91 must be at most the 87 rows"),
            (["--jobs", "0"], "--jobs 0 must be at least 1"),
            (["--repeats", "0"], "--repeats 0 must be from 1 to 1,000"),
            (["--repeats", "both"], "--repeats both must be a number, or one of"),
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
        assert "invalid choice: 'jsn'" in refuse(capsys, "grow", table, "--format", "jsn")
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
