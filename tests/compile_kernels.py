"""Compile the kernels that most tests need, in two processes: ``python -m tests.compile_kernels``.

Workers of pytest-xdist start with the same kernels at the same time, and where none is kept on
disk each would compile all of them. Two processes with different kernels take half as long.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.experiment.warm_up import warm_up

SAMPLER = "hdp"
"""Takes as long to compile as all other smoothers together, and needs no tree of its own."""


def compile_tree_kernels() -> None:
    """Compile C4.5, and all smoothers but the sampler."""
    warm_up(("c45",), tuple(name for name in SMOOTHERS if name != SAMPLER))


def compile_network_kernels() -> None:
    """Compile the learners of networks, and the sampler."""
    warm_up(("nb",), (SAMPLER,))
    warm_up(tuple(name for name in LEARNERS if name not in ("c45", "forest")), ("mle",))


PARTS = {"trees": compile_tree_kernels, "networks": compile_network_kernels}


def compile_kernels() -> None:
    """Compile all parts at once, each in a process; what fails is left to the tests to report."""
    root = Path(__file__).resolve().parents[1]
    commands = [[sys.executable, "-m", "tests.compile_kernels", part] for part in PARTS]
    for process in [subprocess.Popen(command, cwd=root) for command in commands]:
        process.wait()


if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
