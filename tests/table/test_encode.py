"""A raw table becomes the numbers and codes of a schema."""

from dataclasses import replace

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.table.dataset import Column, Schema
from probtrees.table.encode import (
    cell_value,
    encode,
    encode_named,
    row_roles,
    rows_to_learn_from,
)
from probtrees.table.raw_table import Dates, Numbers, RawColumn, RawTable, Texts
from probtrees.table.readings.reading import AppliedStep, ColumnReading

NAN = float("nan")
LABELS = (("1", "male"), ("2", "female"))
BOOLEAN = replace(Texts.of_cells(["false", "true"]), codes=np.array([1, 0], np.int32), boolean=True)
GROUPED = AppliedStep("group", {"rest": "other"})
DOLLARS = ColumnReading("amount", unit="$")


def table(**columns: RawColumn | list[str]) -> RawTable:
    found: dict[str, RawColumn] = {
        name: Texts.of_cells(cells) if isinstance(cells, list) else cells
        for name, cells in columns.items()
    }
    n_rows = len(next(iter(found.values())).missing)
    return RawTable(found, n_rows, tuple(found))


CATEGORIES = [
    # categories and what else is known, cells, codes
    ({"categories": ("a", "b")}, ["b", "a", "", "c"], [1, 0, NAN, -1]),
    ({"categories": ("1", "2")}, ["1.0", "2", "3"], [0, 1, -1]),
    ({"categories": ("1", "2")}, Numbers(np.array([2.0, 1.0, np.nan])), [1, 0, NAN]),
    ({"categories": ("False", "True")}, ["0", "TRUE", "maybe"], [0, 1, -1]),
    ({"categories": ("0", "1")}, BOOLEAN, [1, 0]),
    ({"categories": ("ja", "nein")}, ["Yes", "N"], [0, 1]),
    ({"categories": ("selbständig",)}, ["Selbstaendig"], [0]),
    ({"categories": ("A", "a")}, ["A", "a", "á"], [0, 1, -1]),
    ({"categories": ("male", "female"), "value_labels": LABELS}, ["2", "1.0", "male"], [1, 0, 0]),
    ({"categories": ("1", "2"), "reading": ColumnReading(missing=("9",))}, ["9", "2"], [NAN, 1]),
    ({"categories": ("x", "other"), "steps": (GROUPED,)}, ["x", "y", ""], [0, 1, NAN]),
]  # fmt: skip


@pytest.mark.parametrize(("known", "cells", "codes"), CATEGORIES)
def test_categories_are_looked_up_by_text_value_and_spelling(known, cells, codes):
    raw = table(c=cells)
    found = encode_named(raw, Column("c", **known))
    assert np.array_equal(found, np.array(codes, dtype=float), equal_nan=True)


def test_a_matrix_is_filled_column_by_column():
    rng = np.random.default_rng(0)
    numbers = rng.normal(size=70_000)
    names = [f"c{k}" for k in range(11)]
    raw = table(**{name: Numbers(numbers + k) for k, name in enumerate(names)})
    schema = Schema((*map(Column, names), Column("absent"), Column("c0 again", source="c0")))
    values = encode(raw, schema)
    assert np.array_equal(values[:, :11], numbers[:, None] + np.arange(11))
    assert np.isnan(values[:, 11]).all()
    assert np.array_equal(values[:, 12], numbers)
    assert raw.columns == {}  # let go as soon as they are encoded


def test_parts_of_dates_are_categories_and_days_are_numbers():
    dated = {"reading": ColumnReading("day first", day_first=True), "source": "d"}
    for cells in (["3.4.2020", ""], Dates(np.array([18355.0, np.nan]))):
        raw = table(d=cells)
        parts = [
            encode_named(raw, Column(f"d ({part})", None, date_part=part, **dated))
            for part in ("days", "month", "weekday")
        ]
        assert [part[0] for part in parts] == [18355, 3, 4]
        assert all(np.isnan(part[1]) for part in parts)


