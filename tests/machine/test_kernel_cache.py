import importlib
import os
import stat
import sys
from pathlib import Path

import pytest

from probtrees.machine import kernel_cache


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine where neither the package nor the user's cache can be written."""
    monkeypatch.delenv(kernel_cache.VARIABLE, raising=False)
    monkeypatch.setattr(kernel_cache, "_is_writable", lambda folder: False)
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(kernel_cache.tempfile, "tempdir", str(tmp_path))
    monkeypatch.setitem(kernel_cache.sys.modules, "numba", None)
    monkeypatch.delitem(kernel_cache.sys.modules, "numba")
    return tmp_path


def test_a_private_folder_is_made_and_found_again(bare, monkeypatch):
    kernel_cache.prepare_kernel_cache()
    folder = Path(os.environ[kernel_cache.VARIABLE])
    assert folder.parent == bare
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    monkeypatch.delenv(kernel_cache.VARIABLE)
    kernel_cache.prepare_kernel_cache()
    assert os.environ[kernel_cache.VARIABLE] == str(folder)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX owners")
def test_a_folder_that_others_can_write_is_not_trusted(bare):
    suspicious = bare / f"probtrees-kernels-{os.getuid()}"
    suspicious.mkdir()
    suspicious.chmod(0o777)
    kernel_cache.prepare_kernel_cache()
    chosen = Path(os.environ[kernel_cache.VARIABLE])
    assert chosen != suspicious
    assert stat.S_IMODE(chosen.stat().st_mode) == 0o700


def test_a_folder_named_by_the_user_is_left_alone(bare, monkeypatch):
    monkeypatch.setenv(kernel_cache.VARIABLE, "/somewhere")
    kernel_cache.prepare_kernel_cache()
    assert os.environ[kernel_cache.VARIABLE] == "/somewhere"


def test_nothing_is_named_where_numba_finds_a_place(monkeypatch, tmp_path):
    monkeypatch.delenv(kernel_cache.VARIABLE, raising=False)
    monkeypatch.setattr(kernel_cache, "_is_writable", lambda folder: folder.name == "numba")
    kernel_cache.prepare_kernel_cache()
    assert kernel_cache.VARIABLE not in os.environ


def test_writable_looks_at_the_nearest_folder_that_exists(tmp_path):
    assert kernel_cache._is_writable(tmp_path / "not" / "yet")
    (tmp_path / "file").write_text("")
    assert not kernel_cache._is_writable(tmp_path / "file")


class Vanishing:
    """A class of an older release, which a kept kernel refers to."""


@pytest.fixture
def kept(tmp_path):
    """One compiled thing, kept as numba keeps it."""
    caching = importlib.import_module("numba.core.caching")
    kernel_cache.make_forgiving(caching)
    file = caching.IndexDataCacheFile(str(tmp_path), "kernel", "stamp")
    file.save("key", [1, 2, 3])
    return file


def test_what_was_kept_is_found(kept):
    assert kept.load("key") == [1, 2, 3]


@pytest.mark.parametrize("name", ["kernel.nbi", "kernel.1.nbc"])
@pytest.mark.parametrize("place", range(0, 100, 7))
def test_damaged_files_are_compiled_again(kept, tmp_path, name, place):
    content = bytearray((tmp_path / name).read_bytes())
    content[place % len(content)] ^= 0x55
    (tmp_path / name).write_bytes(content)
    assert kept.load("key") in (None, [1, 2, 3])  # the seal itself may have been hit
    kept.save("key", [4])
    assert kept.load("key") == [4]


@pytest.mark.parametrize("name", ["kernel.nbi", "kernel.1.nbc"])
@pytest.mark.parametrize("content", [b"", b"\x80", b"no pickle at all"])
def test_files_that_are_no_cache_are_compiled_again(kept, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    assert kept.load("key") is None
    kept.save("key", [4])
    assert kept.load("key") == [4]


def test_a_class_of_an_older_release_is_no_reason_to_fail(kept, monkeypatch):
    kept.save(("key", Vanishing), [7])
    assert kept.load(("key", Vanishing)) == [7]
    monkeypatch.delattr(sys.modules[__name__], "Vanishing")
    assert kept.load("key") is None


def test_a_full_disk_keeps_nothing_and_stops_nobody(kept, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(kept), "_dump", full)
    kept.save("other", [5])
    assert kept.load("other") is None
