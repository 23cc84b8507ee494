"""A numeric target with words among its numbers is asked about, not refused."""

from pathlib import Path

import numpy as np
import pytest
from probtrees.table.infer.guess_reading import guess_reading
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.cli import main
from probtrees.errors import DataError
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table
from probtrees.types import FloatArray


def source(most: int, word: str = "broken") -> tuple[str, bytes]:
    """Make 300 rows whose target has numbers up to ``most``, and a word in every 30th."""
    cells = [word if n % 30 == 0 else str(n * 7 % most + 0.5) for n in range(300)]
    lines = [f"{n % 13},{'ab'[n % 2]},{cell}" for n, cell in enumerate(cells)]
    return "t.csv", "\n".join(["x,kind,score", *lines]).encode()


@pytest.mark.parametrize("word", ["broken", "refused"])
def test_the_app_cuts_the_numbers_and_asks_about_the_words(word):
    table = source(200, word)
    guess = guess_reading(lambda r: inspect_table(table, **r.arguments), ReadOptions())
    assert guess.reading.cut_target is not None
    report = inspect_table(table, **guess.reading.arguments)
    assert report.usable
    asked = next(f for f in report.column("score").findings if f.kind == "words in target")
    assert asked.severity == "warning"
    assert asked.sentence.startswith(f"Target 'score' has '{word}' in 10 rows instead of a number")
    (fix,) = asked.fixes
    settled = guess.reading.with_fix("score", fix.setting, fix.value)
    again = inspect_table(table, **settled.arguments)
    assert again.class_counts == report.class_counts
    assert not [f for f in again.findings if f.kind == "words in target"]


def test_rows_with_words_are_left_out_and_later_tables_read_alike():
    data = read_table(source(200), cut_target=100)
    assert data.n_rows == 290
    assert data.provenance.rows_dropped == {"no class": 10}
    assert any("'broken' in 10 rows" in note for note in data.provenance.notes)
    later = b"x,kind,score\n1,a,broken\n1,a,150\n"
    rows, _ = read_rows(("n.csv", later), data.schema)
    np.testing.assert_array_equal(rows.values[:, -1], [np.nan, 1])


def test_a_word_beside_few_numbers_is_a_class_that_is_asked_about():
    report = inspect_table(source(11))
    assert report.usable
    assert len(report.class_counts) == 12
    (asked,) = report.column("score").findings
    assert asked.sentence.endswith("'broken' in 10 rows, which is a class of its own.")
    assert [fix.setting for fix in asked.fixes] == ["missing", "cut_target"]
    (asked,) = inspect_table(source(11, "refused")).column("score").findings
    assert asked.kind == "maybe missing"
    assert inspect_table(source(4)).column("score").findings == ()


def test_python_refuses_it_uncut_with_the_ways_out():
    with pytest.raises(DataError, match="'broken' in row 1 must be a number"):
        read_table(source(200))
    (error,) = (f for f in inspect_table(source(200)).findings if f.severity == "error")
    assert [fix.setting for fix in error.fixes] == ["missing", "cut_target", "bin_target"]


def _rates(tmp_path: Path, word: str = "") -> tuple[Path, FloatArray]:
    rates = np.random.default_rng(5).gamma(3, 1, 201)
    cells = [word, *map(repr, rates.tolist())] if word else [*map(repr, rates.tolist())]
    path = tmp_path / "rates.csv"
    path.write_text("\n".join(["a,rate", *(f"{n % 7},{cell}" for n, cell in enumerate(cells))]))
    return path, rates


def test_the_proposed_threshold_is_short_and_parts_the_same_rows(tmp_path: Path) -> None:
    path, rates = _rates(tmp_path)
    found = inspect_table(path, "rate").findings
    fix = next(f.fixes[0] for f in found if f.kind == "numeric target")
    assert len(str(fix.value)) <= 5
    assert (rates > float(fix.value)).sum() == (rates > np.median(rates)).sum()
    assert fix.label == f"Ask whether it is over {fix.value}"


@pytest.mark.parametrize(
    ("word", "said", "named"),
    [
        ("", (), ("--cut-target ", "--bin-target 5")),
        ("per 1000 days", (), ("--cut-target ", "--bin-target 5", "'rate=per 1000 days'")),
        ("per 1000 days", ("--cut-target", "2"), ("--missing-text 'rate=per 1000 days'",)),
    ],
)
def test_the_command_line_names_options_that_help(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    word: str,
    said: tuple[str, ...],
    named: tuple[str, ...],
) -> None:
    path, _ = _rates(tmp_path, word)
    assert main(["grow", str(path), "--target", "rate", *said]) != 0
    error = capsys.readouterr().err
    assert all(option in error for option in named)
    assert "bin_target" not in error
