"""Charts over many data sets: one method against another, by size, by time, by rows learned."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.charts.figure import diagonal, empty_figure
from probtrees.draw.escape import html_text
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS

SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
"""Shapes go with colours, so that nothing is shown by colour alone."""

_DASHES = ("solid", "dash", "dot", "dashdot")


def method_style(number: int) -> dict[str, str]:
    """Give a method its colour and its shape.

    >>> method_style(1)
    {'color': '#0072b2', 'symbol': 'square'}
    """
    colours = (INTEREST, *OTHERS)
    return {"color": colours[number % len(colours)], "symbol": SYMBOLS[number % len(SYMBOLS)]}


def line_style(number: int) -> dict[str, str]:
    """Give a method's line its colour, and a dash where the colours begin again.

    >>> line_style(0)["dash"], line_style(10)["dash"]
    ('solid', 'dash')
    """
    again = number // (1 + len(OTHERS))
    return {"color": method_style(number)["color"], "dash": _DASHES[again % len(_DASHES)]}


def log_axis(values: ArrayLike) -> dict[str, Any]:
    """Describe a logarithmic axis whose marks are whole numbers as people write them.

    >>> log_axis([30, 700])["ticktext"]
    ['20', '50', '100', '200', '500', '1,000']
    """
    known = np.asarray(values, dtype=np.float64)
    known = known[known > 0]
    if len(known) == 0:
        return {"type": "log"}
    low, high = math.floor(np.log10(known.min())), math.ceil(np.log10(known.max()))
    steps = (1, 2, 5) if high - low <= 3 else (1,)
    marks = [step * 10.0**power for power in range(low, high + 1) for step in steps]
    first = max((mark for mark in marks if mark <= known.min()), default=marks[0])
    last = min((mark for mark in marks if mark >= known.max()), default=marks[-1])
    marks = [mark for mark in marks if first <= mark <= last]
    return {"type": "log", "tickvals": marks, "ticktext": [f"{mark:,.12g}" for mark in marks]}


def against(
    names: Sequence[str], first: ArrayLike, second: ArrayLike, labels: tuple[str, str], measure: str
) -> go.Figure:
    """Plot one method against another, a point per data set; below the line the first wins."""
    x, y = np.asarray(second, dtype=np.float64), np.asarray(first, dtype=np.float64)
    high = float(max(x.max(initial=0.0), y.max(initial=0.0))) * 1.05 or 1.0
    figure = empty_figure(f"{measure} of {labels[1]}", f"{measure} of {labels[0]}")
    figure.add_trace(diagonal(high))
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            marker={"size": 8, "opacity": 0.85, **method_style(1)},
            text=[html_text(name) for name in names],
            hovertemplate="%{text}: %{y:.4f} against %{x:.4f}<extra></extra>",
            showlegend=False,
        )
    )
    figure.update_layout(height=440)
    return figure


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
    for number, (method, value) in enumerate(values.items()):
        figure.add_trace(
            go.Scatter(
                x=np.asarray(n_rows, dtype=np.float64),
                y=np.asarray(value, dtype=np.float64),
                name=html_text(method),
                mode="markers",
                marker={"size": 8, "opacity": 0.85, **method_style(number)},
                text=[html_text(name) for name in names],
                hovertemplate="%{text}, %{x:,} rows: %{y:.4g}<extra></extra>",
            )
        )
    return figure


def learning_curves(
    title: str, curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], measure: str
) -> go.Figure:
    """Plot a measure against the number of training rows, a line per method."""
    figure = empty_figure("training rows", measure, height=450)
    figure.update_xaxes(**log_axis([n for n_rows, _ in curves.values() for n in n_rows]))
    heading = {"text": html_text(title), "y": 0.98, "yanchor": "top"}
    figure.update_layout(title=heading, showlegend=True, margin={"t": 90})
    for number, (method, (n_rows, values)) in enumerate(curves.items()):
        style = method_style(number)
        figure.add_trace(
            go.Scatter(
                x=list(n_rows),
                y=list(values),
                name=html_text(method),
                mode="lines+markers",
                line={"color": style["color"]},
                marker={"size": 8, **style},
            )
        )
    return figure
