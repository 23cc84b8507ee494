"""A look at the columns: the same bins in any pieces, exact while numbers are few."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from probtrees.errors import DataError
from probtrees.scale.passes.binned_columns import BinnedColumns, ColumnScan, bin_codes, bin_tops
from probtrees.table.dataset import Column, Dataset, Schema

BINS = 8
SCHEMA = Schema((Column("few"), Column("letter", ("a", "b")), Column("many"), Column("y", "uv")))

few = st.one_of(st.integers(0, 9).map(float), st.just(-0.0), st.just(np.nan))
many = st.one_of(st.floats(-1e9, 1e9), st.just(np.nan))
rows = st.tuples(few, st.sampled_from([0.0, 1.0, np.nan]), many, st.sampled_from([0.0, 1.0]))
tables = st.lists(rows, min_size=1, max_size=80).map(
    lambda listed: Dataset(SCHEMA, np.array(listed), repeats=None)
)


def scanned(*tables, sample_rows=30):
    scan = ColumnScan.of(SCHEMA, BINS, sample_rows)
    for table in tables:
        scan.update(table)
    return scan


def same(one, other):
    ours, theirs = one.arrays(), other.arrays()
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        assert np.array_equal(array, theirs[name], equal_nan=array.dtype == np.float64), name


@given(tables, st.lists(st.integers(0, 80), max_size=4), st.randoms(use_true_random=False))
def test_pieces_in_any_order_add_up_to_the_whole(data, ends, random):
    pieces = np.split(np.arange(data.n_rows), sorted(min(end, data.n_rows) for end in ends))
    random.shuffle(pieces)
    merged = scanned()
    for piece in pieces:
        merged.merge(scanned(data.take(piece)))
    whole = scanned(data)
    same(scanned(*(data.take(piece) for piece in pieces)), whole)
    same(merged, whole)
    restored = scanned()
    restored.restore(whole.arrays())
    same(restored, whole)


@given(tables)
def test_numbers_are_exact_while_they_are_few_and_never_taken_for_missing(data):
    columns = BinnedColumns.of_scan(scanned(data, sample_rows=5), data.n_rows)
    codes = columns.encode(data)
    for column in (0, 2):
        values = data.values[:, column]
        known, tops = ~np.isnan(values), columns.tops[column]
        distinct = np.unique(values[known])
        own = codes[:, columns.by_size.tolist().index(column)]
        assert columns.is_exact[column] == (len(distinct) <= BINS)
        assert columns.has_missing[column] == (not known.all())
        assert len(tops) <= BINS
        assert np.array_equal(own == len(tops), ~known)
        if columns.is_exact[column]:
            assert np.array_equal(tops, distinct)
            assert np.array_equal(tops[own[known]], values[known])


@pytest.mark.parametrize("changed", [(np.nan, 0, 1, 0), (1, np.nan, 1, 0), (1, 0, np.nan, 1)])
def test_rows_that_changed_since_the_scan_are_refused(changed):
    data = Dataset(SCHEMA, np.array([[1, 0, 1, 0], [2, 1, 2, 1.0]]), repeats=None)
    columns = BinnedColumns.of_scan(scanned(data), data.n_rows)
    assert columns.encode(data).shape == (2, 4)
    with pytest.raises(DataError, match="must not change between two passes"):
        columns.encode(Dataset(SCHEMA, np.array([changed], dtype=float), repeats=None))


numbers = st.floats(allow_nan=False, allow_infinity=True, width=64).map(lambda x: x + 0.0)
columns = st.integers(1, 200).flatmap(lambda n: arrays(np.float64, n, elements=numbers))


@given(columns, st.integers(1, 80))
def test_codes_follow_the_bins(values, n_bins):
    tops = bin_tops(values, n_bins)
    known = np.sort(values)
    assert 1 <= len(tops) <= n_bins
    assert tops[-1] == known[-1]
    assert set(tops.tolist()) <= set(known.tolist())
    codes = bin_codes(known, tops, is_exact=False)
    assert (np.diff(codes) >= 0).all()
    for code, threshold in enumerate(tops):
        with np.errstate(invalid="ignore", over="ignore"):
            goes_left = (known - threshold < 1e-6) | (known == threshold)
        assert np.array_equal(goes_left, codes <= code)


def test_bins_are_of_like_size_and_frequent_numbers_stand_alone():
    random = np.random.default_rng(0)
    values = np.concatenate([random.normal(size=100_000), np.zeros(50_000)])
    tops = bin_tops(values, 100)
    codes = bin_codes(values, tops, is_exact=False)
    sizes = np.bincount(codes)
    zero = codes[-1]
    assert len(tops) == 100
    assert sizes[zero] == pytest.approx(50_000, abs=60)
    shared = np.delete(sizes, [zero - 1, zero])
    assert shared == pytest.approx(np.full(98, 100_000 / 99), rel=0.15)
