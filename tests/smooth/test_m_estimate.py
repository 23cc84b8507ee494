"""Raw frequencies, Laplace and the m-estimate: one formula, three strengths."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import OptionError
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import example_evidence, tree_of
from probtrees.smooth.laplace import Laplace
from probtrees.smooth.m_estimate import STRENGTHS, MEstimate, m_estimates
from probtrees.smooth.mle import MLE
from tests.naive import naive_m_estimate
from tests.strategies import count_trees

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
MALE = 4


def test_the_gene_example() -> None:
    assert MLE().smooth(GENE).probs[MALE, 0] == 0
    assert Laplace().smooth(GENE).probs[MALE, 0] == pytest.approx(1 / 3)
    assert MEstimate().smooth(GENE).probs[MALE, 0] == pytest.approx(1 / 4)
    by_root = MEstimate(strength=3, base="root").smooth(GENE).probs[MALE, 0]
    assert by_root == pytest.approx(3 * 100 / 1001 / 4)


@given(count_trees(), st.sampled_from(STRENGTHS), st.sampled_from(["uniform", "root"]))
def test_every_node_agrees_with_the_formula(
    tree: CountTree, strength: float, base_name: str
) -> None:
    uniform = np.full(tree.n_outcomes, 1 / tree.n_outcomes)
    root_total = tree.arrays.counts[0].sum()
    base = tree.arrays.counts[0] / root_total if base_name == "root" and root_total else uniform
    probs = MEstimate(strength=strength, base=base_name).smooth(tree).probs
    for node in range(tree.n_nodes):
        np.testing.assert_allclose(
            probs[node], naive_m_estimate(tree, node, strength, base), rtol=1e-12, atol=1e-15
        )


@given(count_trees())
def test_mle_and_laplace_are_m_estimates(tree: CountTree) -> None:
    uniform = [1 / tree.n_outcomes] * tree.n_outcomes
    for smoother, strength in ((MLE(), 0), (Laplace(), tree.n_outcomes)):
        probs = smoother.smooth(tree).probs
        for node in range(tree.n_nodes):
            expected = naive_m_estimate(tree, node, strength, uniform)
            np.testing.assert_allclose(probs[node], expected, rtol=1e-12, atol=1e-15)


def test_an_empty_leaf_answers_like_its_nearest_ancestor_with_rows() -> None:
    tree = tree_of([2, 2, 0, 0, 2, 0, 0], [[1, 3], [2, 0], [0, 0], [0, 0]])
    probs = Laplace().smooth(tree).probs
    np.testing.assert_array_equal(probs[5], probs[1])
    np.testing.assert_array_equal(probs[6], probs[1])
    split = Laplace().smooth(tree).contributions(6)
    assert split.nodes == (6, 4, 1, 0)
    assert split.shares == pytest.approx([0, 0, 0.5, 0, 0.5])


def test_the_strength_is_chosen_on_held_out_rows() -> None:
    evidence = example_evidence(GENE)
    smoothed = MEstimate(strength="auto").smooth(GENE, evidence)
    losses = []
    for strength in STRENGTHS:
        loss = 0.0
        for part in evidence.parts:
            probs = m_estimates(part.tree, strength, np.array([0.5, 0.5]))
            for node, outcome in zip(part.nodes, part.outcomes, strict=True):
                loss += ((np.eye(2)[outcome] - probs[node]) ** 2).sum()
        losses.append(loss)
    assert smoothed.fitted["strength"][0] == STRENGTHS[int(np.argmin(losses))]


def test_auto_without_held_out_rows_says_who_provides_them() -> None:
    assert MEstimate(strength="auto").needs_evidence
    with pytest.raises(OptionError, match=r"probtrees\.experiment\.fit"):
        MEstimate(strength="auto").smooth(GENE)


@pytest.mark.parametrize("bad", [-1, "much", float("inf"), None])
def test_a_bad_strength_is_refused(bad: object) -> None:
    with pytest.raises(OptionError, match="strength="):
        MEstimate(strength=bad)


def test_the_formula_is_filled_in() -> None:
    filled = MEstimate().smooth(GENE).smoother.formula(MEstimate().smooth(GENE), MALE, 0)
    assert filled.steps == ("p = (0 + 1·0.5) / (1 + 1) = 0.25",)
    assert filled.value == 0.25
    assert Laplace().formula(Laplace().smooth(GENE), 3, 0).steps == (
        "p = (10 + 1) / (10 + 2) = 0.9167",
    )
    assert MLE().formula(MLE().smooth(GENE), 3, 0).steps == ("p = 10 / 10 = 1",)
    empty = tree_of([2, 0, 0], [[3, 1], [0, 0]])
    assert MLE().formula(MLE().smooth(empty), 2, 0).steps == (
        "no rows here: the same formula at the nearest ancestor that has some",
        "p = 3 / 4 = 0.75",
    )
