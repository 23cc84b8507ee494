"""HDP samples the posterior it claims to sample."""

import json
import math

import numba
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import stats

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.gibbs import _hdp_kernels as kernels
from probtrees.smooth.gibbs.hdp_plan import lay_out
from probtrees.smooth.hdp import HDP
from tests.naive import naive_hdp

COMPILED = not numba.config.DISABLE_JIT
SWEEPS = 50_000 if COMPILED else 1_000
CLOSE = 0.004 if COMPILED else 0.03


def stroke_tree() -> CountTree:
    """p(stroke | weight, height) of 15 people; heavy and light, short, medium and tall."""
    heavy = [[1, 0], [1, 3], [1, 3]]
    light = [[0, 3], [0, 3], [0, 0]]
    return tree_of([2, 3, 3, 0, 0, 0, 0, 0, 0], heavy + light)


def drawn(kind: str, n: int, *arguments: float) -> np.ndarray:
    """Draw from one of the kernels' generators."""
    draw = getattr(kernels, f"_{kind}")
    values = np.empty(n)
    first, second = np.uint64(20), np.uint64(7)
    with np.errstate(over="ignore"):
        for i in range(n):
            values[i], rng = draw(*arguments, (first, second))
            first, second = np.uint64(rng[0]), np.uint64(rng[1])
    return values


@pytest.mark.parametrize(
    ("n", "mass"),
    [(200, 30.0), (500, 3.0), (2_000, 400.0), (2_000, 20_000.0), (2_000, 1e6), (100_000, 2e3)],
    ids=["asked", "jumping", "many", "many, nearly all open", "few join", "many of very many"],
)
def test_the_number_of_tables_has_its_mean_variance_and_skewness(n: int, mass: float) -> None:
    seat, n_draws = kernels.DIRECT_SEATS, 20_000 if COMPILED else 500
    chance = mass / (mass + np.arange(seat, n))
    mean, variance = chance.sum(), (chance * (1 - chance)).sum()
    skewness = (chance * (1 - chance) * (1 - 2 * chance)).sum() / variance**1.5
    z = (drawn("tables_from", n_draws, seat, n, mass) - mean) / math.sqrt(variance)
    assert abs(z.mean()) < 5 / math.sqrt(n_draws)
    assert abs(z.var() - 1) < 5 * math.sqrt(2 / n_draws)
    assert abs((z**3).mean() - skewness) < 5 * math.sqrt(15 / n_draws)


@pytest.mark.parametrize("tying", ["single", "level"])
@pytest.mark.parametrize(
    "tree",
    [
        tree_of([2, 0, 0], [[2, 1], [0, 3]]),
        tree_of([2, 2, 0, 0, 0], [[2, 1], [3, 0], [0, 1]]),
        tree_of([3, 0, 0, 0], [[1, 0, 2], [0, 0, 0], [1, 1, 0]]),
        tree_of([2, 2, 0, 0, 0], [[1, 0, 2], [0, 0, 0], [1, 1, 0]]),
        tree_of([2, 0, 2, 0, 0], [[1, 2], [0, 1], [2, 2]]),
        tree_of([2, 0, 2, 0, 0], [[1, 0], [0, 0], [0, 0]]),
    ],
    ids=["flat", "deep", "an empty leaf", "three outcomes", "right", "an empty inner node"],
)
def test_small_trees_have_their_exact_posterior_means(
    tree: CountTree, tying: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = naive_hdp(tree, tying)
    smoother = HDP(n_iterations=SWEEPS, tying=tying, seed=1)
    np.testing.assert_allclose(smoother.smooth(tree).probs, exact, atol=CLOSE)
    # Concentrations of crowded groups jump.
    layout = lay_out(tree, tying)
    layout.plan.groups.is_crowded[:] = True
    monkeypatch.setattr("probtrees.smooth.hdp.lay_out", lambda *_: layout)
    np.testing.assert_allclose(smoother.smooth(tree).probs, exact, atol=CLOSE)


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    shape=st.sampled_from([[2, 0, 0], [3, 0, 0, 0], [2, 2, 0, 0, 0], [2, 0, 2, 0, 0]]),
    tying=st.sampled_from(["single", "level"]),
    prior=st.sampled_from([(2.0, 1.0), (1.0, 0.5), (3.0, 4.0)]),
    data=st.data(),
)
def test_random_small_trees_agree_with_enumeration(
    shape: list[int], tying: str, prior: tuple[float, float], data: st.DataObject
) -> None:
    row = st.lists(st.integers(0, 2), min_size=2, max_size=2)
    n_leaves = shape.count(0)
    counts = data.draw(st.lists(row, min_size=n_leaves, max_size=n_leaves))
    tree = tree_of(shape, counts)
    exact = naive_hdp(tree, tying, *prior)
    smoother = HDP(
        n_iterations=50_000, tying=tying, prior_shape=prior[0], prior_rate=prior[1], seed=2
    )
    np.testing.assert_allclose(smoother.smooth(tree).probs, exact, atol=0.006)


