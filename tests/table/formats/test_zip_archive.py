"""Tables in zip archives: one, several to choose from, none, and archives made to do harm."""

from __future__ import annotations

import io
import zipfile

import pytest

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.table.formats.open_table import sheets_of
from probtrees.table.read_table import read_table
from tests.cli.command import run

TABLE = "x,c,y\n" + "".join(f"{n % 7},{'pq'[n % 2]},{'ab'[n % 3 > 0]}\n" for n in range(40))


def archive(**members: str | bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in members.items():
            packed.writestr(name, text)
    return content.getvalue()


def test_the_one_table() -> None:
    packed = archive(**{"in/t.csv": TABLE, "__MACOSX/t.csv": "x", ".t.csv": "x", "readme.md": "y"})
    data = read_table(("data.zip", packed))
    assert (data.n_rows, data.name) == (40, "data")
    assert data.provenance.source == "data.zip"
    assert sheets_of(("data.zip", packed)) is None


def test_several_tables() -> None:
    packed = ("data.zip", archive(**{"a.csv": TABLE, "b.csv": TABLE.replace("x,", "z,")}))
    sheets = sheets_of(packed, "2")
    assert sheets is not None
    assert (sheets.names, sheets.read) == (("a.csv", "b.csv"), "b.csv")
    assert read_table(packed).schema.names == ("x", "c", "y")
    assert "also has 'b.csv'" in read_table(packed).provenance.notes[0]
    assert read_table(packed, sheet="b.csv").schema.names == ("z", "c", "y")
    with pytest.raises(DataError, match="Did you mean"):
        read_table(packed, sheet="c.csv")


def test_what_is_refused(monkeypatch) -> None:
    with pytest.raises(DataError, match="the archive has none"):
        read_table(("data.zip", archive(readme="x")))
    with pytest.raises(DataError, match="ends too early"):
        read_table(("data.zip", archive(**{"t.csv": TABLE})[:-30]))
    monkeypatch.setattr(input_bytes, "HARMLESS", 1000)
    with pytest.raises(DataError, match="fill the memory"):
        read_table(("data.zip", archive(**{"t.csv": b"0" * 1_000_000})))


def test_on_the_command_line(tmp_path, capsys) -> None:
    path = tmp_path / "data.zip"
    path.write_bytes(archive(**{"a.csv": TABLE, "b.csv": TABLE.replace("x,", "z,")}))
    model = tmp_path / "model.json"
    run(capsys, "grow", path, "--sheet", "b.csv", "--out", model)
    answer = run(capsys, "predict", model, path, "--sheet", "b.csv")
    assert len(answer.splitlines()) == 41
