"""Several outcomes of the target are one against all others, if somebody wants it."""

from __future__ import annotations

import pytest

from probtrees.errors import DataError
from probtrees.experiment.fit import fit, load_model
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict

ANSWERS = ("Very unlikely", "Unlikely", "Undecided", "Likely", "Very likely")
TOP = ("Likely", "Very likely")


def _survey(answers: tuple[str, ...] = ANSWERS) -> tuple[str, bytes]:
    rows = (f"{n % 5 * 10 + n % 3},{answers[n % 5]}" for n in range(100))
    return "t.csv", "\n".join(["x,leave", *rows]).encode()


def test_two_outcomes_are_one_against_the_rest(tmp_path) -> None:
    data = read_table(_survey(), join_outcomes=TOP)
    assert set(data.schema.classes) == {"Likely or Very likely", "other"}
    joined = data.schema.classes.index("Likely or Very likely")
    assert (data.values[:, -1] == joined).sum() == 40
    path = tmp_path / "m.json"
    fit(data, "c45", "laplace").save(path)
    model = load_model(path)
    again = read_to_predict(_survey(), model.schema)
    assert (again.values[:, -1] == data.values[:, -1]).all()


def test_numbers_as_outcomes_are_joined() -> None:
    report = inspect_table(_survey(("1", "2", "3", "4", "5")), join_outcomes=["4", "5"])
    assert dict(report.class_counts) == {"4 or 5": 40, "other": 60}


def test_it_is_said_with_the_way_back_and_slips_are_refused() -> None:
    report = inspect_table(_survey(), join_outcomes=TOP)
    (said,) = (f for f in report.findings if "are one outcome" in f.sentence)
    (fix,) = said.fixes
    options = ReadOptions(join_outcomes=TOP).with_fix("leave", fix.setting, fix.value)
    assert options.join_outcomes == ()
    assert not inspect_table(_survey(), join_outcomes=["likly"]).usable
    with pytest.raises(DataError, match="must have the outcome 'likly'"):
        read_table(_survey(), join_outcomes=["likly"])
