import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.table.dataset import Column, Dataset, Schema
from probtrees.table.discretize.methods import (
    MDLP,
    DecisionTree,
    EqualFrequency,
    EqualWidth,
    KMeans,
    RandomizedMDLP,
)
from tests.naive import naive_mdlp

METHODS = [
    EqualWidth(),
    EqualFrequency(n_intervals=4),
    KMeans(),
    MDLP(),
    RandomizedMDLP(seed=3),
    DecisionTree(),
]


def table(values, labels, weights=None, n_classes=3):
    schema = Schema((Column("x"), Column("y", tuple(f"k{i}" for i in range(n_classes)))))
    rows = np.column_stack([values, labels]).astype(float)
    return Dataset(schema, rows, weights=weights)


numbers = st.one_of(st.integers(-3, 6).map(float), st.floats(-1e3, 1e3))
pairs = st.lists(st.tuples(numbers, st.integers(0, 2)), min_size=1, max_size=25)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
@given(pairs)
def test_cuts_ascend_and_every_interval_holds_a_row(method, rows):
    data = table(*zip(*rows, strict=True))
    cuts = method.find_cuts(data)
    points = cuts.points[0]
    assert (np.diff(points) > 0).all()
    codes = cuts.apply(data).values[:, 0]
    assert codes.max() < len(points) + 1
    if method.name != "width":
        assert set(codes) == set(range(len(points) + 1))
    assert method.find_cuts(data).points[0].tolist() == points.tolist()


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
@given(rows=pairs, factor=st.sampled_from([2, 3]))
def test_a_weight_counts_like_as_many_rows(method, rows, factor):
    if method.name == "randomized-mdlp":
        return
    values, labels = zip(*rows, strict=True)
    values = np.round(np.array(values) * 64) / 64  # sums of such numbers are exact
    repeats = np.where(np.arange(len(rows)) % 2 == 0, factor, 1)
    weighted = table(values, labels, weights=repeats.astype(float))
    repeated = table(np.repeat(values, repeats), np.repeat(labels, repeats))
    expected = method.find_cuts(repeated).points[0]
    assert method.find_cuts(weighted).points[0] == pytest.approx(expected)


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.name)
def test_columns_without_spread_or_values_are_one_interval(method):
    schema = Schema((Column("same"), Column("empty"), Column("n", ("a",)), Column("y", ("0", "1"))))
    values = np.array([[7, np.nan, 0, 0], [7, np.nan, 0, 1], [7, np.nan, 0, 1.0]])
    cuts = method.find_cuts(Dataset(schema, values))
    assert {column: points.tolist() for column, points in cuts.points.items()} == {0: [], 1: []}
    assert cuts.not_recorded == (1,)


@given(pairs)
def test_mdlp_equals_the_paper(rows):
    found = MDLP().find_cuts(table(*zip(*rows, strict=True))).points[0]
    assert found == pytest.approx(np.array(naive_mdlp(rows)))


def test_random_cuts_differ_by_seed_and_pay_for_themselves():
    random = np.random.default_rng(0)
    values = random.normal(size=300)
    labels = (values + random.normal(size=300) / 2 > 0).astype(int)
    data = table(values, labels, n_classes=2)
    found = [RandomizedMDLP(seed=seed).find_cuts(data).points[0] for seed in range(20)]
    assert len({tuple(points) for points in found}) > 10
    assert all(len(points) >= 1 for points in found)


def test_a_random_cut_is_made_even_where_none_pays():
    data = table([1, 2, 3, 4], [0, 1, 0, 1], n_classes=2)
    assert MDLP().find_cuts(data).points[0].tolist() == []
    assert len(RandomizedMDLP().find_cuts(data).points[0]) == 1


def test_equal_width_and_frequency():
    data = table([0, 1, 2, 3, 100], [0, 1, 0, 1, 0])
    assert EqualWidth(n_intervals=4).find_cuts(data).points[0].tolist() == [25, 50, 75]
    data = table([1, 1, 1, 1, 2, 3], [0, 1, 0, 1, 0, 0])
    assert EqualFrequency(n_intervals=3).find_cuts(data).points[0].tolist() == [1.5]


def test_k_means_finds_clusters():
    values = [0, 1, 2, 50, 51, 52, 98, 99, 100]
    found = KMeans(n_intervals=3).find_cuts(table(values, np.zeros(9))).points[0]
    assert found.tolist() == [26, 75]


def test_a_tree_is_pruned_where_its_cuts_do_not_help():
    random = np.random.default_rng(0)
    values = np.arange(200.0)
    noise = random.integers(0, 2, 200)
    assert len(DecisionTree().find_cuts(table(values, noise)).points[0]) <= 2
    step = (values > 99).astype(int)
    assert DecisionTree().find_cuts(table(values, step)).points[0].tolist() == [99.5]


def test_neighbouring_numbers_are_distinguished():
    low = 1.0
    high = np.nextafter(low, 2)
    data = table([low] * 20 + [high] * 20, [0] * 20 + [1] * 20)
    codes = MDLP().find_cuts(data).apply(data).values[:, 0]
    assert codes.tolist() == [0] * 20 + [1] * 20


@pytest.mark.parametrize("method", METHODS)
def test_the_largest_numbers_are_cut_without_overflow(method):
    numbers = np.array([-1.7e308, -1e308, -1.0, 0.0, 1.0, 1e308, 1.7e308] * 6)
    points = method.find_cuts(table(numbers, numbers > 0)).points.get(0, np.empty(0))
    assert np.isfinite(points).all()
    assert (np.diff(points) > 0).all()
