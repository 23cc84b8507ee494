"""Context-tree weighting: the average over all prunings, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.errors import OptionError
from probtrees.smooth.ctw import CTW, DEFAULT
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.example_trees import example_evidence, example_trees, tree_of
from tests.checks import check_smoother
from tests.naive import naive_ctw

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])


@pytest.mark.parametrize("smoother", [CTW(0.5, 0.5, 1.0), CTW(0.1, 0.9, 0.1)], ids=repr)
def test_given_settings_keep_every_promise(smoother: CTW) -> None:
    check_smoother(smoother)


@pytest.mark.parametrize("setting", [(0.5, 0.5, 1.0), (1.0, 0.9, 0.3)])
@pytest.mark.parametrize("name", ["the gene example", "leaves of one row", "four outcomes"])
def test_every_pruning_is_heard(name: str, setting: tuple[float, float, float]) -> None:
    tree = example_trees()[name]
    smoothed = CTW(*setting).smooth(tree)
    for leaf in tree.leaves:
        expected = naive_ctw(tree, int(leaf), *setting)
        np.testing.assert_allclose(smoothed.probs[leaf], expected, atol=1e-12)


def test_cuts_say_where_the_tree_should_have_stopped() -> None:
    smoothed = CTW(0.5, 0.5, 1.0).smooth(GENE)
    cuts = CTW(0.5, 0.5, 1.0).cuts(smoothed, 4)
    assert cuts.sum() == pytest.approx(1, abs=1e-12)
    estimates = (GENE.arrays.counts[[0, 1, 4], 0] + 0.5) / (GENE.totals[[0, 1, 4]] + 1)
    assert cuts @ estimates == pytest.approx(smoothed.probs[4, 0], abs=1e-12)
    filled = smoothed.smoother.formula(smoothed, 4, 0)
    assert sum("the tree should have stopped here: " in line for line in filled.steps) == 3
    assert filled.steps[-1] == f"together: {smoothed.probs[4, 0]:.4g}"


def test_an_empty_leaf_answers_like_its_parent() -> None:
    tree = example_trees()["empty branches"]
    smoothed = CTW(0.5, 0.5, 1.0).smooth(tree)
    empty = [node for node in tree.leaves if tree.totals[node] == 0]
    for node in empty:
        parent = tree.arrays.parent[node]
        np.testing.assert_array_equal(smoothed.probs[node], smoothed.probs[parent])


def test_evidence_chooses_the_setting_with_the_least_loss() -> None:
    tree = example_trees()["four outcomes"]
    smoothed = CTW().smooth(tree, example_evidence(tree))
    best = int(np.argmin(smoothed.trace["loss"]))
    for name in ("alpha", "split", "power"):
        assert smoothed.fitted[name][0] == smoothed.trace[name][best]
    unchosen = CTW(alpha=0.7).smooth(tree, Evidence(()))
    assert [float(unchosen.fitted[n][0]) for n in ("alpha", "split", "power")] == [
        0.7,
        *DEFAULT[1:],
    ]
    with pytest.raises(OptionError, match=r"probtrees\.experiment\.fit"):
        CTW().smooth(tree)
