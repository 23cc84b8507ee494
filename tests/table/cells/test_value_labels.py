"""Files that hold codes for a model of labels, and the other way round."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from probtrees.scale.passes.open_chunks import open_with_schema
from probtrees.table.dataset import UNSEEN, Schema
from probtrees.table.read_table import read_rows, read_table, read_to_predict

CODES = pd.DataFrame({"sex": [1.0, 2.0] * 6, "x": np.arange(12.0) % 5, "y": [1.0, 2, 2] * 4})
LABELS = {"sex": {1: "male", 2: "female"}, "y": {1: "yes", 2: "no"}}


@pytest.fixture(params=["sav", "dta"])
def labelled(request, tmp_path):
    """Write the table with labels for its codes."""
    path = tmp_path / f"survey.{request.param}"
    write = {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta}[request.param]
    write(CODES, path, variable_value_labels=LABELS)
    return path


def _csv(table: pd.DataFrame) -> tuple[str, bytes]:
    return "new.csv", table.to_csv(index=False).encode()


def test_codes_are_read_by_the_labels_of_training(labelled):
    trained = read_table(labelled, target="y")
    schema = Schema.from_dict(trained.schema.to_dict())
    assert schema == trained.schema
    assert schema.columns[0].categories == ("male", "female")
    whole = CODES.astype(int)
    for table in (CODES, whole, whole.astype(str)):
        read = read_to_predict(_csv(table), schema)
        np.testing.assert_array_equal(read.values, trained.values)
        said = " ".join(read.provenance.notes)
        assert "'sex': codes are read by the labels of training: 6 cells read as" in said
        assert "'male', written '1" in said
    rows, problems = read_rows(_csv(whole.assign(sex=[3, 1] * 6)), schema)
    assert not problems
    assert rows.values[:2, 0].tolist() == [UNSEEN, 0.0]
    frame = read_table(whole, schema=schema)
    np.testing.assert_array_equal(frame.values, trained.values)


def test_labels_are_read_by_their_codes_where_the_model_knows_these(labelled):
    text = CODES.astype(int).assign(sex=["1", "2"] * 6)
    for types in ({}, {"sex": "nominal"}):
        trained = read_table(_csv(text), target="y", types=types)
        assert trained.schema.columns[0].is_nominal == bool(types)
        read = read_to_predict(labelled, trained.schema)
        np.testing.assert_array_equal(read.values, trained.values)
        assert "'sex': labels are read by their codes" in " ".join(read.provenance.notes)


def test_labels_that_are_numbers_are_never_taken_for_codes(tmp_path):
    path = tmp_path / "survey.sav"
    pyreadstat.write_sav(CODES, path, variable_value_labels={**LABELS, "sex": {1: "2", 2: "1"}})
    trained = read_table(path, target="y", types={"sex": "nominal"})
    read = read_to_predict(_csv(CODES.astype(int)), trained.schema)
    names = trained.schema.columns[0].categories or ()
    assert [names[int(code)] for code in read.values[:2, 0]] == ["1", "2"]


def test_grouped_values_are_found_by_their_codes_too(tmp_path):
    table = pd.DataFrame({"town": np.r_[np.repeat(np.arange(21.0), 4), np.arange(21, 31)]})
    table["y"] = [1.0, 2.0] * 47
    labels = {"town": {n: f"town {n}" for n in range(31)}}
    pyreadstat.write_sav(
        table, tmp_path / "t.sav", variable_value_labels=labels | {"y": LABELS["y"]}
    )
    trained = read_table(tmp_path / "t.sav", target="y", group_values=["town"])
    read = read_to_predict(_csv(table.astype(int)), trained.schema)
    np.testing.assert_array_equal(read.values, trained.values)


def test_labels_at_the_ends_of_a_scale_are_read_by_their_codes(tmp_path):
    scale = pd.DataFrame({"x": np.arange(20.0) % 5 + 1, "y": [1.0, 2.0] * 10})
    ends = {"x": {1: "very bad", 5: "very good", 9: "no answer"}, "y": LABELS["y"]}
    path = tmp_path / "scale.sav"
    pyreadstat.write_sav(scale, path, variable_value_labels=ends)
    trained = read_table(path, target="y", missing_in={"x": ["9"]})
    schema = Schema.from_dict(trained.schema.to_dict())
    assert not schema.columns[0].is_nominal
    words = ["very bad", "2", "4", "Very Good", "no answer"]
    table = pd.DataFrame({"x": words, "y": ["yes"] * 5})
    meant = [1.0, 2.0, 4.0, 5.0, np.nan]
    rows, problems = read_rows(_csv(table), schema)
    assert not problems
    assert "'x': labels are read by their codes" in " ".join(rows.provenance.notes)
    for read in (rows, read_to_predict(_csv(table), schema), read_table(table, schema=schema)):
        np.testing.assert_array_equal(read.values[:, 0], meant)
    chunks = open_with_schema(str(_written(table, tmp_path)), schema, 1 << 30, to_predict=True)
    read = np.concatenate(
        [chunk.values[:, 0] for part in chunks.parts for chunk in chunks.read(part)]
    )
    np.testing.assert_array_equal(read, meant)


def _written(table: pd.DataFrame, folder: Path) -> Path:
    table.to_csv(folder / "new.csv", index=False)
    return folder / "new.csv"
