"""HDP's intervals are points of the posterior."""

import numba
import numpy as np
import pytest
from scipy import stats

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.gibbs import _hdp_kernels as kernels
from probtrees.smooth.gibbs import hdp_interval
from probtrees.smooth.gibbs.hdp_interval import samples_to_keep
from probtrees.smooth.gibbs.hdp_plan import lay_out
from probtrees.smooth.hdp import HDP
from tests.naive import naive_hdp_cdf

COMPILED = not numba.config.DISABLE_JIT
SWEEPS = 60_000 if COMPILED else 1_500
CLOSE = 0.01 if COMPILED else 0.06

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])


def ends(smoother: HDP, tree: CountTree) -> tuple[np.ndarray, np.ndarray]:
    smoothed = smoother.smooth(tree)
    assert smoothed.lower is not None
    assert smoothed.upper is not None
    return smoothed.lower, smoothed.upper


@pytest.mark.slow
@pytest.mark.parametrize(
    ("leaves", "prior"),
    [
        ([[2, 1], [0, 3]], (2.0, 1.0)),
        ([[0, 0], [4, 0], [1, 9]], (2.0, 1.0)),
        ([[7, 3], [20, 30], [1, 0]], (1.0, 0.1)),
        pytest.param(
            [[30_000, 70_000], [60_000, 40_000], [75_000, 25_000]],
            (1.0, 0.001),
            marks=pytest.mark.compiled,
        ),
    ],
    ids=["few rows", "an empty leaf", "weak prior", "diffuse prior, many rows"],
)
def test_ends_have_their_share_of_the_posterior_below_them(
    leaves: list[list[int]], prior: tuple[float, float]
) -> None:
    tree = tree_of([len(leaves)] + [0] * len(leaves), leaves)
    smoother = HDP(n_iterations=SWEEPS, prior_shape=prior[0], prior_rate=prior[1], seed=1)
    lower, upper = ends(smoother, tree)
    grid = np.linspace(0.005, 0.995, 100)
    exact = naive_hdp_cdf(leaves, grid, *prior)
    for node in range(tree.n_nodes):
        quantiles = np.interp([0.05, 0.95], exact[node], grid)
        found = np.array([lower[node, 0], upper[node, 0]])
        np.testing.assert_allclose(found, quantiles, atol=CLOSE, err_msg=f"node {node}")


def test_outcomes_nobody_has_follow_the_nodes_above() -> None:
    """Below an empty node the posterior is the prior around the root's probabilities."""
    tree = tree_of([2, 0, 2, 0, 0], [[0, 40, 160], [0, 0, 0], [0, 0, 0]])
    smoother = HDP(n_iterations=4_000 if COMPILED else 400, seed=3)
    smoothed = smoother.smooth(tree)
    for node in (2, 3):
        assert smoothed.probs[node] == pytest.approx(smoothed.probs[2])
    lower, upper = ends(smoother, tree)
    assert (lower[3] <= smoothed.probs[3]).all()
    assert (smoothed.probs[3] <= upper[3]).all()


def test_intervals_repeat_and_leave_the_means_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    smoother = HDP(n_iterations=300, seed=4)
    first, again = smoother.smooth(GENE), smoother.smooth(GENE)
    assert first.lower is not None
    np.testing.assert_array_equal(first.lower, again.lower)
    monkeypatch.setattr("probtrees.smooth.gibbs.hdp_interval.FREE_DRAWS", 600)
    fewer = smoother.smooth(GENE)
    np.testing.assert_array_equal(first.probs, fewer.probs)
    assert not np.array_equal(first.lower, fewer.lower)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    smoother = HDP(n_iterations=60)
    whole = ends(smoother, GENE)
    monkeypatch.setattr("probtrees.smooth.gibbs.hdp_interval._DRAWS_PER_BLOCK", 1)
    np.testing.assert_array_equal(whole, ends(smoother, GENE))


def test_large_trees_keep_fewer_sweeps_and_long_runs_a_share() -> None:
    small = lay_out(GENE, "single")
    wide = lay_out(tree_of([3_000] + [0] * 3_000, np.ones((3_000, 2))), "single")
    assert samples_to_keep(small, 900) == 900
    assert samples_to_keep(small, 50) == 50
    assert samples_to_keep(wide, 900) == hdp_interval.MOST_DRAWS // 3_001
    assert samples_to_keep(wide, 8_000_000) == 1_000_000
    many = tree_of([2_000] + [0] * 2_000, np.ones((2_000, 400)))
    assert samples_to_keep(lay_out(many, "single"), 700) == hdp_interval.FEWEST_SAMPLES


@pytest.mark.parametrize(("a", "b"), [(0.02, 3.0), (0.4, 0.3), (1.0, 1.0), (12.0, 5.0)])
def test_leaf_draws_are_beta_distributed(a: float, b: float) -> None:
    n = 4_000 if COMPILED else 1_000
    drawn = np.empty((1, 1, n))
    c, share = 0.05, 0.4
    counts = np.array([[a - c * share, b - c * (1 - share)]])
    random = np.random.default_rng(1)
    scores = hdp_interval._scores(n, random)
    above = np.full((1, 1, n), share)
    words = np.array([3, 9], dtype=np.uint64)
    with np.errstate(over="ignore"):
        kernels.draw_leaves(counts, np.full((1, n), c), above, scores, drawn, words)
    assert stats.kstest(drawn[0, 0], stats.beta(a, b).cdf).pvalue > 0.001
