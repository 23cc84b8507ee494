"""HDP's warnings name the true cause."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.smooth.gibbs.convergence import warn_of_chains, warn_of_few, warn_of_fractions
from probtrees.smooth.hdp import HDP
from probtrees.table.dataset import Column, Dataset, Schema

SCHEMA = Schema((Column("x"), Column("y", ("no", "yes"))))


def grown(weights: np.ndarray | None, missing: bool) -> CountTree:
    """Grow a small tree whose rows may have weights, or a missing value that is split."""
    x = np.array([1, 2, 3, 4, 11, 12, 13, 14.0])
    if missing:
        x[0] = np.nan
    values = np.column_stack([x, np.repeat([0.0, 1.0], 4)])
    data = Dataset(SCHEMA, values, weights=weights)
    return C45(min_leaf=1, missing="fraction").grow(data)


def test_weights_are_named() -> None:
    (sentence,) = warn_of_fractions(grown(np.full(8, 0.7), missing=False))
    assert sentence == (
        "HDP needs whole rows: the counts of 2 of 2 leaves, which hold fractions because of row "
        "weights, were rounded."
    )


def test_missing_values_are_named() -> None:
    (sentence,) = warn_of_fractions(grown(None, missing=True))
    assert "fractions of rows with missing values, which were split over branches" in sentence
    assert "weights" not in sentence


def test_both_are_named() -> None:
    (sentence,) = warn_of_fractions(grown(np.full(8, 0.7), missing=True))
    assert "because of row weights and of missing values" in sentence


def test_whole_weights_need_no_rounding() -> None:
    tree = grown(np.full(8, 3.0), missing=False)
    assert warn_of_fractions(tree) == ()
    assert HDP(n_iterations=1000).smooth(tree).warnings == ()


def test_a_tree_that_does_not_tell_is_not_guessed_at() -> None:
    tree = tree_of([2, 0, 0], [[1.5, 1], [0.5, 3]])
    (sentence,) = warn_of_fractions(tree)
    assert "row weights or of missing values" in sentence
    (sentence,) = warn_of_fractions(replace(tree, fragments=tree.arrays.counts))
    assert "weights" not in sentence


def test_advice_is_within_reach() -> None:
    (sentence,) = warn_of_few(12.0, 900, 1000, 1)
    assert sentence == (
        "The 900 sweeps kept by HDP are worth only about 12 independent ones, so another seed may "
        "give other probabilities and intervals. Try n_iterations=5000."
    )
    (sentence,) = warn_of_few(2.0, 90_000, 100_000, 1)
    assert "Try n_iterations=1000000, or a prior that leaves less open" in sentence
    (sentence,) = warn_of_few(2.0, 900_000, 1_000_000, 1)
    assert "Try a prior that leaves less open" in sentence
    assert warn_of_few(30.0, 900, 1000, 1) == ()
    assert warn_of_chains(1.05, 1000) == ()
    (sentence,) = warn_of_chains(np.inf, 1000)
    assert "R-hat inf" in sentence
