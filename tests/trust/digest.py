"""All numbers of many models in one file, to compare runs: ``python -m tests.trust.digest OUT``.

Run with and without the JIT, with other threads, in another process: closed-form results must
agree to 1e-12, and with the same settings all of them bit by bit.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from probtrees.experiment.grown_model import grow_model
from probtrees.experiment.registry import LEARNERS, SMOOTHERS
from probtrees.model.predict import predict_proba
from tests.small_tables import patients

SAMPLED = ("hdp",)
"""Smoothers that draw random numbers: compared bit by bit, or by their mean."""


def numbers(n_rows: int = 50, n_sweeps: int = 40) -> dict[str, Any]:
    """Return the node probabilities and the predictions of every learner and smoother."""
    data = patients(n_rows)
    found: dict[str, Any] = {}
    for learner in LEARNERS:
        if not LEARNERS[learner].takes_smoother:
            continue  # fitted by an optimiser, whose last digits are not those of a closed form
        grown = grow_model(data, learner)
        for smoother in SMOOTHERS:
            if smoother in SAMPLED and learner not in ("c45", "nb"):
                continue
            options = {"n_iterations": n_sweeps} if smoother in SAMPLED else None
            model = grown.smooth(smoother, options)
            name = f"{learner} {smoother}"
            found[name] = predict_proba(model, data)
            found[f"{name} nodes"] = np.concatenate([tree.probs.ravel() for tree in model.trees])
    return found


if __name__ == "__main__":
    np.savez(sys.argv[1], **numbers(*(int(number) for number in sys.argv[2:])))
