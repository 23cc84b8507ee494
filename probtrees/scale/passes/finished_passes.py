"""Results of finished passes, kept in files so that an interrupted run need not repeat them."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.machine.atomic_file import place_to_write, write_atomically

_RESULT = re.compile(r"\.?[a-z]+-[0-9a-f]{20}\.(npz|codes)|\.rows-")
"""How the names of results begin, and those of files that a killed run did not finish."""


class FinishedPasses:
    """Results of finished passes in a folder, so that an interrupted run need not repeat them.

    A result is found again by what it was made from: the files with their sizes and times, and
    every setting that matters to that pass. Files appear complete or not at all.
    """

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None:
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except OSError as problem:
                reason = problem.strerror or problem
                raise DataError(
                    f"work={str(folder)!r} must be a folder to keep passes in. {reason}."
                ) from None

    def load(self, name: str, made_from: Any) -> dict[str, NDArray[Any]] | None:
        """Return the result of a pass, if it was finished before."""
        path = self.place(name, made_from)
        if path is None or not path.exists():
            return None
        try:
            with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
                found = {key: kept[key] for key in kept.files}
        except (OSError, ValueError, EOFError, zipfile.BadZipFile):
            return None
        return found

    def save(self, name: str, made_from: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the result of a pass."""
        path = self.place(name, made_from)
        if path is None:
            return
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **dict(arrays))
        with place_to_write(path, "file"):
            write_atomically(path, content.getvalue())

    def place(self, name: str, made_from: Any, ending: str = "npz") -> Path | None:
        """Name the file in which the result of a pass is kept; None: none is."""
        if self.folder is None:
            return None
        key = hashlib.sha256(repr(made_from).encode()).hexdigest()[:20]
        return self.folder / f"{name}-{key}.{ending}"

    def forget(self) -> None:
        """Remove all results, also those of killed runs and other options, and the folder."""
        if self.folder is not None:
            for path in self.folder.iterdir():
                if _RESULT.match(path.name):
                    path.unlink(missing_ok=True)
            self.leave()

    def leave(self) -> None:
        """Remove the folder if nothing is in it."""
        if self.folder is not None and self.folder.is_dir() and not any(self.folder.iterdir()):
            self.folder.rmdir()
