"""Every smoother of the registry keeps every promise, on corner cases and random trees."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probtrees.errors import OptionError
from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.as_published import AsPublished
from probtrees.smooth.blend import Blend
from probtrees.smooth.ctw import CTW
from probtrees.smooth.evidence import Evidence
from probtrees.smooth.example_trees import example_evidence, example_trees, tree_of
from probtrees.smooth.hdp import HDP
from probtrees.smooth.hgs import HGS
from probtrees.smooth.log_linear.hls import HLS
from probtrees.smooth.m_branch import MBranch
from probtrees.smooth.m_estimate import MLE, Laplace, MEstimate
from probtrees.smooth.shrinkage import Shrinkage
from probtrees.smooth.smoothed_tree import Smoother
from tests.checks import check_smoother
from tests.small_tables import QUICK
from tests.strategies import count_trees


def make(name: str) -> Smoother:
    return make_smoother(name, QUICK.get(name))


VARIANTS: list[Smoother] = [
    HGS(loss="log"),
    HGS(fit="map", weights="depth"),
    HGS(fit="map", weights="node", loss="log"),
    Shrinkage(penalty=3.0),
    Shrinkage(penalty=0.0, strength=0.0),
    CTW(0.1, 0.9, 0.1),
    HLS(penalty=0.3),
    HLS(penalty=50.0),
    Blend(temperature=50.0),
    *(AsPublished(inside) for inside in (MLE(), Laplace(), MEstimate(), MBranch(chained=True))),
]

GENE = tree_of([2, 2, 0, 0, 0], [[90, 900], [10, 0], [0, 1]])
EMPTY = tree_of([2, 2, 0, 0, 2, 0, 0], [[1, 3], [2, 0], [0, 0], [0, 0]])

FORMULAS: list[tuple[Smoother, CountTree, int, str]] = [
    (MEstimate(), GENE, 4, "p = (0 + 1·0.5) / (1 + 1) = 0.25"),
    (Laplace(), GENE, 3, "p = (10 + 1) / (10 + 2) = 0.9167"),
    (MLE(), GENE, 3, "p = 10 / 10 = 1"),
    (MLE(), EMPTY, 6, "no rows here: the same formula at the nearest ancestor that has some\n"),
    (MBranch(), GENE, 4, "p = (100 + 88.37·0.5) / (1001 + 88.37) = 0.1324\n"),
    (MBranch(), GENE, 4, "\np = (0 + 4·0.2415) / (1 + 4) = 0.1932"),
    (HGS(fit="published", uniform=0.0), tree_of([0], [[0, 0]]), 0, "p = (1) / (2) = 0.5"),
    (HGS(fit="map", prior_spread=1e-9, prior_weight=1.0), GENE, 4, "1·10/11 + 1·100/1001 + 0.25"),
    (CTW(0.5, 0.5, 1.0), GENE, 4, "the tree should have stopped here: "),
    (HDP(n_iterations=50), GENE, 4, "p ≈ (0 + "),
    (HDP(n_iterations=50), GENE, 1, "n_k and n differ from sweep to sweep"),
]


def evidence_for(smoother: Smoother, tree: CountTree) -> Evidence | None:
    return example_evidence(tree) if smoother.needs_evidence else None


@pytest.mark.parametrize("name", SMOOTHERS)
def test_corner_cases(name: str) -> None:
    check_smoother(make(name), symmetry=None if name in QUICK else 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("smoother", VARIANTS, ids=repr)
def test_corner_cases_of_other_settings(smoother: Smoother) -> None:
    check_smoother(smoother)


@pytest.mark.parametrize("name", [name for name in SMOOTHERS if "m-branch" not in name])
def test_a_node_without_rows_answers_like_its_parent(name: str) -> None:
    smoother = make(name)
    probs = smoother.smooth(EMPTY, evidence_for(smoother, EMPTY)).probs
    np.testing.assert_allclose(probs[[4, 5, 6]], probs[[1, 1, 1]], rtol=1e-12)


@pytest.mark.parametrize(("smoother", "tree", "node", "text"), FORMULAS, ids=repr)
def test_formulas_are_filled_in(smoother: Any, tree: CountTree, node: int, text: str) -> None:
    smoothed = smoother.smooth(tree)
    filled = smoother.formula(smoothed, node, 0)
    assert text in "\n".join(filled.steps)
    assert filled.value == smoothed.probs[node, 0]


CHOOSERS: list[Any] = [HGS(), Shrinkage(), HLS(), CTW(), Blend(), MEstimate(strength="auto")]


@pytest.mark.parametrize("smoother", CHOOSERS, ids=repr)
def test_held_out_rows_choose_the_setting_with_the_least_loss(smoother: Any) -> None:
    tree = example_trees()["four outcomes"]
    smoothed = smoother.smooth(tree, example_evidence(tree))
    filled = smoother.formula(smoothed, tree.n_nodes - 1, 2)
    assert filled.steps[-1].endswith(f" {smoothed.probs[-1, 2]:.4g}")
    best = np.argmin(smoothed.trace.get("loss", [0]))
    for name, tried in smoothed.trace.items():
        if name in smoothed.fitted:
            assert smoothed.fitted[name][0] == tried[best]
    with pytest.raises(OptionError, match=r"probtrees\.experiment\.fit"):
        smoother.smooth(tree)


def test_without_a_held_out_row_a_middling_setting_is_taken() -> None:
    chosen = [smoother.smooth(GENE, Evidence(())).fitted for smoother in CHOOSERS]
    found = [float(np.ravel(next(iter(fitted.values())))[0]) for fitted in chosen]
    assert found[:4] == [4.0, 0.3, 2.0, 0.5]
    assert found[5] == 0.0


@pytest.mark.parametrize("name", SMOOTHERS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_random_trees(name: str, data: st.DataObject) -> None:
    tree = data.draw(count_trees(whole=True if name in QUICK else None))
    check_smoother(make(name), {"a tree": tree}, symmetry=None if name in QUICK else 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMOOTHERS)
@pytest.mark.parametrize("size", ["depth 200", "100,000 nodes", "500 outcomes", "counts of 10^7"])
def test_large_trees(name: str, size: str) -> None:
    tree = large_trees(size)
    smoother = make(name)
    smoothed = smoother.smooth(tree, evidence_for(smoother, tree))
    assert np.isfinite(smoothed.probs).all()
    assert (smoothed.probs >= 0).all()
    np.testing.assert_allclose(smoothed.probs.sum(axis=1), 1, rtol=1e-9)
    deepest = tree.n_nodes - 1
    split = smoothed.contributions(deepest)
    np.testing.assert_allclose(split.values.sum(axis=0), smoothed.probs[deepest], atol=1e-9)


def large_trees(size: str) -> CountTree:
    random = np.random.default_rng(0)
    if size == "depth 200":
        return tree_of([2] + [0, 2] * 199 + [0, 0], random.integers(0, 3, (201, 2)))
    if size == "100,000 nodes":
        n_children = [2] * 50_000 + [0] * 50_001
        return tree_of(n_children, random.integers(0, 4, (50_001, 2)))
    if size == "500 outcomes":
        return tree_of([3] * 13 + [0] * 27, random.integers(0, 2, (27, 500)))
    return tree_of([2] * 15 + [0] * 16, random.integers(0, 10**7, (16, 3)))
