"""The honest blend: every setting by its merit on unseen rows."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.smooth.blend import Blend
from probtrees.smooth.example_trees import example_evidence, example_trees
from tests.naive import naive_held_out_loss, naive_hgs, naive_shrinkage

TREE = example_trees()["four outcomes"]
EVIDENCE = example_evidence(TREE)


def test_settings_of_both_families_share_by_their_summed_brier_score() -> None:
    smoothed = Blend().smooth(TREE, EVIDENCE)
    fitted = smoothed.fitted
    all_probs, losses = [], []
    for penalty, strength, weight, uniform in zip(
        *(fitted[name] for name in ("penalty", "strength", "weight", "uniform")), strict=True
    ):
        probs = np.array(
            [
                naive_shrinkage(TREE, node, penalty, strength)
                if np.isnan(weight)
                else naive_hgs(TREE, node, np.full(TREE.n_nodes, weight), uniform)
                for node in range(TREE.n_nodes)
            ]
        )
        all_probs.append(probs)
        losses.append(sum(naive_held_out_loss(part, probs, False) for part in EVIDENCE.parts))
    shares = np.exp(-(np.array(losses) - min(losses)) / 2)
    shares /= shares.sum()
    np.testing.assert_allclose(smoothed.trace["loss"], losses, rtol=1e-9)
    np.testing.assert_allclose(fitted["shares"], shares, atol=1e-8)
    np.testing.assert_allclose(smoothed.probs, np.tensordot(shares, all_probs, axes=1), atol=1e-8)


def test_cold_blends_go_to_the_best_setting() -> None:
    smoothed = Blend(temperature=1e-6).smooth(TREE, EVIDENCE)
    assert smoothed.fitted["shares"][np.argmin(smoothed.trace["loss"])] == pytest.approx(1.0)
