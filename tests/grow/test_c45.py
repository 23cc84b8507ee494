from unittest.mock import Mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.grow.c45 import C45, prefer_common_values
from probtrees.grow.count_tree import CountTree
from probtrees.table.dataset import Column, Dataset, Schema
from tests.checks import check_grown_tree
from tests.naive import naive_c45, naive_collapse


def table(columns, labels, n_classes=2, weights=None):
    """Columns as ("numeric", values) or (n categories, codes)."""
    schema = [
        Column(f"x{i}", None if kind == "numeric" else tuple(f"v{code}" for code in range(kind)))
        for i, (kind, _) in enumerate(columns)
    ]
    schema.append(Column("class", tuple(f"c{k}" for k in range(n_classes))))
    values = np.column_stack([*(values for _, values in columns), labels]).astype(np.float64)
    return Dataset(Schema(tuple(schema)), values, weights=weights)


def nested(tree: CountTree, node: int = 0):
    """The tree as naive twins see it."""
    arrays = tree.arrays
    counts = arrays.counts[node].tolist()
    if tree.is_leaf[node]:
        return counts, None, None, []
    threshold = None if np.isnan(arrays.threshold[node]) else float(arrays.threshold[node])
    children = [nested(tree, child) for child in tree.children(node)]
    return counts, int(arrays.column[node]), threshold, children


def naive_rows(data: Dataset):
    weights = data.row_weights.tolist()
    return [
        ([None if np.isnan(x) else x for x in row[:-1]], int(row[-1]), weight)
        for row, weight in zip(data.values.tolist(), weights, strict=True)
    ]


def assert_same(ours, naive):
    assert ours[1:3] == naive[1:3]
    np.testing.assert_allclose(ours[0], naive[0], atol=1e-9)
    assert len(ours[3]) == len(naive[3])
    for our_child, naive_child in zip(ours[3], naive[3], strict=True):
        assert_same(our_child, naive_child)


WHOLE = st.integers(-8, 8).map(float)


@st.composite
def tables(draw, max_rows=40, numbers=(WHOLE,), weighted=True):
    """Any table of nominal columns and such numbers, with missing values and weights."""
    n_rows = draw(st.integers(1, max_rows))
    n_classes = draw(st.integers(1, 4))
    columns = []
    for _ in range(draw(st.integers(1, 4))):
        kind, cell = draw(
            st.sampled_from(
                [(n, st.integers(0, n - 1)) for n in (2, 3, 5)]
                + [("numeric", cell) for cell in numbers]
            )
        )
        if draw(st.booleans()):
            cell = st.one_of(cell, st.just(np.nan))
        columns.append((kind, draw(st.lists(cell, min_size=n_rows, max_size=n_rows))))
    labels = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    weights = None
    if weighted and draw(st.booleans()):
        weight = st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.5])
        weights = np.array(draw(st.lists(weight, min_size=n_rows, max_size=n_rows)))
    return table(columns, labels, n_classes, weights)


@given(tables(), st.sampled_from(["value", "fraction"]), st.integers(1, 3), st.booleans())
def test_equals_the_slow_twin(data, missing, min_leaf, collapse):
    tree = C45(missing=missing, min_leaf=min_leaf, collapse=collapse).grow(data)
    check_grown_tree(tree)
    n_values = data.schema.n_values[:-1].tolist()
    naive = naive_c45(naive_rows(data), n_values, data.n_classes, min_leaf, missing)
    assert_same(nested(tree), naive_collapse(naive) if collapse else naive)


@given(tables())
def test_rows_of_weight_zero_count_nothing(data):
    weights = data.row_weights
    weights[1::2] = 0.0
    with_zeros = Dataset(data.schema, data.values, weights=weights)
    without = with_zeros.take(weights > 0)
    assert_same(nested(C45().grow(with_zeros)), nested(C45().grow(without)))


def random_table(n_rows, seed=0, n_columns=4, missing=0.0):
    random = np.random.default_rng(seed)
    values = random.normal(size=(n_rows, n_columns))
    labels = (values[:, 0] + values[:, -1] ** 2 > 0.7).astype(float)
    values[random.random(values.shape) < missing] = np.nan
    return table([("numeric", column) for column in values.T], labels)


