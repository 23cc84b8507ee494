"""Work in other processes, and that these do not outlive the one that asked for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from probtrees.machine.worker_processes import call_in_processes

CONDUCTOR = """
import sys
from tests.machine.test_worker_processes import note_and_wait
from probtrees.machine.worker_processes import call_in_processes
list(call_in_processes(note_and_wait, [(sys.argv[1], n) for n in range(2)], 2))
"""
ROOT = Path(__file__).resolve().parents[2]


def note_and_wait(folder: str, number: int) -> None:
    unfinished = Path(folder) / f"{number}.unfinished"
    unfinished.write_text(str(os.getpid()))
    unfinished.rename(Path(folder) / f"{number}.pid")
    time.sleep(600)


def is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(done: Callable[[], bool], seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while not done() and time.monotonic() < end:
        time.sleep(0.1)
    return done()


@pytest.mark.slow
def test_answers_come_in_order_or_as_they_are_ready() -> None:
    calls = [(number, 2) for number in range(5)]
    assert list(call_in_processes(pow, calls, 2)) == [0, 1, 4, 9, 16]
    assert sorted(call_in_processes(pow, calls, 2, in_order=False)) == [0, 1, 4, 9, 16]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks processes up in /proc")
def test_workers_end_soon_after_their_conductor_was_killed(tmp_path: Path) -> None:
    conductor = subprocess.Popen(
        [sys.executable, "-c", CONDUCTOR, str(tmp_path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    try:
        assert wait_until(lambda: len(list(tmp_path.glob("*.pid"))) == 2)
        workers = [int(path.read_text()) for path in tmp_path.glob("*.pid")]
        assert conductor.pid not in workers
        assert all(map(is_alive, workers))
    finally:
        conductor.send_signal(signal.SIGKILL)
        conductor.wait()
    assert wait_until(lambda: not any(map(is_alive, workers)), seconds=20)
