"""Read a saved model: the registry knows its smoothers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from probtrees.experiment.registry import make_smoother
from probtrees.model.fitted_model import FittedModel
from probtrees.model.model import read_model
from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.smoothed_tree import Smoother


def load_model(source: Any) -> FittedModel:
    """Read a model written by ``model.save(path)``.

    ``source`` is the path, an open file, or a pair (name, bytes), as of an upload. The file is
    JSON and is read as such: nothing in it is executed. What is not a model raises a
    :class:`~probtrees.errors.DataError` of one sentence.
    """
    return read_model(source, _smoother_from_record, FittedModel)


def _smoother_from_record(name: str, options: Mapping[str, Any]) -> Smoother:
    """Make the smoother that a file names, also the one inside the published habits."""
    if name == AsPublished.name:
        return AsPublished(_smoother_from_record(options["smoother"], options["options"]))
    return make_smoother(name, options)
