"""Cases that do what no case may, to see that the watch notices."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from tests.trust.bad_files import BadFile

DEEDS = {"sleep": "hang", "grow": "memory", "die": "death", "fail": "traceback", "work": "result"}
"""What a case does, and what the watch must call it."""


def deed(chance: random.Random, number: int) -> BadFile:
    """Name the deed of a number."""
    return BadFile(list(DEEDS)[number], "x", b"")


def misbehave(
    file: BadFile, chance: random.Random, folder: Path, step: Callable[[str], None]
) -> str:
    """Do it."""
    if file.kind == "sleep":
        time.sleep(600)
    if file.kind == "grow":
        held = b"x" * (800 << 20)
        time.sleep(600 if held else 0)
    if file.kind == "die":
        raise SystemExit(3)
    if file.kind == "fail":
        raise ZeroDivisionError
    return "result"
