"""The one folder of a server whose files people may name, and a guard that nothing else is read."""

from __future__ import annotations

import fnmatch
import glob
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from probtrees.errors import DataError, OptionError
from probtrees.scale.files.table_files import TABLE_ENDINGS

MOST_ENTRIES = 100_000
"""Files and folders a pattern may look at."""

_LONGEST = 1000
_ANY_DEPTH = "**"


@dataclass(frozen=True)
class AllowedFolder:
    """A folder whose tables may be read, with all folders in it.

    A path is followed to its end, through ``..`` and links, before it is compared with the
    folder; a pattern is matched without leaving the folder, and every file it matches is followed
    to its end too. What lies outside and what does not exist are reported in the same words, so
    that nobody can find out by asking what else the server holds.

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
        found = sorted({str(path) for path in self._matches(asked.strip())})
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
        if not asked or len(asked) > _LONGEST or not asked.isprintable():
            return
        whole = Path(os.path.join(self.root, asked))
        literal = self._inside(whole)
        if literal is not None and _is_file(literal):
            yield literal
        elif literal is not None and literal.is_dir():
            yield from self._tables_below(literal)
        elif glob.has_magic(asked) and ".." not in whole.parts:
            yield from self._matching(whole)

    def _matching(self, whole: Path) -> Iterator[Path]:
        """Match a pattern, folder by folder."""
        for root in (self.root, Path(os.path.abspath(self.root))):
            if whole.is_relative_to(root):
                parts = whole.relative_to(root).parts
                yield from self._walk(self.root, parts, _Budget(MOST_ENTRIES))
                return

    def _walk(self, folder: Path, parts: Sequence[str], budget: _Budget) -> Iterator[Path]:
        name, rest = parts[0], parts[1:]
        if name == _ANY_DEPTH and rest:
            yield from self._walk(folder, rest, budget)
        for entry in _entries(folder, budget):
            is_hidden = entry.name.startswith(".") and not name.startswith(".")
            if is_hidden:
                continue
            if name == _ANY_DEPTH and entry.is_dir(follow_symlinks=False):
                yield from self._walk(folder / entry.name, parts, budget)
            if name != _ANY_DEPTH and not fnmatch.fnmatchcase(entry.name, name):
                continue
            target = self._inside(folder / entry.name)
            if target is None:
                continue
            if rest and name != _ANY_DEPTH and target.is_dir():
                yield from self._walk(target, rest, budget)
            elif not rest and _is_file(target):
                yield target

    def _tables_below(self, folder: Path) -> Iterator[Path]:
        """List the tables of a folder, its own folders included, links to folders left out."""
        budget = _Budget(MOST_ENTRIES)
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            for entry in _entries(here, budget):
                if entry.name.startswith((".", "_")):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(here / entry.name)
                elif entry.name.lower().endswith(TABLE_ENDINGS):
                    target = self._inside(here / entry.name)
                    if target is not None and _is_file(target):
                        yield target

    def _inside(self, path: Path) -> Path | None:
        """Follow a path to its end; None if that lies outside, or nowhere."""
        try:
            target = path.resolve(strict=True)
        except (OSError, ValueError, RuntimeError):
            return None
        return target if target.is_relative_to(self.root) else None


@dataclass
class _Budget:
    left: int

    def spend(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise DataError(
                f"files must be found among at most {MOST_ENTRIES:,} files and folders. "
                "Name a folder deeper down."
            )


def _entries(folder: Path, budget: _Budget) -> list[os.DirEntry[str]]:
    """List a folder by name; one that cannot be read is as good as empty."""
    budget.spend()
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError:
        return []
    for _ in entries:
        budget.spend()
    return entries


def _is_file(path: Path) -> bool:
    """Whether it is an ordinary file, not a device or a pipe."""
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except OSError:
        return False
