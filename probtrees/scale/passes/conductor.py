"""Passes one after the other: announced, carried out here or on a cluster, kept once finished."""

from __future__ import annotations

import hashlib
import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.scale.files.table_files import DEFAULT_MEMORY, check_unchanged
from probtrees.scale.passes.cluster import OnCluster, connected
from probtrees.scale.passes.statistic import OneProcess, RowForm, SomeStatistic
from probtrees.types import Progress
from probtrees.version import __version__

_RESULT = re.compile(r"\.?[a-z]+-[0-9a-f]{20}\.(pass|npz)")
"""How the names of results begin, and those of files that a killed run did not finish."""
_HASH = hashlib.sha256().digest_size


class FinishedPasses:
    """Results of finished passes in a folder, so that an interrupted run need not repeat them.

    A result is found again by what it was made from: the files with their sizes and times, every
    setting that matters to that pass, and the release. Files appear complete or not at all, and
    begin with the hash of the rest: one that was changed counts as not finished.
    """

    def __init__(self, folder: str | Path | None) -> None:
        self.folder = None if folder is None else Path(folder)
        if self.folder is not None:
            with place_to_write(self.folder, "work"):
                self.folder.mkdir(parents=True, exist_ok=True)

    def load(self, name: str, made_from: Any) -> dict[str, NDArray[Any]] | None:
        """Return the result of a pass, if it was finished before."""
        path = self.place(name, made_from)
        try:
            content = b"" if path is None else path.read_bytes()
        except OSError:
            return None
        hashed, content = content[:_HASH], content[_HASH:]
        if hashlib.sha256(content).digest() != hashed:
            return None
        with np.load(io.BytesIO(content), allow_pickle=False) as kept:
            return {key: kept[key] for key in kept.files}

    def save(self, name: str, made_from: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Keep the result of a pass."""
        path = self.place(name, made_from)
        if path is not None:
            content = io.BytesIO()
            np.savez(content, allow_pickle=False, **dict(arrays))
            hashed = hashlib.sha256(content.getbuffer()).digest()
            with place_to_write(path, "file"):
                write_atomically(path, hashed + content.getvalue())

    def place(self, name: str, made_from: Any) -> Path | None:
        """Name the file in which the result of a pass is kept; None: none is."""
        if self.folder is None:
            return None
        key = hashlib.sha256(repr((__version__, made_from)).encode()).hexdigest()[:20]
        return self.folder / f"{name}-{key}.pass"

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


Stage = Callable[[str], AbstractContextManager[Progress]]
"""Announces a step and gives the function that reports its progress."""


@contextmanager
def silent_stage(what: str) -> Iterator[Progress]:
    """Report to nobody."""
    yield lambda share, detail: None


@dataclass(frozen=True)
class Conductor:
    """Carries passes out one after the other, skipping those that are finished.

    Attributes
    ----------
    runner : who carries them out: this process, or a cluster
    finished : where results are kept
    stage : announces a pass
    """

    runner: OneProcess | OnCluster = field(default_factory=OneProcess)
    finished: FinishedPasses = field(default_factory=partial(FinishedPasses, None))
    stage: Stage = silent_stage

    def run(
        self,
        name: str,
        made_from: Any,
        table: Any,
        form: RowForm,
        make: Callable[[], SomeStatistic],
    ) -> SomeStatistic:
        """Return the result of a pass, kept or new.

        Parameters
        ----------
        name, made_from : by which a kept result is found again, together with the files
        table : what is read: its parts, and the files that must not change meanwhile
        form : in which form the statistic wants its rows
        make : gives the statistic without rows
        """
        key = (table.fingerprint, made_from)
        kept = self.finished.load(name, key) if table.fingerprint else None
        if kept is not None:
            statistic = make()
            with suppress(LookupError, TypeError, ValueError):
                statistic.restore(kept)
                return statistic
        statistic = self.carry_out(_TITLES[name], table, form, make)
        if table.fingerprint:
            self.finished.save(name, key, statistic.arrays())
        return statistic

    def carry_out(
        self, title: str, table: Any, form: RowForm, make: Callable[[], SomeStatistic]
    ) -> SomeStatistic:
        """Add all rows to what ``make`` gives; refuse files that were written to meanwhile."""
        with self.stage(title) as progress:
            found = self.runner.run(table, form, make, progress)
        check_unchanged(table.files)
        return found


_TITLES = {
    "scan": "looking through the files",
    "columns": "looking at columns",
    "sample": "drawing rows",
    "pairs": "counting pairs of attributes",
    "tables": "counting tables",
    "losses": "leaving rows out",
}


@contextmanager
def conducting(
    work: str | Path | None = None,
    cluster: Any | None = None,
    stage: Stage = silent_stage,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Conductor]:
    """Make everything ready that passes need.

    Parameters
    ----------
    work : a folder to keep finished passes in
    cluster : the address of a Dask scheduler, "local", or a client; None: this process
    stage : as in :class:`Conductor`
    memory : bytes that a worker of a cluster may take; see :class:`.cluster.OnCluster`
    """
    finished = FinishedPasses(work)
    try:
        with nullcontext() if cluster is None else connected(cluster) as client:
            here = OneProcess(finished.folder)
            runner = here if client is None else OnCluster(client, memory)
            yield Conductor(runner, finished, stage)
    finally:
        finished.leave()
