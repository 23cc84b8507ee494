"""The one folder of a server whose files people may name, and a guard that nothing else is read."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from probtrees.errors import DataError, OptionError
from probtrees.table.formats.arrow import PARQUET
from probtrees.table.formats.delimited import DELIMITED

TABLE_ENDINGS = (
    *PARQUET.all_suffixes,
    *DELIMITED.all_suffixes,
    *(f"{ending}.gz" for ending in DELIMITED.all_suffixes),
)
"""Which files of a folder are taken for parts of the table."""

MOST_ENTRIES = 100_000
"""Files and folders that are looked at where a folder is named."""

_LONGEST = 1000


@dataclass(frozen=True)
class AllowedFolder:
    """A folder whose tables may be read, with all folders in it.

    A path is followed to its end, through ``..`` and links, before it is compared with the
    folder; a pattern may stand in the name of files alone, and every file it matches is followed to
    its end too. What lies outside and what does not exist are reported in the same
    words, so that nobody can find out by asking what else the server holds.

    Attributes
    ----------
    root : the folder, without links
    """

    root: Path

    @classmethod
    def at(cls, folder: str | Path) -> AllowedFolder:
        """Allow a folder; it must exist."""
        path = Path(folder)
        if not path.is_dir():
            raise OptionError(f"allow-paths={str(folder)!r} must be a folder. Check the path.")
        return cls(path.resolve())

    def find(self, asked: str) -> tuple[str, ...]:
        """List the files that a path, a folder or a pattern names.

        Parameters
        ----------
        asked : relative to the folder, or absolute

        Raises
        ------
        DataError : in the same words whether there is no such file or it lies outside
        """
        targets = {self._inside(path) for path in self._matches(asked.strip())}
        found = sorted(str(path) for path in targets if path is not None and _is_file(path))
        if not found:
            raise DataError(
                f"files={asked[:100]!r} must be tables in the folder that this server shares. "
                "Check the path or the pattern."
            )
        return tuple(found)

    def shown(self, path: str) -> str:
        """Write a path, or a sentence with paths, without the way to the folder."""
        return path.replace(str(self.root) + os.sep, "").replace(str(self.root), ".")

    def _matches(self, asked: str) -> Iterator[Path]:
        """List what may be meant; links of it may still lead outside."""
        if not asked or len(asked) > _LONGEST or not asked.isprintable():
            return
        whole = Path(os.path.join(self.root, asked))
        literal = self._inside(whole)
        if literal is not None and literal.is_dir():
            yield from tables_below(literal)
        elif literal is not None:
            yield literal
        elif glob.has_magic(whole.name):
            folder = self._inside(whole.parent)
            if folder is not None and folder.is_dir():
                yield from (path for path in folder.iterdir() if _fits(path.name, whole.name))

    def _inside(self, path: Path) -> Path | None:
        """Follow a path to its end; None if that lies outside, or nowhere."""
        try:
            target = path.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return None
        return target if target.is_relative_to(self.root) else None


def tables_below(folder: Path) -> list[Path]:
    """List the tables in a folder and those below; a link to a file is one wherever it leads."""
    return sorted(
        path
        for path in _files_below(folder)
        if path.name.lower().endswith(TABLE_ENDINGS)
        and not any(part.startswith((".", "_")) for part in path.relative_to(folder).parts)
    )


def _files_below(folder: Path) -> Iterator[Path]:
    """List files, also those of folders below that are not hidden; not through links."""
    n_left = MOST_ENTRIES
    for here, folders, names in os.walk(folder):
        n_left -= len(folders) + len(names)
        if n_left < 0:
            raise DataError(
                f"files must be found among at most {MOST_ENTRIES:,} files and folders. "
                "Name a folder deeper down."
            )
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (Path(here, name) for name in names)


def _fits(name: str, pattern: str) -> bool:
    """Whether the name of a file fits a pattern; one that is hidden only fits one with a dot.

    >>> _fits("a.csv", "*.csv"), _fits(".a.csv", "*.csv"), _fits(".a.csv", ".*")
    (True, False, True)
    """
    is_hidden = name.startswith(".") and not pattern.startswith(".")
    return not is_hidden and fnmatch.fnmatchcase(name, pattern)


def _is_file(path: Path) -> bool:
    """Whether it is an ordinary file, not a device or a pipe."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False


_OPEN_FILES = Path("/proc/self/fd")
"""Where Linux lists the open files of a process; opened there, a file is the one that is open."""

_HELD: dict[str, str] = {}
"""Where to open the files that are held, by the paths people know them by."""


def place_of(path: str) -> str:
    """Return where to open a file: by its path, or as the one that is held open."""
    return _HELD.get(os.path.abspath(path), path)


@contextmanager
def held_open(root: Path, paths: Sequence[str]) -> Iterator[None]:
    """Hold files below a folder open, so that a path leads to the same file in every pass.

    They are found without following any link: a file or a folder on the way could meanwhile be
    swapped for a link that leads outside. On systems that do not list open files, they are found
    in this way, but opened by their paths.

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
