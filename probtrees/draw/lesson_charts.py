"""Charts of the lesson: an estimate as its setting changes, and a sampler on its way."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme


def estimate_curve(
    settings: ArrayLike,
    estimates: ArrayLike,
    *,
    chosen: tuple[float, float],
    x_title: str,
    lines: Mapping[str, float],
    theme: Theme = "light",
) -> go.Figure:
    """Draw an estimate against a setting, with the chosen point and levels to compare with."""
    figure = _figure(x_title, "estimate", theme)
    paint = PAINTS[theme]
    figure.add_trace(
        go.Scatter(x=settings, y=estimates, mode="lines", line={"color": OTHERS[0], "width": 3})
    )
    figure.add_trace(
        go.Scatter(
            x=[chosen[0]], y=[chosen[1]], mode="markers", marker={"size": 15, "color": INTEREST}
        )
    )
    for words, level in lines.items():
        figure.add_hline(
            y=level,
            line={"color": paint.faint, "dash": "dash"},
            annotation={"text": html_text(words), "font": {"color": paint.faint}},
        )
    return figure


def trace_chart(
    values: ArrayLike,
    *,
    x: ArrayLike | None = None,
    x_title: str,
    y_title: str,
    theme: Theme = "light",
) -> go.Figure:
    """Draw how one number moved while an optimiser or a sampler was at work."""
    figure = _figure(x_title, y_title, theme)
    figure.update_yaxes(tickformat=None, rangemode="normal")
    figure.add_trace(
        go.Scatter(x=x, y=values, mode="lines", line={"color": OTHERS[0], "width": 1.5})
    )
    return figure


def _figure(x_title: str, y_title: str, theme: Theme) -> go.Figure:
    paint = PAINTS[theme]
    figure = go.Figure(
        layout={
            "height": 300,
            "margin": {"l": 50, "r": 10, "t": 20, "b": 40},
            "showlegend": False,
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": paint.text},
        }
    )
    figure.update_xaxes(title=html_text(x_title), gridcolor=paint.card, zeroline=False)
    figure.update_yaxes(
        title=html_text(y_title),
        gridcolor=paint.card,
        zeroline=False,
        tickformat=".0%",
        rangemode="tozero",
    )
    return figure
