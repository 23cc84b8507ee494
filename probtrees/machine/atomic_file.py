"""Files that appear complete or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from probtrees.errors import DataError

_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}


def write_atomically(path: str | Path, content: bytes | str) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    Whoever reads the file meanwhile, or after the program was killed, finds the old content
    or the new one, never a part. A link stays a link, and the file behind it is written; a device,
    a pipe or what ``/dev/stdout`` leads to is written to, never replaced.
    """
    with atomic_file(path) as file:
        file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def atomic_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file that is written piece by piece and appears when all is written.

    Otherwise as :func:`write_atomically`.
    """
    target = _behind_links(path)
    if _is_special(target):
        stream = _STREAMS.get(str(target))
        # Opened by its name, a file to which output is sent would be cut to nothing.
        with target.open("wb") if stream is None else os.fdopen(os.dup(stream), "wb") as file:
            yield file
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # mkstemp lets only the owner read
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _behind_links(path: str | Path) -> Path:
    """Follow links to the file that is to be written; one that leads nowhere is refused."""
    if "\0" in str(path):
        raise OSError(errno.EINVAL, "A path cannot hold a null character", str(path))
    if not os.path.islink(path) or _is_special(Path(path)):
        return Path(path)
    target = Path(os.path.realpath(path))
    if not target.exists():
        raise OSError(errno.ENOENT, "It is a link to a file that does not exist", str(path))
    return target


def _is_special(target: Path) -> bool:
    """Whether a name stands for an open stream, a device, a pipe or a socket."""
    if str(target) in _STREAMS:
        return True
    return target.exists() and not target.is_file() and not target.is_dir()


@contextmanager
def place_to_write(path: str | Path, option: str) -> Iterator[None]:
    """Turn what goes wrong with writing meanwhile into a sentence; ``option`` named the path."""
    try:
        yield
    except BrokenPipeError:  # who reads has enough, as `head` does
        raise
    except OSError as problem:
        reason = problem.strerror or problem
        raise DataError(f"{option}={str(path)!r} must be a place to write. {reason}.") from None


def check_place(path: str | Path | None, option: str) -> None:
    """Refuse a place that cannot be written to before the work whose result belongs there."""
    if path is None:
        return
    with place_to_write(path, option):
        target = _behind_links(path)
        if _is_special(target):
            return
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        os.close(handle)
        os.unlink(temporary)
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
