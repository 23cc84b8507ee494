"""Charts of the lesson: an estimate as its setting changes, and a sampler on its way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go
from numpy.typing import ArrayLike

from probtrees.draw.escape import html_text
from probtrees.draw.figure import empty_figure
from probtrees.draw.palette import INTEREST, OTHERS, PAINTS, Theme

_POSTERIOR_BINS = 50


class Level(NamedTuple):
    """A horizontal line to compare with, and what it is."""

    words: str
    value: float


def estimate_curve(
    settings: ArrayLike,
    estimates: ArrayLike,
    *,
    chosen: tuple[float, float],
    x_title: str,
    levels: Sequence[Level],
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
    # One layout update instead of one call per line: those are slow, and a class waits.
    figure.update_layout(
        shapes=[
            {
                "type": "line",
                "xref": "paper",
                "x0": 0,
                "x1": 1,
                "y0": level.value,
                "y1": level.value,
                "line": {"color": paint.faint, "dash": "dash", "width": 1.5},
            }
            for level in levels
        ],
        annotations=[
            {
                "xref": "paper",
                "x": 1,
                "y": level.value,
                "text": html_text(level.words),
                "showarrow": False,
                "xanchor": "right",
                "yanchor": "bottom",
                "font": {"color": paint.faint},
            }
            for level in levels
        ],
    )
    return figure


def trace_chart(
    values: ArrayLike,
    *,
    x: ArrayLike | None = None,
    x_title: str,
    y_title: str,
    mark: float | None = None,
    theme: Theme = "light",
) -> go.Figure:
    """Draw how one number moved while an optimiser or a sampler was at work, or over a setting."""
    figure = empty_figure(x_title, y_title, theme=theme, height=300)
    figure.add_trace(
        go.Scatter(x=x, y=values, mode="lines", line={"color": OTHERS[0], "width": 1.5})
    )
    if mark is not None:
        figure.update_layout(
            shapes=[
                {
                    "type": "line",
                    "yref": "paper",
                    "x0": mark,
                    "x1": mark,
                    "y0": 0,
                    "y1": 1,
                    "line": {"color": INTEREST, "width": 2},
                }
            ]
        )
    return figure


def posterior_chart(samples: ArrayLike, *, theme: Theme = "light") -> go.Figure:
    """Draw samples of a chance as a histogram on an axis that stays as they come in."""
    drawn = np.asarray(samples, dtype=np.float64)
    counts, edges = np.histogram(drawn, bins=_POSTERIOR_BINS, range=(0.0, 1.0))
    middle = (edges[1:] + edges[:-1]) / 2
    figure = empty_figure("chance in the leaf", "samples", theme=theme, height=300)
    figure.add_trace(
        go.Bar(x=middle, y=counts, width=1 / _POSTERIOR_BINS, marker={"color": OTHERS[0]})
    )
    mean = float(drawn.mean()) if len(drawn) else 0.0
    figure.update_layout(
        shapes=[
            {
                "type": "line",
                "yref": "paper",
                "x0": mean,
                "x1": mean,
                "y0": 0,
                "y1": 1,
                "line": {"color": INTEREST, "width": 3},
            }
        ]
    )
    figure.update_xaxes(tickformat=".0%", range=[0, 1])
    return figure
