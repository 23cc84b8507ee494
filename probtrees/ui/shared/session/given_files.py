"""The files that visitors hold: uploaded, pasted or taken up again.

They cannot be dropped while somebody works with them. So their sum is bounded, and a file for
which there is no room is refused with a sentence.
"""

from __future__ import annotations

import hashlib
import weakref
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from probtrees.errors import DataError
from probtrees.machine.limits import ServerLimits
from probtrees.words import plural

_NO_ROOM = "application/x-no-room"
"""The type of a file that was not kept: whoever opens it says why."""


@dataclass(frozen=True)
class Upload:
    """A file a user gave; its content decides which cached results are his."""

    name: str
    content: bytes

    def __post_init__(self) -> None:
        _alive[id(self)] = self

    @cached_property
    def digest(self) -> str:
        """A fingerprint of the content."""
        return hashlib.sha256(self.content).hexdigest()


_alive: weakref.WeakValueDictionary[int, Upload] = weakref.WeakValueDictionary()


class BoundedFiles(MemoryUploadedFileManager):
    """Streamlit's store of uploaded files, within the bound of what is kept."""

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Keep a file; if there is no room, only that it was given."""
        if len(file.data) > room():
            file = file._replace(data=b"", type=_NO_ROOM)
        super().add_file(session_id, file)

    def contents(self) -> list[bytes]:
        """List what the files of all visitors hold."""
        with self._lock:
            return [file.data for files in self.file_storage.values() for file in files.values()]


def held_bytes() -> int:
    """Return what the files of all visitors take, each once."""
    # References are listed at once: another visitor may give a file meanwhile.
    uploads = (reference() for reference in _alive.valuerefs())
    contents = [upload.content for upload in uploads if upload is not None]
    if runtime.exists():
        manager = runtime.get_instance().uploaded_file_mgr
        if isinstance(manager, BoundedFiles):
            contents += manager.contents()
    return sum({id(content): len(content) for content in contents}.values())


def room() -> int:
    """Return how many bytes of files may still be given."""
    return (ServerLimits.from_environment().cache << 20) - held_bytes()


def content_of(file: Any) -> bytes:
    """Return the content of an uploaded file; one that was not kept is refused."""
    if file.type == _NO_ROOM:
        _refuse(file.name)
    content: bytes = file.getvalue()
    return content


def check_room(upload: Upload) -> Upload:
    """Refuse a file that did not come by an upload, if there is no room for it."""
    if room() < 0:
        _refuse(upload.name)
    return upload


def _refuse(name: str) -> None:
    most = ServerLimits.from_environment().cache
    raise DataError(
        f"file={name!r} must fit beside the files of other visitors: all of them together may "
        f"take {plural(most, 'megabyte')} on this server. Try again later, or start your own "
        "with 'probtrees app --max-cache'."
    )
