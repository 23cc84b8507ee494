"""A session as one file, to be opened again elsewhere: the table, how it is read, what was chosen.

The file is a zip archive of JSON and of the table as it was given. Nothing in it is executed, and
what it unpacks to is bounded.
"""

from __future__ import annotations

import copy
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from probtrees.draw.escape import shorten
from probtrees.errors import DataError
from probtrees.machine.input_bytes import check_unpacked
from probtrees.ui.shared.session.given_files import Upload
from probtrees.version import __version__

SUFFIX = ".probtrees"
"""How session files are named."""

_FORMAT = 1
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
