"""Charts about several methods: as rows grow, and over many data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.charts.figure import (
    band,
    diagonal,
    empty_figure,
    log_axis,
    method_line,
    method_style,
)
from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Theme


def growing_rows_chart(
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    measure: str,
    *,
    title: str = "",
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Draw a measure against the number of training rows, a line per method.

    Parameters
    ----------
    curves : by method, the numbers of rows and the measure
    bands : by method, the lower and the upper ends of its intervals
    """
    figure = empty_figure("training rows", measure, theme=theme, height=450 if title else 420)
    figure.update_xaxes(**log_axis([n for n_rows, _ in curves.values() for n in n_rows]))
    figure.update_layout(showlegend=True)
    if title:
        heading = {"text": html_text(title), "y": 0.98, "yanchor": "top"}
        figure.update_layout(title=heading, margin={"t": 90})
    for method, (n_rows, values) in curves.items():
        if bands is not None and method in bands:
            figure.add_trace(band(n_rows, *bands[method], method_style(method).colour))
        figure.add_trace(method_line(method, n_rows, values))
    return figure


def against(
    names: Sequence[str], first: ArrayLike, second: ArrayLike, labels: tuple[str, str], measure: str
) -> go.Figure:
    """Plot one method against another, a point per data set; below the line the first wins."""
    x, y = np.asarray(second, dtype=np.float64), np.asarray(first, dtype=np.float64)
    high = float(max(x.max(initial=0.0), y.max(initial=0.0))) * 1.05 or 1.0
    figure = empty_figure(f"{measure} of {labels[1]}", f"{measure} of {labels[0]}")
    figure.add_trace(diagonal(high))
    words = "%{text}: %{y:.4f} against %{x:.4f}<extra></extra>"
    figure.add_trace(_data_sets(labels[0], names, x, y, hovertemplate=words, showlegend=False))
    figure.update_layout(height=440)
    return figure


def _data_sets(
    method: str, names: Sequence[str], x: ArrayLike, y: ArrayLike, **more: Any
) -> go.Scatter:
    """Draw a point per data set in the colour and shape of a method."""
    return go.Scatter(
        x=np.asarray(x, dtype=np.float64),
        y=np.asarray(y, dtype=np.float64),
        mode="markers",
        marker={"size": 8, "opacity": 0.85, **method_style(method).marker},
        text=[html_text(name) for name in names],
        **more,
    )


def by_size(
    names: Sequence[str],
    n_rows: ArrayLike,
    values: Mapping[str, ArrayLike],
    *,
    y_title: str,
    log_y: bool = False,
) -> go.Figure:
    """Plot values of several methods against the number of rows, a point per data set."""
    figure = empty_figure("rows of the data set", y_title)
    figure.update_layout(showlegend=True)
    figure.update_xaxes(**log_axis(n_rows))
    if log_y:
        figure.update_yaxes(**log_axis(np.concatenate([np.asarray(v) for v in values.values()])))
    else:
        figure.add_hline(y=0, line={"color": PAINTS["light"].faint, "dash": "dash"})
    for method, value in values.items():
        words = "%{text}, %{x:,} rows: %{y:.4g}<extra></extra>"
        given = {"name": html_text(method), "hovertemplate": words}
        figure.add_trace(_data_sets(method, names, n_rows, value, **given))
    return figure
