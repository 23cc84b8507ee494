"""What was chosen on a page, written as a command line and as Python."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from typing import Any

import streamlit as st

from probtrees.experiment.model_spec import Routing
from probtrees.experiment.registry import (
    DEFAULT_DISCRETIZER,
    DEFAULT_SMOOTHER,
    DISCRETIZERS,
    LEARNERS,
    SMOOTHERS,
)
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.smoother_options import Calibration, Settings, smoother_settings
from probtrees.ui.shared.table_source import ChosenTable

_FLAGS = ("missing", "prune", "min_leaf", "max_depth")
"""Growing options that have a flag of their own; the others go by ``--set``."""
STEPS_FILE = "steps.json"
"""The file that the command reads the steps from."""


@dataclass(frozen=True)
class Recipe:
    """All that is needed to do the same elsewhere.

    Attributes
    ----------
    source, target : the table; a target of None is the one that is found
    learner, options : what is grown, and its options that differ from their defaults
    smoother : how it is smoothed, as set in this session; None: the table is only read
    discretizer, cutting : how numbers are cut, and the options of that which differ
    """

    source: ChosenTable
    target: str | None
    learner: str = "c45"
    options: Settings = ()
    smoother: str | None = None
    routing: Routing = "hard"
    calibrate: Calibration = "none"
    discretizer: str = DEFAULT_DISCRETIZER
    cutting: Settings = ()

    def command_line(self) -> str:
        """Write the command that does the same."""
        parts = ["probtrees", "grow", self.source.file_name]
        parts += [] if self.target is None else ["--target", self.target]
        parts += reading_flags(self.source.reading)
        if self.smoother is not None:
            parts += [*self._model_flags(self.smoother), "--out", "model.json"]
        return " ".join(shlex.quote(part) for part in parts)

    def python_code(self) -> str:
        """Write the Python lines that do the same."""
        read = f"data = {self._read_expression()}"
        if self.smoother is None:
            return f"import probtrees\n\n{read}"
        imports = ["import probtrees"]
        learner, smoother = repr(self.learner), repr(self.smoother)
        if self.options:
            given = dict(self.options)
            if "edits" in given:
                given["edits"] = [edit.to_dict() for edit in given["edits"]]
            learner = _call(LEARNERS[self.learner].algorithm, given, imports)
        chosen = dict(smoother_settings(self.smoother))
        if chosen:
            entry = SMOOTHERS[self.smoother]
            smoother = _call(entry.algorithm, {**entry.preset, **chosen}, imports)
        how = ', routing="soft"' if self.routing == "soft" else ""
        how += f", calibrate={self.calibrate!r}" if self.calibrate != "none" else ""
        if self.cutting:
            method = DISCRETIZERS[self.discretizer].algorithm
            how += f", discretizer={_call(method, dict(self.cutting), imports)}"
        elif self.discretizer != DEFAULT_DISCRETIZER:
            how += f", discretizer={self.discretizer!r}"
        fit = f"model = probtrees.fit(data, {learner}, {smoother}{how})"
        return "\n".join([*imports, "", read, fit, 'model.save("model.json")'])

    def _model_flags(self, smoother: str) -> list[str]:
        """Write what is grown and how it is smoothed."""
        is_tree = self.learner == "c45"
        flags = [] if is_tree else ["--model", self.learner]
        if not is_tree or smoother != DEFAULT_SMOOTHER:
            flags += ["--smoother", smoother]
        for name, value in self.options:
            if is_tree and name in _FLAGS:
                flags += [f"--{name.replace('_', '-')}", str(value)]
            elif name == "edits":
                flags += ["--edits", "edits.json"]
            elif is_tree and name == "collapse":
                flags.append("--no-collapse")
            else:
                flags += ["--set", f"model.{name}={value}"]
        for name, value in smoother_settings(smoother):
            flags += ["--set", f"smoother.{name}={value}"]
        if self.routing == "soft":
            flags += ["--routing", "soft"]
        if self.calibrate != "none":
            flags += ["--calibrate", self.calibrate]
        if self.discretizer != DEFAULT_DISCRETIZER:
            flags += ["--discretize", self.discretizer]
        for name, value in self.cutting:
            flags += ["--set", f"discretize.{name}={value}"]
        return flags

    def _read_expression(self) -> str:
        """Write the expression that reads the table."""
        if self.source.upload is None and self.source.said == ReadOptions():
            return f"probtrees.load_sample({self.source.sample!r})"
        given = {"target": self.target, **self.source.reading.arguments}
        given["target"] = self.target
        given["roles"] = {n: r for n, r in self.source.reading.roles.items() if r != "target"}
        asked = {name: value for name, value in given.items() if value}
        words = ", ".join(filter(None, (repr(self.source.file_name), _arguments(asked))))
        return f"probtrees.read_table({words})"


def show_recipe(recipe: Recipe) -> None:
    """Show how to do the same elsewhere."""
    st.code(recipe.command_line(), language="bash", wrap_lines=True)
    if steps := recipe.source.reading.steps:
        st.caption(f"with this file {STEPS_FILE}:")
        st.code(json.dumps([dict(step) for step in steps], indent=1), language="json")
    st.code(recipe.python_code(), language="python", wrap_lines=True)


def reading_flags(reading: ReadOptions) -> list[str]:
    """Write what was said about the columns, and what was guessed."""
    flags = [
        f
        for n, role in reading.roles.items()
        if role != "target"
        for f in ("--role", f"{n}={role}")
    ]
    flags += [word for name, kind in reading.types.items() for word in ("--type", f"{name}={kind}")]
    flags += [word for text in reading.missing for word in ("--missing", text)]
    flags += ["--steps", STEPS_FILE] if reading.steps else []
    for name in ("sheet", "header_lines", "date_order", "encoding"):
        value = getattr(reading, name)
        flags += [] if value is None else [f"--{name.replace('_', '-')}", str(value)]
    return flags + (["--repeats", reading.repeats] if reading.repeats != "auto" else [])


def _call(algorithm: Any, options: dict[str, Any], imports: list[str]) -> str:
    """Write the call that makes an algorithm, and note its import."""
    imports.append(f"from {algorithm.__module__} import {algorithm.__name__}")
    return f"{algorithm.__name__}({_arguments(options)})"


def _arguments(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())
