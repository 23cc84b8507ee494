"""The commands by name, each a module of this package that is imported when it is called."""

from __future__ import annotations

import importlib
from typing import Any

COMMANDS = {
    "grow": "grow a model from a table; show it, draw it, save it",
    "predict": "give every row of a table its class probabilities by a saved model",
    "validate": "hold a saved model against a table it was not learnt from",
    "explain": "say where the answer of a saved model, about a row or in a leaf, comes from",
    "evaluate": "cross-validate one model and smoother",
    "compare": "cross-validate every smoother on the same folds",
    "benchmark": "cross-validate models and smoothers on all data sets of a folder",
    "convert": "write a network as BIF, XMLBIF, XDSL, NET or UAI, or a tree as ONNX",
    "app": "open the web app",
    "doctor": "say what a bug report needs: versions, kernels, memory, browser",
    "completion": "write the lines that let a shell complete commands and options",
}
"""What each command does, in the order of the help text."""


def load_command(name: str) -> Any:
    """Import a command: its docstring, ``EXAMPLES``, ``add_arguments`` and ``run``."""
    return importlib.import_module(f"probtrees.cli.{name}")
