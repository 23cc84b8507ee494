"""The class of a network answered as at prediction, where nothing else can be worked out.

Columns that nothing is known about are left out of the product, which is exact only where nothing
known depends on them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.explain.network_answer import Findings, fits_of
from probtrees.model.member import Member
from probtrees.model.model import Model
from probtrees.model.networks.dense_network import variable_of
from probtrees.model.predict import member_log_joint
from probtrees.smooth.log_linear.softmax import normalise
from probtrees.table.dataset import MISSING, UNSEEN, Dataset
from probtrees.types import FloatArray


def predict_class(model: Model, findings: Findings) -> tuple[FloatArray, FloatArray]:
    """Predict the class: what is unknown has no factor and ends no context.

    Returns
    -------
    float64[n_members, n_classes], what every network says, and float64[n_classes], their average
    """
    logs = np.array([_log_products(model, member, findings) for member in model.members])
    members = normalise(logs)
    if model.averaging == "joint":
        return members, normalise(np.logaddexp.reduce(logs, axis=0)[None, :])[0]
    return members, members.mean(axis=0)


def _log_products(model: Model, member: Member, findings: Findings) -> FloatArray:
    """Return the log products of one network, all columns that are not known left open."""
    schema = model.schema if member.cuts is None else member.cuts.apply_to_schema(model.schema)
    cells = np.full((1, schema.n_columns), UNSEEN)
    cells[0, -1] = MISSING
    log_fits = np.zeros(len(schema.classes))
    profiles = {profile.name: profile for profile in model.profile or ()}
    for name, finding in findings.items():
        number = schema.names.index(name)
        fits = fits_of(variable_of(schema, number, member.cuts), finding, profiles.get(name))
        if name == schema.target.name:
            with np.errstate(divide="ignore"):
                log_fits = np.log(fits)
        else:
            cells[0, number] = int(np.argmax(fits))
    alone = replace(member, cuts=None)
    return np.asarray(member_log_joint(alone, Dataset(schema, cells))[0] + log_fits)
