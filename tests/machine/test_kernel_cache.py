import importlib.util
import os
import stat
from pathlib import Path
from unittest.mock import Mock

import numba
import pytest

from probtrees.machine import kernel_cache
from probtrees.machine.kernel_cache import STAMP, VARIABLE, retry_damaged_kernels


@pytest.fixture
def places(monkeypatch, tmp_path):
    """A user's cache folder and one for temporary files; neither names kernels yet."""
    monkeypatch.setenv(VARIABLE, "")
    monkeypatch.setattr(kernel_cache.sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(kernel_cache.tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    return tmp_path


def named() -> Path:
    """Choose a folder as a new process would."""
    os.environ[VARIABLE] = ""
    kernel_cache.prepare_kernel_cache()
    return Path(os.environ[VARIABLE])


def test_a_private_folder_is_made_and_found_again(places):
    folder = named()
    assert folder == places / "cache" / "probtrees" / STAMP
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert str(folder) == numba.config.CACHE_DIR
    (folder / "kernels of a file").mkdir()
    (folder / "kernels of a file" / "kernel.nbi").write_text("")
    assert named() == folder


def test_a_folder_named_by_the_user_is_left_alone(places, monkeypatch):
    monkeypatch.setenv(VARIABLE, "/somewhere")
    kernel_cache.prepare_kernel_cache()
    assert os.environ[VARIABLE] == "/somewhere"


def spoil(folder: Path, how: str) -> None:
    """Make a folder of kernels one that cannot be trusted or used."""
    if how.startswith("mode "):
        folder.chmod(int(how.removeprefix("mode "), base=8))
    elif how == "others write its parent":
        folder.parent.chmod(0o777)
    else:
        folder.rmdir()
        if how == "a link":
            (folder.parent.parent / "elsewhere").mkdir(mode=0o700)
            folder.symlink_to(folder.parent.parent / "elsewhere")
        else:
            folder.write_text("a file")


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs POSIX owners")
@pytest.mark.parametrize(
    "how", [*("mode 777", "mode 750", "mode 705", "others write its parent", "a link", "a file")]
)
def test_a_folder_that_cannot_be_trusted_is_not_used(places, how):
    spoil(named(), how)
    assert named().parent == places / "temporary" / f"probtrees-{os.getuid()}"


def test_nothing_is_named_and_nothing_raised_where_nothing_can_be_written(places, monkeypatch):
    refused = Mock(side_effect=PermissionError(13, "Permission denied"))
    monkeypatch.setattr(Path, "mkdir", refused)
    monkeypatch.setattr(kernel_cache.tempfile, "gettempdir", refused)
    kernel_cache.prepare_kernel_cache()
    assert os.environ[VARIABLE] == ""


@pytest.fixture
def kernel(places):
    """A kernel that was compiled and kept, as a new process finds it."""
    if numba.config.DISABLE_JIT:
        pytest.skip("nothing is kept without compiling")
    source = places / "tiny_kernels.py"
    source.write_text(
        "from numba import njit\n\n\n@njit(cache=True)\ndef double(x):\n    return 2 * x\n"
    )
    named()

    def found_again():
        spec = importlib.util.spec_from_file_location("tiny_kernels", source)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.double

    assert found_again()(2) == 4
    return found_again


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("content", [b"", b"\x80", b"no pickle at all"])
def test_a_kernel_that_cannot_be_loaded_is_compiled_again(kernel, ending, content):
    (kept,) = Path(os.environ[VARIABLE]).rglob(f"*.{ending}")
    kept.write_bytes(content)
    double = kernel()
    assert retry_damaged_kernels(lambda: double(2)) == 4
    assert kept.read_bytes() != content
    again = kernel()
    assert again(2) == 4
    assert sum(again.stats.cache_hits.values()) == 1


def test_kernels_of_a_folder_that_the_user_named_are_not_removed(kernel, places, monkeypatch):
    kept = next(Path(os.environ[VARIABLE]).rglob("*.nbi"))
    kept.write_bytes(b"")
    double = kernel()
    monkeypatch.setenv(VARIABLE, str(places))
    with pytest.raises(EOFError):
        retry_damaged_kernels(lambda: double(2))
    assert kept.exists()
