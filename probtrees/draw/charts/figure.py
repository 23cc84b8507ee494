"""An empty plotly chart in the app's colours, for every chart to start from."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from probtrees.draw.escape import html_text
from probtrees.draw.palette import PAINTS, Theme

LEGEND_BELOW = {"orientation": "h", "y": -0.16, "yanchor": "top", "traceorder": "normal"}
"""Names of many methods below the plot, where the browser's tools do not cover them."""


def empty_figure(
    x_title: str, y_title: str, *, theme: Theme = "light", height: int = 420
) -> go.Figure:
    """Make a chart with titled axes and nothing on it; its background is the page's."""
    paint = PAINTS[theme]
    axis = {"gridcolor": paint.card, "zeroline": False}
    return go.Figure(
        layout={
            "height": height,
            "margin": {"l": 60, "r": 15, "t": 10, "b": 50},
            "showlegend": False,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": paint.text},
            "xaxis": {"title": {"text": html_text(x_title)}, **axis},
            "yaxis": {"title": {"text": html_text(y_title)}, **axis},
        }
    )


def diagonal(high: float, *, theme: Theme = "light") -> go.Scatter:
    """Draw the line on which two axes agree."""
    return go.Scatter(
        x=[0, high],
        y=[0, high],
        mode="lines",
        line={"color": PAINTS[theme].faint, "dash": "dash"},
        hoverinfo="skip",
        showlegend=False,
    )


def band(
    x: Sequence[float], lower: Sequence[float], upper: Sequence[float], colour: str
) -> go.Scatter:
    """Draw the area between the ends of intervals, for a line above it."""
    return go.Scatter(
        x=[*x, *reversed(x)],
        y=[*upper, *reversed(lower)],
        fill="toself",
        fillcolor=colour,
        opacity=0.12,
        mode="none",
        hoverinfo="skip",
        showlegend=False,
    )
