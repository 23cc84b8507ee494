"""One split looked at: gains of columns, bins of values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probtrees.draw.charts.split_chart import split_html
from probtrees.explain.split_view import column_gain, cut_places, split_view
from probtrees.table.dataset import Column, Dataset, Schema
from tests.naive import naive_gain
from tests.small_tables import patients

SCHEMA = Schema((Column("x"), Column("colour", ("red", "green", "blue")), Column("y", ("n", "p"))))
NUMBERS = st.floats(-1e6, 1e6, allow_subnormal=False)

cells = st.tuples(
    st.one_of(st.just(np.nan), st.integers(0, 5).map(float)),
    st.one_of(st.just(np.nan), st.integers(0, 2).map(float)),
    st.integers(0, 1).map(float),
)


@given(st.lists(cells, min_size=2, max_size=25))
def test_gains_are_those_of_trying_every_cut(rows):
    data = Dataset(SCHEMA, np.array(rows))
    labels = [int(row[2]) for row in rows]
    number, nominal = column_gain(data, 0), column_gain(data, 1)
    cuts = sorted({row[0] for row in rows if not np.isnan(row[0])})[:-1]
    tried = [
        naive_gain([None if np.isnan(r[0]) else r[0] > cut for r in rows], labels) for cut in cuts
    ]
    assert number.gain == pytest.approx(max(tried, default=0.0), abs=1e-9)
    sides = [None if np.isnan(row[1]) else row[1] for row in rows]
    assert nominal.gain == pytest.approx(naive_gain(sides, labels), abs=1e-9)


@given(st.lists(cells, min_size=2, max_size=25), st.integers(0, 5))
def test_bins_hold_every_row_and_end_at_the_cut(rows, cut):
    data = Dataset(SCHEMA, np.array(rows))
    labels = [int(row[2]) for row in rows]
    for view in (split_view(data, 0, float(cut)), split_view(data, 1, None)):
        assert sum(part.counts.sum() for part in view.bins) == len(rows)
        assert view.entropy == pytest.approx(naive_gain(labels, labels))
        assert 0 <= view.chosen.gain <= view.entropy + 1e-9
        if view.cut_after is not None:
            left = sum(part.counts.sum() for part in view.bins[: view.cut_after])
            assert left == sum(row[0] <= cut for row in rows)
            assert column_gain(data, 0, float(cut)).gain == view.chosen.gain


@pytest.mark.parametrize("cut", [40.0, 61.5, 83.0])
def test_bins_are_equally_wide_so_that_the_cut_makes_no_heap_and_no_gap(cut):
    ages = np.repeat(np.arange(20.0, 100.0), 3)
    data = Dataset(SCHEMA, np.column_stack([ages, np.zeros((240, 2))]))
    heights = {float(part.counts.sum()) for part in split_view(data, 0, cut).bins[1:-1]}
    assert len(heights) == 1


@given(st.lists(NUMBERS, min_size=2, max_size=9, unique=True), st.integers(0, 7))
def test_cuts_to_choose_from_part_the_numbers(numbers, at):
    values = np.array(sorted(numbers))
    cut = float(values[min(at, len(values) - 2)])
    places = cut_places(values, cut, "")
    assert cut in places
    assert len(places) <= 123
    assert values[0] <= places[0]
    assert places[-1] < values[-1]


def test_the_chart_escapes_and_marks_the_cut():
    data = patients(200)
    number = next(n for n, column in enumerate(data.schema.features) if not column.is_nominal)
    view = split_view(data, number, float(np.nanmedian(data.values[:, number])))
    html = split_html(view, ("a<b", *("c",) * (data.n_classes - 1)), 0, theme="light")
    assert html.count("dashed") >= 1
    assert "a<b" not in html
