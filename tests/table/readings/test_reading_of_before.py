"""Columns that older versions wrote to model files are read alike, or refused in a sentence."""

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.table.dataset import Column, Schema
from probtrees.table.encode import encode_named
from probtrees.table.raw_table import RawTable, Texts

NAN = float("nan")


def old_column(name: str = "c", **entries: object):
    """Read a column as a version recorded it that knew no readings."""
    record = {"name": name, "categories": None, "source": None, "date_part": None}
    return Schema.from_dict({"columns": [{**record, "day_first": None, **entries}]}).columns[0]


SCORED = [
    # what was recorded, cells, what they are encoded as; models of before have the others
    ({}, ["1.5", "n/a", "1,234"], [1.5, NAN, 1234]),
    ({"spelling": {"unit": "h:mm"}}, ["14:30", "1h 30m"], [14.5, 1.5]),
    ({"date_part": "days", "day_first": True}, ["3/4/2020"], [18355]),
    ({"categories": ["no", "yes"]}, ["Yes", "no", "None", "2"], [1, 0, NAN, -1]),
]  # fmt: skip


@pytest.mark.parametrize(("record", "cells", "values"), SCORED)
def test_an_old_column_is_read_as_it_was(record, cells, values):
    raw = RawTable({"c": Texts.of_cells(cells)}, len(cells), ("c",))
    encoded = encode_named(raw, old_column(**record))
    assert np.array_equal(encoded, np.array(values, dtype=float), equal_nan=True)


@pytest.mark.parametrize("habit", [{"sides": True}, {"at_column": "seen"}, {"unit": "bezirk"}])
def test_what_is_no_longer_read_is_refused(habit):
    with pytest.raises(DataError, match="Column 'c' was read by an older version in a way"):
        old_column(spelling=habit)


@pytest.mark.parametrize("name", ["quarter", "compact date", "number in text"])
def test_a_reading_that_is_gone_is_refused(name):
    with pytest.raises(DataError, match="Column 'c' was read by an older version in a way"):
        Column.from_dict({"name": "c", "reading": {"name": name}})


def test_what_is_read_from_an_old_file_is_written_as_a_new_one():
    old = old_column(categories=["Bonn", "other"], spelling={"rest": "other", "decimal": ","})
    record = Schema((old,)).to_dict()
    assert record["columns"][0].keys() >= {"reading", "steps"}
    assert "spelling" not in record["columns"][0]
    assert Schema.from_dict(record) == Schema((old,))
