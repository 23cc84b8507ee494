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

import copy
import hashlib
import io
import json
import os
import shutil
import time
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
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

_LAST = "view.json"
"""How the table was looked at that was kept last, by any tab."""

_RECORDS = "record "
"""How files begin that hold what a tab has found out."""

_MOST_TABS = 50
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

    def save(
        self, visitor: str, upload: Upload | None, view: Mapping[str, Any], tab: str = ""
    ) -> None:
        """Keep what a tab shows and how it looks at it; without a file it shows a sample.

        A file is kept as long as a tab shows it; it is also what a new tab begins with. A sample
        takes the place of nothing: the way back to one's own table stays open.
        """
        place = self._place(visitor)
        place.mkdir(mode=0o700, exist_ok=True)
        if upload is None and (place / _view_name(tab)).exists():
            self._drop_views(place)
            return
        digest = "" if upload is None else upload.digest
        if upload is not None and not (place / digest).exists():
            write_atomically(place / digest, upload.content)
        name = "" if upload is None else upload.name
        record = json.dumps({"format": _FORMAT, "name": name, "table": digest, "view": view})
        for written in {_view_name(tab), *([_LAST] if digest else [])}:
            write_atomically(place / written, record)
        self._drop_views(place)
        self.tidy()

    def load(
        self, visitor: str, tab: str = "", copied: str = ""
    ) -> tuple[Upload, dict[str, Any]] | None:
        """Return what was kept for a visitor; None if there is nothing, or nothing whole.

        Parameters
        ----------
        tab : the tab that asks. What it showed before decides, also if that was a sample; a new
            one begins with what was last kept by any.
        copied : the tab that it was copied from
        """
        return self._first(visitor, _view_name(tab), _view_name(copied), _LAST)

    def _first(self, visitor: str, *names: str) -> tuple[Upload, dict[str, Any]] | None:
        """Read the first view that there is, with its file."""
        place = self._place(visitor)
        try:
            written = next((place / name for name in names if (place / name).exists()), None)
            if written is None or self._is_old(written):
                return None
            record = json.loads(written.read_text(encoding="utf-8"))
            if record["format"] != _FORMAT or not record["table"]:
                return None
            content = (place / record["table"]).read_bytes()
            upload = Upload(str(record["name"]), content)
            return (upload, dict(record["view"])) if upload.digest == record["table"] else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save_record(self, visitor: str, name: str, tab: str, record: str) -> None:
        """Keep what a tab has found out, as text, beside the tables."""
        place = self._place(visitor)
        place.mkdir(mode=0o700, exist_ok=True)
        write_atomically(place / _record_name(name, tab), record)

    def load_record(self, visitor: str, name: str, tab: str = "", copied: str = "") -> str | None:
        """Return what a tab, or the one it was copied from, has found out; None if nothing."""
        place = self._place(visitor)
        for one in filter(None, (tab, copied)):
            written = place / _record_name(name, one)
            try:
                if not self._is_old(written):
                    return written.read_text(encoding="utf-8")
            except (OSError, ValueError):
                continue
        return None

    def has_table(self, visitor: str, digest: str) -> bool:
        """Whether a file is kept for a visitor."""
        return (self._place(visitor) / digest).exists()

    def forget(self, visitor: str, digest: str) -> None:
        """Delete a file that is kept for a visitor, how any tab looked at it, and what it found."""
        place = self._place(visitor)
        for view in place.glob("*.json"):
            if _table_of(view) == digest or _mentions(view, digest):
                view.unlink(missing_ok=True)
        (place / digest).unlink(missing_ok=True)

    def _is_old(self, written: Path) -> bool:
        return time.time() - written.stat().st_mtime > self.seconds

    def _drop_views(self, place: Path) -> None:
        """Delete old views and all but the latest ones, and files that no view is left of."""
        views = sorted(place.glob("*.json"), key=lambda view: -view.stat().st_mtime)
        room = self.most_bytes
        kept: set[Path] = set()
        for number, view in enumerate(views):
            table = place / (_table_of(view) or view.name)
            size = sum(f.stat().st_size for f in {view, table} - kept if f.exists())
            if number and (number >= _MOST_TABS or self._is_old(view) or size > room):
                view.unlink(missing_ok=True)
                continue
            room -= size
            kept |= {view, table}
        for file in place.iterdir():
            if file not in kept:
                file.unlink(missing_ok=True)

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


def _view_name(tab: str) -> str:
    return f"view {tab}.json" if tab else _LAST


def _record_name(name: str, tab: str) -> str:
    return f"{_RECORDS}{name} {tab}.json"


def _mentions(file: Path, digest: str) -> bool:
    """Whether a record is of a table, among others."""
    try:
        return file.name.startswith(_RECORDS) and digest in file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False


def _table_of(view: Path) -> str:
    """Return the file that a view is of; nothing for a sample, or if it cannot be read."""
    try:
        return str(json.loads(view.read_text(encoding="utf-8"))["table"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


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


SUFFIX = ".probtrees"
"""How session files are named."""

_VIEW, _TABLE = "session.json", "table"
_MOST_VIEW = 1 << 20
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, RuntimeError)
_WRONG = (KeyError, TypeError, ValueError, RecursionError)


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
                record = json.loads(_unpack(packed, _VIEW, name, _MOST_VIEW))
                held = _TABLE in packed.namelist()
                table = _unpack(packed, _TABLE, name, None) if held else None
            if record["format"] != _FORMAT:
                raise DataError(
                    f"session={shorten(name, 80)!r} must be of format {_FORMAT}, not "
                    f"{record['format']!r}. Update this program, or save the session again."
                )
            given, digest = str(record["table"]), str(record["sha256"])
            view = dict(record["view"])
        except (*_BROKEN, *_WRONG) as problem:
            if isinstance(problem, DataError):
                raise
            raise DataError(
                f"session={shorten(name, 80)!r} must be a session file that was saved here; it "
                "is damaged, or something else. Save it again, or open the table itself."
            ) from None
        upload = None if table is None else Upload(given, table)
        if upload is not None and upload.digest != digest:
            raise DataError(
                f"session={shorten(name, 80)!r} must hold the table it was saved with; the table "
                "in it was changed. Save it again."
            )
        return cls(given, digest, upload, view)


def _unpack(packed: zipfile.ZipFile, member: str, name: str, most: int | None) -> bytes:
    """Unpack a member piece by piece: what it says about its size may be wrong."""
    about = copy.copy(packed.getinfo(member))
    packed_size = max(about.compress_size, 1)
    about.file_size = 1 << 60
    pieces, size = [], 0
    with packed.open(about) as file:
        while piece := file.read(1 << 20):
            size += len(piece)
            if most is not None and size > most:
                raise ValueError
            check_unpacked(size, packed_size, name)
            pieces.append(piece)
    return b"".join(pieces)
