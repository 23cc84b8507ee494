import os
import stat
from pathlib import Path

import pytest

from probtrees import kernel_cache


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
