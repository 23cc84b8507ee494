"""Commands in a forked child that is killed at a chosen write, or whose disk is full."""

import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from probtrees.cli import main

_WRITING = {
    "os.rename", "os.remove", "os.truncate", "os.chmod", "os.mkdir", "os.rmdir",
    "tempfile.mkstemp", "shutil.rmtree", "shutil.move",
}  # fmt: skip
_PATIENCE = 120.0


@dataclass(frozen=True)
class Fault:
    """What is to go wrong.

    Attributes
    ----------
    at_write : killed with signal 9 at this write to the folder (opening, syncing, renaming)
    after_seconds : killed with signal 9 after so long
    most_bytes : no file can grow beyond, as on a full disk
    """

    at_write: int | None = None
    after_seconds: float | None = None
    most_bytes: int | None = None


@dataclass(frozen=True)
class Outcome:
    """How a child ended: its exit code (-9 if it was killed), and what it said."""

    code: int
    out: str
    err: str

    @property
    def was_killed(self) -> bool:
        """Whether the fault struck before the command was done."""
        return self.code == -signal.SIGKILL


def run_in_child(arguments: Sequence[str], folder: Path, fault: Fault = Fault()) -> Outcome:
    """Run a command in a forked child, under a fault."""
    said = [folder / ".stdout", folder / ".stderr"]
    for path in said:  # also for a child that dies before it can say anything
        path.write_bytes(b"")
    child = os.fork()
    if child == 0:
        _be_the_child(arguments, folder, said, fault)
    _wait(child, fault.after_seconds)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    out, err = (path.read_text(encoding="utf-8", errors="replace") for path in said)
    return Outcome(code, out, err)


def _wait(child: int, seconds: float | None) -> None:
    """Wait until the child is done; kill it when its time has come."""
    until = time.monotonic() + (_PATIENCE if seconds is None else seconds)
    while time.monotonic() < until:
        if os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return
        time.sleep(0.005)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)


def _be_the_child(arguments: Sequence[str], folder: Path, said: list[Path], fault: Fault) -> None:
    """Never returns: whatever happens, the child ends here."""
    code = 70
    try:
        for number, path in enumerate(said, start=1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w")
        if fault.most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (fault.most_bytes, fault.most_bytes))
        if fault.at_write is not None:
            _die_at(fault.at_write, str(folder))
        code = main(list(arguments))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _die_at(number: int, folder: str) -> None:
    """Have this process killed at its n-th write to a folder."""
    left = number

    def count() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def hook(event: str, given: tuple[Any, ...]) -> None:
        if event == "open" and isinstance(given[0], str) and given[0].startswith(folder):
            writes = isinstance(given[1], str) and given[1] not in ("r", "rb")
            if writes or (given[1] is None and given[2] & (os.O_WRONLY | os.O_RDWR)):
                count()
        elif event in _WRITING and str(given[0]).startswith(folder):
            count()

    sync = os.fsync

    def counted_sync(file: Any) -> None:
        count()
        sync(file)
        count()

    os.fsync = counted_sync  # type: ignore[assignment]
    sys.addaudithook(hook)
