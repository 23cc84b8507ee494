"""The page's model written as a command line and as Python."""

from __future__ import annotations

import shlex
from typing import Any

from probtrees.experiment.registry import DEFAULT_SMOOTHER, LEARNERS, SMOOTHERS
from probtrees.table.dataset import Dataset
from probtrees.ui.shared import state
from probtrees.ui.shared.smoother_options import smoother_settings
from probtrees.ui.shared.table_source import Reading, current_reading
from probtrees.ui.shared.workbench import Workbench

_FLAGS = ("missing", "prune", "min_leaf", "max_depth")
"""Growing options that have a flag of their own; the others go by ``--set``."""


def command_line(bench: Workbench, smoother: str) -> str:
    """Write the command that grows the same model."""
    parts = ["probtrees", "grow", table_file(bench.data), "--target", bench.data.schema.target.name]
    parts += reading_flags()
    if smoother != DEFAULT_SMOOTHER:
        parts += ["--smoother", smoother]
    for name, value in _growing(bench).items():
        if name in _FLAGS:
            parts += [f"--{name.replace('_', '-')}", str(value)]
        elif name == "collapse":
            parts.append("--no-collapse")
        else:
            parts += ["--set", f"model.{name}={value}"]
    parts += smoother_flags(smoother)
    if bench.routing == "soft":
        parts += ["--routing", "soft"]
    parts += ["--out", "model.json"]
    return " ".join(shlex.quote(part) for part in parts)


def python_code(bench: Workbench, smoother: str) -> str:
    """Write the Python lines that grow the same model."""
    learner = LEARNERS["c45"].algorithm
    imports = ["import probtrees", f"from {learner.__module__} import {learner.__name__}"]
    more, how = smoother_expression(smoother)
    soft = ', routing="soft"' if bench.routing == "soft" else ""
    return "\n".join(
        [
            *imports,
            *more,
            "",
            f"data = {read_expression(bench.data)}",
            f"model = probtrees.fit(data, {learner.__name__}({_arguments(_growing(bench))}), "
            f"{how}{soft})",
            'model.save("model.json")',
        ]
    )


def smoother_flags(smoother: str) -> list[str]:
    """Write how a smoother is set, for a command line."""
    return [
        part
        for name, value in smoother_settings(smoother)
        for part in ("--set", f"smoother.{name}={value}")
    ]


def smoother_expression(smoother: str) -> tuple[list[str], str]:
    """Write a smoother as Python: what to import, and what to pass."""
    chosen = dict(smoother_settings(smoother))
    if not chosen:
        return [], repr(smoother)
    entry = SMOOTHERS[smoother]
    algorithm = entry.algorithm
    imported = f"from {algorithm.__module__} import {algorithm.__name__}"
    return [imported], f"{algorithm.__name__}({_arguments({**entry.preset, **chosen})})"


def read_expression(data: Dataset) -> str:
    """Write the expression that reads the table."""
    reading = current_reading()
    asked = {name: value for name, value in reading.arguments.items() if value}
    if state.current_upload() is None and not asked:
        return f"probtrees.load_sample({state.current_sample()!r})"
    given = _arguments({"target": data.schema.target.name, **asked})
    return f"probtrees.read_table({table_file(data)!r}, {given})"


def reading_flags(reading: Reading | None = None) -> list[str]:
    """Write what was said about the columns, those of the pages unless told otherwise."""
    reading, flags = reading or current_reading(), []
    for column, role in reading.roles:
        if role != "target":
            flags += ["--role", f"{column}={role}"]
    for column, kind in reading.types:
        flags += ["--type", f"{column}={kind}"]
    if reading.bin_target is not None:
        flags += ["--bin-target", str(reading.bin_target)]
    if reading.repeats != "auto":
        flags += ["--repeats", reading.repeats]
    return flags


def _arguments(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())


def table_file(data: Dataset) -> str:
    """Name the table's file."""
    if state.current_upload() is None:
        return f"{state.current_sample()}.csv"
    return data.provenance.source


def _growing(bench: Workbench) -> dict[str, Any]:
    """Give the growing options that differ from their defaults."""
    return dict(bench.key[1])
