"""The ladder of a leaf as a chart."""

from __future__ import annotations

import pytest

from probtrees.draw.charts.ladder_chart import ladder_chart
from probtrees.explain.path import PathStep


def _step(rows: float, observed: float, estimate: float) -> PathStep:
    return PathStep(0, "a", None, rows, rows * observed, observed, estimate)


def test_a_ladder_near_100_percent_does_not_begin_at_0() -> None:
    sure = ladder_chart([_step(2600, 0.954, 0.954), _step(2435, 1.0, 0.9998)], "yes")
    assert sure.layout.xaxis.range == pytest.approx((0.9475, 1.0025))
    even = ladder_chart([_step(100, 0.5, 0.5), _step(50, 0.98, 0.95)], "yes")
    assert even.layout.xaxis.range is None
    assert even.layout.xaxis.tickformat == ".0%"
