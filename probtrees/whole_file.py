"""Files that appear complete or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_whole(path: str | Path, content: bytes | str) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    Whoever reads the file meanwhile, or after the program was killed, finds the old content
    or the new one, never a part.
    """
    target = Path(path)
    if "\0" in str(target):
        raise OSError(errno.EINVAL, "A path cannot hold a null character", str(target))
    data = content.encode("utf-8") if isinstance(content, str) else content
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)  # mkstemp lets only the owner read
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
