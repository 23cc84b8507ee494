"""The honest blend: every setting by its merit on unseen rows."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.smooth.blend import Blend, softmax
from probtrees.smooth.example_trees import example_evidence, example_trees
from tests.checks import check_smoother
from tests.naive import naive_held_out_loss, naive_hgs, naive_shrinkage

TREE = example_trees()["four outcomes"]
EVIDENCE = example_evidence(TREE)


def test_a_hot_blend_keeps_every_promise() -> None:
    check_smoother(Blend(temperature=50.0))


def test_settings_share_by_their_summed_brier_score() -> None:
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


def test_the_blend_has_the_settings_of_both_families() -> None:
    fitted = Blend().smooth(TREE, EVIDENCE).fitted
    assert np.isnan(fitted["weight"]).sum() == 22
    assert np.isnan(fitted["penalty"]).sum() == 15


def test_cold_blends_go_to_the_best_setting() -> None:
    smoothed = Blend(temperature=1e-6).smooth(TREE, EVIDENCE)
    assert smoothed.fitted["shares"][np.argmin(smoothed.trace["loss"])] == pytest.approx(1.0)


def test_tiny_shares_are_left_out() -> None:
    assert softmax(np.array([0.0, -100.0])).tolist() == [1.0, 0.0]


def test_evidence_is_needed() -> None:
    with pytest.raises(OptionError, match=r"probtrees\.experiment\.fit"):
        Blend().smooth(TREE)


def test_the_formula_names_the_settings_that_matter() -> None:
    smoothed = Blend().smooth(TREE, EVIDENCE)
    filled = smoothed.smoother.formula(smoothed, int(TREE.leaves[0]), 0)
    assert filled.steps[-1].startswith("together: ")
    assert any("penalty" in step or "weight" in step for step in filled.steps)
