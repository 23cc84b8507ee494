"""Read a saved model: the registry knows its smoothers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from probtrees.experiment.registry import make_smoother
from probtrees.model.model import Model, read_model
from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.smoothed_tree import Smoother


def load_model(path: str | Path) -> Model:
    """Read a model written by ``model.save(path)``.

    The file is JSON and is read as such: nothing in it is executed. What is not a model
    raises a :class:`~probtrees.errors.DataError` of one sentence.
    """
    return read_model(path, _smoother_from_record)


def _smoother_from_record(name: str, options: Mapping[str, Any]) -> Smoother:
    """Make the smoother that a file names, also the one inside the published habits."""
    if name == AsPublished.name:
        return AsPublished(_smoother_from_record(options["smoother"], options["options"]))
    return make_smoother(name, options)
