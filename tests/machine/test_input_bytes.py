import gzip
import io
import zlib

import pytest

from probtrees.errors import DataError
from probtrees.machine import input_bytes
from probtrees.machine.input_bytes import gunzip, named_bytes
from probtrees.machine.json_file import read_json
from probtrees.table.read_table import read_table


def test_what_was_packed_comes_back():
    content = b"a,b\n1,x\n" * 1000
    assert gunzip(gzip.compress(content, mtime=0), "t.gz") == content
    assert gunzip(gzip.compress(b"", mtime=0) + gzip.compress(b"x", mtime=0), "t.gz") == b"x"


@pytest.mark.parametrize("cut", [3, 12, 40, -9, -1])
def test_what_is_cut_off_is_noticed(cut):
    packed = gzip.compress(bytes(range(256)) * 9, mtime=0)
    with pytest.raises((EOFError, OSError, zlib.error)):
        gunzip(packed[:cut], "t.gz")


def test_a_file_made_to_burst_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(input_bytes, "HARMLESS", 1 << 20)
    monkeypatch.setattr(input_bytes, "_CHUNK", 1 << 18)
    bomb = gzip.compress(b"1,2\n" * (1 << 20), mtime=0)
    with pytest.raises(DataError, match="must not unpack to more than 200 times"):
        read_table(("t.csv.gz", bomb))
    (tmp_path / "m.json.gz").write_bytes(bomb)
    with pytest.raises(DataError, match="must not unpack to more than 200 times"):
        read_json(tmp_path / "m.json.gz", "model")


def test_bytes_of_everything_that_has_some(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(b"{}")
    with path.open("rb") as file:
        assert named_bytes(file) == ("m.json", b"{}")
    assert named_bytes(io.StringIO("größe")) == ("data", "größe".encode())
    assert named_bytes(bytearray(b"x")) == ("data", b"x")
    assert named_bytes(path) is None
    assert named_bytes(str(path)) is None
