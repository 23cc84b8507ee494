"""Scripts on foreign bytes end in an answer or in a reason, whatever they do."""

import os
from pathlib import Path
from unittest.mock import Mock, call

import pytest

from probtrees.machine import guarded_process
from probtrees.machine.checkpoint import watched
from probtrees.machine.guarded_process import ProcessFailed, answer_of
from probtrees.machine.worker_processes import call_in_processes


def script(folder: Path, text: str) -> Path:
    path = folder / "script.py"
    path.write_text(text)
    return path


def test_an_answer_comes_back_and_is_kept(tmp_path: Path) -> None:
    program = "import sys, os\nsys.stdout.write(sys.argv[1] + sys.stdin.read() + str(os.getpid()))"
    path = script(tmp_path, program)
    first = answer_of(path, ["a"], b"bc")
    assert first.startswith(b"abc")
    assert answer_of(path, ["a"], b"bc") == first
    assert answer_of(path, ["a"], b"bd") != first
    path.write_text(f"import time; time.sleep(0.5); {program}")  # begins to read when it likes
    much = b"bc" * 100_000
    assert answer_of(path, ["b"], much, timeout=10).startswith(b"b" + much)


def test_a_crash_gives_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(ProcessFailed, match="ValueError: no") as caught:
        answer_of(script(tmp_path, "raise ValueError('no')"), [], b"crash")
    assert not caught.value.burst


def test_memory_and_time_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarded_process, "_LEAST", 1 << 28)
    for text, timeout in (("x = bytearray(1 << 29)", 300.0), ("while True: pass", 0.5)):
        with pytest.raises(ProcessFailed) as caught:
            answer_of(script(tmp_path, text), [], text.encode(), timeout=timeout)
        assert caught.value.burst


@pytest.mark.slow
def test_answers_come_in_order_or_as_they_are_ready():
    calls = [(number, 2) for number in range(5)]
    assert list(call_in_processes(pow, calls, 2)) == [0, 1, 4, 9, 16]
    assert sorted(call_in_processes(pow, calls, 2, in_order=False)) == [0, 1, 4, 9, 16]


def test_a_cancelled_one_is_ended_at_once(tmp_path):
    watcher = Mock(side_effect=[None, None, InterruptedError])
    pid = tmp_path / "pid"
    lasting = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    with watched(watcher), pytest.raises(InterruptedError):
        answer_of(script(tmp_path, lasting), [], b"for long" * 100_000)
    assert watcher.call_args_list == [call("unpacking the file")] * 3
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)
