import pytest

from tests.cli.command import refuse


class TestBadInput:
    """One sentence and exit code 2 for everything a user can get wrong."""

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
            (["--smother", "mle"], "Did you mean '--smoother'?"),
            (["--age", "born"], "It is gone; instead write it as a step of --steps FILE.json"),
            (["--min-leaf", "0"], "--min-leaf 0 must be at least 1"),
            (["--min-leaf", "two"], "--min-leaf two must be a whole number"),
            (["--routing", "wet"], "must be one of its choices. Choose one of 'hard', 'soft'"),
            (["--set", "strength=2"], "must have the form smoother.FIELD=VALUE"),
            (["--set", "smoother.strenth=2"], "option='strenth' must"),
            (["--k", "3"], "--k must be an option of 'c45'"),
            (["--discretize", "mdl"], "Did you mean 'mdlp'?"),
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
            (["--repeats", "both"], "--repeats both must be a number, or one of"),
            (["--repeats", "auto", "--repeats", "apart"], "one number, one word"),
            (["--folds", "no-such-folds.csv"], "no-such-folds.csv"),
        ],
    )
    def test_wrong_folds(self, capsys, table, arguments, words):
        assert words in refuse(capsys, "evaluate", table, *arguments)

    def test_format_command_and_missing_arguments(self, capsys, table):
        assert "invalid choice: 'jsn'" in refuse(capsys, "grow", table, "--format", "jsn")
        assert "Did you mean 'grow'?" in refuse(capsys, "grwo", table)
        assert "DATA" in refuse(capsys, "grow")
