"""Grow, smooth, and have a model: the one place where that walk is written."""

from __future__ import annotations

from typing import Any

from probtrees.experiment.grown_model import GrownModel, grow_model
from probtrees.experiment.held_out_answers import with_track_record
from probtrees.experiment.model_spec import ModelSpec, make_spec
from probtrees.experiment.registry import DEFAULT_LEARNER, DEFAULT_SMOOTHER
from probtrees.model.model import Model
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
        algorithms such as ``C45(min_leaf=5)``
    progress : told the share of the work that is done; may raise to cancel
    track_record : gather inner evidence, and so the record, also where nothing needs it
    settings : ``discretizer`` ("mdlp", networks only), ``routing`` ("hard" or "soft"),
        ``curtail``, ``as_published``, ``seed``: see :class:`ModelSpec`

    Examples
    --------
    >>> from probtrees.table.dataset import Column, Schema
    >>> import numpy as np
    >>> schema = Schema((Column("x"), Column("y", ("no", "yes"))))
    >>> data = Dataset(schema, np.array([[1, 0], [2, 0], [8, 1], [9, 1.0]]))
    >>> model = fit(data, "c45", "laplace")
    >>> model.tree.probs[model.tree.tree.leaves].tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    grown = grow(data, learner, progress=progress, **settings)
    model = grown.smooth(smoother, progress=progress)
    return (
        with_track_record(grown, model, progress) if grown.has_evidence or track_record else model
    )


def grow(
    data: Dataset,
    learner: Any = DEFAULT_LEARNER,
    *,
    progress: Progress | None = None,
    **settings: Any,
) -> GrownModel:
    """Grow without smoothing, so that many smoothers can be tried on one structure."""
    spec = learner if isinstance(learner, ModelSpec) else make_spec(learner, **settings)
    return grow_model(data, spec, progress)
