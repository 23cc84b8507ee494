"""Charts of the Compare page."""

from __future__ import annotations

from probtrees.draw.charts.comparison_charts import growing_rows_chart


def test_a_learning_curve_per_method() -> None:
    figure = growing_rows_chart({"a": ([10, 20], [0.5, 0.4])}, "RMSE", theme="dark")
    assert list(figure.data[0].x) == [10, 20]
    assert figure.layout.xaxis.type == "log"
