import numpy as np
import pytest
from hypothesis import given

from probtrees.errors import DataError
from probtrees.grow.count import _mutual_information_kernels as kernels
from probtrees.grow.count import mutual_information
from probtrees.grow.count.mutual_information import measure_information
from probtrees.grow.count.nominal_rows import NominalRows, nominal_rows
from tests.naive import naive_conditional_mutual_information, naive_mutual_information
from tests.strategies import nominal_tables


@given(nominal_tables())
def test_information_equals_the_formula(data):
    information = measure_information(nominal_rows(data))
    *attributes, target = data.values.astype(int).T.tolist()
    weights = data.row_weights.tolist()
    for i, x in enumerate(attributes):
        expected = naive_mutual_information(x, target, weights)
        assert information.with_class[i] == pytest.approx(expected, abs=1e-12)
        assert information.pairwise[i, i] == 0
        for j, z in enumerate(attributes):
            if i != j:
                expected = naive_conditional_mutual_information(x, z, target, weights)
                assert information.pairwise[i, j] == pytest.approx(expected, abs=1e-12)


@given(nominal_tables())
def test_pairs_counted_by_groups_equal_pairs_counted_by_cells(data):
    table = nominal_rows(data)
    n_classes = data.n_classes
    n_cells = table.n_values[:-1] * n_classes
    first_cell = np.concatenate(([0], np.cumsum(n_cells)))
    counts = np.zeros(first_cell[-1])
    kernels.count_with_class(table, first_cell, counts)
    class_counts = np.bincount(data.labels, weights=table.weights, minlength=n_classes)
    by_cells, by_groups = np.zeros((2, table.n_attributes, table.n_attributes))
    total = class_counts.sum()
    known = (first_cell, counts, class_counts, total)
    # Room for the values of one attribute only: pairs must be counted by groups.
    cells = np.empty(table.n_values.max())
    for attribute in range(table.n_attributes):
        kernels.pair_information(table, attribute, *known, np.empty(10**4), by_cells)
        kernels.pair_information(table, attribute, *known, cells, by_groups)
    assert by_groups == pytest.approx(by_cells, abs=1e-12)


def wide_table(n_attributes):
    codes = np.random.default_rng(0).integers(0, 2, (n_attributes + 1, 20)).astype(np.int32)
    return NominalRows(codes, np.full(n_attributes + 1, 2, dtype=np.int64), np.ones(20))


def test_more_pairs_than_half_the_memory_are_refused_in_a_sentence(monkeypatch):
    monkeypatch.setattr(mutual_information, "machine_memory", lambda: 1600)
    assert measure_information(wide_table(10)).pairwise.shape == (10, 10)
    with pytest.raises(DataError, match=r"11 columns .* Leave out all but 10 .* such as nb"):
        measure_information(wide_table(11))
