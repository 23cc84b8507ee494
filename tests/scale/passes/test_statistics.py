"""What passes add up: combinations of values, rows in nodes, samples, columns, tables."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.errors import DataError
from probtrees.grow.count.nominal_rows import NominalRows
from probtrees.scale.learn import network_counts
from probtrees.scale.learn.growing_tree import CodeTree, NodeHistograms, NodeRows
from probtrees.scale.learn.network_counts import CellFinder
from probtrees.scale.passes.statistic import RowSample
from tests.naive import naive_node_counts
from tests.small_tables import patients


@pytest.mark.parametrize("most_dense", [0, 1 << 20])
def test_a_combination_that_was_not_there_is_refused(most_dense, monkeypatch):
    monkeypatch.setattr(network_counts, "MOST_DENSE", most_dense)
    n_values = np.array([2, 3])
    finder = CellFinder((0, 1), n_values, np.array([0, 4]))
    codes = np.array([[0, 1, 1], [0, 1, 2]], dtype=np.int32)
    assert finder.places(NominalRows(codes[:, :2], n_values, np.ones(2))).tolist() == [0, 1]
    with pytest.raises(DataError, match="must not change between two passes"):
        finder.places(NominalRows(codes, n_values, np.ones(3)))


TREE = CodeTree(
    # Node 0 cuts column 1 with a third branch for missing, node 1 splits column 0 by its codes.
    first_child=np.array([1, 4, -1, -1, -1, -1, -1]),
    column=np.array([1, 0, -1, -1, -1, -1, -1]),
    last_below=np.array([2, -1, -1, -1, -1, -1, -1]),
    n_codes=np.array([2, 5]),
)
"""Column 0 has 2 codes and missing (2), column 1 has 5 and missing (5)."""

rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 5), st.integers(0, 2)), max_size=30
).map(lambda listed: np.array(listed, dtype=np.uint8).reshape(-1, 3))


def _begun():
    slots = np.array([-1, -1, 0, 1, 2, -1, 3])
    return NodeHistograms(TREE, slots, np.array([0, 3]), np.zeros((4, 9, 3), dtype=np.int64))


@given(rows, st.integers(0, 30))
def test_counts_equal_those_of_the_slow_twin_in_any_pieces(rows, cut):
    whole, left, right = _begun(), _begun(), _begun()
    whole.update(rows)
    left.update(rows[:cut])
    right.update(rows[cut:])
    left.merge(right)
    assert np.array_equal(whole.tables, naive_node_counts(rows, whole))
    assert np.array_equal(left.tables, whole.tables)


@given(rows, st.integers(0, 30))
def test_rows_are_gathered_node_by_node(rows, cut):
    begun = _begun()
    gathered, other = (NodeRows(TREE, begun.slots) for _ in range(2))
    gathered.update(rows[:cut])
    other.update(rows[cut:])
    gathered.merge(other)
    codes, outcomes, order = gathered.side_by_side()
    begun.update(rows)
    sizes = begun.tables[:, :3].sum(axis=(1, 2))
    assert codes.shape == (sizes.sum(), 2)
    first = 0
    for slot, size in enumerate(sizes):
        own = order[first : first + size]
        table = np.zeros((9, 3), dtype=np.int64)
        for row in own:
            table[codes[row, 0], outcomes[row]] += 1
            table[3 + codes[row, 1], outcomes[row]] += 1
        assert np.array_equal(table, begun.tables[slot])
        first += size


def test_the_sample_does_not_depend_on_how_it_is_drawn():
    data = patients(90)
    whole = RowSample.empty(data.schema, 20)
    whole.update(data)
    merged = RowSample.empty(data.schema, 20)
    for rows in np.array_split(np.random.default_rng(1).permutation(90), 7):
        one = RowSample.empty(data.schema, 20)
        one.update(data.take(rows))
        merged.merge(one)
    assert np.array_equal(merged.dataset().values, whole.dataset().values, equal_nan=True)
    assert len(set(merged.rows.tolist())) == 20
    assert merged.rows.max() > 60
