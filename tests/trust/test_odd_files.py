"""Odd files: small ones that would fill the memory, pipes, numbers and texts of any length."""

import contextlib
import gzip
import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.machine.limits import ServerLimits
from probtrees.scale.files.table_files import find_files
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


def parquet(names: list[str] | None = None, **columns: pa.Array) -> bytes:
    file = io.BytesIO()
    table = pa.table(columns)
    pq.write_table(table.rename_columns(names or table.column_names), file, store_schema=False)
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
    content = parquet(a=long, b=pa.array(["no", "yes"] * 2000))
    before = pa.default_memory_pool().max_memory()
    assert read_table(("t.parquet", content)).n_rows == 4000
    assert pa.default_memory_pool().max_memory() - before < 1 << 30


def test_texts_that_are_none_are_refused_in_a_sentence() -> None:
    wrong = pa.StringArray.from_buffers(
        3, pa.py_buffer(np.array([0, 1, 2, 3], np.int32)), pa.py_buffer(b"a\xffb")
    )
    with pytest.raises(DataError, match="must be a complete Parquet file"):
        read_table(("t.parquet", parquet(a=wrong, b=pa.array(["no", "yes", "no"]))))


LONG = "7" * 5000


@pytest.mark.parametrize(
    "text",
    [
        "a,y\n" + "".join(f"{('x', LONG, 'z')[n % 3]},{'ny'[n % 2]}\n" for n in range(90)),
        "a,y\n" + "".join(f"{n % 5},{('x', LONG)[n % 2]}\n" for n in range(60)),
    ],
    ids=["category", "class"],
)
def test_thousands_of_digits_are_text_or_a_sentence(text: str) -> None:
    with contextlib.suppress(DataError):
        assert LONG in str(read_table(("t.csv", text.encode()), types={"a": "nominal"}).schema)


def test_a_frame_may_hold_numbers_beyond_all_floats() -> None:
    frame = pd.DataFrame({"a": [10**400, 1, 2, 10**400], "y": ["n", "y", "n", "y"]}, dtype=object)
    with contextlib.suppress(DataError):
        assert read_table(frame).n_rows == 4
    frame.loc[0, "a"] = 10**5000
    with pytest.raises(DataError, match="must hold numbers"):
        read_table(frame)


def test_columns_without_names_and_bytes_are_read_or_refused() -> None:
    numbers, classes = pa.array([1, 2, 3, 4]), pa.array(["n", "y", "n", "y"])
    nameless = parquet(["", "", "y"], a=numbers, b=numbers, y=classes)
    assert read_table(("t.parquet", nameless)).n_rows == 4
    coded = pa.DictionaryArray.from_arrays(pa.array([0, 1, 0, 1]), pa.array([b"\xff", b"b"]))
    with pytest.raises(DataError, match="must hold numbers, texts or dates"):
        read_table(("t.parquet", parquet(a=coded, y=classes)))


def test_a_table_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"a,y\n1,n\n2,y\n3,n\n",))
    writer.start()
    assert read_table(pipe).n_rows == 3
    writer.join()
    with pytest.raises(DataError, match="must be a file or a pipe"):
        read_table("/dev/zero")
    with pytest.raises(DataError, match="pipe or a device"):
        find_files(pipe)


def test_a_file_cut_while_it_is_read_is_refused(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,y\n" + "1,n\n2,y\n" * 50, encoding="utf-8")
    read = Path.read_bytes

    def cut_and_read(given):
        os.truncate(path, 100)
        return read(given)

    monkeypatch.setattr(Path, "read_bytes", cut_and_read)
    with pytest.raises(DataError, match="changed meanwhile"):
        read_table(path)
