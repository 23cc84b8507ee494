"""Finished results on disk: a CSV that is only ever added to, so that a run can be resumed.

A run that is killed loses at most the line it was writing; the next run drops that line and
goes on where the last one stopped.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from probtrees.errors import DataError, OptionError
from probtrees.machine.atomic_file import write_atomically

Row = Mapping[str, str]
Key = tuple[str, ...]


class ResultLog:
    """Rows of finished results, found by their key.

    Parameters
    ----------
    path : the file; None keeps the rows in memory only
    columns : the header
    key : the columns that name a result
    settings : the column with a digest of the settings it was made under
    """

    def __init__(
        self, path: Path | None, columns: Sequence[str], key: Sequence[str], settings: str
    ) -> None:
        self.path = path
        self.columns = tuple(columns)
        self.key = tuple(key)
        self.settings = settings
        self.rows: dict[Key, Row] = {}
        if path is not None:
            self._open(path)

    def has(self, row: Row) -> bool:
        """Return whether a result is there already; refuse one made under other settings."""
        found = self.rows.get(self._key_of(row))
        if found is None:
            return False
        if found[self.settings] != row[self.settings]:
            name = ", ".join(part for part in self._key_of(row) if part)
            raise OptionError(
                f"out={str(self.path)!r} must not hold results of other settings, data or "
                f"versions, but has {name}. Name another file, or delete this one."
            )
        return True

    def add(self, rows: Iterable[Row]) -> None:
        """Keep finished results; they are on disk when this returns."""
        fresh = {self._key_of(row): row for row in rows if self._key_of(row) not in self.rows}
        if self.path is not None and fresh:
            self._append(self.path, "".join(self._line(row) for row in fresh.values()))
        self.rows.update(fresh)

    def _key_of(self, row: Row) -> Key:
        return tuple(row[name] for name in self.key)

    def _open(self, path: Path) -> None:
        """Read what an earlier run left, or begin the file."""
        header = self._line({name: name for name in self.columns})
        # A device may have no end: only a file is read.
        text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        if len(text) < len(header) and header.startswith(text):
            if text:  # killed while the header was being written
                os.truncate(path, 0)
            self._append(path, header)
            return
        whole = text[: text.rfind("\n") + 1]
        reader = csv.DictReader(io.StringIO(whole))
        try:
            names, rows = tuple(reader.fieldnames or ()), list(reader)
        except csv.Error:  # a cell as long as a book: anything but results
            names, rows = (), []
        if not {*self.key, self.settings} <= set(names) <= set(self.columns):
            raise DataError(
                f"out={str(path)!r} must be a file of benchmark results. Name another file."
            )
        unknown = dict.fromkeys(self.columns, "")
        for row in rows:
            if None not in row and None not in row.values():
                self.rows[self._key_of(row)] = {**unknown, **row}
        if names != self.columns:
            self._rewrite(path)
        elif whole != text:
            os.truncate(path, len(whole.encode("utf-8")))

    def _rewrite(self, path: Path) -> None:
        """Give a file of an earlier release the columns it lacks; what they hold is not known."""
        head = self._line({name: name for name in self.columns})
        write_atomically(path, head + "".join(self._line(row) for row in self.rows.values()))

    def _line(self, row: Row) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow([row[name] for name in self.columns])
        return buffer.getvalue()

    @staticmethod
    def _append(path: Path, text: str) -> None:
        with path.open("a", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
