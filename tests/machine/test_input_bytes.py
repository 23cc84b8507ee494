import gzip
import io
import zlib

import pytest

from probtrees.machine.input_bytes import gunzip, named_bytes


def test_what_was_packed_comes_back():
    content = b"a,b\n1,x\n" * 1000
    assert gunzip(gzip.compress(content, mtime=0), "t.gz") == content
    assert gunzip(gzip.compress(b"", mtime=0) + gzip.compress(b"x", mtime=0), "t.gz") == b"x"


@pytest.mark.parametrize("cut", [3, 12, 40, -9, -1])
def test_what_is_cut_off_is_noticed(cut):
    packed = gzip.compress(bytes(range(256)) * 9, mtime=0)
    with pytest.raises((EOFError, OSError, zlib.error)):
        gunzip(packed[:cut], "t.gz")


def test_bytes_of_everything_that_has_some(tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(b"{}")
    with path.open("rb") as file:
        assert named_bytes(file) == ("m.json", b"{}")
    assert named_bytes(io.StringIO("größe")) == ("data", "größe".encode())
    assert named_bytes(bytearray(b"x")) == ("data", b"x")
    assert named_bytes(path) is None
    assert named_bytes(str(path)) is None
