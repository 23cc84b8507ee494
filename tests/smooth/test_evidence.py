"""Held-out rows and what they say about a setting."""

import numpy as np

from probtrees.smooth.evidence import EvidencePart, held_out_probs, summed_brier
from probtrees.smooth.example_trees import tree_of

TREE = tree_of([2, 0, 0], [[3, 1], [0, 2]])
PROBS = np.array([[0.5, 0.5], [0.8, 0.2], [0.1, 0.9]])
SPREAD = EvidencePart(
    tree=TREE,
    rows=np.array([0, 1]),
    first=np.array([0, 2, 3]),
    nodes=np.array([1, 2, 2], dtype=np.int32),
    shares=np.array([0.25, 0.75, 1.0]),
    outcomes=np.array([1, 0]),
    weights=np.array([1.0, 2.0]),
)
NOBODY = EvidencePart(
    tree=TREE,
    rows=np.empty(0, dtype=np.int64),
    first=np.zeros(1, dtype=np.int64),
    nodes=np.empty(0, dtype=np.int32),
    shares=np.empty(0),
    outcomes=np.empty(0, dtype=np.int64),
    weights=np.empty(0),
)


def test_a_row_spread_over_leaves_is_answered_by_their_average() -> None:
    np.testing.assert_allclose(held_out_probs(SPREAD, PROBS), [[0.275, 0.725], [0.1, 0.9]])


def test_the_loss_is_summed_by_weight() -> None:
    expected = 2 * 0.275**2 + 2 * (0.9**2 + 0.9**2)
    np.testing.assert_allclose(summed_brier(SPREAD, PROBS), expected)
    assert summed_brier(NOBODY, PROBS) == 0
