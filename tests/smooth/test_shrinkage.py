"""Hierarchical shrinkage: chosen by evidence unless given."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.example_trees import example_evidence, example_trees, tree_of
from probtrees.smooth.shrinkage import PENALTIES, Shrinkage
from tests.checks import check_smoother
from tests.naive import naive_shrinkage

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])


@pytest.mark.parametrize(
    "smoother",
    [Shrinkage(penalty=3.0), Shrinkage(strength=1.0), Shrinkage(penalty=0.0, strength=0.0)],
    ids=repr,
)
def test_given_settings_keep_every_promise(smoother: Shrinkage) -> None:
    check_smoother(smoother)


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


def test_without_a_held_out_row_a_middling_setting_is_taken() -> None:
    smoothed = Shrinkage().smooth(GENE, Evidence(()))
    assert smoothed.fitted["penalty"][0] in PENALTIES
    with pytest.raises(OptionError, match=r"probtrees\.experiment\.fit"):
        Shrinkage().smooth(GENE)


def test_the_last_line_of_the_formula_is_the_probability() -> None:
    smoothed = Shrinkage(penalty=11.0, strength=1.0).smooth(GENE)
    filled = smoothed.smoother.formula(smoothed, 4, 0)
    assert len(filled.steps) == 3
    assert filled.steps[-1].endswith(f"= {smoothed.probs[4, 0]:.4g}")
