"""Files held open, so that a path leads to the same file however often it is opened.

Passes open a file many times. Where people may name only files of one folder, a file or a folder
on the way could meanwhile be swapped for a link that leads outside.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from probtrees.errors import DataError

_OPEN_FILES = Path("/proc/self/fd")
"""Where Linux lists the open files of a process; opened there, a file is the one that is open."""

_HELD: dict[str, str] = {}
"""Where to open the files that are held, by the paths people know them by."""


def place_of(path: str) -> str:
    """Return where to open a file: by its path, or as the one that is held open."""
    return _HELD.get(os.path.abspath(path), path)


@contextmanager
def held_open(root: Path, paths: Sequence[str]) -> Iterator[None]:
    """Hold files below a folder open, found without following any link.

    On systems that do not list open files, they are found in this way, but opened by their paths.

    Raises
    ------
    DataError : a path leads through a link, or not to an ordinary file
    """
    held: dict[str, str] = {}
    with ExitStack() as opened:
        for path in paths:
            try:
                file = _open_below(root, Path(path))
            except (OSError, ValueError):
                name = Path(path).name
                raise DataError(
                    f"file={name!r} must stay where it was found until it is learnt from; it was "
                    "moved or replaced by a link. Name it again."
                ) from None
            opened.callback(os.close, file)
            held[os.path.abspath(path)] = str(_OPEN_FILES / str(file))
        if _OPEN_FILES.is_dir():
            _HELD.update(held)
        try:
            yield
        finally:
            for path in held:
                _HELD.pop(path, None)


def _open_below(root: Path, path: Path) -> int:
    """Open an ordinary file below a folder, step by step; a link on the way is an error."""
    *folders, name = path.relative_to(root).parts
    here = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            below = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = below
        file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=here)
    finally:
        os.close(here)
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise ValueError(name)
    return file
