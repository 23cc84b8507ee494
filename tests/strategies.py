"""Hypothesis strategies for the nouns of the house."""

import numpy as np
from hypothesis import strategies as st

from probtrees.grow.count_tree import CountTree
from probtrees.smooth.example_trees import tree_of
from probtrees.table.dataset import Column, Dataset, Schema


@st.composite
def shapes(draw: st.DrawFn, max_inner: int = 8, max_children: int = 4) -> list[int]:
    """Number of children of every node of some tree, in level order."""
    n_children = [0]
    first_candidate = 0
    for _ in range(draw(st.integers(0, max_inner))):
        node = draw(st.integers(first_candidate, len(n_children) - 1))
        n_children[node] = draw(st.integers(2, max_children))
        first_candidate = node + 1
        n_children += [0] * n_children[node]
    return n_children


@st.composite
def count_trees(
    draw: st.DrawFn,
    *,
    min_outcomes: int = 2,
    max_outcomes: int = 6,
    max_inner: int = 8,
    max_count: int = 12,
    whole: bool | None = None,
) -> CountTree:
    """Any tree: any shape, empty leaves, one-row leaves, whole or fractional counts.

    ``whole`` says whether counts are whole numbers; None leaves it to chance.
    """
    n_children = draw(shapes(max_inner))
    n_outcomes = draw(st.integers(min_outcomes, max_outcomes))
    size = n_children.count(0) * n_outcomes
    is_whole = draw(st.booleans()) if whole is None else whole
    number: st.SearchStrategy[float] = (
        st.integers(0, max_count)
        if is_whole
        else st.one_of(st.just(0.0), st.floats(1 / 64, max_count, width=16))
    )
    counts = np.array(draw(st.lists(number, min_size=size, max_size=size)), dtype=np.float64)
    return tree_of(n_children, counts.reshape(-1, n_outcomes))


@st.composite
def nominal_tables(
    draw: st.DrawFn,
    *,
    max_attributes: int = 4,
    max_rows: int = 14,
    max_values: int = 3,
    weighted: bool | None = None,
) -> Dataset:
    """Any nominal table without missing values: one-value columns, absent classes, copies.

    ``weighted`` says whether rows have weights; None leaves it to chance.
    """
    n_attributes = draw(st.integers(1, max_attributes))
    n_rows = draw(st.integers(1, max_rows))
    n_values = draw(
        st.lists(st.integers(1, max_values), min_size=n_attributes, max_size=n_attributes)
    )
    n_values.append(draw(st.integers(2, 3)))
    columns = [
        draw(st.lists(st.integers(0, n - 1), min_size=n_rows, max_size=n_rows)) for n in n_values
    ]
    schema = Schema(
        tuple(Column(f"c{i}", tuple(f"v{j}" for j in range(n))) for i, n in enumerate(n_values))
    )
    has_weights = draw(st.booleans()) if weighted is None else weighted
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=n_rows, max_size=n_rows))
    return Dataset(
        schema,
        np.array(columns, dtype=np.float64).T.copy(),
        weights=np.array(weights) if has_weights else None,
    )
