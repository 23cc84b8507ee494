"""The page's model written as a command line and as Python."""

from __future__ import annotations

import shlex
from typing import Any

from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS
from probtrees.ui import state
from probtrees.ui.workbench import Workbench


def command_line(bench: Workbench, smoother: str) -> str:
    """Write the command that grows the same model."""
    parts = ["probtrees", "grow", _file(bench), "--target", bench.data.schema.target.name]
    if smoother != DEFAULT_SMOOTHER:
        parts += ["--smoother", smoother]
    for name, value in _growing(bench).items():
        if value is False:
            parts.append(f"--no-{name.replace('_', '-')}")
        elif value is True:
            parts.append(f"--{name.replace('_', '-')}")
        else:
            parts += [f"--{name.replace('_', '-')}", str(value)]
    parts += ["--out", "model.json"]
    return " ".join(shlex.quote(part) for part in parts)


def python_code(bench: Workbench, smoother: str) -> str:
    """Write the Python lines that grow the same model."""
    options = ", ".join(f"{name}={value!r}" for name, value in _growing(bench).items())
    learner = LEARNERS["c45"].algorithm.__name__
    if state.current_upload() is None:
        read = f"data = probtrees.load_sample({state.current_sample()!r})"
    else:
        target = bench.data.schema.target.name
        read = f"data = probtrees.read_table({_file(bench)!r}, target={target!r})"
    return "\n".join(
        [
            "import probtrees",
            "from probtrees.grow.c45 import C45",
            "",
            read,
            f"model = probtrees.fit(data, {learner}({options}), {smoother!r})",
            'model.save("model.json")',
        ]
    )


def _file(bench: Workbench) -> str:
    """Name the table's file."""
    if state.current_upload() is None:
        return f"{state.current_sample()}.csv"
    return bench.data.provenance.source


def _growing(bench: Workbench) -> dict[str, Any]:
    """Give the growing options that differ from their defaults."""
    return dict(bench.key[1])
