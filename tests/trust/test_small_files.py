"""Small files that would fill the memory are refused before they are read, whatever their form."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.machine.limits import ServerLimits
from probtrees.table.read_table import read_table

MANY = 300_000


@pytest.fixture
def _little_is_harmless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(input_bytes, "HARMLESS", 1 << 20)


@pytest.fixture
def _small_server() -> Iterator[None]:
    input_bytes.limit_tables(ServerLimits(rows=20, columns=3))
    yield
    input_bytes.limit_tables(ServerLimits())


def parquet(**columns: pa.Array) -> bytes:
    file = io.BytesIO()
    pq.write_table(pa.table(columns), file)
    return file.getvalue()


FILES = {
    "t.csv.gz": gzip.compress(b"a,b\n" + b",\n" * MANY, mtime=0),
    "u.csv.gz": gzip.compress(b"a,b\n" + b'"x",y\n' * MANY, mtime=0),
    "t.arff.gz": gzip.compress(
        b"@relation r\n@attribute a {x}\n@attribute b {y}\n@data\n" + b"'x',\"y\"\n" * MANY, mtime=0
    ),
    "t.parquet": parquet(a=pa.array(np.zeros(MANY, np.int8)), b=pa.array(np.ones(MANY, np.int8))),
}


@pytest.mark.usefixtures("_little_is_harmless")
@pytest.mark.parametrize("name", FILES)
def test_a_small_file_of_very_many_cells_is_refused(name: str) -> None:
    with pytest.raises(DataError, match="made to fill the memory"):
        read_table((name, FILES[name]))


@pytest.mark.usefixtures("_small_server")
@pytest.mark.parametrize("name", FILES)
def test_a_server_refuses_rows_before_it_reads_them(name: str, monkeypatch) -> None:
    monkeypatch.setattr("pyarrow.csv.read_csv", None)
    monkeypatch.setattr(pq.ParquetFile, "read", None)
    with pytest.raises(DataError, match="must be at most 20 on this server"):
        read_table((name, FILES[name]))


@pytest.mark.usefixtures("_small_server")
@pytest.mark.parametrize("end", ["", "\n", "\r\n\r\n"])
def test_a_table_of_just_as_many_rows_is_read(end: str) -> None:
    text = "\n".join(["a,b", *(f"{n},{'xy'[n % 2]}" for n in range(20))]) + end
    assert read_table(("t.csv", text.encode())).n_rows == 20


def test_a_text_that_repeats_itself_is_held_once() -> None:
    long = pa.DictionaryArray.from_arrays(
        pa.array(np.arange(4000, dtype=np.int32) % 2), ["x" * 1_000_000, "y" * 1_000_000]
    )
    file = io.BytesIO()
    table = pa.table({"a": long, "b": pa.array(["no", "yes"] * 2000)})
    pq.write_table(table, file, store_schema=False)
    before = pa.default_memory_pool().max_memory()
    assert read_table(("t.parquet", file.getvalue())).n_rows == 4000
    assert pa.default_memory_pool().max_memory() - before < 1 << 30


def test_texts_that_are_none_are_refused_in_a_sentence() -> None:
    wrong = pa.StringArray.from_buffers(
        3, pa.py_buffer(np.array([0, 1, 2, 3], np.int32)), pa.py_buffer(b"a\xffb")
    )
    file = io.BytesIO()
    pq.write_table(pa.table({"a": wrong, "b": pa.array(["no", "yes", "no"])}), file)
    with pytest.raises(DataError, match="must be a complete Parquet file"):
        read_table(("t.parquet", file.getvalue()))
