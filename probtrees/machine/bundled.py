"""The files that travel with the package: the app, its pages and the sample data.

In a checkout they lie at the top of the repository; an installed package carries them in
a folder of its own. Everyone who needs one asks here.
"""

from __future__ import annotations

from pathlib import Path

from probtrees.errors import DataError

_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE / "_bundled", _PACKAGE.parent)


def bundled(name: str) -> Path:
    """Find a bundled file or folder.

    >>> bundled("app.py").name
    'app.py'
    """
    for place in _PLACES:
        if (place / name).exists():
            return place / name
    raise DataError(f"bundled file={name!r} must be part of the package. Install probtrees again.")
