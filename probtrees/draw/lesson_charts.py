"""Charts of the lesson: an estimate as its setting changes, and a sampler on its way."""

from __future__ import annotations

from collections.abc import Mapping

import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text
from probtrees.draw.figure import empty_figure
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
    figure = empty_figure(x_title, "estimate", theme=theme, height=300)
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
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
    figure = empty_figure(x_title, y_title, theme=theme, height=300)
    figure.add_trace(
        go.Scatter(x=x, y=values, mode="lines", line={"color": OTHERS[0], "width": 1.5})
    )
    return figure
