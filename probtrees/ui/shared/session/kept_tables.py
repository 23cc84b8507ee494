"""Sessions on disk: tables kept for a day by the server, and sessions saved as files.

A table survives a reload, a new tab and a restart of the server. What a visitor works on is kept in
a folder that only the server's user can look into: the file as it was given, and how it is read and
looked at, as JSON. It is found again by a cookie that pages cannot read and other sites cannot
send, never by the address, which people share. Each tab has a name of its own, so that two tabs
with different tables both find theirs.

A session file is a zip archive of JSON and of the table as it was given, to be opened elsewhere.
Nothing in it is executed, and what it unpacks to is bounded.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import Any

from probtrees.draw.escape import shorten
from probtrees.errors import DataError
from probtrees.machine.atomic_file import write_atomically
from probtrees.machine.input_bytes import check_unpacked
from probtrees.machine.kernel_cache import private_folder
from probtrees.ui.shared.session.bounded_cache import Upload
from probtrees.version import __version__

KEEP = "PROBTREES_KEEP"
"""Set to 1 where tables are kept; ``probtrees app --keep`` does so."""

PLACE = "PROBTREES_TABLES"
"""The folder that kept tables lie in, if not the user's cache."""

COOKIE = "probtrees_visitor"
TAB_HEADERS = {"tab": "X-Probtrees-Tab", "copied": "X-Probtrees-Copied-Tab"}
"""What a tab calls itself and the one it was copied from: in the address, and as headers."""

LAST = "view"
"""The name under which the table that was kept last, by any tab, is looked at."""

RECORDS = "record "
"""How names begin of what was found out, or given beside the table in use."""

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

    def keep(self, visitor: str, name: str, shown: SavedSession) -> None:
        """Keep what is shown under a name; its file as long as any name is of it."""
        record = {"name": shown.table, "table": shown.digest, "view": shown.view}
        place = self._place(visitor)
        place.mkdir(mode=0o700, exist_ok=True)
        write_atomically(place / f"{name}.json", json.dumps({"format": _FORMAT, **record}))
        # The file comes after its view: others tidy meanwhile, and would find it of no use.
        if shown.upload is not None and not self.has_table(visitor, shown.digest):
            write_atomically(place / shown.digest, shown.upload.content)
            self.tidy()

    def find(self, visitor: str, *names: str) -> SavedSession | None:
        """Return what is kept under the first name that there is; None if it is not whole."""
        with suppress(OSError):  # others tidy at the same time
            self.tidy()
        place = self._place(visitor)
        texts = (_text(place / f"{name}.json") for name in names)
        try:
            record = json.loads(next(filter(None, texts), ""))
            name, digest, view = str(record["name"]), record["table"], dict(record["view"])
            if record["format"] != _FORMAT:
                return None
            found = Upload(name, (place / digest).read_bytes()) if digest else None
            saved = SavedSession.of(found, name, view)
            return saved if saved.digest == digest else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def last_name(self, visitor: str) -> str:
        """Name the file that was kept last by any tab; nothing if none is there."""
        text = _text(self._place(visitor) / f"{LAST}.json")
        digest = _table_of(text)
        return str(json.loads(text)["name"]) if digest and self.has_table(visitor, digest) else ""

    def has_table(self, visitor: str, digest: str) -> bool:
        """Whether a file is kept for a visitor."""
        return (self._place(visitor) / digest).exists()

    def forget(self, visitor: str, digest: str) -> None:
        """Delete a file that is kept for a visitor, how any tab looked at it, and what it found."""
        place = self._place(visitor)
        for file in place.glob("*.json"):
            text = _text(file)
            if digest in (text if file.name.startswith(RECORDS) else _table_of(text)):
                file.unlink(missing_ok=True)
        (place / digest).unlink(missing_ok=True)

    def tidy(self) -> None:
        """Delete what is too old, what was looked at longest ago of too much, and its files."""
        room, kept = self.most_bytes, set[Path]()
        views = [file for file in self.folder.glob("*/*.json") if file.exists()]
        for changed, view in sorted(((v.stat().st_mtime, v) for v in views), reverse=True):
            table = view.parent / (_table_of(_text(view)) or view.name)
            size = sum(file.stat().st_size for file in {view, table} - kept if file.exists())
            if time() - changed <= self.seconds and (not kept or size <= room):
                room -= size
                kept |= {view, table}
        for file in set(self.folder.glob("*/*")) - kept:
            file.unlink(missing_ok=True)
        for place in self.folder.iterdir():
            if not any(place.iterdir()):
                place.rmdir()

    def _place(self, visitor: str) -> Path:
        return self.folder / hashlib.sha256(visitor.encode()).hexdigest()


