"""What is compiled beside the server on a first start, who waits for it, and when it ends."""

import os
import subprocess
import sys

import pytest

from probtrees.experiment import warm_up as module
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.experiment.warm_up import compile_in_background, is_compiling, marks_of
from probtrees.machine.kernel_cache import VARIABLE, _sources, keep_mark, marks_kept


class Process:
    """A process that compiles until it is asked to end."""

    def __init__(self, command, **_options):
        self.part = command[-1]
        self.code = None

    def poll(self):
        return self.code


@pytest.fixture
def started(monkeypatch, tmp_path):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    monkeypatch.setattr(module, "_running", {})
    monkeypatch.setattr(module.subprocess, "Popen", Process)
    return module._running


def test_a_first_start_waits_for_both_processes_and_a_second_one_for_none(started):
    assert {process.part for process in compile_in_background()} == set(module.PARTS)
    assert is_compiling()
    keep_mark("c45")
    assert is_compiling()
    assert not is_compiling({"c45"})
    assert not is_compiling({"a smoother of one's own"})
    keep_mark("m-branch")
    keep_mark("hgs")
    assert not is_compiling()
    assert is_compiling({"hdp"})
    assert is_compiling(None)
    for part in module.PARTS:
        keep_mark(part)
    assert not is_compiling(None)
    started.clear()
    assert compile_in_background() == []
    assert not is_compiling()


def test_a_process_that_ended_early_is_not_waited_for(started):
    for process in compile_in_background():
        process.code = 1
    assert not is_compiling()


def test_marks_are_forgotten_when_a_kernel_changes(started, monkeypatch, tmp_path):
    (tmp_path / "package" / "machine").mkdir(parents=True)
    source = tmp_path / "package" / "_some_kernels.py"
    source.write_text("one")
    place = tmp_path / "package" / "machine" / "kernel_cache.py"
    monkeypatch.setattr("probtrees.machine.kernel_cache.__file__", str(place))
    _sources.cache_clear()
    keep_mark("growing")
    assert marks_kept() == {"growing"}
    os.utime(source, ns=(1, 1))
    _sources.cache_clear()
    assert marks_kept() == set()


def test_every_learner_and_smoother_is_compiled_the_first_page_first():
    growing, smoothing = map(marks_of, module.PARTS)
    assert growing[0] == "c45"
    assert smoothing[:2] == ("m-branch", "hgs")
    assert {*growing, *smoothing} == {*LEARNERS, *SMOOTHERS, module.TABLES}
    assert len(growing) + len(smoothing) == len({*growing, *smoothing})


def test_a_process_that_compiles_ends_with_the_one_that_started_it(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "probtrees.experiment.warm_up", "smoothing"],
        stdin=subprocess.PIPE,
        env={**os.environ, VARIABLE: str(tmp_path)},
    )
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(timeout=60) == 1
