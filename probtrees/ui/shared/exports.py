"""What can be taken away from a page: files, each declared once, in one drawer for all pages.

And what was chosen on a page, written as a command line and as Python.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from mimetypes import guess_type
from typing import Any, Generic, TypeVar

import streamlit as st

from probtrees.draw.picture_file import PictureFormat, render
from probtrees.errors import ProbTreesError
from probtrees.experiment.registry import DEFAULT_DISCRETIZER, DISCRETIZERS, LEARNERS, SMOOTHERS
from probtrees.model.model import Model
from probtrees.table.read_options import ReadOptions
from probtrees.ui.shared.smoother_options import Settings, smoother_settings
from probtrees.ui.shared.table_source import ChosenTable

Asked = TypeVar("Asked")
"""What a file is written from: what is on show, and what was asked of the user."""


@dataclass(frozen=True)
class Export(Generic[Asked]):
    """One file that can be taken away.

    Attributes
    ----------
    name : of the file; its suffix says what it is
    label : what its button says
    write : makes its content when the button is pressed, maybe when the page is long gone
    help : what is in it
    is_offered : whether there is such a file at all
    """

    name: str
    label: str
    write: Callable[[Asked], str | bytes]
    help: str | None = None
    icon: str | None = None
    is_offered: Callable[[Asked], bool] = lambda asked: True


@dataclass(frozen=True)
class ExportTab(Generic[Asked]):
    """Files that belong together.

    Attributes
    ----------
    title : of the tab
    ask : shows what is asked before, and returns what the files are written from; None while
        there is nothing to write
    exports : the files
    remark : shows what is said below the buttons
    """

    title: str
    ask: Callable[[Any], Asked | None]
    exports: tuple[Export[Asked], ...] = ()
    remark: Callable[[Asked], None] | None = None


def export_drawer(tabs: Sequence[ExportTab[Any]], shown: Any) -> None:
    """Offer everything that can be taken away from what is on show."""
    places = st.tabs([tab.title for tab in tabs]) if len(tabs) > 1 else [st.container()]
    for tab, place in zip(tabs, places, strict=True):
        with place:
            asked = tab.ask(shown)
            if asked is not None:
                offer(tab.exports, asked)
                if tab.remark is not None:
                    tab.remark(asked)


def offer(exports: Sequence[Export[Asked]], asked: Asked) -> None:
    """Show a button for every file that there is."""
    with st.container(horizontal=True):
        for export in filter(lambda export: export.is_offered(asked), exports):
            st.download_button(
                export.label,
                partial(_content, export, asked),
                file_name=export.name,
                mime=guess_type(export.name)[0] or "application/octet-stream",
                key=f"export {export.name}",
                icon=export.icon,
                help=export.help,
                on_click="ignore",
            )


def _content(export: Export[Asked], asked: Asked) -> str | bytes:
    """Write a file; where that fails it holds the reason, since the page may be gone."""
    try:
        return export.write(asked)
    except ProbTreesError as problem:
        return str(problem)


def picture_exports(name: str) -> tuple[Export[Callable[[], str]], ...]:
    """Declare a picture in every format; it is written from what makes its DOT."""

    def picture(format: PictureFormat) -> Export[Callable[[], str]]:
        return Export(f"{name}.{format}", format.upper(), lambda dot: render(dot(), format))

    dot = Export[Callable[[], str]](f"{name}.dot", "DOT", lambda dot: dot())
    return (picture("svg"), picture("png"), picture("pdf"), dot)


MODEL: Export[Callable[[], Model]] = Export(
    "model.json", "Model (JSON)", lambda model: json.dumps(model().to_dict(), indent=1)
)
"""A model; it is written from what returns it."""


def ask_mask(key: str) -> int:
    """Ask which counts are too small to be printed in a report."""
    smallest = st.number_input(
        "Hide counts below",
        min_value=0,
        max_value=1000,
        key=key,
        persist_state="session",
        help="0 hides nothing. Otherwise smaller groups are merged before anything is computed, so "
        "that no smaller count but 0 can be read or worked out. The report says what is promised.",
    )
    return int(smallest or 0)


STEPS_FILE = "steps.json"
"""The file that the command reads the steps from."""


@dataclass(frozen=True)
class Recipe:
    """All that is needed to do the same elsewhere.

    Attributes
    ----------
    source, target : the table; a target of None is the one that is found
    learner, options : what is grown, and its options that differ from their defaults
    smoother : as set in this session; "": it is fitted as a whole; None: the table is only read
    discretizer, cutting : how numbers are cut, and the options of that which differ
    """

    source: ChosenTable
    target: str | None
    learner: str = "c45"
    options: Settings = ()
    smoother: str | None = None
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
        learner, smoother = repr(self.learner), f", {self.smoother!r}" if self.smoother else ""
        if self.options:
            given = dict(self.options)
            if "edits" in given:
                given["edits"] = [edit.to_dict() for edit in given["edits"]]
            learner = _call(LEARNERS[self.learner].algorithm, given, imports)
        if chosen := dict(smoother_settings(self.smoother)):
            entry = SMOOTHERS[self.smoother]
            smoother = f", {_call(entry.algorithm, {**entry.preset, **chosen}, imports)}"
        how = ""
        if self.cutting:
            method = DISCRETIZERS[self.discretizer].algorithm
            how = f", discretizer={_call(method, dict(self.cutting), imports)}"
        elif self.discretizer != DEFAULT_DISCRETIZER:
            how = f", discretizer={self.discretizer!r}"
        fit = f"model = probtrees.fit(data, {learner}{smoother}{how})"
        return "\n".join([*imports, "", read, fit, 'model.save("model.json")'])

    def _model_flags(self, smoother: str) -> list[str]:
        """Write what is grown and how it is smoothed."""
        flags = [] if self.learner == "c45" else ["--model", self.learner]
        flags += ["--smoother", smoother] if smoother else []
        if self.discretizer != DEFAULT_DISCRETIZER:
            flags += ["--discretize", self.discretizer]
        said = {"model": self.options, "smoother": smoother_settings(smoother)}
        for owner, options in {**said, "discretize": self.cutting}.items():
            for name, value in options:
                is_set = ["--set", f"{owner}.{name}={value}"]
                flags += ["--edits", "edits.json"] if name == "edits" else is_set
        return flags

    def _read_expression(self) -> str:
        """Write the expression that reads the table."""
        if self.source.upload is None and self.source.said == ReadOptions():
            return f"probtrees.load_sample({self.source.sample!r})"
        reading = self.source.reading
        roles = {n: role for n, role in reading.roles.items() if role != "target"}
        given = {"target": self.target, **reading.arguments, "roles": roles}
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
    said = [("role", f"{n}={role}") for n, role in reading.roles.items() if role != "target"]
    said += [("type", f"{name}={kind}") for name, kind in reading.types.items()]
    said += [("missing", text) for text in reading.missing]
    said += [("steps", STEPS_FILE)] if reading.steps else []
    options = ("sheet", "header_lines", "date_order", "encoding", "repeats")
    given = ((name, reading.arguments.get(name)) for name in options)
    said += [(name.replace("_", "-"), str(value)) for name, value in given if value is not None]
    return [word for name, value in said for word in (f"--{name}", value)]


def _call(algorithm: Any, options: dict[str, Any], imports: list[str]) -> str:
    """Write the call that makes an algorithm, and note its import."""
    imports.append(f"from {algorithm.__module__} import {algorithm.__name__}")
    return f"{algorithm.__name__}({_arguments(options)})"


def _arguments(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value!r}" for name, value in options.items())
