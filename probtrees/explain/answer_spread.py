"""How far a network's answer may be off because its tables were counted from few rows.

A smoother with a posterior (HDP) knows how sure every row of a table is. Whole networks are drawn
from that, each is asked the same, and their answers make the band.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.explain.network_answer import Findings
from probtrees.explain.network_query import NetworkQuery
from probtrees.model.model import Model
from probtrees.smooth.smoothed_tree import SmoothedTree
from probtrees.types import FloatArray, Progress

N_DRAWS = 40
LEAST_STRENGTH = 1e-3


def has_spread(model: Model) -> bool:
    """Whether the smoother of a model says how sure its tables are."""
    return all(smoothed.std is not None for smoothed in model.trees)


def answer_spread(
    model: Model, findings: Findings, progress: Progress | None = None, *, n_draws: int = N_DRAWS
) -> FloatArray:
    """Ask networks drawn from the posterior of their tables.

    Parameters
    ----------
    model : a network whose smoother has a posterior (``has_spread``)
    findings : what is known, as for :meth:`~probtrees.explain.network_query.NetworkQuery.ask`
    progress : called after every draw; may raise to cancel

    Returns
    -------
    float64[n_draws, n_classes], the class's probabilities by every draw
    """
    random = np.random.default_rng(0)
    answers = []
    for draw in range(n_draws):
        if progress is not None:
            progress(draw / n_draws, f"asking drawn tables, {draw + 1} of {n_draws}")
        members = tuple(
            replace(member, trees=tuple(_drawn(smoothed, random) for smoothed in member.trees))
            for member in model.members
        )
        answers.append(NetworkQuery.of_model(replace(model, members=members)).ask(findings).target)
    return np.array(answers)


def _drawn(smoothed: SmoothedTree, random: np.random.Generator) -> SmoothedTree:
    """Draw the probabilities of every node from the Dirichlet of its mean and its spread."""
    probs, std = smoothed.probs, smoothed.std
    assert std is not None
    variance = (std**2).sum(axis=1)
    spread = (probs * (1 - probs)).sum(axis=1)
    some = variance > 0
    strength = np.full(len(probs), np.inf)
    strength[some] = np.maximum(spread[some] / variance[some] - 1, LEAST_STRENGTH)
    drawn = probs.copy()
    parts = random.standard_gamma(probs[some] * strength[some, None])
    totals = parts.sum(axis=1, keepdims=True)
    # Of very weak beliefs all parts may be too small for a number: the mean stands for them.
    drawn[some] = np.divide(parts, totals, out=probs[some].copy(), where=totals > 0)
    return replace(smoothed, probs=drawn)
