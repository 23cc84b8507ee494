"""Run a small script on foreign bytes in a process of its own, with bounded memory and time.

Libraries that unpack other programs' files can be made to fill the memory or to crash by a file
that was written for it. In a process of its own that ends in a sentence, and the server goes on.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

from probtrees.machine.checkpoint import checkpoint
from probtrees.machine.limits import machine_memory

_LAUNCH = """\
import runpy, sys
most, script = int(sys.argv[1]), sys.argv[2]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, OSError, ValueError):
    pass  # not a system that can bound a process: it is still one of its own
sys.argv = sys.argv[2:]
runpy.run_path(script, run_name="__main__")
"""

_LEAST = 2 << 30
_TIMES = 40
"""Bytes of memory per byte of file that are surely enough: packed cells unpack to objects."""

_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
"""Threads that are not needed would reserve most of the memory that is allowed."""

_MOST_KEPT = 64 << 20
_kept: dict[tuple[str, ...], bytes] = {}  # a table is looked at anew as its reading is changed


class ProcessFailed(Exception):  # noqa: N818  callers turn it into a sentence about their file
    """The script gave no answer; ``burst``: it took more memory or time than a file can need."""

    def __init__(self, last_words: str, *, burst: bool) -> None:
        super().__init__(last_words)
        self.burst = burst


def answer_of(script: Path, arguments: list[str], content: bytes, timeout: float = 300.0) -> bytes:
    """Return what a script writes when it is given these bytes; the last answers are kept.

    Parameters
    ----------
    script : a Python file that reads its standard input and imports no more than it needs
    arguments : given to the script
    content : given to it as standard input
    timeout : seconds after which it is ended

    Raises
    ------
    ProcessFailed
        if it crashes, takes too long or needs more memory than such a file can need
    """
    key = (str(script), *arguments, hashlib.sha256(content).hexdigest())
    answer = _kept.get(key)
    if answer is None:
        answer = _run(script, arguments, content, timeout)
        if sum(map(len, list(_kept.values()))) + len(answer) > _MOST_KEPT:
            _kept.clear()
        _kept[key] = answer
    return answer


def _run(script: Path, arguments: list[str], content: bytes, timeout: float) -> bytes:
    most = min(machine_memory(), max(_LEAST, _TIMES * len(content)))
    command = [sys.executable, "-P", "-c", _LAUNCH, str(most), str(script), *arguments]
    own = {**os.environ, **_ONE_THREAD}
    pipe = subprocess.PIPE
    ends = time.monotonic() + timeout
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=own) as process,
        ThreadPoolExecutor(1) as pool,  # once interrupted, communicate gives the script no more
    ):
        asked = pool.submit(process.communicate, content)
        try:
            while not wait([asked], timeout=0.2).done:
                checkpoint("unpacking the file")  # which raises once it is cancelled
                if time.monotonic() > ends:
                    raise ProcessFailed(f"no answer within {timeout:.0f} s", burst=True)
        finally:
            process.kill()  # which does nothing to one that has ended
    answer, said = asked.result()
    if process.returncode != 0:
        words = said.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        is_full = any("memory" in line.lower() or "bad_alloc" in line for line in words)
        raise ProcessFailed(words[-1], burst=is_full)
    return answer
