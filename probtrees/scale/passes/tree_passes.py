"""The passes that growing a tree asks for, over rows of codes.

On one machine the rows are coded once and spooled. On a cluster the workers hold the coded rows
if they fit, or code them again in every pass; only counts, and the coded rows of nodes small enough
to be grown in memory, travel.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import SpooledTemporaryFile
from types import TracebackType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.scale.passes.binned_columns import Rows
from probtrees.scale.passes.chunked_table import ChunkedTable
from probtrees.scale.passes.conductor import Conductor
from probtrees.scale.passes.node_statistics import NodeHistograms, NodeRows
from probtrees.scale.passes.row_forms import TreeForm

_BLOCK_BYTES = 1 << 22
"""Read at once."""


class RowSpool:
    """Rows of codes, in memory while they are few, then in a file that vanishes when closed.

    Parameters
    ----------
    n_columns : codes per row
    row_type : their type
    most_bytes : rows are held in memory up to this size
    kept : a file to keep them in once they are all there, and to take them from if they are
    n_rows : how many there are to be in that file
    """

    def __init__(
        self,
        n_columns: int,
        row_type: np.dtype[np.unsignedinteger],
        most_bytes: int = 0,
        kept: Path | None = None,
        n_rows: int = 0,
    ) -> None:
        self._n_columns = n_columns
        self._row_type = row_type
        self._kept = kept
        self._unfinished: str | None = None
        self._hash = hashlib.blake2b()
        self.n_rows = 0
        try:
            self._file = self._open(most_bytes, n_rows)
        except OSError as problem:
            raise self._no_room(problem) from None

    def _open(self, most_bytes: int, n_rows: int) -> Any:
        if self._kept is None:
            return SpooledTemporaryFile(max_size=max(1, most_bytes))
        if self._kept.exists() and self._is_whole(self._kept, n_rows):
            self.n_rows = n_rows
            return self._kept.open("rb")
        # Under another name until all rows are there: a killed run leaves no half of them behind
        # that would be taken for the whole.
        handle, self._unfinished = tempfile.mkstemp(dir=self._kept.parent, prefix=".rows-")
        return os.fdopen(handle, "w+b")

    def _is_whole(self, path: Path, n_rows: int) -> bool:
        """Whether a file holds so many rows and was not changed since: its hash follows them."""
        size = n_rows * self.row_bytes
        if path.stat().st_size != size + self._hash.digest_size:
            return False
        found, left = hashlib.blake2b(), size
        with path.open("rb") as file:
            while left and (block := file.read(min(_BLOCK_BYTES, left))):
                found.update(block)
                left -= len(block)
            return file.read() == found.digest()

    def finish(self) -> None:
        """Say that these were all rows; from now on they are kept."""
        if self._unfinished is not None and self._kept is not None:
            try:
                self._file.write(self._hash.digest())
                self._file.flush()
            except OSError as problem:
                raise self._no_room(problem) from None
            os.replace(self._unfinished, self._kept)
            self._unfinished = None

    def __enter__(self) -> RowSpool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        if self._unfinished is not None:
            os.unlink(self._unfinished)

    @property
    def row_bytes(self) -> int:
        """The size of a row."""
        return self._n_columns * self._row_type.itemsize

    def append(self, rows: Rows) -> None:
        """Set rows aside."""
        data = np.ascontiguousarray(rows).data
        if self._kept is not None:
            self._hash.update(data)
        try:
            self._file.write(data)
        except OSError as problem:
            raise self._no_room(problem) from None
        self.n_rows += rows.shape[0]

    def blocks(self) -> Iterator[Rows]:
        """Give all rows, some at a time, in the order they came."""
        self._file.seek(0)
        n_at_once = max(1, _BLOCK_BYTES // self.row_bytes)
        for first in range(0, self.n_rows, n_at_once):
            n_now = min(n_at_once, self.n_rows - first)
            block = np.frombuffer(self._file.read(n_now * self.row_bytes), dtype=self._row_type)
            yield block.reshape(n_now, self._n_columns)

    def count_last(self, n_codes: int) -> NDArray[np.int64]:
        """Count how often each code stands in the last column."""
        counts = np.zeros(n_codes, dtype=np.int64)
        for block in self.blocks():
            counts += np.bincount(block[:, -1], minlength=n_codes)
        return counts

    def _no_room(self, problem: OSError) -> DataError:
        place = tempfile.gettempdir() if self._kept is None else self._kept.parent
        return DataError(
            f"folder={str(place)!r} must have room for coded rows, {self.row_bytes} bytes each; "
            f"the system says: {problem.strerror}. Make room there, or name another folder by "
            "--work or TMPDIR."
        )


SomeCounts = TypeVar("SomeCounts", NodeHistograms, NodeRows)


@dataclass(frozen=True)
class SpooledPasses:
    """Passes over rows that were coded before.

    Attributes
    ----------
    rows : the coded rows
    beat : called now and then; it may raise to cancel
    """

    rows: RowSpool
    beat: Callable[[], None]

    def run(self, begun: SomeCounts) -> SomeCounts:
        """Add all rows."""
        for block in self.rows.blocks():
            begun.update(block)
            self.beat()
        return begun


@dataclass(frozen=True)
class ConductedPasses:
    """Passes over rows that are coded, and held if they fit, where the conductor says.

    Attributes
    ----------
    table : the rows
    form : how they are coded
    conductor : has the passes carried out
    """

    table: ChunkedTable
    form: TreeForm
    conductor: Conductor

    def run(self, begun: SomeCounts) -> SomeCounts:
        """Add all rows."""
        made_from = (
            [tops.tobytes() for tops in self.form.columns.tops],
            [array.tobytes() for array in begun.tree],
            begun.slots.tobytes(),
        )
        name = "rows" if isinstance(begun, NodeRows) else "nodes"
        return self.conductor.run(name, made_from, self.table, self.form, partial(_same, begun))


def _same(begun: SomeCounts) -> SomeCounts:
    return begun


TreePasses = SpooledPasses | ConductedPasses
"""What growing a tree asks of the rows."""
