"""Where compiled kernels are kept between runs, and what happens if they were damaged.

numba keeps them beside the source, or in the user's cache folder when that is read-only.
Where neither can be written (a shared install, a container without a home) it gives up
with an error; then a private folder among the temporary files serves.

What was kept may be cut off, damaged, or refer to classes of an older release; numba would
end with an error, or run damaged machine code. So every file is sealed with its hash, and
one that cannot be read, or does not match its seal, is compiled again.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

VARIABLE = "NUMBA_CACHE_DIR"
_CACHING = "numba.core.caching"
_SEAL = b"probtrees sha256 "


def prepare_kernel_cache() -> None:
    """Name a writable folder for compiled kernels if numba would find none.

    Must run before numba is imported; a folder that the user named is left alone.
    """
    _guard_caching()
    if os.environ.get(VARIABLE) or _is_writable(Path(__file__).parent / "__pycache__"):
        return
    if _is_writable(_user_cache()):
        return
    os.environ[VARIABLE] = _private_folder()
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = os.environ[VARIABLE]


def _user_cache() -> Path:
    """Return the folder that numba takes when the source is read-only."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home)) / "numba"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "numba"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "numba"


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself can be made."""
    existing = next(place for place in (folder, *folder.parents, Path("/")) if place.exists())
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def _private_folder() -> str:
    """Find or make a folder that only this user can write: what is in it gets executed."""
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"probtrees-kernels-{owner}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == owner
    if is_ours and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return str(folder)
    return tempfile.mkdtemp(prefix="probtrees-kernels-")


def _guard_caching() -> None:
    """Make numba's cache forgiving now, or as soon as numba is imported."""
    if _CACHING in sys.modules:
        make_forgiving(sys.modules[_CACHING])
    elif not any(isinstance(finder, _Guard) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Guard())


class _Guard:
    """Waits for the import of numba's cache; importing it here would take half a second."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find the module like everybody else, and have it changed once it is loaded."""
        if name != _CACHING:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def execute_and_change(module: ModuleType) -> None:
            execute(module)
            make_forgiving(module)

        spec.loader.exec_module = execute_and_change  # type: ignore[method-assign]
        return spec


def make_forgiving(caching: Any) -> None:
    """Let numba's cache compile anew what it cannot read, and go on where it cannot write."""
    kind = getattr(caching, "IndexDataCacheFile", None)
    if kind is None or getattr(kind, "is_forgiving", False):
        return
    load_index, load_data, save = kind._load_index, kind._load_data, kind.save
    open_for_write = kind._open_for_write

    def forgiving_load_index(self: Any) -> Any:
        try:
            return load_index(self) if is_intact(self._index_path) else {}
        except Exception:  # damaged pickles raise anything
            return {}

    def forgiving_load_data(self: Any, name: str) -> Any:
        try:
            if is_intact(self._data_path(name)):
                return load_data(self, name)
        except Exception as problem:
            raise OSError(f"{name} is damaged") from problem
        raise OSError(f"{name} is damaged")  # numba takes that for a file that is not there

    def forgiving_save(self: Any, key: Any, data: Any) -> None:
        with contextlib.suppress(OSError):  # a full disk: compiled, but not kept
            save(self, key, data)

    @contextlib.contextmanager
    def sealing_open(self: Any, path: str) -> Iterator[io.BytesIO]:
        with open_for_write(self, path) as file:
            buffer = io.BytesIO()
            yield buffer
            content = buffer.getvalue()
            file.write(content + _SEAL + hashlib.sha256(content).digest())

    kind._load_index, kind._load_data = forgiving_load_index, forgiving_load_data
    kind.save, kind._open_for_write = forgiving_save, sealing_open
    kind.is_forgiving = True


def is_intact(path: str | Path) -> bool:
    """Whether a file matches its seal, or has none since it was written before there were any."""
    if not os.path.exists(path):
        return True
    content = Path(path).read_bytes()
    body, seal, digest = content[: -32 - len(_SEAL)], content[-32 - len(_SEAL) : -32], content[-32:]
    return seal != _SEAL or hashlib.sha256(body).digest() == digest
