"""Cases run in a process of their own, watched for hangs, memory and sudden death."""

from __future__ import annotations

import contextlib
import multiprocessing as mp
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.trust.bad_files import BadFile

LONGEST_STEP = 30.0
"""Seconds of processor time one step may take."""
LONGEST_WAIT = 240.0
"""Seconds by the clock after which a step hangs, however busy the machine is."""
LONGEST_START = 240.0
"""Seconds by the clock a worker may take to start, which is no step of a case."""
MOST_MEMORY = 2048
"""MiB a case may take."""
_ADDRESS_SPACE = 8 << 30
"""Bytes; protects the machine should a case run away between two looks at it."""

MakeCase = Callable[[random.Random, int], BadFile]
"""Makes the case of a number; chance is seeded by it."""
RunCase = Callable[[BadFile, random.Random, Path, Callable[[str], None]], str]


@dataclass(frozen=True)
class Verdict:
    """How a case ended.

    Attributes
    ----------
    ended : "result" or "sentence" if all is well; else "traceback", "hang", "memory", "death"
    kind : the kind of trouble in the file
    last_step : what was being done last
    detail : the traceback or the figures, of a failure
    file : what was read, of a failure
    peak : MiB of memory at the highest, above what the process held before
    """

    number: int
    ended: str
    kind: str = ""
    last_step: str = ""
    detail: str = ""
    file: BadFile | None = None
    peak: float = 0.0
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether the case ended as it should."""
        return self.ended in ("result", "sentence")


def run_case(
    number: int, seed: int, make: MakeCase, run: RunCase, step: Callable[[str], None]
) -> Verdict:
    """Make one case and take it through its journey, in this process."""
    chance = random.Random(f"{seed}/{number}")
    steps = ["make"]

    def note(words: str) -> None:
        steps.append(words)
        step(words)

    file = make(chance, number)
    start = time.monotonic()
    forget_peak()
    before = peak_memory()
    try:
        with tempfile.TemporaryDirectory(prefix="trust-") as folder:
            ended, detail = run(file, chance, Path(folder), note), ""
    except Exception:
        ended, detail = "traceback", traceback.format_exc()
    peak = peak_memory() - before  # what other tests left in this process is not the case's
    if ended in ("result", "sentence") and peak > MOST_MEMORY:
        ended, detail = "memory", f"{peak:.0f} MiB"
    is_good = ended in ("result", "sentence")
    return Verdict(
        number, ended, file.kind, steps[-1], detail, None if is_good else file, peak,
        time.monotonic() - start,
    )  # fmt: skip


def forget_peak() -> None:
    """Begin to measure the highest memory again, where the system lets one."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_memory(pid: int | str = "self") -> float:
    """Return the highest memory of a process in MiB since the measure was begun."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    except OSError:
        pass
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 if pid == "self" else 0.0


def _work(channel: Connection, seed: int, make: MakeCase, run: RunCase) -> None:
    """Run the cases that are asked for, until None is."""
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    channel.send("ready")
    while (number := channel.recv()) is not None:
        verdict = run_case(number, seed, make, run, channel.send)
        channel.send(verdict)


@contextlib.contextmanager
def _no_main_to_repeat() -> Iterator[None]:
    """Hide the main module, which a spawned process would run again.

    A test of a page leaves the page's script there.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


class Watched:
    """A worker process that is replaced when a case hangs, grows too large, or kills it."""

    def __init__(self, seed: int, make: MakeCase, run: RunCase) -> None:
        self.seed, self.make, self.run = seed, make, run
        self._process: Any = None
        self._channel: Any = None

    def __enter__(self) -> Watched:
        """Start the worker when the first case comes."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the worker."""
        if self._process is not None:
            with contextlib.suppress(OSError):
                self._channel.send(None)
            self._process.join(5)
            self._stop()

    def case(self, number: int) -> Verdict:
        """Run one case."""
        if self._process is None:
            self._start()
        self._channel.send(number)
        step, since, busy = "make", time.monotonic(), self._busy()
        while True:
            if self._channel.poll(0.2):
                try:
                    message = self._channel.recv()
                except (EOFError, OSError):
                    return self._lost(number, "death", step, f"exit code {self._exit_code()}")
                if isinstance(message, Verdict):
                    return message
                step, since, busy = message, time.monotonic(), self._busy()
                continue
            waited, worked = time.monotonic() - since, self._busy() - busy
            if not self._process.is_alive():
                return self._lost(number, "death", step, f"exit code {self._exit_code()}")
            if worked > LONGEST_STEP or waited > LONGEST_WAIT:
                return self._lost(number, "hang", step, f"{worked:.0f} s busy, {waited:.0f} s")
            if peak_memory(self._process.pid) > MOST_MEMORY:
                return self._lost(number, "memory", step, "killed while growing")

    def _start(self) -> None:
        context = mp.get_context("spawn")
        self._channel, theirs = context.Pipe()
        self._process = context.Process(
            target=_work, args=(theirs, self.seed, self.make, self.run), daemon=False
        )
        with _no_main_to_repeat():
            self._process.start()
        theirs.close()
        if not self._channel.poll(LONGEST_START):
            raise RuntimeError("the worker did not start")
        self._channel.recv()

    def _stop(self) -> None:
        self._process.kill()
        self._process.join()
        self._channel.close()
        self._process = None

    def _exit_code(self) -> int | None:
        self._process.join(5)
        code: int | None = self._process.exitcode
        return code

    def _busy(self) -> float:
        """Return the processor time of the worker in seconds."""
        try:
            fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _lost(self, number: int, ended: str, step: str, detail: str) -> Verdict:
        """Give the worker up, and make its file again for whoever looks into it."""
        self._stop()
        file = self.make(random.Random(f"{self.seed}/{number}"), number)
        return Verdict(number, ended, file.kind, step, detail, file)


def verdicts(seed: int, make: MakeCase, run: RunCase, numbers: Iterator[int]) -> Iterator[Verdict]:
    """Run case after case in a watched process."""
    with Watched(seed, make, run) as worker:
        for number in numbers:
            yield worker.case(number)
