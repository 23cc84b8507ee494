"""Have a model: grow it, smooth it and look at its track record, or load a saved one.

This is the one place where that walk is written; the command line, the estimators, tables read
in chunks and the app call it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from probtrees.errors import ProbTreesError
from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.inner_models import with_track_record
from probtrees.experiment.registry import (
    DEFAULT_LEARNER,
    DEFAULT_SMOOTHER,
    SMOOTHERS,
    make_smoother,
)
from probtrees.grow.count_tree import CountTree
from probtrees.model.model import Model, read_model
from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.smoothed_tree import SmoothedTree, Smoother
from probtrees.table.dataset import Dataset
from probtrees.types import Progress


def fit(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    smoother: Any = DEFAULT_SMOOTHER,
    *,
    progress: Progress | None = None,
    track_record: bool = False,
    **settings: Any,
) -> Model:
    """Grow a model from rows and smooth it.

    Where the smoother or soft routing needs inner evidence, the model also gets its track
    record: what happened to rows that inner trees had not seen.

    Parameters
    ----------
    data : the training rows
    learner, smoother : registry names such as ``"c45"`` and ``"hgs"``, or ready-made
        algorithms such as ``C45(min_leaf=5)``, or their classes
    progress : called with the share of the work that is done; may raise to cancel
    track_record : gather inner evidence, and so the record, also where nothing needs it
    settings : ``discretizer``, and the fields of
        :class:`~probtrees.experiment.model_spec.ModelSpec`
    """
    grown = grow_model(data, learner, progress, **settings)
    return finish_model(grown, smoother, progress=progress, track_record=track_record)


def finish_model(
    grown: GrownModel, smoother: Any, *, progress: Progress | None, track_record: bool
) -> Model:
    """Smooth what was grown, and add the track record where inner evidence is at hand."""
    model = replace(grown.smooth(smoother, progress=progress), profile=grown.profile)
    if grown.has_evidence or track_record:
        return with_track_record(grown, model, progress)
    return model


def by_smoothers_without_rows(tree: CountTree) -> dict[str, SmoothedTree]:
    """Smooth a tree whose rows are not at hand, by every smoother that needs only its counts."""
    smoothed = {}
    for name, entry in SMOOTHERS.items():
        smoother = make_smoother(name)
        if smoother.needs_evidence:
            continue
        try:
            smoothed[entry.label] = smoother.smooth(tree)
        except ProbTreesError:
            continue  # it cannot treat this tree; the others can
    return smoothed


def load_model(source: Any) -> Model:
    """Read a model written by ``model.save(path)``.

    ``source`` is the path, an open file, or a pair (name, bytes), as of an upload. The file is
    JSON and is read as such: nothing in it is executed. What is not a model raises a
    :class:`~probtrees.errors.DataError` of one sentence.
    """
    return read_model(source, _smoother_from_record)


def _smoother_from_record(name: str, options: Mapping[str, Any]) -> Smoother:
    """Make the smoother that a file names, also the one inside the published habits."""
    if name == AsPublished.name:
        return AsPublished(_smoother_from_record(options["smoother"], options["options"]))
    return make_smoother(name, options)
