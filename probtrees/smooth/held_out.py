"""How rows held out of a tree fare under a setting: the score that chooses settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.evidence import Evidence, EvidencePart
from probtrees.types import FloatArray

Setting = TypeVar("Setting")


def held_out_probs(part: EvidencePart, probs: FloatArray) -> FloatArray:
    """Answer for every held-out row: its landing places averaged by their shares."""
    if part.nodes.shape[0] == part.rows.shape[0]:
        return np.asarray(probs[part.nodes])
    return np.add.reduceat(part.shares[:, None] * probs[part.nodes], part.first[:-1], axis=0)


def summed_brier(part: EvidencePart, probs: FloatArray) -> float:
    """Add up (1[outcome = k] - p_k)^2 over outcomes and held-out rows, by row weight.

    >>> from probtrees.smooth.example_trees import example_evidence, tree_of
    >>> part = example_evidence(tree_of([0], [[1, 1]]), n_rows=8).parts[0]
    >>> summed_brier(part, np.array([[0.5, 0.5]]))
    4.0
    """
    if part.rows.shape[0] == 0:
        return 0.0
    if part.nodes.shape[0] == part.rows.shape[0]:
        added = part.added_up  # rows that land alike fare alike
        answers = probs[added.nodes]
        squares = np.einsum("ij,ij->i", answers, answers)
        rows = added.counts.sum(axis=1)
        return float(rows @ (squares + 1) - 2 * np.einsum("ij,ij->", added.counts, answers))
    answers = held_out_probs(part, probs)
    true = answers[np.arange(answers.shape[0]), part.outcomes]
    losses = np.einsum("ij,ij->i", answers, answers) - 2 * true + 1
    return float(losses @ part.weights)


def best_setting(
    evidence: Evidence,
    settings: Sequence[Setting],
    smooth: Callable[[CountTree, Setting], FloatArray],
) -> tuple[Setting, FloatArray]:
    """Find the setting under which all held-out rows together have the least loss.

    ``smooth`` gives the probabilities of an inner tree under a setting. Returns the first
    of the best settings, to rounding, and the losses of all.
    """
    losses = np.zeros(len(settings))
    for part in evidence.parts:
        for number, setting in enumerate(settings):
            losses[number] += summed_brier(part, smooth(part.tree, setting))
    return settings[least(losses)], losses


def least(losses: FloatArray) -> int:
    """Return the number of the least loss, the first of those that are equal to rounding.

    >>> least(np.array([0.5, 0.1 + 0.2, 0.3]))
    1
    """
    return int(np.argmin(evened_out(losses)))


def evened_out(losses: FloatArray) -> FloatArray:
    """Round losses at ten digits below the largest finite one.

    In another order of classes or rows a sum ends in other last digits. They must not decide
    between settings that are equally good.
    """
    largest = np.abs(losses, where=np.isfinite(losses), out=np.zeros_like(losses)).max(initial=0.0)
    if largest == 0.0:
        return losses
    step = 2.0 ** (np.floor(np.log2(largest)) - 33)
    return np.asarray(np.round(losses / step) * step)
