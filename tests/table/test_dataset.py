"""Columns, schemas and their records; raw columns in their forms."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.table.dataset import Column, Schema
from probtrees.table.raw_table import Dates, Numbers, Texts
from probtrees.table.readings.reading import AppliedStep, ColumnReading

TEXT = st.text(max_size=5)
READINGS = st.builds(
    ColumnReading,
    name=st.sampled_from(["", "amount", "day first"]),
    decimal=st.sampled_from(".,"),
    unit=st.sampled_from(["", "€", "mg"]),
    day_first=st.sampled_from([None, True, False]),
    last_year=st.integers(0, 2100),
    missing=st.lists(TEXT).map(tuple),
)
STEPS = st.builds(
    AppliedStep, st.just("join"), st.fixed_dictionaries({"meant": st.dictionaries(TEXT, TEXT)})
)
COLUMNS = st.builds(
    Column,
    name=TEXT,
    categories=st.none() | st.lists(TEXT, unique=True).map(tuple),
    source=st.none() | TEXT,
    reading=READINGS,
    steps=st.lists(STEPS, max_size=2).map(tuple),
    label=TEXT,
)  # fmt: skip


@settings(max_examples=30)
@given(st.lists(COLUMNS, max_size=3))
def test_a_schema_is_read_back_from_its_record(columns):
    schema = Schema(tuple(columns))
    assert Schema.from_dict(schema.to_dict()) == schema
    assert hash(schema) == hash(Schema.from_dict(schema.to_dict()))


def test_a_plain_column_has_a_short_record():
    record = Schema((Column("age"),)).to_dict()["columns"][0]
    assert record == {"name": "age", "categories": None, "source": None, "date_part": None}


def test_the_unit_of_a_column():
    assert Column("dose", reading=ColumnReading(unit="mg")).unit == "mg"
    assert Column("seen", date_part="days").unit == "date"
    assert Column("born (age)", date_part="age").unit == "year"


def test_texts_that_steps_made_a_category_have_its_code():
    join = AppliedStep("join", {"meant": {"Mann": "m", "Frau": "w", "x": "gone"}})
    assert Column("sex", ("m", "w"), steps=(join,)).codes == {"m": 0, "w": 1, "Mann": 0, "Frau": 1}


def test_raw_columns_are_spelled_out_and_lose_texts_that_mean_missing():
    numbers = Numbers(np.array([1.0, 2.5, np.nan, 999.0]))
    assert numbers.as_texts().texts == ("1", "2.5", "999")
    assert numbers.without(("999", "x")).missing.tolist() == [False, False, True, True]
    days = Dates(np.array([0.0, np.nan]))
    assert (days.cell(0), days.cell(1)) == ("1970-01-01", "")
    assert days.as_texts().texts == ("1970-01-01",)
    assert days.without(("1970-01-01",)).missing.all()
    texts = Texts.of_cells(["b", "", "a", "b"])
    assert (texts.cell(0), texts.cell(1), texts.rows_of.tolist()) == ("b", "", [2, 1])
    assert texts.without(("b",)).missing.tolist() == [True, True, False, True]
    respelled = texts.respelled({"b": "a"})
    assert (respelled.texts, respelled.codes.tolist()) == (("a",), [0, -1, 0, 0])
    assert texts.respelled({"b": ""}).missing.tolist() == [True, True, False, True]
    assert texts.rows_with({"b", "z"}) == 2
