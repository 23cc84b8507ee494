"""Empty cells of a target that say something: nobody left, nothing happened."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.marked_cells import MISSING_CLASS
from probtrees.ui.shared.finding_words import decided

from probtrees.cli import main
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table

CODES = {
    "words": ("moved", "transfer", "unknown"),
    "codes": ("1", "2", "3"),
    "severities": ("mild", "severe"),
    "yes and perhaps": ("yes", "perhaps"),
}


def _table(words: tuple[str, ...], share: float = 0.9, n_rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(4)
    cells = np.where(rng.random(n_rows) < share, "", rng.choice(words, n_rows))
    return pd.DataFrame({"age": rng.integers(6, 19, n_rows), "exit reason": cells})


def _asked(frame, **said):
    report = inspect_table(frame, target="exit reason", **said)
    return [found for found in report.findings if found.kind == MISSING_CLASS], report


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize("share", [0.94, 0.4, 0.1])
def test_blanks_of_a_target_are_an_outcome_by_a_click(kind, share):
    frame = _table(CODES[kind], share)
    n_empty = int((frame["exit reason"] == "").sum())
    (found,), _ = _asked(frame)
    assert found.sentence == f"{n_empty} rows have no class and will be dropped."
    assert found.severity == "warning"
    fix, drop = found.fixes
    own = "Empty means 'no'" if "yes" in CODES[kind] else "Blank is an outcome of its own"
    assert [fix.label, drop.label] == [own, "Leave these rows out"]
    reading = ReadOptions().with_fix(found.column, fix.setting, fix.value)
    said = {"empty_no": reading.empty_no}
    answer = "no" if "yes" in CODES[kind] else "none"
    left, report = _asked(frame, **said)
    assert not left
    assert dict(report.class_counts)[answer] == n_empty
    (back,) = (f.fixes[0] for f in report.findings if f.kind == "said")
    assert reading.with_fix("exit reason", back.setting, back.value).empty_no == ()
    assert read_table(frame, "exit reason", **said).n_rows == len(frame)


@pytest.mark.parametrize("words", [("0", "1"), ("no", "yes"), ("0", "1", "2")])
def test_most_blanks_beside_both_outcomes_are_not_known(words):
    """Most rows of visits have no outcome; one click must not make cases without it of them."""
    (found,), _ = _asked(_table(words, 0.75))
    assert [fix.label for fix in found.fixes] == ["Leave these rows out"]
    assert "--empty-no" not in str(found)
    (fewer,), _ = _asked(_table(words, 0.3))
    assert fewer.fixes[0].label == f"Empty means {words[0]!r}"


def test_few_blanks_are_only_counted():
    frame = _table(CODES["words"], 0.02)
    (found,), report = _asked(frame)
    assert found.fixes == ()
    assert found.severity == "note"
    n_empty = int((frame["exit reason"] == "").sum())
    assert f"{n_empty} rows without 'exit reason' dropped" in decided(report)


def test_blanks_that_are_to_be_dropped_are_asked_about_no_more():
    frame = _table(CODES["words"], 0.4)
    (found,), _ = _asked(frame)
    reading = ReadOptions().with_fix(None, found.fixes[1].setting, found.fixes[1].value)
    (left,), report = _asked(frame, as_written=reading.as_written)
    assert (left.severity, left.fixes) == ("note", ())
    n_empty = int((frame["exit reason"] == "").sum())
    assert f"{n_empty} rows without 'exit reason' dropped" in decided(report)
    (back,) = (f.fixes[0] for f in report.findings if f.kind == "said")
    assert reading.with_fix(None, back.setting, back.value).as_written == ()


@pytest.mark.parametrize("blank", [0.02, 0.3])
def test_a_word_that_somebody_calls_missing_opens_no_question_about_blanks(blank):
    frame = _table(("moved", "offen", "transfer"), blank)
    (before,), _ = _asked(frame)
    (after,), report = _asked(frame, missing_in={"exit reason": ("offen",)})
    assert after.severity == before.severity == ("note" if blank == 0.02 else "warning")
    n_left = int(frame["exit reason"].isin(["", "offen"]).sum())
    assert after.sentence == f"{n_left} rows have no class and will be dropped."
    assert f"{n_left} rows without 'exit reason' dropped" in decided(report)


def test_a_word_called_missing_beside_blanks_that_are_an_outcome_is_told():
    frame = _table(("moved", "offen", "transfer"), 0.3)
    said = {"empty_no": ["exit reason"], "missing_in": {"exit reason": ("offen",)}}
    report = inspect_table(frame, target="exit reason", **said)
    (told,) = (found for found in report.findings if found.kind == "words as blanks")
    n_rows = int((frame["exit reason"] == "offen").sum())
    assert f"{n_rows} rows of these words count as 'none', too." in told.sentence
    (fix,) = told.fixes
    reading = ReadOptions(missing_in=said["missing_in"])
    assert reading.with_fix("exit reason", fix.setting, fix.value).missing_in == {}
    alone = inspect_table(frame, target="exit reason", empty_no=["exit reason"])
    assert not [found for found in alone.findings if found.kind == "words as blanks"]


def test_blanks_beside_yes_and_no_mean_the_no_of_the_column():
    frame = _table(("Ja", "Nein"), 0.4)
    (found,), _ = _asked(frame)
    assert found.fixes[0].label == "Empty means 'Nein'"


def test_numbers_that_are_cut_have_no_such_outcome():
    frame = _table(tuple(map(str, range(60))), 0.3)
    (found,), _ = _asked(frame, cut_target=20)
    assert found.fixes == ()


def test_the_command_line_names_the_option(tmp_path, capsys):
    _table(CODES["words"]).to_csv(tmp_path / "t.csv", index=False)
    assert main(["grow", str(tmp_path / "t.csv")]) == 0
    assert "(--empty-no 'exit reason')" in capsys.readouterr().err
    assert main(["grow", str(tmp_path / "t.csv"), "--empty-no", "exit reason"]) == 0
    assert "--empty-no" not in capsys.readouterr().err
