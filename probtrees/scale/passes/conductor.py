"""Passes one after the other: announced, carried out here or on a cluster, kept once finished."""

from __future__ import annotations

import hashlib
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.machine.atomic_file import place_to_write, write_atomically
from probtrees.scale.files.file_parts import PartReader
from probtrees.scale.files.table_files import check_unchanged
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.cluster import OnCluster, connected
from probtrees.scale.passes.open_chunks import DEFAULT_MEMORY
from probtrees.scale.passes.row_forms import RowForm
from probtrees.scale.passes.runner import OneProcess
from probtrees.scale.passes.statistic import SomeKept
from probtrees.scale.passes.table_scan import TableScan
from probtrees.table.read_options import ReadOptions
from probtrees.types import Progress

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


Runner = OneProcess | OnCluster
"""Carries passes out: here, or on a cluster."""

Stage = Callable[[str], AbstractContextManager[Progress]]
"""Announces a step and gives the function that reports its progress."""


def _say_nothing(sentence: str) -> None:
    return


@dataclass(frozen=True)
class Conductor:
    """Carries passes out one after the other, skipping those that are finished.

    Attributes
    ----------
    runner : who carries them out
    finished : where results are kept
    stage : announces a pass
    note : receives a sentence for every pass that need not be repeated
    """

    runner: Runner
    finished: FinishedPasses
    stage: Stage
    note: Callable[[str], None] = _say_nothing

    def run(
        self,
        name: str,
        made_from: Any,
        table: ChunkedTable,
        form: RowForm,
        make: Callable[[], SomeKept],
    ) -> SomeKept:
        """Return the result of a pass, kept or new."""
        key = (table.fingerprint, made_from)
        kept = self.finished.load(name, key) if table.fingerprint else None
        if kept is not None:
            statistic = make()
            statistic.restore(kept)
            self._note_kept(name)
            return statistic
        with self.stage(_TITLES[name]) as progress:
            statistic = self.runner.run(table, form, make, progress)
        # Only now: a file that was written to meanwhile must not leave a kept result.
        check_unchanged(table.files)
        if table.fingerprint:
            self.finished.save(name, key, statistic.arrays())
        return statistic

    def _note_kept(self, name: str) -> None:
        self.note(f"{_TITLES[name]} was finished before; its result is in {self.finished.folder}.")

    def scan(
        self, fingerprint: str, reader: PartReader, parts: Sequence[Any], options: ReadOptions
    ) -> TableScan:
        """Look through all parts, unless that was done before."""
        key = (fingerprint, sorted(options.types.items()))
        kept = self.finished.load("scan", key) if fingerprint else None
        if kept is not None:
            self._note_kept("scan")
            return TableScan.from_dict(json.loads(kept["utf8"].tobytes()), options)
        with self.stage(_TITLES["scan"]) as progress:
            found = self.runner.scan(reader, parts, options, progress)
        if fingerprint:
            # As bytes: an array of text would take four for every letter.
            record = json.dumps(found.to_dict()).encode()
            self.finished.save("scan", key, {"utf8": np.frombuffer(record, dtype=np.uint8)})
        return found


_TITLES = {
    "scan": "looking through the files",
    "columns": "looking at columns",
    "nodes": "counting rows in nodes",
    "rows": "gathering rows of nodes",
    "sample": "choosing rows to cut numbers by",
    "pairs": "counting pairs of attributes",
    "tables": "counting tables",
    "losses": "leaving rows out",
}


@contextmanager
def silent_stage(what: str) -> Iterator[Progress]:
    """Report to nobody."""

    def progress(share: float, detail: str) -> None:
        return

    yield progress


@contextmanager
def conducting(
    work: str | Path | None = None,
    cluster: Any | None = None,
    stage: Stage = silent_stage,
    note: Callable[[str], None] = _say_nothing,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Conductor]:
    """Make everything ready that passes need.

    Parameters
    ----------
    work : a folder to keep finished passes in
    cluster : the address of a Dask scheduler, "local", or a client; None: this process
    stage : announces passes
    note : receives a sentence for every pass that need not be repeated
    memory : bytes that a worker of a cluster may take; see :class:`.cluster.OnCluster`
    """
    finished = FinishedPasses(work)
    try:
        if cluster is None:
            yield Conductor(OneProcess(), finished, stage, note)
            return
        with connected(cluster) as client:
            yield Conductor(OnCluster(client, memory), finished, stage, note)
    finally:
        finished.leave()
