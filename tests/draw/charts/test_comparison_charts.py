"""Charts of the Compare page."""

from __future__ import annotations

from probtrees.draw.charts.comparison_charts import growing_rows_chart, slope_chart, time_chart

HOSTILE = "<img src=x onerror=alert(1)>"


def test_a_line_per_method_from_measure_to_measure_the_best_on_top() -> None:
    figure = slope_chart({"a": [1, 2], HOSTILE: [2, 1]}, ["rmse", "auc"])
    assert [list(trace.y) for trace in figure.data] == [[1, 2], [2, 1]]
    assert figure.layout.yaxis.autorange == "reversed"
    assert "<img" not in figure.to_json()


def test_times_are_stacked_by_part() -> None:
    figure = time_chart({"a": {"grow": 1.0, "smooth": 0.5}, HOSTILE: {"grow": 2.0}})
    assert [trace.name for trace in figure.data] == ["grow", "smooth"]
    assert list(figure.data[1].x) == [0.5, 0.0]
    assert "<img" not in figure.to_json()


def test_a_learning_curve_per_method() -> None:
    figure = growing_rows_chart({"a": ([10, 20], [0.5, 0.4])}, "RMSE", theme="dark")
    assert list(figure.data[0].x) == [10, 20]
    assert figure.layout.xaxis.type == "log"
