"""Tables as REDCap exports them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from probtrees.table.infer.columns_together.redcap_export import REDCAP_EVENT, REDCAP_FORM
from probtrees.table.infer.guess_reading import guess_reading, why_not_used
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.scale.passes.open_chunks import open_chunks
from probtrees.table.read_options import ReadOptions
from probtrees.table.read_table import read_table, read_to_predict
from probtrees.table.table_report import Role, TableReport

RECORDS, EVENTS = 200, ("baseline_arm_1", "month_3_arm_1", "month_6_arm_1")
ROWS = RECORDS * len(EVENTS)


def _table() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "record_id": np.repeat(np.arange(1, RECORDS + 1), len(EVENTS)),
            "redcap_event_name": np.tile(EVENTS, RECORDS),
            "redcap_repeat_instance": np.nan,
            "age": rng.integers(30, 90, ROWS),
            "symptoms___1": rng.integers(0, 2, ROWS),
            "symptoms___2": rng.integers(0, 2, ROWS),
            "demographics_complete": rng.choice([0, 1, 2], ROWS),
            "readmitted": rng.choice(["yes", "no"], ROWS),
            "outcome_complete": rng.choice([0, 2], ROWS),
        }
    )


def _guessed(table: pd.DataFrame) -> TableReport:
    def look(reading: ReadOptions) -> TableReport:
        return inspect_table(table.copy(), **reading.arguments)

    return look(guess_reading(look, ReadOptions()).reading)


def test_what_redcap_adds_is_set_aside_with_the_reason() -> None:
    """Nor is the last form guessed as what one wants to know, though it is called outcome."""
    report = _guessed(_table())
    assert report.target == "readmitted"
    used = [column.name for column in report.columns if column.role == "feature"]
    assert used == ["age", "symptoms___1", "symptoms___2"]
    for name, words in {
        "redcap_event_name": "it says when or on which form of REDCap a row was filled in",
        "outcome_complete": "it says whether a form of REDCap is complete",
    }.items():
        assert why_not_used(report.column(name)) == words
        (found,) = [f for f in report.column(name).findings if "REDCap" in f.kind]
        assert [fix.label for fix in found.fixes] == ["Use it anyway"]


def test_rows_of_one_person_can_be_kept_together() -> None:
    (asked,) = _guessed(_table()).column("record_id").findings
    assert "names the same person in several rows (200 in 600 rows)" in asked.sentence
    assert asked.fixes[0].label == "Keep rows of one person together"
    few = _table().assign(record_id=np.repeat(np.arange(1, 13), ROWS // 12))
    (asked,) = _guessed(few).column("record_id").findings
    assert "(12 in 600 rows)" in asked.sentence


def test_who_wants_a_form_can_use_it() -> None:
    roles: dict[str, Role] = {"demographics_complete": "feature", "record_id": "group"}
    data = read_table(_table(), "readmitted", roles=roles)
    assert "demographics_complete" in [column.name for column in data.schema.features]


def test_boxes_are_yes_and_no_in_training_in_chunks_and_in_scoring(tmp_path: Path) -> None:
    table = _table().drop(columns="record_id")
    data = read_table(table, "readmitted")
    (box,) = [c for c in data.schema.features if c.name == "symptoms___1"]
    assert box.categories == ("no", "yes")
    at = data.schema.features.index(box)
    np.testing.assert_array_equal(data.values[:, at], table["symptoms___1"])
    table.to_csv(tmp_path / "t.csv", index=False)
    assert (
        open_chunks(tmp_path / "t.csv", "readmitted").schema
        == read_table(tmp_path / "t.csv", "readmitted").schema
    )
    for cells in (table["symptoms___1"], table["symptoms___1"].map({0: "no", 1: "yes"})):
        scored = read_to_predict(table.assign(symptoms___1=cells), data.schema)
        np.testing.assert_array_equal(scored.values[:, at], table["symptoms___1"])


def test_the_numbers_of_a_box_can_be_kept() -> None:
    table = _table().drop(columns="record_id")
    data = read_table(table, "readmitted", types={"symptoms___1": "numeric"})
    kinds = {column.name: column.is_nominal for column in data.schema.features}
    assert kinds == {"age": False, "symptoms___1": False, "symptoms___2": True}


def test_other_tables_are_left_alone() -> None:
    """A course may be complete, and a name may have two underscores."""
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "course_complete": rng.integers(0, 2, 300),
            "a__1": rng.integers(0, 2, 300),
            "x___2": rng.integers(0, 5, 300),
            "passed": rng.choice(["yes", "no"], 300),
        }
    )
    report = _guessed(table.rename(columns={"x___2": "x"}))
    assert [c.role for c in report.columns] == ["feature", "feature", "feature", "target"]
    kinds = {found.kind for found in _guessed(table.drop(columns="course_complete")).findings}
    assert not kinds.intersection({REDCAP_EVENT, REDCAP_FORM, "boxes"})
