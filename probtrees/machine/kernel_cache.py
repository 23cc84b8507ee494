"""Where compiled kernels are kept between runs.

numba runs what it kept as code, so it is given a folder that nobody but this user can write:
in the user's cache folder, or among the temporary files where that is not possible. Its name
holds the release, so that no kernel refers to a class that is gone. Within it numba keeps the
kernels of each source file apart by the file's path, and compiles again those whose source,
processor or numba has changed.

Compiling takes seconds and holds the interpreter's lock. On a first start, while other processes
compile, a small table is finished sooner by the same kernels as plain Python: what is compiled is
stored as it was written, so nothing is written twice.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import stat
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

from probtrees.version import __version__

Answer = TypeVar("Answer")

VARIABLE = "NUMBA_CACHE_DIR"
STAMP = f"kernels-{__version__}-{sys.implementation.cache_tag}-{platform.machine()}"
_MARK = "compiled-"
ROOM = 100 << 20
"""Bytes that must be free: numba stops with an error where it cannot write."""


def prepare_kernel_cache() -> None:
    """Name a folder for compiled kernels that is this user's alone.

    It is called before any kernel is imported. A folder that the user named is left alone. Where
    none can be had, nothing is named and nothing raised: numba then looks for a place itself.
    """
    if os.environ.get(VARIABLE):
        return
    folder = private_folder(STAMP)
    if folder is None:
        return
    os.environ[VARIABLE] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = str(folder)


def _places() -> Iterator[Path]:
    """List the folders to try, best first."""
    yield Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")) / "probtrees"
    try:
        user = os.getuid() if hasattr(os, "getuid") else "user"
        yield Path(tempfile.gettempdir()) / f"probtrees-{user}"
        yield Path(tempfile.mkdtemp(prefix="probtrees-"))
    except OSError:  # no temporary files either
        return


def private_folder(name: str, place: Path | None = None) -> Path | None:
    """Find or make a folder that nobody else can look into; None: no place.

    Parameters
    ----------
    place : the folder it lies in; None: this user's cache
    """
    places = _places() if place is None else iter([place])
    return next((found for place in places if (found := _own_folder(place, name))), None)


def _own_folder(place: Path, name: str) -> Path | None:
    """Find or make a folder in a place; None unless it can be trusted."""
    folder = place / name
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
        if not (place.is_absolute() and _is_ours(place, 0o022)):
            return None  # nothing is made behind a link
        folder.mkdir(mode=0o700, exist_ok=True)
        # Every file: what numba finds two levels down is code as well.
        is_safe = _is_ours(folder, 0o077) and all(_is_ours(each, 0) for each in folder.rglob("*"))
        has_room = os.access(folder, os.W_OK | os.X_OK) and shutil.disk_usage(folder).free > ROOM
    except OSError:  # a file sits there, or nothing can be written
        return None
    return folder if is_safe and has_room else None


def _is_ours(path: Path, forbidden: int) -> bool:
    """Whether a file or folder, not a link, is this user's and denies others what is forbidden."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # Windows: the folders above are private by themselves
        return True
    return found.st_uid == os.getuid() and not found.st_mode & forbidden


def marks_kept() -> set[str]:
    """Return what :func:`keep_mark` noted of the sources as they are now."""
    return {mark.removeprefix(_MARK) for mark in os.listdir(_marks()) if mark.startswith(_MARK)}


def keep_mark(name: str) -> None:
    """Note beside the kernels that some of them are compiled, for other processes to see."""
    (_marks() / f"{_MARK}{name}").touch()


def _marks() -> Path:
    """Return the folder of marks, which is another one when a kernel's source has changed."""
    folder = Path(os.environ.get(VARIABLE) or tempfile.gettempdir()) / _sources(__file__)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@cache
def _sources(this_file: str) -> str:
    """Return a name for the kernels' sources as they are when it is first asked for."""
    package = Path(this_file).resolve().parents[1]
    digest = hashlib.sha256(str(package).encode())
    for source in sorted(package.rglob("_*_kernels.py")):
        digest.update(f"{source.name} {source.stat().st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


def retry_damaged_kernels(work: Callable[[], Answer]) -> Answer:
    """Do some work; if a kept kernel cannot be loaded, drop all of them and do it once more."""
    try:
        return work()
    except Exception as problem:
        folder = Path(os.environ.get(VARIABLE, ""))
        if folder.name != STAMP or not _comes_from_cache(problem):
            raise
        for file in filter(Path.is_file, folder.rglob("*")):
            file.unlink(missing_ok=True)  # numba goes on writing into the folders it has made
    return work()


def _comes_from_cache(problem: Exception) -> bool:
    frames = (frame for frame, _ in traceback.walk_tb(problem.__traceback__))
    return any(frame.f_globals.get("__name__") == "numba.core.caching" for frame in frames)


Kernel = Callable[..., Any]

_plain: ContextVar[bool] = ContextVar("kernels run as plain Python", default=False)


@contextmanager
def without_compiling() -> Iterator[None]:
    """Run the kernels that are asked for by :func:`runnable` as plain Python in this thread."""
    before = _plain.set(True)
    try:
        yield
    finally:
        _plain.reset(before)


def compiles() -> bool:
    """Whether kernels may be compiled here."""
    return not _plain.get()


def runnable(kernel: Kernel) -> Kernel:
    """Return a kernel, or its plain twin where nothing may be compiled."""
    return kernel if compiles() or not hasattr(kernel, "py_func") else plain_twin(kernel)


@cache
def plain_twin(kernel: Any) -> Kernel:
    """Return the function behind a kernel, which calls the plain twins of its file's kernels."""
    names = dict(kernel.py_func.__globals__)
    for name, value in list(names.items()):
        if hasattr(value, "py_func"):
            names[name] = FunctionType(value.py_func.__code__, names, name)
    twin: Kernel = names[kernel.py_func.__name__]
    return twin
