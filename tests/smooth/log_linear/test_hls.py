"""Hierarchical linear smoothing: the minimum is one, its deltas add up, evidence chooses."""

import numpy as np
import pytest
from hypothesis import given, settings

from probtrees.explain.leaf import explain_leaf
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.log_linear.hls import HLS
from tests.naive import naive_hls_loss
from tests.small_tables import schema_of
from tests.strategies import count_trees

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]], target=2)


def all_deltas(smoothed):
    """What every node adds, by node."""
    paths = [tuple(reversed(smoothed.tree.path(node))) for node in range(smoothed.tree.n_nodes)]
    return np.array([smoothed.smoother.deltas(smoothed, path)[0] for path in paths])


@pytest.mark.parametrize("smoother", [HLS(penalty=0.7), HLS(fit="published")], ids=repr)
@settings(max_examples=10, deadline=None)
@given(tree=count_trees())
def test_no_move_of_a_delta_lessens_the_slow_twin_of_the_loss(smoother: HLS, tree) -> None:
    smoothed = smoother.smooth(tree)
    deltas = all_deltas(smoothed)
    published = smoother.fit == "published"
    ridge = (1.0, 1.0) if published else (0.7, 0.0)
    least = naive_hls_loss(tree, deltas, *ridge, even_row=not published)
    random = np.random.default_rng(0)
    for size in (1e-1, 1e-3):
        for _ in range(4):
            moved = deltas + size * random.normal(size=deltas.shape)
            worse = naive_hls_loss(tree, moved, *ridge, even_row=not published)
            assert worse >= least - 1e-9 * abs(least)
        if tree.n_outcomes > 1:
            for node in range(tree.n_nodes):
                moved = deltas.copy()
                moved[node] += size * (np.eye(tree.n_outcomes)[0] - 1 / tree.n_outcomes)
                worse = naive_hls_loss(tree, moved, *ridge, even_row=not published)
                assert worse >= least - 1e-9 * abs(least)


def test_a_penalty_without_end_leaves_the_root() -> None:
    smoothed = HLS(penalty=1e9).smooth(GENE)
    np.testing.assert_allclose(smoothed.probs, np.tile(smoothed.probs[0], (5, 1)), atol=1e-6)
    np.testing.assert_allclose(smoothed.probs[0, 0], 100.5 / 1002, atol=1e-6)


def test_the_explanation_adds_up_in_log_odds_and_in_points() -> None:
    schema = schema_of("gene: yes no, sex: f m, ill: yes no")
    smoothed = HLS(penalty=1.0).smooth(GENE)
    explained = explain_leaf(smoothed, 4, schema, "yes")
    odds = [source.log_odds for source in explained.contributions if source.node is not None]
    p = smoothed.probs[4]
    assert sum(odds) == pytest.approx(np.log(p[0] / p[1]), abs=1e-9)
    assert sum(source.points for source in explained.contributions) == pytest.approx(
        p[0], abs=1e-12
    )
    assert explained.rings == ()
    assert "The path starts at" in explained.sentence
    assert explain_leaf(smoothed, 1, schema).notes
    assert explained.formula.steps[-1].endswith(f"= {p[0]:.4g}")
