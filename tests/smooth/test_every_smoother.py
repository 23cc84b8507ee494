"""Every smoother of the registry keeps every promise, on corner cases and random trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probtrees.experiment.registry import SMOOTHERS, make_smoother
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import example_evidence, tree_of
from probtrees.smooth.smoothed_tree import Smoother
from tests.checks import check_more_data, check_smoother
from tests.strategies import count_trees

SAMPLERS = {"hdp": {"n_iterations": 20}}
"""Smoothers whose answers carry Monte Carlo error, with settings that keep tests quick."""

FIXED_PARAMETERS = ["mle", "laplace", "m-estimate"]
"""Smoothers whose parameters do not depend on the counts: M-branch's strengths grow with the
number of rows, and HGS as published takes a step that depends on them."""


def make(name: str) -> Smoother:
    return make_smoother(name, SAMPLERS.get(name))


@pytest.mark.parametrize("name", SMOOTHERS)
def test_corner_cases(name: str) -> None:
    check_smoother(make(name), symmetry=None if name in SAMPLERS else 1e-9)


@pytest.mark.parametrize("name", SMOOTHERS)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_random_trees(name: str, data: st.DataObject) -> None:
    tree = data.draw(count_trees(whole=True if name in SAMPLERS else None))
    check_smoother(make(name), {"a tree": tree}, symmetry=None if name in SAMPLERS else 1e-9)


@pytest.mark.parametrize("name", [name for name in FIXED_PARAMETERS if name in SMOOTHERS])
@settings(max_examples=15, deadline=None)
@given(tree=count_trees())
def test_more_rows_move_a_leaf_towards_its_frequencies(name: str, tree: CountTree) -> None:
    check_more_data(make(name), tree)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMOOTHERS)
@pytest.mark.parametrize("size", ["depth 200", "100,000 nodes", "500 outcomes", "counts of 10^7"])
def test_large_trees(name: str, size: str) -> None:
    tree = large_trees(size)
    smoother = make(name)
    smoothed = smoother.smooth(tree, example_evidence(tree) if smoother.needs_evidence else None)
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
