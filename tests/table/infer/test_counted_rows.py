"""Tables of counts, in which each row stands for many cases."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.guess_reading import guess_for, guess_reading
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.row_weights import MAYBE_COUNTS, ROW_COUNTS, name_words
from probtrees.ui.shared.finding_words import without_options

from probtrees.cli import main
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

LEVELS = {
    "school": ["A", "B", "C"],
    "sex": ["f", "m"],
    "year": ["I", "II", "III", "IV"],
    "status": ["stays", "leaves"],
}
RATE = 0.05


def _cross(name: str, *, seed: int = 3) -> pd.DataFrame:
    """Write a table of counts in which one pupil in 20 leaves."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(list(product(*LEVELS.values())), columns=list(LEVELS))
    sizes = rng.integers(40, 2000, len(frame) // 2).repeat(2)
    share = np.where(frame["status"] == "leaves", RATE, 1 - RATE)
    return frame.assign(**{name: np.rint(sizes * share).astype(int)})


def _look(frame):
    return lambda reading: inspect_table(frame, **reading.arguments)


def _kinds(frame, name, **said):
    found = inspect_table(frame, **({"target": "status"} | said)).column(name).findings
    return [f.kind for f in found if f.kind in (ROW_COUNTS, MAYBE_COUNTS)]


NAMES = ["n", "Freq", "Anzahl", "Liczba uczniów", "nombre d'élèves", "人数", "pupils", "xyz"]


@pytest.mark.parametrize("name", NAMES)
def test_a_table_of_counts_is_counted_whatever_the_column_is_called(name):
    frame = _cross(name)
    reading = guess_reading(_look(frame), ReadOptions()).reading
    assert reading.roles == {name: "weight", "status": "target"}
    report = inspect_table(frame, **reading.arguments)
    counts = dict(report.class_counts)
    assert counts["leaves"] / sum(counts.values()) == pytest.approx(RATE, abs=0.002)
    (said,) = (f for f in report.column(name).findings if f.kind == "said")
    assert f"{frame[name].sum():,} in all" in said.sentence
    data = read_table(frame, **reading.arguments)
    assert data.weights is not None
    assert data.weights.sum() == frame[name].sum()


def test_the_way_back_and_there_again_is_a_click_each():
    frame = _cross("n")
    reading = guess_reading(_look(frame), ReadOptions()).reading
    for label, role in [("Each row is one case", "feature"), ("Count them", "weight")]:
        found = inspect_table(frame, **reading.arguments).column("n").findings
        (fix,) = (fix for f in found for fix in f.fixes if fix.label == label)
        reading = reading.with_fix("n", fix.setting, fix.value)
        assert reading.roles["n"] == role
    assert _kinds(frame, "n", roles={"n": "feature"}) == []


def test_combinations_without_a_case_may_be_absent_and_codes_stand_beside_names():
    frame = _cross("n").assign(code=lambda f: f["school"].map({"A": 11, "B": 12, "C": 13}))
    frame = frame.drop(frame.index[[3, 17, 30, 41]])
    assert _kinds(frame, "n") == [ROW_COUNTS]


def test_percentages_beside_counts_leave_it_a_question():
    frame = _cross("count").assign(percent=lambda f: (f["count"] / 7.3).round(2))
    assert _kinds(frame, "count") == [MAYBE_COUNTS]
    assert "count" not in guess_for(_look(frame), ReadOptions(), "status").reading.roles


def _people() -> pd.DataFrame:
    """Write rows of one person each, whose combinations come as they come."""
    rng = np.random.default_rng(5)
    columns = {name: rng.choice(values, 300) for name, values in LEVELS.items()}
    return pd.DataFrame(columns).assign(n=rng.integers(1, 900, 300))


def _few_people() -> pd.DataFrame:
    """Write rows that all differ since there are many columns."""
    rng = np.random.default_rng(5)
    columns = {f"q{k}": rng.choice(list("abcd"), 80) for k in range(8)}
    frame = pd.DataFrame(columns).assign(n=rng.integers(1, 900, 80))
    return frame.assign(status=rng.choice(["stays", "leaves"], 80))


def _panel() -> pd.DataFrame:
    """Write one row for each shop and month, in which what is asked follows from both."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(list(product("ABCDEFGH", range(1, 13))), columns=["shop", "month"])
    n_rows = len(frame)
    frame = frame.assign(n=rng.integers(1, 900, n_rows))
    return frame.assign(status=rng.choice(["stays", "leaves"], n_rows))


@pytest.mark.parametrize("table", [_people, _few_people, _panel])
def test_rows_that_are_cases_are_not_asked_about(table):
    assert _kinds(table(), "n") == []


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("price", lambda n: n),
        ("kept", lambda n: n / 7),
        ("kept", lambda n: n - 50),
        ("kept", lambda n: 400 + n % 90),
    ],
    ids=["called an amount", "not whole", "negative", "much alike, as responses of a design are"],
)
def test_other_numbers_of_a_cross_are_not_asked_about(name, change):
    frame = _cross(name)
    assert _kinds(frame.assign(**{name: change(frame[name])}), name) == []


def test_the_command_line_names_the_option(tmp_path, capsys):
    _cross("Number of pupils").to_csv(tmp_path / "t.csv", index=False)
    where = [str(tmp_path / "t.csv")]
    assert main(["grow", *where, "--target", "status"]) == 0
    said = capsys.readouterr().err
    assert "(--role 'Number of pupils=weight')" in said
    assert main(["grow", *where]) != 0  # the last column is no class
    assert "--role 'Number of pupils=weight'" in capsys.readouterr().err


def test_the_option_is_left_to_the_button_in_the_app():
    report = inspect_table(_cross("n (all)"), target="status")
    (asked,) = (f for f in report.findings if f.kind == ROW_COUNTS)
    assert without_options(asked.remedy) == "Give it the role 'weight' to count them."


def test_letters_of_every_language_hold_words_together():
    assert name_words("Rodzaj żółtej_łodziY2") == ["rodzaj", "żółtej", "łodzi", "y", "2"]