def test_a_lone_root_is_a_dirichlet() -> None:
    smoothed = HDP().smooth(tree_of([0], [[3, 1, 0]]))
    shape = np.array([3, 1, 0]) + 2 / 3
    np.testing.assert_allclose(smoothed.probs[0], shape / 6, rtol=1e-12)
    beta = stats.beta(shape, 6 - shape)
    assert smoothed.std is not None
    assert smoothed.lower is not None
    assert smoothed.upper is not None
    np.testing.assert_allclose(smoothed.std[0], beta.std(), rtol=1e-9)
    np.testing.assert_allclose(smoothed.lower[0], beta.ppf(0.05), rtol=1e-6)
    np.testing.assert_allclose(smoothed.upper[0], beta.ppf(0.95), rtol=1e-6)


def test_calls_of_few_sweeps_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = stroke_tree()
    smoother = HDP(n_iterations=60)
    whole = smoother.smooth(tree)
    reported: list[float] = []
    monkeypatch.setattr("probtrees.smooth.gibbs.hdp_state.CELLS_PER_CALL", 9 * 7)
    in_parts = smoother.smooth(tree, progress=lambda share, words: reported.append(share))
    np.testing.assert_array_equal(whole.probs, in_parts.probs)
    assert reported == sorted(reported)
    assert len(reported) == 9
    assert reported[-1] == 1


@pytest.mark.parametrize("n_chains", [1, 2])
def test_without_intervals_the_probabilities_are_the_same(n_chains: int) -> None:
    for tree in (
        tree_of([2, 2, 0, 0, 0], [[9, 40], [3, 0], [0, 1]]),
        tree_of([2, 2, 0, 0, 0], [[9, 40, 0], [3, 0, 1], [0, 1, 2]]),
    ):
        usual = HDP(n_iterations=50, n_chains=n_chains).smooth(tree)
        spared = HDP(n_iterations=50, n_chains=n_chains, has_intervals=False).smooth(tree)
        assert (usual.probs == spared.probs).all()
        assert spared.lower is spared.upper is spared.std is None
        assert spared.averages_branches
    assert "has_intervals" not in HDP().to_dict()


def test_fractions_are_rounded_and_said() -> None:
    smoother = HDP(n_iterations=50)
    rounded = smoother.smooth(tree_of([2, 0, 0], [[1.8, 1.3], [0.2, 2.7]]))
    whole = smoother.smooth(tree_of([2, 0, 0], [[2, 1], [0, 3]]))
    np.testing.assert_array_equal(rounded.probs, whole.probs)
    assert any("2 of 2 leaves" in sentence for sentence in rounded.warnings)


def test_auto_ties_levels_of_tables_and_all_of_trees() -> None:
    leaves = [[1, 2], [2, 0]]
    assert HDP().tying_of(tree_of([2, 0, 0], leaves, target=9)) == "single"
    assert HDP().tying_of(tree_of([2, 0, 0], leaves, target=-1)) == "level"
    assert HDP(tying="none").tying_of(tree_of([2, 0, 0], leaves)) == "none"


def test_the_trace_shows_every_group() -> None:
    tree = stroke_tree()
    groups = {"single": 1, "level": 2, "parent": 3, "none": 8}
    for tying, n_groups in groups.items():
        smoothed = HDP(n_iterations=30, tying=tying).smooth(tree)
        assert smoothed.trace["concentration"].shape == (30, n_groups)
        assert (smoothed.trace["concentration"] > 0).all()
        concentration = smoothed.fitted["concentration"]
        assert concentration.shape == (tree.n_nodes,)
        assert concentration[0] == 2
        kept = smoothed.trace["concentration"][3:].mean(axis=0)
        assert concentration[1] == pytest.approx(kept[0])
        json.dumps(smoothed.smoother.to_dict())
    long_tree = tree_of([20] + [0] * 20, np.ones((20, 2)))
    trace = HDP(n_iterations=30, tying="none").smooth(long_tree).trace
    assert trace["concentration"].shape == (30, 16)
    assert trace["mean_concentration"].shape == (30,)


@pytest.mark.parametrize(
    ("kind", "arguments", "distribution"),
    [
        ("uniform", (), stats.uniform()),
        ("normal", (), stats.norm()),
        ("exponential", (), stats.expon()),
        ("gamma", (1.0,), stats.gamma(1)),
        ("gamma", (7.5,), stats.gamma(7.5)),
    ],
)
def test_random_numbers(
    kind: str, arguments: tuple[float, ...], distribution: stats.rv_continuous
) -> None:
    values = drawn(kind, 4_000, *arguments)
    assert stats.kstest(values, distribution.cdf).pvalue > 0.001
