"""HGS: the formula, the published descent, and weights by evidence or with a prior."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from probtrees.grow.count_tree import CountTree
from probtrees.smooth import _hgs_kernels as kernels
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.example_trees import example_trees, tree_of
from probtrees.smooth.hgs import HGS
from tests.naive import naive_hgs, naive_leave_one_out
from tests.strategies import count_trees


@settings(max_examples=30, deadline=None)
@given(tree=count_trees(), seed=st.integers(0, 1000))
def test_every_node_is_smoothed_as_the_formula_says(tree: CountTree, seed: int) -> None:
    weights = np.random.default_rng(seed).lognormal(size=tree.n_nodes)
    probs = np.empty_like(tree.arrays.counts)
    kernels.smooth_with_weights(tree.arrays, tree.totals, weights, 0.5, probs)
    for node in range(tree.n_nodes):
        np.testing.assert_allclose(probs[node], naive_hgs(tree, node, weights, 0.5), atol=1e-12)


@settings(max_examples=20, deadline=None)
@given(tree=count_trees(whole=True))
def test_copies_are_no_further_evidence_for_weights_by_leave_one_out(tree: CountTree) -> None:
    smoother = HGS(fit="map", uniform=0.0)
    weights = np.array([2.0])
    once = _loss(tree, np.full(tree.n_nodes, 2.0), 0.0)
    thrice = _loss(_heavier(tree, 3.0), np.full(tree.n_nodes, 6.0), 0.0)
    assert thrice == pytest.approx(once)
    once_probs = smoother.with_weights(tree, weights).probs
    assert np.allclose(smoother.with_weights(_heavier(tree, 3.0), 3 * weights).probs, once_probs)


def _loss(
    tree: CountTree,
    weights: np.ndarray,
    uniform: float = 0.5,
    log_loss: bool = False,
    slopes: np.ndarray | None = None,
) -> float:
    slopes = np.empty(tree.n_nodes) if slopes is None else slopes
    given_tree = (tree.arrays, tree.totals, tree.row_weights)
    return float(kernels.leave_one_out(*given_tree, weights, uniform, log_loss, slopes))


def _heavier(tree: CountTree, times: float) -> CountTree:
    arrays = tree.arrays._replace(
        counts=times * tree.arrays.counts, weight=times * tree.arrays.weight
    )
    return replace(tree, arrays=arrays, mean_weights=np.full_like(arrays.counts, times))


@settings(max_examples=40, deadline=None)
@given(
    tree=count_trees(whole=True),
    seed=st.integers(0, 1000),
    log_loss=st.booleans(),
    times=st.sampled_from([None, 3.0]),
)
def test_leave_one_out_takes_the_row_out_everywhere(
    tree: CountTree, seed: int, log_loss: bool, times: float | None
) -> None:
    """With its whole weight, if it counts three times."""
    tree = tree if times is None else _heavier(tree, times)
    weights = np.random.default_rng(seed).lognormal(size=tree.n_nodes)
    slopes = np.empty(tree.n_nodes)
    loss = _loss(tree, weights, 0.5, log_loss, slopes)
    expected = naive_leave_one_out(tree, weights, 0.5, log_loss)
    assert loss == pytest.approx(expected, rel=1e-9, abs=1e-12)
    found = approx_fprime(weights, lambda w: _loss(tree, w, 0.5, log_loss), 1e-7)
    np.testing.assert_allclose(slopes, found, rtol=1e-3, atol=1e-6)


def test_the_prior_holds_weights_that_no_row_speaks_for() -> None:
    alone = tree_of([0], [[3, 1]])
    assert HGS(fit="map", prior_weight=7.0).smooth(alone).fitted["weights"] == pytest.approx(7.0)
    assert HGS(prior_weight=7.0).smooth(alone, Evidence(())).fitted["weights"] == 7.0


def test_the_published_weights_stay_at_one() -> None:
    smoothed = HGS(fit="published").smooth(example_trees()["the gene example"])
    np.testing.assert_allclose(smoothed.fitted["weights"], 1.0, atol=3e-4)
    assert smoothed.probs[4, 0] == pytest.approx(0.336, abs=5e-4)
    assert len(smoothed.trace["loss"]) == 2
