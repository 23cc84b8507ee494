"""Coded rows to be passed over many times: in memory while they are few, then on disk."""

from __future__ import annotations

from collections.abc import Iterator
from tempfile import SpooledTemporaryFile
from types import TracebackType

import numpy as np

from probtrees.errors import DataError
from probtrees.scale.binned_columns import Rows

_BLOCK_BYTES = 1 << 22
"""Read at once."""


class BinnedRows:
    """Rows of codes in a file that vanishes when it is closed.

    Parameters
    ----------
    n_columns : codes per row
    row_type : their type
    most_bytes : rows are kept in memory up to this size
    """

    def __init__(
        self, n_columns: int, row_type: np.dtype[np.unsignedinteger], most_bytes: int
    ) -> None:
        self._n_columns = n_columns
        self._row_type = row_type
        self._file = SpooledTemporaryFile(max_size=max(1, most_bytes))  # noqa: SIM115
        self.n_rows = 0

    def __enter__(self) -> BinnedRows:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def row_bytes(self) -> int:
        """The size of a row."""
        return self._n_columns * self._row_type.itemsize

    def append(self, rows: Rows) -> None:
        """Set rows aside."""
        try:
            self._file.write(np.ascontiguousarray(rows).data)
        except OSError as problem:
            raise DataError(
                f"rows={self.n_rows + rows.shape[0]} must fit into the folder for temporary files; "
                f"the system says: {problem.strerror}. Make room there, or set TMPDIR to a folder "
                "that has."
            ) from None
        self.n_rows += rows.shape[0]

    def blocks(self) -> Iterator[Rows]:
        """Give all rows, some at a time, in the order they came."""
        self._file.seek(0)
        n_at_once = max(1, _BLOCK_BYTES // self.row_bytes)
        for first in range(0, self.n_rows, n_at_once):
            n_now = min(n_at_once, self.n_rows - first)
            block = np.frombuffer(self._file.read(n_now * self.row_bytes), dtype=self._row_type)
            yield block.reshape(n_now, self._n_columns)
