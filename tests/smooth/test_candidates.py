"""Settings are scored as the formulas say, and their shares add up to their estimates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.blend import Blend
from probtrees.smooth.candidates import hgs_candidates, shrinkage_candidates
from probtrees.smooth.evidence import Evidence, EvidencePart
from probtrees.smooth.example_trees import example_evidence, example_trees, tree_of
from probtrees.smooth.smoothed_tree import Contributions
from tests.naive import naive_held_out_loss, naive_hgs, naive_shrinkage
from tests.strategies import count_trees

ALL = shrinkage_candidates((0.0, 3.0, 100.0), (0.0, 1.0)) + hgs_candidates((0.05, 1.0, 50.0), 0.5)


def spread_evidence(tree: CountTree, seed: int, n_rows: int = 12) -> Evidence:
    """Held-out rows of which some land in several nodes, each with a weight."""
    random = np.random.default_rng(seed)
    n_places = random.integers(1, 4, n_rows)
    first = np.concatenate([[0], np.cumsum(n_places)])
    shares = np.concatenate([random.dirichlet(np.ones(n)) for n in n_places])
    part = EvidencePart(
        tree=tree,
        rows=np.arange(n_rows),
        first=first.astype(np.int64),
        nodes=random.integers(0, tree.n_nodes, first[-1]).astype(np.int32),
        shares=shares,
        outcomes=random.integers(0, tree.n_outcomes, n_rows),
        weights=random.random(n_rows) + 0.5,
    )
    return Evidence((part, part))


def naive_probs(tree: CountTree, candidate: np.ndarray) -> np.ndarray:
    """Every node under one candidate of either family."""
    penalty, strength, weight, uniform = candidate
    return np.array(
        [
            naive_shrinkage(tree, node, penalty, strength)
            if np.isnan(weight)
            else naive_hgs(tree, node, np.full(tree.n_nodes, weight), uniform)
            for node in range(tree.n_nodes)
        ]
    )


@settings(max_examples=30, deadline=None)
@given(tree=count_trees())
def test_every_node_is_smoothed_as_the_formula_says(tree: CountTree) -> None:
    for candidate, alone in zip(ALL.table, np.eye(len(ALL)), strict=True):
        np.testing.assert_allclose(ALL.probs(tree, alone), naive_probs(tree, candidate), atol=1e-12)


@settings(max_examples=30, deadline=None)
@given(tree=count_trees(), seed=st.integers(0, 1000), loss=st.sampled_from(["squared", "log"]))
def test_losses_are_those_of_the_held_out_rows(tree: CountTree, seed: int, loss: str) -> None:
    evidence = spread_evidence(tree, seed)
    losses = ALL.losses(evidence, loss)
    for number, alone in enumerate(np.eye(len(ALL))):
        probs = np.maximum(ALL.probs(tree, alone), 1e-300)
        expected = sum(naive_held_out_loss(p, probs, loss == "log") for p in evidence.parts)
        np.testing.assert_allclose(losses[number], expected, rtol=1e-9)


@settings(max_examples=30, deadline=None)
@given(tree=count_trees(), seed=st.integers(0, 1000))
def test_path_shares_add_up_to_the_mixture(tree: CountTree, seed: int) -> None:
    shares = np.random.default_rng(seed).dirichlet(np.ones(len(ALL)))
    probs = ALL.probs(tree, shares)
    for node in np.flatnonzero(tree.totals > 0):
        path = tuple(reversed(tree.path(int(node))))
        of_path = ALL.path_shares(tree, path, shares)
        assert (of_path >= 0).all()
        parts = Contributions.of_shares(tree, path, of_path)
        np.testing.assert_allclose(parts.values.sum(axis=0), probs[node], atol=1e-12)


def test_rows_counted_by_node_are_all_rows() -> None:
    tree = tree_of([2, 0, 0], [[3, 1], [0, 2]])
    part = spread_evidence(tree, seed=3).parts[0]
    held = part.added_up
    assert held.counts.sum() + held.weights.sum() == pytest.approx(part.weights.sum())
    assert (np.diff(held.first) > 1).all()


def test_a_blend_shares_by_the_summed_brier_score_of_both_families() -> None:
    tree = example_trees()["four outcomes"]
    evidence = example_evidence(tree)
    smoothed = Blend().smooth(tree, evidence)
    names = ("penalty", "strength", "weight", "uniform")
    table = np.column_stack([smoothed.fitted[name] for name in names])
    all_probs = [naive_probs(tree, candidate) for candidate in table]
    losses = np.array(
        [sum(naive_held_out_loss(p, probs, False) for p in evidence.parts) for probs in all_probs]
    )
    shares = np.exp(-(losses - min(losses)) / 2)
    shares /= shares.sum()
    np.testing.assert_allclose(smoothed.trace["loss"], losses, rtol=1e-9)
    np.testing.assert_allclose(smoothed.fitted["shares"], shares, atol=1e-8)
    np.testing.assert_allclose(smoothed.probs, np.tensordot(shares, all_probs, axes=1), atol=1e-8)
    cold = Blend(temperature=1e-6).smooth(tree, evidence)
    assert cold.fitted["shares"][np.argmin(losses)] == pytest.approx(1.0)
