"""Several chains of HDP's sampler, how they agree, and how concentrations jump."""

import numpy as np
import pytest

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.gibbs import _hdp_kernels as kernels
from probtrees.smooth.gibbs.convergence import r_hat
from probtrees.smooth.gibbs.hdp_plan import lay_out
from probtrees.smooth.gibbs.hdp_state import Chain, Path, Setting, start
from probtrees.smooth.hdp import HDP
from tests.naive import naive_summed_density
from tests.smooth.gibbs.test_hdp_interval import COMPILED, GENE

THREE = tree_of([2, 2, 0, 0, 0], [[4, 0, 1], [2, 0, 0], [1, 0, 0]])


def test_several_chains_are_averaged() -> None:
    smoother = HDP(n_iterations=2_000 if COMPILED else 200, n_chains=3, seed=5)
    smoothed, again = smoother.smooth(GENE), smoother.smooth(GENE)
    np.testing.assert_array_equal(smoothed.probs, again.probs)
    assert smoothed.lower is not None
    assert again.lower is not None
    np.testing.assert_array_equal(smoothed.lower, again.lower)
    kept = slice(smoother.dropped_sweeps, None)
    names = ["concentration", "concentration, chain 2", "concentration, chain 3"]
    traces = [smoothed.trace[name][kept, 0] for name in names]
    assert smoothed.fitted["concentration"][1] == pytest.approx(np.mean(traces))
    assert smoothed.fitted["r_hat"].shape == (1,)
    assert smoothed.fitted["r_hat"][0] == pytest.approx(r_hat(np.array(traces)))
    assert len({trace[0] for trace in traces}) == 3
    for node in range(GENE.n_nodes):
        parts = smoothed.contributions(node)
        np.testing.assert_allclose(parts.values.sum(axis=0), smoothed.probs[node], atol=1e-12)


def test_the_first_of_several_chains_is_the_only_one() -> None:
    one = HDP(n_iterations=100, seed=5).smooth(GENE)
    three = HDP(n_iterations=100, seed=5, n_chains=3).smooth(GENE)
    np.testing.assert_array_equal(one.trace["concentration"], three.trace["concentration"])
    assert "r_hat" not in one.fitted


def test_short_chains_disagree_and_it_is_said() -> None:
    smoothed = HDP(n_iterations=12, burn_in=0, n_chains=4).smooth(GENE)
    assert smoothed.fitted["r_hat"].max() > 1.05
    (sentence,) = (text for text in smoothed.warnings if text.startswith("The chains disagree: "))
    assert "intervals may be off. Try more sweeps" in sentence
    assert any("sweeps kept by HDP" in text for text in smoothed.warnings)


@pytest.mark.parametrize("tree", [GENE, THREE], ids=["gene", "an outcome nobody has"])
def test_the_summed_density_is_its_twin(tree: CountTree) -> None:
    layout = lay_out(tree, "single")
    layout.plan.groups.is_crowded[:] = True
    setting = Setting((2.0, 1.0), 0, tree.n_outcomes)
    path = Path(np.zeros(0, dtype=np.uint32), -1, 0.0, np.zeros(tree.n_outcomes))
    state = start(layout, setting, path, Chain(1, 0, 5, 0))
    with np.errstate(over="ignore"):
        kernels.run_sweeps(layout.plan, state, path, setting, 0, 5)
    probs = np.zeros((tree.n_nodes, tree.n_outcomes))
    cells = layout.plan.cells
    for number, node in enumerate(layout.inner):
        own = slice(int(cells.first[number]), int(cells.first[number + 1]))
        probs[node, cells.outcome[own]] = state.draws.probs[own]
        unmet = np.setdiff1d(np.arange(tree.n_outcomes), cells.outcome[own])
        probs[node, unmet] = (1 - probs[node].sum()) / max(len(unmet), 1)
    nodes = range(1, tree.n_nodes)
    found, exact = (
        np.array([density(c) for c in (0.03, 0.5, 2.0, 40.0, 900.0)])
        for density in (
            lambda c: kernels._summed_density(np.log(c), 0, layout.plan, state.draws, (2.0, 1.0)),
            lambda c: naive_summed_density(tree, probs, nodes, c, 2.0, 1.0),
        )
    )
    np.testing.assert_allclose(found - found[0], exact - exact[0], rtol=1e-7, atol=1e-7)


@pytest.mark.skipif(not COMPILED, reason="takes minutes without the JIT")
def test_large_leaves_under_a_diffuse_prior_mix() -> None:
    tree = tree_of([2, 0, 0], [[50_000, 50_000], [70_000, 30_000]])
    smoother = HDP(n_iterations=20_000, prior_shape=1.0, prior_rate=0.001, n_chains=2)
    smoothed = smoother.smooth(tree)
    assert smoothed.fitted["effective_sample_size"].min() > 1_000
    assert smoothed.fitted["r_hat"].max() < 1.05
