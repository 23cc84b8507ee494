"""Places to write: refused before the work whose result belongs there."""

import os
import subprocess
import sys
import threading

import pytest

from probtrees.errors import DataError
from probtrees.machine.atomic_file import check_place, write_atomically


def test_a_place_is_tried_without_a_trace(tmp_path):
    kept = tmp_path / "kept.html"
    kept.write_text("as it was")
    check_place(kept, "report")
    check_place(tmp_path / "new.html", "report")
    check_place(None, "report")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.html"]
    assert kept.read_text() == "as it was"


@pytest.mark.parametrize("name", [".", "no/such/folder/report.html", "x" * 300, "nul\0"])
def test_a_place_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(DataError, match=r"report='.* must be a place to write\. "):
        check_place(f"{tmp_path}/{name}", "report")
    assert list(tmp_path.iterdir()) == []


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old")
    link.symlink_to(real)
    check_place(link, "out")
    write_atomically(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    real.unlink()
    with pytest.raises(DataError, match="link to a file that does not exist"):
        check_place(link, "out")
    with pytest.raises(OSError, match="link to a file that does not exist"):
        write_atomically(link, "new")


def test_a_pipe_is_written_to_and_not_replaced(tmp_path):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    for name in (pipe, link):
        check_place(name, "out")
        read: list[bytes] = []
        reader = threading.Thread(target=lambda found=read: found.append(pipe.read_bytes()))
        reader.start()
        write_atomically(name, "through")
        reader.join(10)
        assert read == [b"through"]
    assert pipe.is_fifo()


def test_the_null_device_is_left_as_it_is():
    check_place(os.devnull, "out")
    write_atomically(os.devnull, "nothing")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/stderr"])
def test_what_streams_lead_to_is_written_to(tmp_path, name):
    code = f"from probtrees.machine.atomic_file import *; check_place({name!r}, 'out'); "
    code += f"write_atomically({name!r}, 'one '); write_atomically({name!r}, 'two')"
    call = [sys.executable, "-c", code]
    into = {"/dev/stdout": "stdout", "/dev/stderr": "stderr"}[name]
    assert subprocess.run(call, check=True, **{into: subprocess.PIPE}).__dict__[into] == b"one two"
    kept = tmp_path / "log"
    kept.write_text("zero ")
    with kept.open("ab") as file:
        subprocess.run(call, check=True, **{into: file})
    assert kept.read_text() == "zero one two"
