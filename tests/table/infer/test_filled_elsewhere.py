"""Columns that are empty in the rows with an outcome, and filled in other rows of the person."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from probtrees.table.infer.columns_together.filled_elsewhere import EMPTY_WHERE_USED
from probtrees.table.infer.guess_reading import guess_reading, why_not_used
from probtrees.table.infer.inspect_table import inspect_table
from probtrees.ui.shared.finding_words import above_tree, decided, is_question, is_told

from probtrees.cli import main
from probtrees.errors import DataError
from probtrees.scale.passes.open_chunks import open_chunks, open_with_schema
from probtrees.table.dataset import Dataset, Schema
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_rows, read_table, read_to_predict
from probtrees.table.table_report import Finding, Role, TableReport

PEOPLE, VISITS = 120, ("baseline", "month 3", "month 12")
ONCE = ("dob", "sex", "smoker", "height")


def _table(*, by_event: bool = False) -> pd.DataFrame:
    """Make visits: what never changes stands in the first, the outcome in the last."""
    rng = np.random.default_rng(5)
    n_rows = PEOPLE * len(VISITS)
    visit = np.tile(np.arange(len(VISITS)), PEOPLE)
    days = pd.Timestamp("1950-01-01") + pd.to_timedelta(rng.integers(0, 14_000, n_rows), "D")
    whole = {
        "patient_id": np.repeat([f"P{n:04}" for n in range(PEOPLE)], len(VISITS)),
        "visit": np.array(VISITS)[visit],
        "dob": days.strftime("%Y-%m-%d"),
        "sex": rng.choice(["f", "m"], n_rows),
        "smoker": rng.choice(["yes", "no", "UNK"], n_rows, p=[0.3, 0.6, 0.1]),
        "height": rng.integers(150, 200, n_rows).astype(str),
        "ldl": rng.integers(70, 190, n_rows).astype(str),
        "relapse": rng.choice(["0", "1"], n_rows, p=[0.7, 0.3]),
    }
    frame = pd.DataFrame(whole).astype(object)
    frame.loc[visit > 0, list(ONCE)] = ""
    frame.loc[visit < len(VISITS) - 1, "relapse"] = ""
    return frame.rename(columns={"visit": "redcap_event_name"}) if by_event else frame


def _read(source: Any) -> Dataset:
    roles: dict[str, Role] = {"patient_id": "group"}
    return read_table(source, "relapse", roles=roles, fill_from_same=["patient_id"])


def _said_of(report: TableReport) -> list[Finding]:
    return [found for found in report.findings if found.kind == EMPTY_WHERE_USED]


def _text(frame: pd.DataFrame) -> tuple[str, bytes]:
    return ("visits.csv", frame.to_csv(index=False).encode())


def test_columns_that_rows_without_an_outcome_have_are_left_out_in_one_line() -> None:
    frame = _table().drop(columns="patient_id")
    report = inspect_table(_text(frame), "relapse")
    (found,) = _said_of(report)
    assert found.sentence == (
        "'dob', 'sex' and 2 more are empty in every row that is used; they are left out."
    )
    assert is_told(found, report)
    assert not is_question(found, report)
    for name in ONCE:
        assert report.column(name).role == "ignore"
        assert why_not_used(report.column(name)) == "it is empty in every row that is used"
        assert not report.column(name).findings
    said = decided(report)
    assert any("every row that is used" in words for words in said)
    assert not any("birth dates" in words for words in said)
    data = read_table(_text(frame), "relapse")
    assert data.schema.names == ("visit", "ldl", "relapse")
    assert sum("every row that is used" in note for note in data.provenance.notes) == 1
    assert not any("birth" in note or "UNK" in note for note in data.provenance.notes)


def test_it_is_the_same_in_chunks(tmp_path: Path) -> None:
    path = tmp_path / "visits.csv"
    _table().drop(columns="patient_id").to_csv(path, index=False)
    table = open_chunks(path, "relapse")
    whole = read_table(path, "relapse")
    assert table.schema == whole.schema
    (said,) = [note for note in table.provenance.notes if "every row that is used" in note]
    assert said in whole.provenance.notes


def test_columns_with_a_few_values_are_noted_only() -> None:
    frame = _table().drop(columns=["patient_id", *ONCE])
    frame["remark"] = np.where(np.arange(len(frame)) == 0, "a", np.where(frame.index == 3, "b", ""))
    (found,) = _said_of(inspect_table(_text(frame), "relapse"))
    assert found.severity == "note"


@pytest.mark.parametrize("change", ["all outcomes", "empty means no", "some values", "no target"])
def test_nothing_is_said_where_the_rows_used_have_values(change: str) -> None:
    frame, said = _table().drop(columns="patient_id"), {}
    if change == "all outcomes":
        frame["relapse"] = np.where(frame.index % 2, "0", "1")
    elif change == "empty means no":
        said = {"empty_no": ["relapse"]}
    elif change == "some values":
        frame.loc[2::15, list(ONCE)] = frame.loc[0::15, list(ONCE)].to_numpy()
    target = None if change == "no target" else "relapse"
    assert not _said_of(inspect_table(_text(frame), target, **said))


def _filled(frame: pd.DataFrame, **said: Any) -> tuple[ReadOptions, TableReport]:
    (found,) = _said_of(inspect_table(_text(frame), "relapse", **said))
    (fix,) = found.fixes
    reading = ReadOptions(**said).with_fix(found.column, fix.setting, fix.value)
    return reading, inspect_table(_text(frame), "relapse", **reading.arguments)


def test_they_are_taken_from_other_rows_of_the_same_person_by_a_click() -> None:
    frame = _table()
    asked = inspect_table(_text(frame), "relapse")
    (found,) = _said_of(asked)
    assert is_question(found, asked)
    assert above_tree(found, "relapse") == (
        "'dob', 'sex' and 2 more are empty in every row that is used; other rows of the same "
        "'patient_id' have them."
    )
    (fix,) = found.fixes
    assert fix.label == "Take them from the other rows of the same patient_id"
    reading, report = _filled(frame)
    assert not _said_of(report)
    (told,) = [f for f in report.findings if "taken from other rows" in f.sentence]
    assert "'dob', 'sex' and 2 more are taken from other rows" in "; ".join(decided(report))
    (back,) = told.fixes
    assert reading.with_fix(told.column, back.setting, back.value) == ReadOptions()
    data = _read(_text(frame))
    assert data.n_rows == PEOPLE
    at = data.schema.names.index("height")
    np.testing.assert_array_equal(data.values[:, at], frame["height"][::3].astype(float))
    assert Schema.from_dict(data.schema.to_dict()) == data.schema


def test_a_file_to_score_is_filled_likewise() -> None:
    frame = _table()
    data = _read(_text(frame))
    renamed = frame.drop(columns="relapse").rename(columns={"patient_id": "Patient ID"})
    for scored in (
        read_to_predict(_text(renamed), data.schema),
        read_rows(_text(frame), data.schema)[0],
    ):
        np.testing.assert_array_equal(scored.values[2::3, :-1], data.values[:, :-1])
        (told,) = [n for n in scored.provenance.notes if "taken from other rows" in n]
        assert told.startswith("'dob', 'sex' and 2 more")
    without = read_to_predict(_text(frame.drop(columns="patient_id")), data.schema)
    at = data.schema.names.index("height")
    assert np.isnan(without.values[2::3, at]).all()
    assert any("there is no column 'patient_id'" in n for n in without.provenance.notes)


def test_what_differs_between_rows_of_a_person_is_not_taken() -> None:
    frame = _table()
    frame.loc[1, "sex"], frame.loc[0, "sex"] = "f", "m"
    frame.loc[1::3, "height"] = np.random.default_rng(1).integers(150, 200, PEOPLE).astype(str)
    (found,) = _said_of(inspect_table(_text(frame), "relapse"))
    assert found.sentence.endswith("have 3 of them.")
    report = inspect_table(_text(frame), "relapse", fill_from_same=["patient_id"])
    (told,) = [f for f in report.findings if "taken from other rows" in f.sentence]
    assert told.sentence == (
        "'dob', 'sex' and 'smoker' are taken from other rows of the same 'patient_id', but not in "
        "1 row where those differ."
    )
    (left,) = _said_of(report)
    assert left.sentence == "'height' is empty in every row that is used; it is left out."
    data = _read(_text(frame))
    assert np.isnan(data.values[:, data.schema.names.index("sex")]).tolist() == [
        True,
        *[False] * (PEOPLE - 1),
    ]


def test_what_stands_in_later_rows_is_asked_about() -> None:
    frame = _table()
    frame["relapse"] = frame["relapse"].to_numpy().reshape(-1, 3)[:, ::-1].ravel()
    for name in ONCE:
        frame[name] = frame[name].to_numpy().reshape(-1, 3)[:, ::-1].ravel()
    (found,) = _said_of(inspect_table(_text(frame), "relapse"))
    assert found.sentence.endswith("rows further down: were they known before the outcome?")


def test_a_few_people_fill_nothing() -> None:
    """Where most people have no value elsewhere either, nothing is gained."""
    frame = _table()
    frame.loc[frame.index >= 90, list(ONCE)] = ""
    (found,) = _said_of(inspect_table(_text(frame), "relapse"))
    assert not found.fixes
    report = inspect_table(_text(frame), "relapse", fill_from_same=["patient_id"])
    assert any("No column is taken" in f.sentence for f in report.findings)


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, model = tmp_path / "visits.csv", tmp_path / "model.json"
    _table().to_csv(path, index=False)
    given = ["grow", str(path), "--target", "relapse"]
    assert main(given) == 0
    assert "(--fill-from-same patient_id)" in capsys.readouterr().err
    assert main([*given, "--fill-from-same", "patient_id", "--out", str(model)]) == 0
    assert "are taken from other rows of the same 'patient_id'" in capsys.readouterr().err
    assert main([*given, "--fill-from-same", "patient_id", "--chunks"]) == 2
    assert "--fill-from-same must be left out with --chunks" in capsys.readouterr().err
    schema = _read(path).schema
    with pytest.raises(DataError, match="'dob' was filled from rows of the same 'patient_id'"):
        open_with_schema(path, schema, 1 << 30)


def test_the_outcome_of_one_event_is_guessed_and_no_event() -> None:
    frame = _table(by_event=True).assign(baseline_complete="")
    frame.loc[::3, "baseline_complete"] = "2"
    frame.loc[::9, "baseline_complete"] = "0"
    frame = frame.rename(columns={"patient_id": "record_id", "relapse": "mace"})
    days = [f"2023-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(len(frame))]
    frame["mace_date"] = np.where(frame["mace"] == "1", days, "")

    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(_text(frame), **reading.arguments)

    reading = guess_reading(look, ReadOptions()).reading
    assert look(reading).target == "mace"
    filled = reading.with_fix(None, "fill_from_same", "record_id")
    assert "baseline_complete" not in [c.name for c in look(filled).columns if c.role == "feature"]
    assert look(filled).column("dob").role == "feature"