@pytest.mark.parametrize("name", ["date", ""])
def test_numbers_are_dates_where_dates_are_wanted(name):
    column = Column("d", None, date_part="days", reading=ColumnReading(name))
    assert encode_named(table(d=Numbers(np.array([20200101.0]))), column) == [18262.0]


@pytest.mark.parametrize(
    ("column", "cells", "rule"),
    [
        (Column("c", reading=DOLLARS), ["$1", "soon"], "'c'='soon' in row 2 must be a number"),
        (Column("c", date_part="days"), ["2020-01-01", "x"], "'c'='x' in row 2 must be a date"),
        (Column("c"), Numbers(np.array([1.0, np.inf])), "must be a finite number"),
    ],
)
def test_a_cell_that_cannot_be_read_is_refused(column, cells, rule):
    with pytest.raises(DataError, match=rule):
        encode_named(table(c=cells), column)


def test_rows_to_score_lose_only_the_cells_that_cannot_be_read():
    raw = table(
        age=["30", "old", "n/a"],
        seen=["2020-05-01", "2020-05-01", "someday"],
        far=Numbers(np.array([np.inf, 1.0, 2.0])),
        pay=["none", "$2", "$3"],
        sex=["?", "m", "x"],
    )
    paid = Column("pay", reading=DOLLARS, steps=(AppliedStep("recode", {"values": {"none": "0"}}),))
    days, month = Column("seen", None, None, "days"), Column("m", ("Jan",), "seen", "month")
    columns = (Column("age"), days, month, Column("far"), paid, Column("sex", ("m", "w")))
    raw.problems = {}
    values = encode(raw, Schema(columns))
    assert raw.problems == {
        0: ["far='inf' is not a finite number"],
        1: ["age='old' is not a number"],
        2: ["seen='someday' is not a date"],
    }
    assert values[:, 0].tolist()[0] == 30
    assert np.isnan(values[1:, 0]).all()
    assert values[:, 4].tolist() == [0, 2, 3]


def test_what_somebody_types_is_read_as_its_column():
    clock = Column("t", reading=ColumnReading("clock", unit="h:mm"))
    assert cell_value("14:30", clock) == 14.5
    assert cell_value("1.234,5", Column("c", reading=ColumnReading("grouped", ","))) == 1234.5
    assert cell_value("1.5", Column("c", reading=ColumnReading("grouped", ","))) == 1.5
    assert cell_value("2020-01-01", Column("d", date_part="days")) == 18262
    assert np.isnan(cell_value("abc", clock))
    assert np.isnan(cell_value("", clock))


def test_weights_groups_and_times_of_rows():
    raw = table(w=["1", "0,5", "n/a"], g=["a", "", "a"], t=["2020-01-01", "-", "2020-01-03"])
    found = row_roles(raw, {"w": "weight", "g": "group", "t": "time"})
    assert np.array_equal(found["weights"], [1, 0.5, np.nan], equal_nan=True)
    assert found["groups"].tolist() == [0, 1, 0]
    assert np.array_equal(found["times"], [18262, np.nan, 18264], equal_nan=True)
    kept, dropped = rows_to_learn_from(found, 3, np.zeros(3, dtype=bool))
    assert kept.tolist() == [True, False, False]
    assert dropped == {"no weight": 1, "no time": 1}
    with pytest.raises(DataError, match="'w'='x' in row 2 must be a weight of at least 0"):
        row_roles(table(w=["1", "x"]), {"w": "weight"})


@pytest.mark.parametrize("number", [13.2023, 18262.0, 20230105123000.0])
def test_numbers_that_count_no_days_are_refused_as_dates(number):
    schema = Schema((Column("d (days)", None, "d", "days"), Column("y", ("a", "b"))))
    raw = RawTable({"d": Numbers(np.array([np.nan, 20230105.0, number]))}, 3, ("d",))
    with pytest.raises(DataError, match="in row 3 must be a date"):
        encode(raw, schema)
    raw.problems = {}
    assert encode(raw, schema)[:, 0] == pytest.approx([np.nan, 19362, np.nan], nan_ok=True)
    assert list(raw.problems) == [2]
