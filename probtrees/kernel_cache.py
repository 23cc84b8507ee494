"""Where compiled kernels are kept between runs.

numba keeps them beside the source, or in the user's cache folder when that is read-only.
Where neither can be written (a shared install, a container without a home) it gives up
with an error; then a private folder among the temporary files serves.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"


def prepare_kernel_cache() -> None:
    """Name a writable folder for compiled kernels if numba would find none.

    Must run before numba is imported; a folder that the user named is left alone.
    """
    if os.environ.get(VARIABLE) or _is_writable(Path(__file__).parent / "__pycache__"):
        return
    if _is_writable(_user_cache()):
        return
    os.environ[VARIABLE] = _private_folder()
    if "numba" in sys.modules:
        sys.modules["numba"].config.CACHE_DIR = os.environ[VARIABLE]


def _user_cache() -> Path:
    """Return the folder that numba takes when the source is read-only."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home)) / "numba"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "numba"
    return Path(os.environ.get("XDG_CACHE_HOME", home / ".cache")) / "numba"


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder, or the folder itself can be made."""
    existing = next(place for place in (folder, *folder.parents, Path("/")) if place.exists())
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def _private_folder() -> str:
    """Find or make a folder that only this user can write: what is in it gets executed."""
    owner = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"probtrees-kernels-{owner}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    is_ours = stat.S_ISDIR(found.st_mode) and found.st_uid == owner
    if is_ours and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return str(folder)
    return tempfile.mkdtemp(prefix="probtrees-kernels-")
