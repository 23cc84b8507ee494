"""A smoother of one's own, from a Python file.

The file is run: only the person who starts the program can name it, never a web page.
"""

from __future__ import annotations

import copyreg
import importlib.util
import inspect
import sys
import traceback
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from probtrees.errors import OptionError
from probtrees.experiment.registry import SMOOTHERS, make_smoother, register_smoother
from probtrees.options import build
from probtrees.smooth.contract import check_smoother

MODULE_NAME = "probtrees_plug_in"


def load_plug_in(path: str | Path) -> list[str]:
    """Register every smoother that a Python file defines, after checking what it promises.

    Returns
    -------
    the names under which they are known from now on
    """
    module = _run_file(Path(path))
    smoothers: list[Any] = [
        entry
        for entry in vars(module).values()
        if inspect.isclass(entry)
        and entry.__module__ == module.__name__
        and hasattr(entry, "smooth")
        and hasattr(entry, "contributions")
    ]
    if not smoothers:
        raise OptionError(
            f"with={str(path)!r} must define a smoother: a class with 'name', 'smooth' and "
            "'contributions'. See CONTRIBUTING.md."
        )
    for smoother in smoothers:
        register_smoother(smoother)
        try:
            check_smoother(build(smoother, {}))
        except OptionError:
            SMOOTHERS.pop(smoother.name)
            raise
        copyreg.pickle(smoother, partial(_for_other_processes, str(Path(path).resolve())))
    return [str(smoother.name) for smoother in smoothers]


def _for_other_processes(path: str, smoother: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return how a worker process makes the same smoother: from the file, as it has no module."""
    return _make_again, (path, smoother.name, smoother.to_dict())


def _make_again(path: str, name: str, options: dict[str, Any]) -> Any:
    if name not in SMOOTHERS:
        load_plug_in(path)
    return make_smoother(name, options)


def _run_file(path: Path) -> ModuleType:
    """Run a file as a module; what goes wrong in it is one sentence with its line."""
    if not path.is_file():
        raise OptionError(f"with={str(path)!r} must be a Python file. There is none.")
    name = f"{MODULE_NAME}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise OptionError(f"with={str(path)!r} must be a Python file: its name must end in .py.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    try:
        spec.loader.exec_module(module)
    except Exception as problem:
        del sys.modules[name]
        raise OptionError(
            f"with={str(path)!r} must run without errors. {_where(problem, path)}"
        ) from problem
    return module


def _where(problem: Exception, path: Path) -> str:
    """Name the line of the file that an error comes from."""
    frames = traceback.extract_tb(problem.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    line = lines[-1] if lines else getattr(problem, "lineno", None)
    return f"{f'Line {line}: ' if line else ''}{type(problem).__name__}: {problem}"
