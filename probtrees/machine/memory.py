"""How much memory this process may hope for."""

from __future__ import annotations

import os
from pathlib import Path

CONTAINER_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
"""Where Linux writes what a container may use; the second one in older versions."""

USUAL_MEMORY = 8 << 30
"""Assumed where a system does not say."""


def machine_memory() -> int:
    """Return the bytes of memory of this machine, or of the container if it may use less."""
    return min([_of_machine(), *filter(None, map(_limit_in, CONTAINER_LIMITS))])


def shown_bytes(n_bytes: float) -> str:
    """Write an amount of memory as people do.

    >>> shown_bytes(800_000_000), shown_bytes(12.81e9)
    ('0.8 GB', '12.8 GB')
    """
    return f"{n_bytes / 1e9:,.1f} GB"


def _of_machine() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not known, or not a system with sysconf
        return USUAL_MEMORY


def _limit_in(path: Path) -> int | None:
    """Read a limit; None if there is no file or it says there is none."""
    try:
        return int(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
