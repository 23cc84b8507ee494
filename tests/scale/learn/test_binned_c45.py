"""C4.5 in chunks: the tree of all rows at once, whatever the chunks and the memory."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.grow.c45 import C45
from probtrees.grow.count_tree import check_tree
from probtrees.scale.learn.binned_c45 import BinnedC45, Limits, binned, grow_with_report, growing
from probtrees.scale.passes.conductor import Conductor
from probtrees.table.dataset import Dataset
from tests.checks import check_same_tree
from tests.grow.test_c45 import WHOLE, tables
from tests.naive import naive_landing
from tests.small_tables import table_of

SILENT = Conductor()


def grow_binned_c45(table, learner, bins=256, conductor=SILENT):
    return grow_with_report(table, replace(binned(learner), bins=bins), conductor)[0]


@dataclass(frozen=True)
class Pieces:
    """A table cut into chunks at the given rows."""

    data: Dataset
    ends: tuple[int, ...] = ()
    fingerprint: str = ""
    files: tuple[str, ...] = ()

    @property
    def schema(self):
        return self.data.schema

    @property
    def n_rows(self):
        return self.data.n_rows

    @property
    def missing(self):
        return np.flatnonzero(np.isnan(self.data.values[:, :-1]).any(axis=0)).tolist()

    @property
    def parts(self):
        return np.split(np.arange(self.n_rows), sorted(self.ends))

    def read(self, part):
        yield self.data.take(part)

    def chunks(self):
        for part in self.parts:
            yield from self.read(part)


CLOSE = st.integers(0, 18).map(lambda step: step * 4e-7)
"""Neighbours too close to tell apart."""
TABLES = tables(numbers=(WHOLE, st.floats(-3, 3, width=16), CLOSE), weighted=False)


def random_table(n_rows, *, n_numbers, missing=0.0, seed=0):
    random = np.random.default_rng(seed)
    label = random.integers(0, 3, n_rows)
    numbers = np.floor((random.random((n_rows, 3)) + 0.3 * label[:, None]) * n_numbers) / n_numbers
    letters = (label[:, None] + random.integers(0, 4, (n_rows, 2))) % 4
    values = np.column_stack([numbers, letters, label]).astype(np.float64)
    blank = random.random(values.shape) < missing
    values[blank & (np.arange(6) < 5)] = np.nan
    return table_of("x0, x1, x2, a0: a b c d, a1: a b c d, class: u v w", values)


def limits(rows, n_tables=2):
    return Limits(rows=rows, table_bytes=n_tables * 20_000)


def grow_nodes(table, learner, limits):
    """Grow the tree as deep as it goes."""
    return growing(table, learner, limits, SILENT).grow()


@pytest.mark.slow
@given(
    TABLES,
    st.lists(st.integers(0, 40), max_size=4),
    st.integers(0, 20),
    st.integers(1, 3),
    st.sampled_from([None, 0, 2]),
)
@settings(max_examples=60)
def test_equals_the_tree_of_all_rows_at_once(data, ends, rows_in_memory, min_leaf, max_depth):
    options = {"min_leaf": min_leaf, "max_depth": max_depth, "collapse": False}
    pieces = Pieces(data, tuple(ends))
    ours = grow_nodes(pieces, BinnedC45(**options), limits(rows_in_memory))
    check_same_tree(ours, C45(**options).grow(data))


@pytest.mark.slow
@given(TABLES, st.booleans(), st.sampled_from([0.05, 0.25, 0.5]))
@settings(max_examples=40)
def test_is_cut_back_in_the_same_way(data, collapse, confidence):
    options = {"collapse": collapse, "prune": "pessimistic", "confidence": confidence}
    learner = C45(**options, subtree_raising=False)
    ours, report = grow_with_report(Pieces(data), binned(learner), SILENT)
    theirs, expected = learner.grow_with_report(data)
    check_same_tree(ours, theirs)
    assert report == expected


@pytest.mark.slow
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("rows_in_memory", [0, 100, 10_000])
def test_many_rows_equal_the_tree_of_all_rows_at_once(missing, rows_in_memory):
    data = random_table(3_000, n_numbers=150, missing=missing)
    pieces = Pieces(data, (1, 700, 701, 2_500))
    ours = grow_nodes(pieces, BinnedC45(), limits(rows_in_memory, 50))
    theirs = C45(collapse=False).grow(data)
    assert theirs.n_nodes > 300
    check_same_tree(ours, theirs)


@pytest.mark.slow
@given(
    st.lists(st.integers(0, 120), max_size=3), st.sampled_from([0, 30, 1_000]), st.integers(1, 20)
)
def test_neither_chunks_nor_memory_change_a_binned_tree(ends, rows_in_memory, n_tables):
    data = random_table(120, n_numbers=1 << 20, missing=0.05)
    whole = grow_binned_c45(Pieces(data), C45(collapse=False), bins=8)
    parts = Pieces(data, tuple(ends))
    ours = grow_nodes(parts, BinnedC45(bins=8), limits(rows_in_memory, n_tables))
    check_same_tree(ours, whole)
    thresholds = ours.arrays.threshold
    for column in range(3):
        own = thresholds[(ours.arrays.column == column) & ~np.isnan(thresholds)]
        assert len(set(own.tolist())) <= 7
        assert set(own.tolist()) <= set(data.values[:, column].tolist())


def test_counts_are_those_of_rows_sent_down_the_finished_tree():
    data = random_table(2_000, n_numbers=1 << 20)
    tree = grow_binned_c45(Pieces(data), C45(), bins=16)
    check_tree(tree)
    counts = np.zeros_like(tree.arrays.counts)
    for row in data.values:
        ((leaf, _),) = naive_landing(tree, row, data.schema.n_values, stop=False)
        counts[tree.path(leaf), int(row[-1])] += 1
    assert np.array_equal(counts, tree.arrays.counts)


def test_rows_that_cannot_be_counted_are_refused():
    data = random_table(10, n_numbers=5)
    with pytest.raises(DataError, match="weights"):
        grow_binned_c45(Pieces(replace(data, weights=np.full(10, 0.5))), C45())
    values = data.values.copy()
    values[7, -1] = np.nan
    with pytest.raises(DataError, match="must not change between two passes"):
        grow_binned_c45(Pieces(replace(data, values=values), (3,)), C45())
    with pytest.raises(DataError, match="rows=0"):
        grow_binned_c45(Pieces(data.take(np.zeros(10, dtype=bool))), C45())
