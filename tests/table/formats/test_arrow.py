"""Frames of every package, Parquet, Feather and records in JSON."""

import datetime as dt
import io
import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as arrow_feather
import pyarrow.parquet as arrow_parquet
import pytest

from probtrees.errors import DataError
from probtrees.table.raw_table import Dates, Numbers, Texts
from tests.table.formats.raw import column, columns, raw

TABLE = pa.table(
    {
        "n": pa.array([1, None, 3]),
        "f": [0.5, 1.5, None],
        "t": [" red", None, "blue "],
        "d": pa.array([dt.date(2020, 1, 31), None, dt.date(1970, 1, 2)]),
        "s": pa.array([dt.datetime(2020, 1, 1, 12), None, None], pa.timestamp("us")),
        "b": [True, False, None],
        "c": pa.array(["lo", "hi", "lo"]).dictionary_encode(),
    }
)
CELLS = {
    "n": ["1", "", "3"],
    "f": ["0.5", "1.5", ""],
    "t": ["red", "", "blue"],
    "d": ["2020-01-31", "", "1970-01-02"],
    "b": ["True", "False", ""],
    "c": ["lo", "hi", "lo"],
}


def parquet(table: pa.Table = TABLE) -> tuple[str, bytes]:
    content = io.BytesIO()
    arrow_parquet.write_table(table, content)
    return "t.parquet", content.getvalue()


def feather(compression: str, table: pa.Table = TABLE) -> tuple[str, bytes]:
    content = io.BytesIO()
    arrow_feather.write_feather(table, content, compression=compression)
    return "t.feather", content.getvalue()


SOURCES: dict[str, Any] = {
    "pandas": TABLE.to_pandas,
    "pandas of Arrow": lambda: TABLE.to_pandas(types_mapper=pd.ArrowDtype),
    "pyarrow": lambda: TABLE,
    "a batch": lambda: TABLE.to_batches()[0],
    "polars": lambda: pl.from_arrow(TABLE),
    "lazy": lambda: pl.from_arrow(TABLE).lazy(),  # type: ignore[union-attr]
    "rows": TABLE.to_pylist,
    "columns": TABLE.to_pydict,
    "Parquet": parquet,
    "Feather": lambda: feather("uncompressed"),
    "lz4": lambda: feather("lz4"),
}


@pytest.mark.parametrize("case", SOURCES)
def test_one_table_wherever_it_is_held(case: str) -> None:
    table = raw(SOURCES[case]())
    assert {name: cells for name, cells in columns(table).items() if name != "s"} == CELLS
    found = table.columns
    assert isinstance(found["n"], Numbers)
    assert isinstance(found["s"], Dates)
    assert found["s"].values[0] == 18262.5
    assert isinstance(found["b"], Texts)
    assert found["b"].boolean


def test_categories_of_a_frame_are_declared() -> None:
    frame = pd.DataFrame({"c": pd.Categorical(["lo"], ["hi", "lo", "none"])})
    found = raw(frame).columns["c"]
    assert isinstance(found, Texts)
    assert (found.texts, found.declared) == (("hi", "lo", "none"), True)
    mixed = pd.DataFrame({"o": [1, "a", None, 2.5]}, dtype=object)
    assert column(raw(mixed), "o") == ["1", "a", "", "2.5"]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (pd.DataFrame({"x": pd.Series([1 + 2j])}), "column='x' of the frame must hold numbers"),
        (pa.table({"x": [[1], [2]]}), r"column='x' of the frame must hold .* it holds list"),
        (pa.table({"x": [b"a"]}), "must hold numbers, texts or dates"),
        ({"x": [1, 2], "y": [1]}, "columns of one length"),
        (("t.parquet", parquet()[1][:-20]), "must be a complete Parquet file"),
        (("t.parquet", parquet()[1].replace(b"\x01f", b"\x01\x82")), "a complete Parquet file"),
        (("t.feather", feather("zstd")[1][:300]), "must be a complete Feather file"),
    ],
)
def test_what_is_no_table_is_refused(source: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        raw(source)


def test_feather_that_lies_about_its_texts_is_refused() -> None:
    table = pa.table({"x": ["a", "b", "c"], "y": ["p", "q", "p"]})
    name, content = feather("uncompressed", table)
    offsets = np.array([0, 1, 2, 3], np.int32).tobytes()
    assert offsets in content
    wrong = np.array([0, 1, 9_000_000, 3], np.int32).tobytes()
    with pytest.raises(DataError, match="must be a complete Feather file"):
        raw((name, content.replace(offsets, wrong, 1)))


def test_names_that_occur_again_are_numbered() -> None:
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], ["x", "x", ""])
    for source in (table, parquet(table), table.to_pandas()):
        assert columns(raw(source)) == {"x": ["1"], "x (2)": ["2"], "column 3": ["3"]}


def test_an_index_of_pandas_is_no_column() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0]}, index=["a", "b"])
    content = io.BytesIO()
    frame.to_parquet(content)
    assert tuple(raw(("t.parquet", content.getvalue())).columns) == ("x",)
    assert raw(frame).names == ("x",)


RECORDS = [
    {"x": 1, "inner": {"a": True}, "y": "p"},
    {"x": 2.5, "y": "q", "later": ["tea", "milk"]},
    {"x": None, "inner": {"a": False}, "y": "p"},
]
FLAT = pd.DataFrame([{"x": record["x"], "y": record["y"]} for record in RECORDS])
LAYOUTS = {
    "list": json.dumps(RECORDS),
    "lines": "\n".join(map(json.dumps, RECORDS)) + "\n\n",
    "columns": json.dumps({"x": [1, 2.5, None], "y": ["p", "q", "p"]}),
    "pandas": FLAT.to_json(),
    "wrapped": json.dumps({"count": 3, "data": RECORDS}),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_json_however_it_is_laid_out(layout: str) -> None:
    table = raw(("t.json", LAYOUTS[layout].encode()))
    assert column(table, "x") == ["1", "2.5", ""]
    assert column(table, "y") == ["p", "q", "p"]
    if layout in ("list", "lines", "wrapped"):
        assert column(table, "inner.a") == ["True", "", "False"]
        assert column(table, "later") == ["", "tea, milk", ""]


@pytest.mark.parametrize("text", ["[1, 2]", "[{]", "{}", "[" * 100_000, '{"a": 1}\n{"a"'])
def test_json_without_records_gives_one_sentence(text: str) -> None:
    with pytest.raises(DataError, match="must be"):
        raw(("t.json", text.encode()))
