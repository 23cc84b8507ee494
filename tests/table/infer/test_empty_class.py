"""Empty cells of a target that say something: nobody left, nothing happened."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from probtrees.cli import main
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.infer.marked_cells import MISSING_CLASS
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
    (fix,) = found.fixes
    reading = ReadOptions().with_fix(found.column, fix.setting, fix.value)
    said = {"empty_no": reading.empty_no}
    answer = "no" if "yes" in CODES[kind] else "none"
    left, report = _asked(frame, **said)
    assert not left
    assert dict(report.class_counts)[answer] == n_empty
    (back,) = (f.fixes[0] for f in report.findings if f.kind == "said")
    assert reading.with_fix("exit reason", back.setting, back.value).empty_no == ()
    assert read_table(frame, "exit reason", **said).n_rows == len(frame)


def test_few_blanks_are_only_counted():
    frame = _table(CODES["words"], 0.02)
    (found,), _ = _asked(frame)
    assert found.fixes == ()


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
