"""Hierarchical shrinkage: chosen by evidence unless given."""

from __future__ import annotations

import numpy as np

from probtrees.smooth.example_trees import example_evidence, example_trees, tree_of
from probtrees.smooth.shrinkage import Shrinkage
from tests.naive import naive_shrinkage

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])


def test_evidence_chooses_the_setting_with_the_least_loss() -> None:
    tree = example_trees()["four outcomes"]
    smoothed = Shrinkage().smooth(tree, example_evidence(tree))
    best = int(np.argmin(smoothed.trace["loss"]))
    assert smoothed.fitted["penalty"] == smoothed.trace["penalty"][best]
    assert smoothed.fitted["strength"] == smoothed.trace["strength"][best]
    penalty, strength = smoothed.fitted["penalty"][0], smoothed.fitted["strength"][0]
    for node in range(tree.n_nodes):
        expected = naive_shrinkage(tree, node, penalty, strength)
        np.testing.assert_allclose(smoothed.probs[node], expected, atol=1e-12)


def test_a_penalty_without_end_leaves_the_root() -> None:
    smoothed = Shrinkage(penalty=1e12, strength=0.0).smooth(GENE)
    np.testing.assert_allclose(smoothed.probs, np.tile(smoothed.probs[0], (5, 1)), atol=1e-6)
