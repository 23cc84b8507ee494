"""Tables that survive a reload, a new tab and a restart of the server, for a day.

What a visitor works on is kept in a folder that only the server's user can look into: the file as
it was given, and how it is read and looked at, as JSON. It is found again by a cookie that pages
cannot read and other sites cannot send, never by the address, which people share.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probtrees.machine.atomic_file import write_atomically
from probtrees.machine.kernel_cache import private_folder
from probtrees.ui.shared.session.given_files import Upload

KEEP = "PROBTREES_KEEP"
"""Set to 1 where tables are kept; ``probtrees app --keep`` does so."""

PLACE = "PROBTREES_TABLES"
"""The folder that kept tables lie in, if not the user's cache."""

COOKIE = "probtrees_visitor"
_SECONDS = 24 * 3600
_MOST_BYTES = 1 << 30
_FORMAT = 1


@dataclass(frozen=True)
class KeptTables:
    """The kept tables of all visitors, each in a folder named by the hash of their cookie.

    Attributes
    ----------
    folder : where they lie
    seconds : how long a table is kept after it was last looked at
    most_bytes : what all of them may take; those looked at longest ago go first
    """

    folder: Path
    seconds: float = _SECONDS
    most_bytes: int = _MOST_BYTES

    def save(self, visitor: str, upload: Upload, view: Mapping[str, Any]) -> None:
        """Keep a file and how it is looked at, in place of what was kept before."""
        place = self._place(visitor)
        place.mkdir(mode=0o700, exist_ok=True)
        table = place / upload.digest
        if not table.exists():
            for old in place.iterdir():
                old.unlink()
            write_atomically(table, upload.content)
        record = {"format": _FORMAT, "name": upload.name, "table": upload.digest, "view": view}
        write_atomically(place / "view.json", json.dumps(record))
        self.tidy()

    def load(self, visitor: str) -> tuple[Upload, dict[str, Any]] | None:
        """Return what was kept for a visitor; None if there is nothing, or nothing whole."""
        place = self._place(visitor)
        try:
            written = place / "view.json"
            if time.time() - written.stat().st_mtime > self.seconds:
                return None
            record = json.loads(written.read_text(encoding="utf-8"))
            if record["format"] != _FORMAT:
                return None
            content = (place / record["table"]).read_bytes()
            upload = Upload(str(record["name"]), content)
            return (upload, dict(record["view"])) if upload.digest == record["table"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def forget(self, visitor: str) -> None:
        """Delete what is kept for a visitor."""
        shutil.rmtree(self._place(visitor), ignore_errors=True)

    def tidy(self) -> None:
        """Delete what is too old, and the oldest of what is too much."""
        kept = sorted((_last_used(place), place) for place in self.folder.iterdir())
        sizes = {place: _size(place) for _, place in kept}
        total = sum(sizes.values())
        for last, place in kept:
            if time.time() - last > self.seconds or total > self.most_bytes:
                shutil.rmtree(place, ignore_errors=True)
                total -= sizes[place]

    def _place(self, visitor: str) -> Path:
        return self.folder / hashlib.sha256(visitor.encode()).hexdigest()


def kept_tables() -> KeptTables | None:
    """Return the kept tables; None where the server keeps none."""
    if os.environ.get(KEEP) != "1":
        return None
    place = os.environ.get(PLACE)
    folder = private_folder("tables", Path(place) if place else None)
    return None if folder is None else KeptTables(folder)


def _last_used(place: Path) -> float:
    try:
        return max((file.stat().st_mtime for file in place.iterdir()), default=0.0)
    except OSError:
        return 0.0


def _size(place: Path) -> int:
    try:
        return sum(file.stat().st_size for file in place.iterdir())
    except OSError:
        return 0
