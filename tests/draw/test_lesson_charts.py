"""Charts of the Learn page."""

from __future__ import annotations

import numpy as np
import pytest

from probtrees.draw.lesson_charts import Level, estimate_curve, posterior_chart, trace_chart


def test_levels_stand_beside_the_curve() -> None:
    figure = estimate_curve(
        [0, 1], [0.1, 0.2], chosen=(1, 0.2), x_title="m", levels=[Level("leaf", 0.3)]
    )
    assert figure.layout.shapes[0].y0 == 0.3
    assert figure.layout.annotations[0].text == "leaf"
    assert list(figure.data[1].x) == [1]


def test_every_sample_is_counted_and_their_mean_marked() -> None:
    samples = np.array([0.0, 0.25, 0.5, 1.0])
    figure = posterior_chart(samples)
    assert sum(figure.data[0].y) == 4
    assert figure.layout.shapes[0].x0 == pytest.approx(samples.mean())


def test_a_trace_may_mark_a_place() -> None:
    figure = trace_chart([3.0, 2.0], x=[0, 1], x_title="w", y_title="loss", mark=0.5)
    assert figure.layout.shapes[0].x0 == 0.5
