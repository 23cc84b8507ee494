"""The functions that return a model, as Python and notebooks see them."""

from __future__ import annotations

from typing import Any

from probtrees.estimators.fitted_model import FittedModel
from probtrees.experiment import fit as experiment_fit
from probtrees.experiment.registry import DEFAULT_LEARNER, DEFAULT_SMOOTHER
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
) -> FittedModel:
    """Grow a model from rows and smooth it; see :func:`probtrees.experiment.fit.fit`."""
    model = experiment_fit.fit(
        data, learner, smoother, progress=progress, track_record=track_record, **settings
    )
    return FittedModel.of(model)


def load_model(source: Any) -> FittedModel:
    """Read a model written by ``model.save(path)``; nothing in the file is executed.

    See :func:`probtrees.experiment.fit.load_model`.
    """
    return FittedModel.of(experiment_fit.load_model(source))
