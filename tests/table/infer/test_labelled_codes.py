"""Columns of which a file labels some codes: names with a stray code, or scales with named ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from probtrees.table.infer.inspect_table import inspect_table

from probtrees.table.read_table import read_table, read_to_predict

LAND = {1: "Deutschland", 2: "Österreich", 3: "Schweiz"}
NAMED = ("Deutschland", "Österreich", "Schweiz")
SCALE = {1: "very bad", 5: "very good", 6: "not applicable"}
WARNS = pytest.mark.filterwarnings("ignore:6 .'not applicable'. in 20 rows")
TABLE = pd.DataFrame(
    {
        "land": np.where(np.arange(120) % 20 == 7, 9.0, np.arange(120) % 3 + 1),
        "scale": np.arange(120) % 6 + 1.0,
        "hours": np.where(np.arange(120) % 3 == 0, 996.0, np.arange(120) % 40),
        "y": np.arange(120) % 2 + 1.0,
    }
)
LABELS = {
    "land": LAND,
    "scale": SCALE,
    "hours": {0: "none", 996: "does not work"},
    "y": {1: "no", 2: "yes"},
}


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(TABLE, path, variable_value_labels=LABELS)
    return path


@WARNS
def test_names_with_a_stray_code_are_categories_and_scales_with_named_ends_are_not(survey):
    report = inspect_table(survey, "y")
    assert [report.column(name).type for name in ("land", "scale", "hours")] == [
        *("nominal", "numeric", "numeric")
    ]
    schema = read_table(survey, "y").schema
    assert schema.columns[0].categories == (*NAMED, "9")
    asked = next(f for f in report.findings if f.column == "land" and f.severity == "warning")
    assert asked.sentence.endswith("by its labels; '9', in 6 rows, has none and stays as it is.")
    (fix,) = asked.fixes
    assert (fix.setting, fix.value) == ("missing", "9")
    settled = read_table(survey, "y", missing_in={"land": ["9"]}).schema
    assert settled.columns[0].categories == NAMED
    numbers = inspect_table(survey, "y", types={"land": "numeric"})
    assert numbers.column("land").type == "numeric"


def test_categories_that_somebody_wants_have_the_labels_that_there_are(survey):
    types = {"scale": "nominal"}
    schema = read_table(survey, "y", types=types).schema
    ends = ("very bad", "2", "3", "4", "very good", "not applicable")
    assert schema.columns[1].categories == ends
    report = inspect_table(survey, "y", types=types)
    asked = next(f for f in report.findings if f.column == "scale" and f.severity == "warning")
    assert asked.fixes[0].value == "not applicable"
    said = {"scale": ["not applicable"]}
    schema = read_table(survey, "y", types=types, missing_in=said).schema
    assert schema.columns[1].categories == ends[:-1]
    codes = ("new.csv", TABLE.astype(int).to_csv(index=False).encode())
    read = read_to_predict(codes, schema)
    assert np.isnan(read.values[5, 1])
    assert read.values[[0, 4], 1].tolist() == [0.0, 4.0]


@WARNS
def test_a_target_of_names_keeps_its_stray_code_and_a_cut_one_its_numbers(survey):
    assert read_table(survey, "land").schema.classes == (*NAMED, "9")
    assert read_table(survey, "land", cut_target=1).schema.classes == ("up to 1", "over 1")


def test_what_is_asked_names_the_options_that_answer_it(survey):
    (asked,) = (f for f in inspect_table(survey, "y").findings if f.column == "land")
    assert asked.remedy.endswith("(--missing-text land=9).")
    report = inspect_table(survey, "scale", cut_target=3)
    (asked,) = (f for f in report.findings if f.kind == "words in target")
    assert "(--missing-text scale=6)" in asked.remedy
    assert "(--keep-words scale)" in asked.remedy
