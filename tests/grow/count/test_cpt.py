import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow.count import _cpt_kernels as kernels
from probtrees.grow.count import cpt
from probtrees.grow.count.cpt import count_tables
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from probtrees.grow.count_tree import check_tree
from probtrees.grow.dag import Dag
from probtrees.grow.kdb import KDB
from probtrees.table.dataset import Column, Schema
from tests.strategies import nominal_tables


@given(nominal_tables(), st.integers(0, 3))
def test_tables_count_what_each_context_holds(data, k):
    dag = KDB(k=k).learn(data).members[0].dag
    weights = data.row_weights
    for tree, (target, path) in zip(
        count_tables(nominal_rows(data), data.schema, dag), dag.parents.items(), strict=True
    ):
        check_tree(tree)
        assert tree.target == target
        assert tree.max_depth == len(path)
        for node in range(tree.n_nodes):
            on_path = tree.path(node)
            inside = np.ones(data.n_rows, dtype=bool)
            for above, below in itertools.pairwise(on_path):
                inside &= data.values[:, tree.arrays.column[above]] == tree.arrays.branch[below]
            expected = np.bincount(
                data.values[inside, target].astype(int),
                weights=weights[inside],
                minlength=tree.n_outcomes,
            )
            assert inside.any()
            assert tree.arrays.counts[node] == pytest.approx(expected)
            assert tree.arrays.weight[node] == pytest.approx(expected.sum())


@given(st.data())
def test_both_ways_to_number_contexts_agree(data):
    n_rows = data.draw(st.integers(1, 30))
    numbers = st.lists(st.integers(0, 5), min_size=n_rows, max_size=n_rows)
    above, codes = (np.array(data.draw(numbers), dtype=np.int32) for _ in range(2))
    by_map, by_sorting = np.empty((2, 3, n_rows), dtype=np.int32)
    place = np.empty(36, dtype=np.int32)
    n_map = kernels._number_by_map(above, codes, 6, *by_map, place)
    n_sorted = kernels._number_by_sorting(above, 6, codes, 6, *by_sorting)
    assert n_map == n_sorted
    assert by_map[0].tolist() == by_sorting[0].tolist()
    assert by_map[1:, :n_map].tolist() == by_sorting[1:, :n_map].tolist()
    assert sorted(set(zip(above.tolist(), codes.tolist(), strict=True))) == list(
        zip(*by_map[1:, :n_map].tolist(), strict=True)
    )


def test_an_identifier_as_a_parent_is_counted():
    n_rows = 300
    codes = np.vstack([np.arange(n_rows), np.zeros(n_rows), np.arange(n_rows) % 2]).astype(np.int32)
    table = NominalRows(codes, np.array([10**5, 2, 2], dtype=np.int64), np.ones(n_rows))
    schema = Schema((Column("id", ("1",)), Column("x", ("a", "b")), Column("y", ("n", "y"))))
    (tree,) = cpt.count_tables(table, schema, Dag({1: (2, 0)}))
    assert tree.n_leaves == n_rows
