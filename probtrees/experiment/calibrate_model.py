"""Calibrate a model that is there already, and say what that does for rows it has not seen."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from probtrees.experiment.inner_evidence import inner_splits
from probtrees.experiment.inner_models import (
    Grown,
    calibrated_apart,
    held_out_proba,
    with_track_record,
)
from probtrees.model.calibration import Method, fit_calibration
from probtrees.model.model import Model
from probtrees.score.metrics import brier_score
from probtrees.types import Progress


class CalibratedModel(NamedTuple):
    """A model with its last step, and the Brier score of held-out rows without and with it.

    Attributes
    ----------
    model : with its track record; without a calibration where no row could be held out
    before, after : NaN where no row could be held out
    """

    model: Model
    before: float
    after: float


def calibrate_model(
    grown: Grown, model: Model, method: Method, progress: Progress | None = None
) -> CalibratedModel:
    """Learn the last step from what inner models say about rows they have not seen.

    The step itself is judged by rows that it was not learnt from: the answers of every part are
    bent by what happened in the others.

    Parameters
    ----------
    grown, model : a model that is not calibrated, and the trees it was smoothed from
    """
    data = grown.data
    proba = held_out_proba(grown, model, progress)
    known = ~np.isnan(proba[:, 0])
    found = fit_calibration(method, proba, data.labels, data.row_weights) if known.any() else None
    if found is None:
        return CalibratedModel(model, np.nan, np.nan)
    parts = np.full(data.n_rows, -1)
    for number, split in enumerate(inner_splits(data, seed=grown.spec.seed)):
        parts[split.held_out] = number
    bent = calibrated_apart(method, proba, parts, data)
    before, after = (
        brier_score(said[known], data.labels[known], data.row_weights[known])
        for said in (proba, bent)
    )
    how = {"calibrate": method}
    made = replace(model.provenance, options={**model.provenance.options, **how})
    whole = replace(model, calibration=found, options={**model.options, **how}, provenance=made)
    return CalibratedModel(with_track_record(grown, whole, progress), before, after)