@pytest.mark.parametrize("n_rows", [30, 300])
@pytest.mark.parametrize("missing", ["value", "fraction"])
def test_few_and_many_rows_are_counted_alike(n_rows, missing):
    # Large nodes count in tables, small ones sort.
    data = random_table(n_rows, missing=0.1)
    coarse = Dataset(data.schema, np.where(np.isnan(data.values), np.nan, data.values.round(1)))
    for table_ in (data, coarse):
        tree = C45(missing=missing).grow(table_)
        check_grown_tree(tree)
        naive = naive_c45(naive_rows(table_), [0] * 4, 2, 2, missing)
        assert_same(nested(tree), naive_collapse(naive))


def test_fragments_count_every_piece_of_a_row_as_one():
    data = random_table(60, missing=0.3)
    tree = C45(missing="fraction").grow(data)
    assert tree.fragments is not None
    assert (tree.fragments >= tree.arrays.counts - 1e-9).all()
    np.testing.assert_array_equal(tree.fragments[0], np.bincount(data.labels))
    assert tree.fragments[tree.leaves].sum() > data.n_rows
    assert C45(missing="value").grow(data).fragments is None


@pytest.mark.slow
def test_a_long_chain_needs_no_recursion():
    # Column i tells row i from all others, so every split peels off one row.
    n_rows = 1200
    columns = [(2, column) for column in np.eye(n_rows)]
    data = table(columns, np.arange(n_rows) % 10, n_classes=10)
    learner = C45(min_leaf=1, collapse=False, prune="pessimistic")
    tree, report = learner.grow_with_report(data)
    assert report.grown.depth > 1000
    check_grown_tree(tree)


def test_the_threshold_is_a_training_value_below_the_middle():
    x = np.array([0.0, 0.0, 4.0, 4.0, 1.9, 2.1])
    y = np.array([0, 0, 1, 1, 0, 1])
    tree = C45().grow(table([("numeric", x)], y))
    assert tree.arrays.threshold[0] == 1.9


def test_a_middle_that_rounding_puts_below_a_value():
    # Below the first split x is 0.1 or 0.8; a value elsewhere lies just above their middle.
    above = 0.45 + 1e-7
    x = np.array([0.1] * 3 + [0.8] * 3 + [above] * 6)
    other = np.array([0.0] * 6 + [1.0] * 6)
    y = np.array([0] * 3 + [1] * 3 + [2] * 6)
    data = table([(2, other), ("numeric", x)], y, n_classes=3)
    thresholds = [C45(middle_slack=slack).grow(data).arrays.threshold[1] for slack in (0.0, 1e-6)]
    assert thresholds == [0.1, above]


def test_extreme_numbers_are_cut_apart():
    x = np.array([-1e308, -1e308, 1e308, 1e308, 1e-320, 1e-320])
    tree = C45(min_leaf=1).grow(table([("numeric", x)], [0, 0, 1, 1, 0, 0]))
    assert nested(tree)[3][0][0] == [4, 0]
    # Neighbours too far apart to subtract.
    assert C45(min_leaf=1).grow(table([("numeric", x[:4])], [0, 0, 1, 1])).n_nodes == 3


def test_growing_can_be_watched_and_cancelled():
    shares = []
    data = random_table(150)
    C45(prune="pessimistic").grow(data, shares.append)
    assert shares == sorted(shares)
    assert all(0 <= share <= 1 for share in shares)
    with pytest.raises(InterruptedError):
        C45().grow(data, Mock(side_effect=InterruptedError))


@pytest.mark.parametrize("grouped", [False, True])
def test_separate_rows_count_only_the_other_half(grouped):
    data = random_table(100)
    if grouped:
        data = Dataset(data.schema, data.values, groups=np.arange(100) // 10)
    tree = C45(separate_rows=True).grow(data)
    check_grown_tree(tree)
    assert tree.arrays.weight[0] == 50
    assert C45(max_depth=2, collapse=False).grow(data).max_depth == 2


def test_the_threshold_moves_to_the_most_common_close_value():
    values = [1.0, 1.0, 1.0, 1.0 + 5e-7, 2.0, 2.0, 3.0]
    data = table([("numeric", values)], [0, 0, 0, 0, 1, 1, 1])
    tree = C45(middle_slack=0).grow(data)
    assert tree.arrays.threshold[0] == 1.0 + 5e-7
    moved = prefer_common_values(tree, data, [0], 1e-6)
    assert moved.arrays.threshold[0] == 1.0
    assert C45(middle_slack=1e-6).grow(data).arrays.threshold[0] == 1.0
    np.testing.assert_array_equal(moved.arrays.counts, tree.arrays.counts)
