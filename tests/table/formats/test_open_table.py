"""Sources of every kind, formats found by what a file holds, archives, and what is no table."""

import gzip
import hashlib
import io
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.table.formats import source as source_module
from probtrees.table.formats.open_table import open_table, sheets_of
from probtrees.table.formats.source import Sheets
from probtrees.table.read_options import ReadOptions
from tests.table.formats.raw import columns, raw

TEXT = b"x,y\n1,a\n2,b\n"
CELLS = {"x": ["1", "2"], "y": ["a", "b"]}


def archive(**members: str | bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members.items():
            packed.writestr(name, text)
    return content.getvalue()


@pytest.mark.parametrize("kind", ["path", "str", "gz", "file", "text", "pair", "bytes", "pipe"])
def test_sources(kind: str, tmp_path: Path) -> None:
    path = tmp_path / ("t.csv.gz" if kind == "gz" else "t.csv")
    path.write_bytes(gzip.compress(TEXT) if kind == "gz" else TEXT)
    source: Any = {"str": str(path), "file": io.BytesIO(TEXT), "text": io.StringIO(TEXT.decode())}
    source = {**source, "pair": ("in/t.csv", TEXT), "bytes": TEXT}.get(kind, path)
    if kind == "pipe":
        source = tmp_path / "pipe"
        os.mkfifo(source)
        threading.Thread(target=source.write_bytes, args=(TEXT,)).start()
    opened = open_table(source, ReadOptions())
    assert columns(opened.raw) == CELLS
    given = path.read_bytes() if kind == "gz" else TEXT
    assert opened.sha256 == hashlib.sha256(given).hexdigest()
    if kind in ("path", "str", "gz", "pair"):
        assert opened.data_name == "t"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("missing.csv", r"file='missing\.csv' must exist\. Check the path"),
        (".", "must be a file; it is a folder"),
        (5, r"source=int must be a path.*Give one of these"),
        (np.zeros((2, 2)), "Name its columns"),
        (("t.csv", b""), "must hold a table; it is empty"),
        (("t.csv.gz", gzip.compress(TEXT)[:-9]), "must be a complete gzip file"),
        (("t.csv", b"%PDF-1.7" + bytes(50)), r"it is a document"),
        (("t.csv", b"<html><table></table>"), "it is a document"),
        (("t.db", b"SQLite format 3\0"), "a binary file"),
        (("t.csv", b"\x01\x02\x03\x04" * 30), r"must be a table in CSV.*it is a binary file"),
        (("t.csv", b"PK\x03\x04" + bytes(50)), "must be a complete zip archive"),
        (("t.parquet", TEXT), r"must be a complete Parquet file; .* does not begin like one"),
        (("t.zip", archive(readme="x")), "the archive has none"),
        (("t.zip", archive(**{"t.csv": TEXT})[:-30]), "ends too early"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(source: Any, sentence: str) -> None:
    with pytest.raises(DataError, match=sentence):
        raw(source)


def test_files_made_to_fill_the_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(input_bytes, "HARMLESS", 1000)
    zeros = b"0" * 1_000_000
    for source in (("t.zip", archive(**{"t.csv": zeros})), ("t.gz", gzip.compress(zeros))):
        with pytest.raises(DataError, match="fill the memory"):
            raw(source)
    path = tmp_path / "t.csv"
    path.write_bytes(TEXT)
    monkeypatch.setattr(source_module, "machine_memory", lambda: 20)
    with pytest.raises(DataError, match=r"must fit into memory; .* --chunks"):
        raw(path)


def test_tables_of_an_archive() -> None:
    hidden = {"__MACOSX/t.csv": "x", ".t.csv": "x", "readme.md": "y"}
    one = ("data.zip", archive(**{"in/t.csv": TEXT, **hidden}))
    assert columns(raw(one)) == CELLS
    assert sheets_of(one) is None
    assert open_table(one, ReadOptions()).data_name == "data"
    two = ("data.zip", archive(**{"a.csv": TEXT, "b.csv": TEXT.replace(b"x", b"z")}))
    assert sheets_of(two, "2") == Sheets(("a.csv", "b.csv"), "b.csv")
    assert "also has 'b.csv'" in raw(two).findings[0].sentence
    assert raw(two).findings[0].fixes[0].value == "b.csv"
    assert raw(two, sheet="b.csv").names == ("z", "y")
    with pytest.raises(DataError, match="Did you mean"):
        raw(two, sheet="c.csv")
