"""Charts about several methods on one table: order by measure, time, more rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from probtrees.draw.charts.benchmark_charts import log_axis, method_style
from probtrees.draw.charts.figure import band, empty_figure
from probtrees.draw.escape import html_text, shorten
from probtrees.draw.palette import OTHERS, Theme

_TEXT_LIMIT = 40


def slope_chart(
    ranks: Mapping[str, Sequence[float]], measures: Sequence[str], *, theme: Theme = "light"
) -> go.Figure:
    """Draw how the order of the methods changes from measure to measure; the best on top."""
    figure = empty_figure("", "rank", theme=theme, height=140 + 44 * len(ranks))
    for number, (method, places) in enumerate(ranks.items()):
        style = method_style(number)
        figure.add_trace(
            go.Scatter(
                x=list(measures),
                y=list(places),
                name=html_text(shorten(method, _TEXT_LIMIT)),
                mode="lines+markers",
                line={"color": style["color"], "width": 2},
                marker={"size": 11, **style},
                hovertemplate="%{x}: rank %{y}<extra>%{fullData.name}</extra>",
            )
        )
    figure.update_yaxes(autorange="reversed", dtick=1)
    figure.update_layout(showlegend=True)
    return figure


def time_chart(seconds: Mapping[str, Mapping[str, float]], *, theme: Theme = "light") -> go.Figure:
    """Draw how long every method took to grow, smooth and predict, all folds together."""
    parts = list(dict.fromkeys(part for times in seconds.values() for part in times))
    figure = empty_figure("seconds, all folds", "", theme=theme, height=110 + 28 * len(seconds))
    places = list(range(len(seconds)))
    labels = [html_text(shorten(method, _TEXT_LIMIT)) for method in seconds]
    for number, part in enumerate(parts):
        figure.add_trace(
            go.Bar(
                x=[times.get(part, 0.0) for times in seconds.values()],
                y=places,
                orientation="h",
                name=html_text(part),
                marker={"color": OTHERS[number % len(OTHERS)]},
                hovertemplate="%{x:.2f} s<extra>%{fullData.name}</extra>",
            )
        )
    figure.update_layout(barmode="stack", showlegend=True)
    figure.update_yaxes(tickvals=places, ticktext=labels, autorange="reversed", automargin=True)
    return figure


def growing_rows_chart(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    measure: str,
    *,
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Draw a measure against the number of training rows, a line per method.

    Parameters
    ----------
    curves : by method, the numbers of rows and the measure
    bands : by method, the lower and the upper ends of its intervals
    """
    figure = empty_figure("training rows", measure, theme=theme)
    figure.update_xaxes(**log_axis([n for n_rows, _ in curves.values() for n in n_rows]))
    figure.update_layout(showlegend=True)
    for number, (method, (n_rows, values)) in enumerate(curves.items()):
        style = method_style(number)
        if bands is not None and method in bands:
            lower, upper = bands[method]
            figure.add_trace(band(n_rows, lower, upper, style["color"]))
        figure.add_trace(
            go.Scatter(
                x=list(n_rows),
                y=list(values),
                name=html_text(shorten(method, _TEXT_LIMIT)),
                mode="lines+markers",
                line={"color": style["color"]},
                marker={"size": 8, **style},
            )
        )
    return figure
