"""Run a command as a person would, and look at what it says."""

import csv

from probtrees.cli import main
from probtrees.score.measures import main_measures

JSON_KEYS = [
    "dataset", "rows", "classes", "model", "smoother", "folds",
    *(measure.name for measure in main_measures()), "brier_binary", "base_rate",
    "seconds", "nodes", "leaves", "depth",
]  # fmt: skip
"""What every evaluation in JSON holds, in this order."""


def run(capsys, *arguments) -> str:
    assert main([str(word) for word in arguments]) == 0
    return capsys.readouterr().out


def refuse(capsys, *arguments) -> str:
    assert main([str(word) for word in arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert lines[0].startswith("probtrees: ")
    # Only columns that lack have several ways on, each on an indented line.
    said = " ".join(line.strip() for line in lines)
    assert len(lines) == 1 or "must be in" in said or "no column in common" in said, err
    assert all(line.startswith("  ") for line in lines[1:]), err
    assert "Traceback" not in err
    return said


def rows_of(text_or_path) -> list[list[str]]:
    if isinstance(text_or_path, str):
        return list(csv.reader(text_or_path.splitlines()))
    with open(text_or_path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))