def kept_tables() -> KeptTables | None:
    """Return the kept tables; None where the server keeps none."""
    if os.environ.get(KEEP) != "1":
        return None
    place = os.environ.get(PLACE)
    folder = private_folder("tables", Path(place) if place else None)
    return None if folder is None else KeptTables(folder)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _table_of(view: str) -> str:
    """Return the file that a view is of; nothing for a sample, or if it cannot be read."""
    try:
        return str(json.loads(view)["table"])
    except (ValueError, KeyError, TypeError):
        return ""


SUFFIX = ".probtrees"
"""How session files are named."""

_VIEW, _TABLE = "session.json", "table"
_MOST_VIEW = 1 << 20
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError),
    *(KeyError, TypeError, ValueError),
)


@dataclass(frozen=True)
class SavedSession:
    """What a session file holds.

    Attributes
    ----------
    table : the name of the table: of a file, or of a sample
    digest : the fingerprint of the file; empty for a sample
    upload : the file itself; None for a sample, or where the rows stay at home
    view : how the table is read, and what was chosen
    """

    table: str
    digest: str = ""
    upload: Upload | None = None
    view: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, upload: Upload | None, sample: str, view: Mapping[str, Any]) -> SavedSession:
        """Take up an uploaded table, or a sample."""
        if upload is None:
            return cls(sample, view=view)
        return cls(upload.name, upload.digest, upload, view)

    def to_bytes(self, *, with_rows: bool = True) -> bytes:
        """Write the file, with the table or without it."""
        record = {
            "format": _FORMAT,
            "version": __version__,
            "table": self.table,
            "sha256": self.digest,
            "view": self.view,
        }
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(_VIEW, json.dumps(record, indent=1))
            if with_rows and self.upload is not None:
                packed.writestr(_TABLE, self.upload.content)
        return content.getvalue()

    @classmethod
    def from_bytes(cls, name: str, content: bytes) -> SavedSession:
        """Read a file, and refuse what was not written as one."""
        try:
            with zipfile.ZipFile(io.BytesIO(content)) as packed:
                record = json.loads(_unpack(packed, _VIEW, name, len(content)))
                held = _TABLE in packed.namelist()
                table = _unpack(packed, _TABLE, name, len(content)) if held else None
            if record["format"] != _FORMAT:
                raise DataError(
                    f"session={shorten(name, 80)!r} must be of format {_FORMAT}, not "
                    f"{record['format']!r}. Update this program, or save the session again."
                )
            given, digest = str(record["table"]), str(record["sha256"])
            upload = None if table is None else Upload(given, table)
            if upload is not None and upload.digest != digest:
                raise ValueError(digest)
            return cls(given, digest, upload, dict(record["view"]))
        except DataError:
            raise
        except _BROKEN:
            raise DataError(
                f"session={shorten(name, 80)!r} must be a session file as it was saved here; it "
                "is damaged, or something else. Save it again, or open the table itself."
            ) from None


def _unpack(packed: zipfile.ZipFile, member: str, name: str, packed_size: int) -> bytes:
    """Unpack a member; no more than the size it says comes out of it."""
    size = packed.getinfo(member).file_size
    if member == _VIEW and size > _MOST_VIEW:
        raise ValueError(member)
    check_unpacked(size, packed_size, name)
    return packed.read(member)
