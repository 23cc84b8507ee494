"""What passes over coded rows find out about the open nodes of a tree: counts, or the rows.

On one machine the rows are coded once and set aside in a :class:`RowSpool`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from probtrees.errors import DataError
from probtrees.scale.passes import _cell_counts_kernels as kernels
from probtrees.scale.passes.binned_columns import Rows
from probtrees.scale.passes.statistic import Arrays, Statistic


class CodeTree(NamedTuple):
    """A tree that splits on codes: what kernels receive.

    Attributes
    ----------
    first_child : int64[n_nodes], -1 where a node has no children (yet)
    column : int64[n_nodes], the place of the split column among the coded ones
    last_below : int64[n_nodes], the last code sent left; -1 where every code has a branch
    n_codes : int64[n_features], the code that means missing
    """

    first_child: NDArray[np.int64]
    column: NDArray[np.int64]
    last_below: NDArray[np.int64]
    n_codes: NDArray[np.int64]


def slots_of_rows(rows: Rows, tree: CodeTree, slots: NDArray[np.int64]) -> NDArray[np.int64]:
    """Give the slot of the node every row arrives at, -1 where that has none."""
    found = np.empty(rows.shape[0], dtype=np.int64)
    kernels.find_slots(rows, tree, slots, found)
    return found


@dataclass
class NodeHistograms(Statistic):
    """Counts of the rows that arrive at some nodes.

    Attributes
    ----------
    tree : the tree so far
    slots : int64[n_nodes], which table a node's rows are counted in; -1: in none
    starts : int64[n_features], where the codes of a column begin in a table
    tables : int64[n_slots, codes of all columns, n_classes]
    """

    tree: CodeTree
    slots: NDArray[np.int64]
    starts: NDArray[np.int64]
    tables: NDArray[np.int64]

    kept_arrays = ("tables",)

    def update(self, rows: Rows) -> None:
        """Count some rows."""
        found = slots_of_rows(rows, self.tree, self.slots)
        kernels.count_in_nodes(rows, found, self.starts, self.tables)

    def merge(self, other: NodeHistograms) -> None:
        """Add the counts of other rows in the same nodes."""
        self.tables += other.tables


Gathered = tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64]]
"""The codes of rows, their classes, and the rows' order node by node."""


@dataclass
class NodeRows(Statistic):
    """The coded rows that arrive at some nodes.

    Attributes
    ----------
    tree : the tree so far
    slots : int64[n_nodes], the number of a node among those whose rows are wanted; -1: not
    pieces : rows and their slots, as they came
    """

    tree: CodeTree
    slots: NDArray[np.int64]
    pieces: list[tuple[Rows, NDArray[np.int32]]] = field(default_factory=list)

    def update(self, rows: Rows) -> None:
        """Keep the rows that arrive at one of the nodes."""
        found = slots_of_rows(rows, self.tree, self.slots)
        wanted = found >= 0
        self.pieces.append((rows[wanted], found[wanted].astype(np.int32)))

    def merge(self, other: NodeRows) -> None:
        """Add rows gathered elsewhere."""
        self.pieces += other.pieces

    def __deepcopy__(self, memo: dict[int, Any]) -> NodeRows:
        return replace(self, pieces=list(self.pieces))  # rows are many, and nobody changes them

    def arrays(self) -> Arrays:
        """Return the rows, to be kept in a file."""
        return {
            "rows": np.concatenate([rows for rows, _ in self.pieces]),
            "found": np.concatenate([found for _, found in self.pieces]),
        }

    def restore(self, kept: Mapping[str, NDArray[Any]]) -> None:
        """Take up what was kept."""
        self.pieces = [(kept["rows"], kept["found"])]

    def side_by_side(self) -> Gathered:
        """Return the codes of the rows, their classes, and the rows' order node by node.

        The pieces are given up on the way, since all of it twice might not fit.
        """
        n_rows = sum(found.shape[0] for _, found in self.pieces)
        codes = np.empty((n_rows, self.tree.n_codes.shape[0]), dtype=np.int32)
        outcomes = np.empty(n_rows, dtype=np.int64)
        slots = np.empty(n_rows, dtype=np.int32)
        end = n_rows
        while self.pieces:
            rows, found = self.pieces.pop()
            start = end - found.shape[0]
            codes[start:end], outcomes[start:end] = rows[:, :-1], rows[:, -1]
            slots[start:end] = found
            end = start
        return codes, outcomes, np.argsort(slots, kind="stable")


_BLOCK_BYTES = 1 << 22
"""Read at once."""


class RowSpool:
    """Rows of codes, in memory while they are few, then in a file; or in one that is kept.

    Parameters
    ----------
    n_columns : codes per row
    row_type : their type
    most_bytes : rows are held in memory up to this size
    kept : the file where they are found again once all are there; None: nowhere
    all_rows : how many rows there are in all
    """

    def __init__(
        self,
        n_columns: int,
        row_type: np.dtype[np.unsignedinteger],
        most_bytes: int,
        kept: Path | None = None,
        all_rows: int = 0,
    ) -> None:
        self._n_columns, self._row_type, self._kept = n_columns, row_type, kept
        self._folder = tempfile.gettempdir() if kept is None else str(kept.parent)
        size = all_rows * self._row_bytes
        is_there = kept is not None and kept.is_file() and kept.stat().st_size == size
        self.n_rows = all_rows if is_there else 0
        self._file = kept.open("rb") if kept and is_there else self._open(most_bytes)

    def _open(self, most_bytes: int) -> Any:
        if self._kept is not None:
            return self._begun.open("w+b")
        return tempfile.SpooledTemporaryFile(max(1, most_bytes))

    @property
    def _begun(self) -> Path:
        assert self._kept is not None  # else nothing is kept
        return self._kept.with_name(f".{self._kept.name}")

    def finish(self) -> None:
        """Keep the rows, now that all are there."""
        if self._kept is not None:
            self._file.close()
            self._begun.replace(self._kept)
            self._file = self._kept.open("rb")

    def __enter__(self) -> RowSpool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        if self._kept is not None:
            self._begun.unlink(missing_ok=True)

    def append(self, rows: Rows) -> None:
        """Set rows aside."""
        try:
            self._file.write(np.ascontiguousarray(rows).data)
        except OSError as problem:
            raise DataError(
                f"folder={self._folder!r} must have room for coded rows, {self._row_bytes} bytes "
                f"each; the system says: {problem.strerror}. Make room there, or name another "
                "folder by --work or TMPDIR."
            ) from None
        self.n_rows += rows.shape[0]

    def blocks(self) -> Iterator[Rows]:
        """Give all rows, some at a time, in the order they came."""
        self._file.seek(0)
        n_at_once = max(1, _BLOCK_BYTES // self._row_bytes)
        for first in range(0, self.n_rows, n_at_once):
            n_now = min(n_at_once, self.n_rows - first)
            block = np.frombuffer(self._file.read(n_now * self._row_bytes), dtype=self._row_type)
            yield block.reshape(n_now, self._n_columns)

    @property
    def _row_bytes(self) -> int:
        return self._n_columns * self._row_type.itemsize
